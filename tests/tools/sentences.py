"""Print all sentences of the page in all languages, so that a native reader can review them.

python -m tests.tools.sentences > sentences.md
"""

import json
from pathlib import Path

WORDS = Path(__file__).parents[2] / "shared/fortythieves/words"


def main() -> None:
    names = json.loads((WORDS / "languages.json").read_text())
    for path in sorted(WORDS.glob("en/*.json")):
        texts = {tag: json.loads((WORDS / tag / path.name).read_text()) for tag in names}
        print(f"\n## {path.stem}\n\nkey | {' | '.join(names.values())}\n{' | '.join(['---'] * (len(names) + 1))}")
        for key in texts["en"]:
            print(key, *(texts[tag][key].replace("|", "\\|").replace("\n", " ") for tag in names), sep=" | ")


if __name__ == "__main__":
    main()
