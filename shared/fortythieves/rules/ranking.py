"""The ranking of a race. In the hard games most races end without a win, so this rule decides them."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, TypeVar

from fortythieves.times import Ms

Key = TypeVar("Key")

#: Who is ranked. Rule 1, of the oldest records: everybody who is not disqualified. Rule 2: only those with a move.
Rule = Literal[1, 2]
#: The rule of all new races.
RULE: Rule = 2


def rule_of_record(version: int) -> Rule:
    """The rule for the places in a record of this version."""
    return 1 if version < 2 else RULE


def is_ranked(state: str, moves: int, rule: Rule = RULE) -> bool:
    """Whether a racer with this end state has a place. Without a move it is a no-show, however the race ended."""
    return state != "disqualified" and (rule == 1 or moves > 0)


class Result(NamedTuple):
    """How one racer finished."""

    solved: bool
    when: Ms
    home: int
    reached_at: Ms
    moves: int


def _order(result: Result) -> tuple[int, Ms, int, Ms, int]:
    """Sort by: won or not; the time of a win; cards home; who had them home first; fewer moves."""
    return (
        0 if result.solved else 1,
        result.when if result.solved else Ms(0),
        -result.home,
        result.reached_at,
        result.moves,
    )


def places(results: Mapping[int, Result]) -> dict[int, int]:
    """The place of each seat, from 1. Seats that are equal in everything tie, for example 1, 1, 3."""
    return placed({seat: _order(result) for seat, result in results.items()})


def placed(values: Mapping[Key, Any], first: int = 1, *, most: bool = False) -> dict[Key, int]:
    """The place of each, from ``first``, by values that compare and hash. Equal ones tie, for example 1, 1, 3.

    ``most``: the highest value is first, not the lowest.
    """
    ranked = sorted(values.values(), reverse=most)
    place = {value: n for n, value in reversed(list(enumerate(ranked, start=first)))}
    return {key: place[value] for key, value in values.items()}
