"""The ranking of a race. In the hard games most races end without a win, so this rule decides them."""

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeVar

from fortythieves.rules.race_rules import Ending
from fortythieves.times import Ms

Key = TypeVar("Key")


class Result(NamedTuple):
    """How the race ended for a racer. The fields have the names of a record."""

    state: Ending
    when: Ms
    home: int
    moves: int
    reached_at: Ms

    @property
    def solved(self) -> bool:
        return self.state == "solved"

    @property
    def is_ranked(self) -> bool:
        """Whether the racer has a place. A racer without a move is a no-show."""
        return self.state != "disqualified" and self.moves > 0

    @property
    def started(self) -> bool:
        return self.state != "did_not_start" and self.is_ranked


#: The order of results, the best first.
Order = tuple[int, Ms, int, Ms, int]


def order(result: Result) -> Order:
    """Sort by: won or not; the time of a win; cards home; the earlier time for that number; fewer moves."""
    return (
        0 if result.solved else 1,
        result.when if result.solved else Ms(0),
        -result.home,
        result.reached_at,
        result.moves,
    )


def places(results: Mapping[int, Result]) -> dict[int, int]:
    """The place of each seat, from 1. Seats that are equal in everything tie, for example 1, 1, 3."""
    return placed({seat: order(result) for seat, result in results.items()})


def placed(values: Mapping[Key, Any], first: int = 1, *, most: bool = False) -> dict[Key, int]:
    """The place of each, from ``first``, by values that compare and hash. Equal ones tie, for example 1, 1, 3.
    ``most``: the highest is first.
    """
    ranked = sorted(values.values(), reverse=most)
    place = {value: n for n, value in reversed(list(enumerate(ranked, start=first)))}
    return {key: place[value] for key, value in values.items()}
