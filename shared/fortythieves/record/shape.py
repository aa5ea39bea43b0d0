"""The format of a record: every field, and its possible values. RECORD.md has the same table in words.

For a malformed record, the browser (client/web/src/record/shape.js) finds the same place and the same code.
"""

import re
from collections.abc import Callable, Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import Any, NamedTuple, get_args

from fortythieves.record.reasons import Param, Reason
from fortythieves.rules.cards import PACKS, parse_cards
from fortythieves.rules.games import GAMES
from fortythieves.rules.race_rules import MOST_ENTRIES, Ending
from fortythieves.rules.winnable import DEALS, STEPS

#: How a race can end for a racer.
ENDS = get_args(Ending)
#: Events that affect how it ends.
EVENTS = ("started_late", "gave_up", "took_back", "left", "kicked", "stopped")

#: Seats are numbered from 1, and the log of a room has no more events than this.
HIGHEST_SEAT = 100_000
#: The highest whole number that JavaScript holds exactly.
HIGHEST = 2**53 - 1


class Leaf(NamedTuple):
    """A plain value. ``code`` and ``params``: the reason if the value does not fit (`reasons`)."""

    code: str
    fits: Callable[[Any], bool]
    params: Mapping[str, Param] = MappingProxyType({})


class Each(NamedTuple):
    """A list whose items all have one shape."""

    item: "Shape"
    most: int = HIGHEST_SEAT


class Row(NamedTuple):
    """A list of fixed length. Each position has its own shape."""

    places: tuple["Shape", ...]


class OrNull(NamedTuple):
    """A map, or null."""

    shape: "Fields"


class Fields(NamedTuple):
    """A map with these keys. ``others``: the shape of further keys, if they are allowed."""

    fields: Mapping[str, "Shape"]
    others: Leaf | None = None


Shape = Leaf | Each | Row | OrNull | Fields


def _whole(low: int, high: int) -> Leaf:
    # type() instead of isinstance(), because True is not a number here.
    return Leaf("not-whole", lambda value: type(value) is int and low <= value <= high, {"low": low, "high": high})


def _text(code: str, form: str, params: Mapping[str, Param] = MappingProxyType({})) -> Leaf:
    matches = re.compile(form, re.ASCII).fullmatch
    return Leaf(code, lambda value: isinstance(value, str) and matches(value) is not None, params)


def _one_of(*choices: str) -> Leaf:
    return Leaf("not-one-of", lambda value: isinstance(value, str) and value in choices, {"choices": [*choices]})


def _or_null(leaf: Leaf) -> Leaf:
    return Leaf(leaf.code, lambda value: value is None or leaf.fits(value), {**leaf.params, "or_null": True})


def _hexadecimal(digits: int) -> Leaf:
    return _text("not-hexadecimal", f"[0-9a-f]{{{digits}}}", {"digits": digits})


def _is_two_packs(value: object) -> bool:
    try:
        return isinstance(value, str) and len(value) == 208 and sorted(parse_cards(value)) == sorted(PACKS)
    except ValueError:
        return False


_ROOM = "[A-Z]{6}"
_RACE = rf"{_ROOM}/[1-9][0-9]{{0,5}}"
_NUMBER = "[1-9][0-9]{0,20}"

_TIME = Leaf("not-time", lambda value: type(value) is int and 0 <= value <= HIGHEST)
_SEAT = _whole(1, HIGHEST_SEAT)
_BOOLEAN = Leaf("not-boolean", lambda value: isinstance(value, bool))
_GAME = Leaf("not-game", lambda value: isinstance(value, str) and value in GAMES)
_PLAIN = Leaf(
    "not-plain",
    lambda value: value is None or isinstance(value, (str, bool)) or (type(value) is int and abs(value) <= HIGHEST),
)

SETTINGS = Fields(
    {
        "game": _GAME,
        "time_limit": _whole(60, 14_400),
        "undo": _one_of("none", "turned", "free"),
        "late": _one_of("refuse", "watch", "join"),
        "deal": _text("not-deal", f"secret|winnable(-[123])?|{_NUMBER}|{_RACE}"),
    },
    # Other settings do not affect the result, and new ones will be added.
    others=_PLAIN,
)

