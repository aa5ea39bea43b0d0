"""Who came before whom. In the hard games most races end unsolved, so this is the rule that decides."""

from collections.abc import Mapping
from typing import NamedTuple


class Result(NamedTuple):
    """How one racer ended; times in ms by the server's clock."""

    solved: bool
    when: int
    home: int
    reached_at: int
    moves: int


def _order(result: Result) -> tuple[int, ...]:
    """Solved before unsolved; solved by time; then by cards home, who reached that count first, fewer moves."""
    return (
        0 if result.solved else 1,
        result.when if result.solved else 0,
        -result.home,
        result.reached_at,
        result.moves,
    )


def places(results: Mapping[int, Result]) -> dict[int, int]:
    """The place of each seat, from 1; equal in all is an equal place, and the next one counts on: 1, 1, 3."""
    order = {seat: _order(result) for seat, result in results.items()}
    ranked = sorted(order.values())
    first = {key: place for place, key in reversed(list(enumerate(ranked, start=1)))}
    return {seat: first[key] for seat, key in order.items()}
