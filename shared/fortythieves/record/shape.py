"""The format of a record: every field, and its possible values. RECORD.md has the table of shape.json in words.

For a malformed record, the browser (client/web/src/record/shape.js) finds the same place and the same code.
"""

import json
import re
from collections.abc import Callable, Mapping
from importlib.resources import files
from itertools import pairwise
from types import MappingProxyType
from typing import Any, NamedTuple

from fortythieves.record.reasons import Param, Reason
from fortythieves.rules.cards import PACKS, parse_cards
from fortythieves.rules.games import GAMES

#: Seats are numbered from 1, and the log of a room has no more events than this.
HIGHEST_SEAT = 100_000
#: The highest whole number that JavaScript holds exactly.
HIGHEST = 2**53 - 1


class Leaf(NamedTuple):
    """A plain value. ``code`` and ``params``: the reason if the value does not fit (`reasons`)."""

    code: str
    fits: Callable[[Any], bool]
    params: Mapping[str, Any] = MappingProxyType({})


def _is_whole(value: object, low: float, high: int) -> bool:
    # type() instead of isinstance(), because True is not a number here.
    return type(value) is int and low <= value <= high


def _is_two_packs(value: object) -> bool:
    try:
        return isinstance(value, str) and len(value) == 208 and sorted(parse_cards(value)) == sorted(PACKS)
    except ValueError:
        return False


#: The check of each leaf without parameters, by code.
_FITS: Mapping[str, Callable[[Any], bool]] = {
    "not-time": lambda value: _is_whole(value, 0, HIGHEST),
    "not-boolean": lambda value: isinstance(value, bool),
    "not-game": lambda value: isinstance(value, str) and value in GAMES,
    "not-text": lambda value: isinstance(value, str),
    "not-plain": lambda value: value is None or isinstance(value, (str, bool)) or _is_whole(value, -HIGHEST, HIGHEST),
    "not-deck": _is_two_packs,
}


def _leaf(code: str, form: str | None = None, **params: Any) -> Leaf:
    """A leaf of shape.json. ``form``: a regular expression that both languages understand."""
    match params:
        case {"low": low, "high": high}:
            return Leaf(code, lambda value: _is_whole(value, low, high), params)
        case {"choices": choices}:
            return Leaf(code, lambda value: isinstance(value, str) and value in choices, params)
        case {"digits": digits}:
            form = f"[0-9a-f]{{{digits}}}"
    if form is None:
        return Leaf(code, _FITS[code])
    matches = re.compile(form, re.ASCII).fullmatch
    return Leaf(code, lambda value: isinstance(value, str) and matches(value) is not None, params)


def _or_null(leaf: Leaf) -> Leaf:
    return Leaf(leaf.code, lambda value: value is None or leaf.fits(value), {**leaf.params, "or_null": True})


#: A shape is the name of a leaf ("?": or null); a list with a shape for each place; a map with the shape of "each" item
#: of a list, or of a map that may be null; or a map with the shape of each field ("*": of further ones).
_TABLE: Mapping[str, Any] = json.loads((files("fortythieves.record") / "shape.json").read_text("utf-8"))
_NAMED: Mapping[str, Leaf] = {name: _leaf(**leaf) for name, leaf in _TABLE["leaves"].items()}
RECORD: Mapping[str, Any] = _TABLE["record"]
LEAVES: Mapping[str, Leaf] = {**_NAMED, **{f"{name}?": _or_null(leaf) for name, leaf in _NAMED.items()}}


def fault(record: object) -> Reason | None:
    """The first fault in the format of a record, with its place, or None."""
    return _fault(RECORD, record, "") or _disorder(record)


_NAME = re.compile("[a-z_]{1,30}")


def _at(path: str, code: str, params: Mapping[str, Param] = MappingProxyType({})) -> Reason:
    return Reason(code, {"place": path or "record", **params})


def _fault(shape: Any, value: Any, path: str) -> Reason | None:
    match shape:
        case str():
            code, fits, params = LEAVES[shape]
            return None if fits(value) else _at(path, code, params)
        case [*places]:
            if not isinstance(value, list) or len(value) != len(places):
                return _at(path, "not-row", {"length": len(places)})
            rows = enumerate(zip(places, value, strict=True))
            return next((said for i, (place, one) in rows if (said := _fault(place, one, f"{path}.{i}"))), None)
        case {"each": item}:
            most = shape.get("most", HIGHEST_SEAT)
            if not isinstance(value, list):
                return _at(path, "not-list")
            if len(value) > most:
                return _at(path, "too-many-items", {"most": most})
            return next((said for i, one in enumerate(value) if (said := _fault(item, one, f"{path}.{i}"))), None)
        case {"or_null": item}:
            return None if value is None else _fault(item, value, path)
    return _field_fault(shape, value, path)


def _field_fault(fields: Mapping[str, Any], value: Any, path: str) -> Reason | None:
    if not isinstance(value, dict):
        return _at(path, "not-map")
    head = f"{path}." if path else ""
    known = {name: shape for name, shape in fields.items() if name != "*"}
    for name, shape in known.items():
        if name not in value:
            return _at(head + name, "missing")
        if said := _fault(shape, value[name], head + name):
            return said
    for name in sorted(value.keys() - known.keys()):
        # Text from others is only repeated if it is a plain word.
        if "*" not in fields or not _NAME.fullmatch(name):
            return _at(head + (name if _NAME.fullmatch(name) else "?"), "unknown-field")
        if said := _fault(fields["*"], value[name], head + name):
            return said
    return None


def _disorder(record: Any) -> Reason | None:
    """A contradiction between fields that are each valid, or None."""
    seats = [racer["seat"] for racer in record["racers"]]
    if not seats:
        return Reason("no-racers")
    if not _rise(seats):
        return _at("racers", "unsorted")
    if [seat for seat, _ in record["logs"]] != seats:
        return Reason("other-seats")
    for name in ("commitments", "nonces"):
        if not _rise([seat for seat, _ in record[name]]):
            return _at(name, "unsorted")
    known = set(seats)
    strange = (i for i, (_, _, seat) in enumerate(record["events"]) if seat not in known)
    return next((_at(f"events.{i}", "stranger") for i in strange), None)


def _rise(numbers: list[int]) -> bool:
    return all(a < b for a, b in pairwise(numbers))
