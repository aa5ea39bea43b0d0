"""RECORD.md is held against the code, and against the records in the vectors."""

import json
import re
from pathlib import Path
from typing import Any

from fortythieves.errors import CODES
from fortythieves.record import race_record, shape
from fortythieves.record.proof import CHECKS, verify
from fortythieves.record.reasons import REASONS
from fortythieves.rules.race_rules import MOST_ENTRIES, TAKE_BACK_WITHIN
from fortythieves.times import Ms
from tests.shared.make_records import FILE, SERVER, public

DOCUMENT = Path(__file__).parents[2] / "shared" / "RECORD.md"
TEXT = DOCUMENT.read_text("utf-8")
VECTORS: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
SHORT: dict[str, Any] = VECTORS["records"][0]["record"]


#: A record that shows it would be larger than all others; `test_shape` has one.
TOO_MANY = ("format", "too-many-items")

#: What the command finds that fetches a record; it is no check of the record.
FETCHED = "address"


def section(title: str) -> str:
    return re.split(r"\n#+ ", re.split(rf"\n#+ {title}\n", TEXT)[1])[0]


def first_cells(title: str) -> list[str]:
    """What stands in backticks at the start of the rows of a section."""
    return re.findall(r"^\| `(.+?)` \|", section(title), re.MULTILINE)


def example() -> Any:
    return json.loads(section("An example").split("```json\n")[1].split("```")[0])


def example_text() -> str:
    """The short record, one field a line and one racer, log or event a line."""

    def line(value: Any) -> str:
        return json.dumps(value, ensure_ascii=False)

    def lines(value: Any) -> str:
        if isinstance(value, list) and value and len(line(value)) > 100:
            return "[" + ",\n  ".join(map(line, value)) + "]"
        return line(value)

    return "{" + ",\n ".join(f'"{name}": {lines(value)}' for name, value in SHORT.items()) + "}"


def found() -> set[tuple[str, str, frozenset[str]]]:
    """Everything that is found in the vectors: its check, its code, and the names of its parameters."""
    checks = [check for one in VECTORS["records"] for check in one["checks"]]
    checks += [check for one in VECTORS["broken"] for check in one["fail"]]
    checks += [check.plain() for check in verify(SHORT)]
    checks += [{"check": "remarks", **remark} for one in VECTORS["records"] for remark in one["remarks"]]
    return {(one["check"], one["code"], frozenset(one.get("params", ())) - {"or_null"}) for one in checks}


def rows(check: str) -> list[tuple[str, tuple[str, ...], str]]:
    """The codes of a check as its section lists them, with parameters and sentence."""
    listed = re.findall(r"^\| `([\w-]+)` \| (.*?) ?\| (.+) \|$", section(check.title()), re.MULTILINE)
    return [
        (code, tuple(re.findall(r"\w+", params)), sentence)
        for code, params, sentence in listed
        if code not in shape.ENDS
    ]


def test_the_fields_are_those_of_a_record() -> None:
    assert first_cells("The fields") == list(shape.RECORD.fields)
    assert first_cells("The winnable deal") == list(shape.WINNABLE.fields)
    assert first_cells("Settings") == list(shape.SETTINGS.fields)
    assert first_cells("Racers") == list(shape.RACER.fields)
    assert tuple(first_cells("Events")) == shape.EVENTS


def test_every_way_in_which_a_race_can_end_has_its_row() -> None:
    assert set(re.findall(r"^\| `(\w+)` \| .+ \| .+ \|$", section("Results"), re.MULTILINE)) == set(shape.ENDS)


def test_the_codes_with_which_a_file_is_refused_are_listed() -> None:
    assert set(first_cells("The file")) == {code for code in CODES if code.endswith("-record")}


def test_the_checks_come_in_their_order() -> None:
    assert re.findall(r"^`(\w+)`(?:, only of a winnable deal)?:", TEXT, re.MULTILINE) == list(CHECKS)


def test_every_code_is_listed_with_its_parameters_and_its_sentence() -> None:
    for check, sentences in REASONS.items():
        if check != FETCHED:
            assert rows(check) == [
                (code, tuple(dict.fromkeys(re.findall(r"{(\w+)}", sentence))), sentence)
                for code, sentence in sentences.items()
            ]


def test_every_code_is_found_in_the_vectors_and_with_the_parameters_that_its_sentence_has() -> None:
    known = {
        (check, code, frozenset(re.findall(r"{(\w+)}", sentence)))
        for check, sentences in REASONS.items()
        for code, sentence in sentences.items()
        if check != FETCHED and (check, code) != TOO_MANY
    }
    assert found() == known


def test_the_bounds_are_as_written() -> None:
    assert f"at most {race_record.SIZE_LIMIT:,} bytes" in TEXT
    assert f"At most {MOST_ENTRIES} a seat" in TEXT and f"win the deal. At most {MOST_ENTRIES} |" in TEXT
    assert f"a number from 1 to {shape.HIGHEST_SEAT} " in TEXT
    assert Ms(10_000) == TAKE_BACK_WITHIN and "10 seconds after the\nracer was done" in TEXT


def test_the_example_is_a_true_record() -> None:
    assert public(SERVER).hex() in TEXT
    assert example() == SHORT
    assert all(check.ok for check in verify(example(), public(SERVER)))


def test_the_example_is_written_as_it_should_be() -> None:
    assert f"```json\n{example_text()}\n```" in TEXT, "python -m tests.shared.test_record_md"


if __name__ == "__main__":
    head, _, rest = TEXT.partition("```json\n")
    DOCUMENT.write_text(f"{head}```json\n{example_text()}\n```{rest.partition('```')[2]}", "utf-8")
