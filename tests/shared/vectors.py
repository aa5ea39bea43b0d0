"""The files in shared/vectors, which test Python and JavaScript, and the modules that make them.

    python -m tests.shared.vectors

A test fails if this would write other files. Look at the difference, and commit it if you meant to change the rules.
"""

import json
from importlib import import_module
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[2] / "shared" / "vectors"

#: The modules whose `vectors` are in the files of these names. The other files never change.
MADE_BY = {
    "positions": "tests.shared.make_positions",
    "records": "tests.shared.make_records",
    "analysis": "tests.shared.solver.make_analysis",
    "solver": "tests.shared.solver.make_solver",
    "series": "tests.shared.tournament.make_series",
    "fairness": "tests.client.bot.make_fairness",
    "hints": "tests.client.bot.make_hints",
}


def file(name: str) -> Path:
    return FOLDER / f"{name}.json"


def read(name: str) -> Any:
    return json.loads(file(name).read_text("utf-8"))


def text(name: str) -> str:
    """The file: JSON with an item of each list on a line of its own."""
    made = import_module(MADE_BY[name]).vectors()
    if isinstance(made, dict):
        return "{\n" + ",\n".join(f"{_line(key)}:{_rows(value)}" for key, value in made.items()) + "\n}\n"
    return f"{_rows([*made])}\n"


def _rows(value: Any) -> str:
    return "[\n" + ",\n".join(map(_line, value)) + "\n]" if isinstance(value, list) else _line(value)


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


if __name__ == "__main__":
    for each in MADE_BY:
        file(each).write_text(text(each), "utf-8")