RACER = Fields(
    {
        "seat": _SEAT,
        "name": Leaf("not-text", lambda value: isinstance(value, str)),
        "bot": _BOOLEAN,
        "late": _BOOLEAN,
        "state": _one_of(*ENDS),
        "when": _TIME,
        "home": _whole(0, 104),
        "moves": _whole(0, MOST_ENTRIES),
        "reached_at": _TIME,
        "place": _or_null(_whole(1, HIGHEST_SEAT)),
    }
)

#: The check of moves decides whether it is a move. This only ensures that it can be displayed.
_TEXT_OF_MOVE = _text("not-entry", "[!-~]{1,8}")
_ENTRY = Row((_TIME, _TEXT_OF_MOVE))

WINNABLE = Fields(
    {
        "stars": _whole(1, 3),
        "leaf": _whole(0, DEALS - 1),
        "path": Row((_hexadecimal(64),) * STEPS),
        "line": Each(_TEXT_OF_MOVE, MOST_ENTRIES),
    }
)

PROMISE = Fields({"at": _TIME, "key": _hexadecimal(64), "signature": _hexadecimal(128)})

RECORD = Fields(
    {
        "format": _one_of("forty-thieves-record"),
        "version": _whole(1, 1),
        "code": _text("not-code", _ROOM),
        "race": _whole(1, 999_999),
        "game": _GAME,
        "settings": SETTINGS,
        "commitment": _or_null(_hexadecimal(64)),
        "promise": OrNull(PROMISE),
        "secret": _or_null(_hexadecimal(64)),
        "number": _or_null(_text("not-number", _NUMBER)),
        "practice": _or_null(_text("not-race", _RACE)),
        "commitments": Each(Row((_SEAT, _hexadecimal(64)))),
        "nonces": Each(Row((_SEAT, _hexadecimal(32)))),
        "winnable": OrNull(WINNABLE),
        "deck": Leaf("not-deck", _is_two_packs),
        "starts_at": _TIME,
        "ends_at": _TIME,
        "over_at": _TIME,
        "racers": Each(RACER),
        "logs": Each(Row((_SEAT, Each(_ENTRY, MOST_ENTRIES)))),
        "events": Each(Row((_TIME, _one_of(*EVENTS), _SEAT))),
        "key": _hexadecimal(64),
        "signature": _hexadecimal(128),
    }
)


def fault(record: object) -> Reason | None:
    """The first fault in the format of a record, with its place, or None."""
    return _fault(RECORD, record, "") or _disorder(record)


_NAME = re.compile("[a-z_]{1,30}")


def _at(path: str, code: str, params: Mapping[str, Param] = MappingProxyType({})) -> Reason:
    return Reason(code, {"place": path or "record", **params})


def _fault(shape: Shape, value: Any, path: str) -> Reason | None:
    match shape:
        case Leaf(code, fits, params):
            return None if fits(value) else _at(path, code, params)
        case Each(item, most):
            if not isinstance(value, list):
                return _at(path, "not-list")
            if len(value) > most:
                return _at(path, "too-many-items", {"most": most})
            return next((said for i, one in enumerate(value) if (said := _fault(item, one, f"{path}.{i}"))), None)
        case Row(places):
            if not isinstance(value, list) or len(value) != len(places):
                return _at(path, "not-row", {"length": len(places)})
            rows = enumerate(zip(places, value, strict=True))
            return next((said for i, (place, one) in rows if (said := _fault(place, one, f"{path}.{i}"))), None)
        case OrNull(shape):
            return None if value is None else _fault(shape, value, path)
        case Fields(fields, others):
            return _field_fault(fields, others, value, path)


def _field_fault(fields: Mapping[str, Shape], others: Leaf | None, value: Any, path: str) -> Reason | None:
    if not isinstance(value, dict):
        return _at(path, "not-map")
    head = f"{path}." if path else ""
    for name, shape in fields.items():
        if name not in value:
            return _at(head + name, "missing")
        if said := _fault(shape, value[name], head + name):
            return said
    for name in sorted(value.keys() - fields.keys()):
        # Text from others is only repeated if it is a plain word.
        if others is None or not _NAME.fullmatch(name):
            return _at(head + (name if _NAME.fullmatch(name) else "?"), "unknown-field")
        if said := _fault(others, value[name], head + name):
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
