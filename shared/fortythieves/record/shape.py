"""The format of a record: every field, and its possible values. RECORD.md has the table of shape.json in words.

For a malformed record, the browser (client/web/src/record/shape.js) finds the same place.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from itertools import pairwise
from typing import Any

from fortythieves.record.reasons import Reason
from fortythieves.rules.cards import PACKS, parse_cards
from fortythieves.rules.games import GAMES

#: Seats are numbered from 1, and the log of a room has no more events than this.
HIGHEST_SEAT = 100_000
#: The highest whole number that JavaScript holds exactly.
HIGHEST = 2**53 - 1


def _is_whole(value: object, low: float, high: int) -> bool:
    # type() instead of isinstance(), because True is not a number here.
    return type(value) is int and low <= value <= high


def _is_two_packs(value: object) -> bool:
    try:
        return isinstance(value, str) and len(value) == 208 and sorted(parse_cards(value)) == sorted(PACKS)
    except ValueError:
        return False


_KINDS: Mapping[str, Callable[[Any], bool]] = {
    "boolean": lambda value: isinstance(value, bool),
    "game": lambda value: isinstance(value, str) and value in GAMES,
    "text": lambda value: isinstance(value, str),
    "plain": lambda value: value is None or isinstance(value, (str, bool)) or _is_whole(value, -HIGHEST, HIGHEST),
    "deck": _is_two_packs,
}


def _check_of(
    kind: str = "", low: int = 0, high: int = 0, choices: Sequence[str] = (), form: str | None = None
) -> Callable[[Any], bool]:
    """The check of a leaf of shape.json. ``form``: a regular expression that both languages understand."""
    if kind:
        return _KINDS[kind]
    if high:
        return lambda value: _is_whole(value, low, high)
    matches = re.compile("|".join(choices) if form is None else form, re.ASCII).fullmatch
    return lambda value: isinstance(value, str) and matches(value) is not None


#: A shape is the name of a leaf ("?": or null); a list with a shape for each place; a map with the shape of "each" item
#: of a list, or of a map that may be null; or a map with the shape of each field ("*": of further ones).
_TABLE: Mapping[str, Any] = json.loads((files("fortythieves.record") / "shape.json").read_text("utf-8"))
LEAVES: Mapping[str, Mapping[str, Any]] = _TABLE["leaves"]
RECORD: Mapping[str, Any] = _TABLE["record"]
_CHECKS = {name: _check_of(**leaf) for name, leaf in LEAVES.items()}


def fault(record: object) -> Reason | None:
    """The first fault in the format of a record, with its place, or None."""
    place = _fault(RECORD, record, "")
    place = _disorder(record) if place is None else place
    return None if place is None else Reason("malformed", {"place": place or "record"})


_NAME = re.compile("[a-z_]{1,30}")


def _fault(shape: Any, value: Any, path: str) -> str | None:
    match shape:
        case str():
            is_right = (value is None and shape[-1] == "?") or _CHECKS[shape.removesuffix("?")](value)
            return None if is_right else path
        case [*places]:
            if not isinstance(value, list) or len(value) != len(places):
                return path
            rows = enumerate(zip(places, value, strict=True))
            return next((said for i, (place, one) in rows if (said := _fault(place, one, f"{path}.{i}"))), None)
        case {"each": item}:
            if not isinstance(value, list) or len(value) > shape.get("most", HIGHEST_SEAT):
                return path
            return next((said for i, one in enumerate(value) if (said := _fault(item, one, f"{path}.{i}"))), None)
        case {"or_null": item}:
            return None if value is None else _fault(item, value, path)
    return _field_fault(shape, value, path)


def _field_fault(fields: Mapping[str, Any], value: Any, path: str) -> str | None:
    if not isinstance(value, dict):
        return path
    head = f"{path}." if path else ""
    known = {name: shape for name, shape in fields.items() if name != "*"}
    for name, shape in known.items():
        if name not in value:
            return head + name
        if said := _fault(shape, value[name], head + name):
            return said
    for name in sorted(value.keys() - known.keys()):
        # Text from others is only repeated if it is a plain word.
        if "*" not in fields or not _NAME.fullmatch(name):
            return head + (name if _NAME.fullmatch(name) else "?")
        if said := _fault(fields["*"], value[name], head + name):
            return said
    return None


def _disorder(record: Any) -> str | None:
    """The place of a contradiction between fields that are each valid, or None."""
    seats = [racer["seat"] for racer in record["racers"]]
    known = set(seats)
    wrong = {
        "racers": not seats or not _rise(seats),
        "logs": [seat for seat, _ in record["logs"]] != seats,
        **{name: not _rise([seat for seat, _ in record[name]]) for name in ("commitments", "nonces")},
        **{f"events.{i}": seat not in known for i, (_, _, seat) in enumerate(record["events"])},
    }
    return next((place for place, is_wrong in wrong.items() if is_wrong), None)


def _rise(numbers: list[int]) -> bool:
    return all(a < b for a, b in pairwise(numbers))
