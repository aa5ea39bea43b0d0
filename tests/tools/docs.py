"""Write the generated parts of the documents, and the examples of PROTOCOL.md as bytes for clients in any language.

    python -m tests.tools.docs

A part is between ``<!-- generated: NAME -->`` and ``<!-- end -->``. Names, fields, defaults and sentences come from
the program. The description in the last cell of a row is written by hand and stays; a new row has ``…`` there until
you replace it. `tests/test_docs.py` fails while a part is out of date.
"""

import asyncio
import inspect
import json
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgpack
import msgspec

from fortythieves.errors import CODES
from fortythieves.protocol import to_client, to_server
from fortythieves.record import proof, shape
from fortythieves.record.reasons import REASONS
from fortythieves.rules.games import GAMES
from fortythieves.rules.settings import FRIENDS
from fortythieves.solver.effort import MEASURED
from fortythieves.tournament import export, plan
from fortythieves_server.common.limits import Limits
from tests.tools.walk import walks_of_own_server

ROOT = Path(__file__).parents[2]
OPENAPI = ROOT / "server" / "fortythieves_server" / "openapi.json"
VECTORS = ROOT / "shared" / "vectors"
PART = re.compile(r"(<!-- generated: ([\w-]+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)
MISSING = "…"
#: Codes that refuse files, and requests of the command `solve`. No server sends them.
OF_FILES = {"bad-json", "bad-deck", "not-a-record", "cut-record", "newer-record", "not-a-tournament"}

#: One row without its description. The first cell identifies it.
Row = tuple[str, ...]
Described = Mapping[str, str]


class Part(NamedTuple):
    """A generated part: the head of its table, and its rows."""

    head: Row
    rows: Callable[[], Iterable[Row]]
    described: bool = False  # whether the last cell is written by hand

    def written(self, before: str) -> str:
        known = {line.split(" | ")[0]: line.split(" | ")[-1] for line in before.splitlines() if " | " in line}
        rows = [(*row, known.get(row[0], MISSING)) if self.described else row for row in self.rows()]
        return "\n".join(
            ["", " | ".join(self.head), "|".join("---" for _ in self.head), *map(" | ".join, rows), "", ""]
        )


class Text(NamedTuple):
    """A generated part without rows."""

    text: Callable[[], str]

    def written(self, before: str) -> str:
        return f"\n{self.text()}\n\n"


def code(text: object) -> str:
    return f"`{text}`"


def as_json(value: Any) -> str:
    return msgspec.json.encode(value).decode() if value is not None else "null"


def messages(kinds: Sequence[type[msgspec.Struct]]) -> Iterator[Row]:
    """Each message with its fields in order, and the defaults of fields that may be left out."""
    for kind in kinds:
        fields = msgspec.structs.fields(kind)
        named = (f"{one.name}" if one.required else f"{one.name}={_default(one)}" for one in fields)
        yield code(kind.__struct_config__.tag), ", ".join(map(code, named))


def _default(field: Any) -> str:
    has_value = field.default_factory is msgspec.NODEFAULT
    return json.dumps(field.default if has_value else field.default_factory(), separators=(",", ":"))


def closes() -> Iterator[Row]:
    return ((str(value),) for name, value in sorted(vars(to_client.Close).items(), key=str) if name.isupper())


def settings() -> Iterator[Row]:
    return ((code(name), code(default)) for name, default in msgspec.to_builtins(FRIENDS).items())


def with_parameters(codes: Mapping[str, str]) -> Text:
    """Each code with the parameters of its sentence."""

    def listed() -> Iterator[str]:
        for name, text in codes.items():
            parameters = ", ".join(map(code, dict.fromkeys(re.findall(r"{(\w+)[,}]", text))))
            yield f"{code(name)} ({parameters})" if parameters else code(name)

    return Text(lambda: f"{', '.join(listed())}.")


def found_by(check: str) -> dict[str, str]:
    """The sentences of a check of records by code."""
    return {key.removeprefix(f"{check}."): text for key, text in REASONS.items() if key.startswith(f"{check}.")}


def addresses() -> Iterator[str]:
    for path, methods in json.loads(OPENAPI.read_text())["paths"].items():
        for method in methods:
            yield code(path if method == "get" else f"{method.upper()} {path}")


def fields(kind: Any) -> Callable[[], Iterator[Row]]:
    names = kind if isinstance(kind, Mapping) else kind.__struct_fields__
    return lambda: ((code(name),) for name in names)


def limits() -> Iterator[Row]:
    """Each limit with its default, and the first sentence of the comment above it."""
    explained = re.findall(r"((?:    #:.*\n)+)    (\w+):", inspect.getsource(Limits))
    about = {name: re.split(r"(?<=[.]) ", " ".join(re.findall("#: (.*)", lines)))[0] for lines, name in explained}
    for name, value in Limits()._asdict().items():
        yield code(name), code(value), about.get(name, "see above")


def games() -> Iterator[Row]:
    """Each game, and in the last cell all that differs from Forty Thieves."""
    bases = {0: "first card", 1: "", 2: "two"}
    units = {"card": "", "sequence": "sequences", "in-suit": "in suit"}
    for row in GAMES.values():
        assert row.key == re.sub("[^a-z-]", "", row.name.lower().replace(" ", "-")), "say the key in GAMES.md"
        build = row.build.replace("-", " ").replace("colour", "colours") + (", around" if row.wrap else "")
        others = (
            f"{row.face_down} face down" if row.face_down else "",
            units[row.unit],
            "" if row.empty == "any" else row.empty,
            f"draws {row.draw}" if row.draw > 1 else "",
            f"redeals: {row.redeals}" if row.redeals else "",
            bases[row.base],
            "dealt" if row.bases_out else "",
            "alternating foundations" if row.foundations != "same-suit" else "",
        )
        yield row.name, f"{row.columns} × {row.cards}", str(row.stock), build, ", ".join(filter(None, others)) or "–"


def solved() -> Iterator[Row]:
    return ((code(key), str(row.won), *map(str, row.stars or "––")) for key, row in MEASURED.items())


def plan_settings() -> Iterator[Row]:
    return ((code(name), code(as_json(default))) for name, default in msgspec.to_builtins(plan.Plan()).items())


def tiebreaks() -> Iterator[Row]:
    for kind, usual in plan.DEFAULT_TIEBREAKS.items():
        others = [name for name in plan.TIEBREAKS[kind] if name not in usual]
        yield code(kind), ", ".join(map(code, usual)), ", ".join(map(code, others)) or "–"


def tiebreak_names() -> Iterator[Row]:
    return ((code(name),) for name in dict.fromkeys(name for names in plan.TIEBREAKS.values() for name in names))


PARTS: dict[str, dict[str, Part | Text]] = {
    "README.md": {
        "limits": Part(("limit", "default", "what it limits"), limits),
    },
    "shared/PROTOCOL.md": {
        "to-server": Part(("message", "fields", "meaning"), lambda: messages(to_server.MESSAGES), described=True),
        "to-client": Part(("message", "fields", "meaning"), lambda: messages(to_client.MESSAGES), described=True),
        "close-codes": Part(("code", "meaning"), closes, described=True),
        "settings": Part(("setting", "default", "meaning"), settings, described=True),
        "addresses": Text(lambda: f"{', '.join(addresses())}."),
        "codes": with_parameters({name: text for name, text in CODES.items() if name not in OF_FILES}),
    },
    "shared/GAMES.md": {
        "games": Part(("game", "columns × cards", "stock", "build", "otherwise"), games),
    },
    "shared/SOLVER.md": {"solved": Part(("game", "won, %", "one star up to", "two stars up to"), solved)},
    "shared/TOURNAMENTS.md": {
        "tie-breaks": Part(("format", "tie-breaks", "also possible"), tiebreaks),
        "tie-break": Part(("tie-break", "meaning"), tiebreak_names, described=True),
        "plan": Part(("setting", "default", "meaning"), plan_settings, described=True),
        "file": Part(("field", "meaning"), fields(export.File), described=True),
        "round": Part(("field of a round", "meaning"), fields(export.Drawn), described=True),
    },
    "shared/RECORD.md": {
        "record": Part(("field", "meaning"), fields(shape.RECORD), described=True),
        "racer": Part(("field", "meaning"), fields(shape.RECORD["racers"]["each"]), described=True),
        "day-deal": Part(("field", "meaning"), fields(shape.RECORD["day"]["or_null"]), described=True),
        "winnable-deal": Part(("field", "meaning"), fields(shape.RECORD["winnable"]["or_null"]), described=True),
        "events": Part(("event", "meaning"), fields(dict.fromkeys(shape.LEAVES["event"]["choices"])), described=True),
        **{check: with_parameters(found_by(check)) for check in (*proof.CHECKS, "remarks")},
    },
}


def text_of(name: str, parts: Mapping[str, Part | Text] | None = None) -> str:
    """The document with current generated parts."""
    made = parts or PARTS[name]
    document = (ROOT / name).read_text("utf-8")
    return PART.sub(lambda found: f"{found[1]}{made[found[2]].written(found[3])}{found[4]}", document)


def examples(document: str, section: str) -> list[list[Any]]:
    """The messages that a section of PROTOCOL.md gives as JSON."""
    part = document.split(f"# {section}\n", 1)[1].split("\n## ", 1)[0]
    found: list[list[Any]] = []
    for block in re.findall(r"```json\n(.*?)```", part, re.DOTALL):
        while block := block.strip():
            example, end = json.JSONDecoder().raw_decode(block)
            found.append(example)
            block = block[end:]
    return found


def message_vectors() -> list[dict[str, Any]]:
    """Each example as bytes."""
    document = (ROOT / "shared" / "PROTOCOL.md").read_text("utf-8")
    both = [(to, example) for to in ("server", "client") for example in examples(document, f"To the {to}")]
    return [{"to": to, "message": example, "frame": msgpack.packb(example).hex()} for to, example in both]


def walk_parts() -> dict[str, Text]:
    """The walk of a move, which needs a server."""
    move, _ = asyncio.run(walks_of_own_server())
    return {"walk-of-a-move": Text(lambda: textwrap.indent(move, "    "))}


def main() -> None:
    for name in PARTS:
        (ROOT / name).write_text(text_of(name), "utf-8")
    (ROOT / "CONTRIBUTING.md").write_text(text_of("CONTRIBUTING.md", walk_parts()), "utf-8")
    (VECTORS / "messages.json").write_text(json.dumps(message_vectors(), indent=1) + "\n")


if __name__ == "__main__":
    main()
