"""Inputs for fuzzing: values of every kind, difficult texts, real files."""

import copy
import json
from collections.abc import Mapping, Sequence
from datetime import UTC
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from fortythieves.record import race_record
from fortythieves.tournament import export
from tests.shared.tournament.bundles import bundle, event_of_teams

VECTORS = Path(__file__).parents[2] / "shared" / "vectors"

#: Characters with a meaning in addresses, formats, combined texts and broken Unicode.
_SIGNS = (
    "0123456789aZé٠²½:/?#[]@%&=+-._~,;'\"\\<>{}()|^`! \t\r\n\0\x1b\x7f"
    "\u200c\u200d\u202e\ufe0f\u20e3\u0301\u1100\u3164😀\ud800℀"
)

texts: SearchStrategy[str] = (
    st.text(max_size=40) | st.text(st.sampled_from(_SIGNS), max_size=30) | st.text(st.characters(), max_size=400)
)

numbers: SearchStrategy[Any] = (
    st.sampled_from([0, 1, -1, 2**31, 2**53 - 1, 2**53, 2**63 - 1, 2**63, 2**64 - 1, -(2**63), 0.0, -0.0, 1.0, 1e308])
    | st.integers(-10, 20_000)
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats()
)

#: Texts of valid UTF-8, as in MessagePack and JSON.
said = texts.map(lambda text: text.encode(errors="replace").decode())
_plain: SearchStrategy[Any] = st.none() | st.booleans() | numbers | said

json_values: SearchStrategy[Any] = st.recursive(
    _plain, lambda inner: st.lists(inner, max_size=5) | st.dictionaries(said, inner, max_size=5), max_leaves=10
)

#: MessagePack has bytes, too, and keys of any kind.
values: SearchStrategy[Any] = st.recursive(
    _plain | st.binary(max_size=20) | st.datetimes(timezones=st.just(UTC)),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(_plain | st.binary(max_size=4), inner, max_size=5),
    max_leaves=10,
)


def changes(likely: Mapping[str, SearchStrategy[Any]]) -> SearchStrategy[dict[str, Any]]:
    """Some fields with likely values, some with any, and sometimes an unknown field."""
    fields = st.fixed_dictionaries({}, optional={name: one | one | values for name, one in likely.items()})
    return st.tuples(fields, st.just({}) | st.dictionaries(said, values, max_size=1)).map(
        lambda two: {**two[1], **two[0]}
    )


@st.composite
def damaged(draw: DrawFn, whole: Sequence[bytes]) -> bytes:
    """One of these files with bytes removed, inserted, repeated or copied from another one."""
    data = draw(st.sampled_from(whole))
    for _ in range(draw(st.integers(0, 4))):
        at, gone = draw(st.integers(0, len(data))), draw(st.integers(0, 8))
        other = draw(st.sampled_from(whole))
        start = draw(st.integers(0, len(other)))
        put = draw(st.binary(max_size=8) | st.just(other[start : start + draw(st.integers(0, 64))]))
        data = data[:at] + put * draw(st.sampled_from([1, 1, 1, 2, 300])) + data[at + gone :]
    return data


@st.composite
def altered(draw: DrawFn, whole: Sequence[Any]) -> Any:
    """One of these trees with places changed, removed, doubled or copied."""
    tree = copy.deepcopy(draw(st.sampled_from(whole)))
    for _ in range(draw(st.integers(1, 4))):
        holder, step = _place_in(draw, tree)
        match draw(st.sampled_from(["any", "near", "gone", "elsewhere", "twice"])):
            case "gone":
                del holder[step]
            case "elsewhere":
                there, where = _place_in(draw, tree)
                holder[step] = copy.deepcopy(there[where])
            case "twice" if isinstance(holder, list):
                holder.insert(step, copy.deepcopy(holder[step]))
            case "near" if isinstance(holder[step], int):
                holder[step] += draw(st.integers(-2, 2))
            case _:
                holder[step] = draw(json_values)
    return tree


def _place_in(draw: DrawFn, tree: Any) -> tuple[Any, Any]:
    holder, step = tree, draw(st.sampled_from(sorted(tree)))
    while isinstance(holder[step], dict | list) and holder[step] and draw(st.integers(0, 4)):
        holder = holder[step]
        step = draw(st.sampled_from(sorted(holder)) if isinstance(holder, dict) else st.integers(0, len(holder) - 1))
    return holder, step


@cache
def records() -> tuple[race_record.Plain, ...]:
    """The records of the vectors without the long one, which only takes more time."""
    return tuple(one["record"] for one in _vectors("records.json")["records"] if one["name"] != "long")


@cache
def server_key() -> bytes:
    return bytes.fromhex(_vectors("records.json")["keys"]["server"])


@cache
def messages() -> tuple[bytes, ...]:
    return tuple(bytes.fromhex(one["frame"]) for one in _vectors("messages.json") if one["to"] == "server")


@cache
def bundles() -> tuple[export.Plain, ...]:
    """A tournament of three with its records, without them, as if the three had raced in pairs, and in teams."""
    whole: export.Plain = json.loads(export.written(bundle()))
    paired = {"seats": [1, 2], "pairs": [[1, 2]], "byes": [3]}
    rounds = [{**drawn, **paired} for drawn in whole["rounds"]]
    swiss, knockout, double, robin, arena = (
        {**whole, "plan": {**whole["plan"], "format": kind}, "rounds": rounds}
        for kind in ("swiss", "knockout", "double", "roundrobin", "arena")
    )
    teams: export.Plain = json.loads(export.written(bundle(event_of_teams())))
    boards = {**teams, "plan": {**teams["plan"], "format": "swiss"}, "rounds": rounds}
    return (whole, {**whole, "records": None}, swiss, knockout, double, robin, arena, teams, boards)


def _vectors(name: str) -> Any:
    return json.loads((VECTORS / name).read_text())
