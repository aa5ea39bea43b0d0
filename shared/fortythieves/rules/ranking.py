"""Who came before whom. In the hard games most races end unsolved, so this is the rule that decides."""

from collections.abc import Mapping
from typing import Literal, NamedTuple

#: Who is ranked at all. 1, of the first records: whoever is not disqualified. 2: of these, whoever has made a move.
Rule = Literal[1, 2]
#: The rule of all races from now on.
RULE: Rule = 2


def rule_of_record(version: int) -> Rule:
    """By which rule the places in a record of this version were given."""
    return 1 if version < 2 else RULE


def is_ranked(state: str, moves: int, rule: Rule = RULE) -> bool:
    """Whether a racer who ended like this has a place. Who has made no move did not start, however the race ended."""
    return state != "disqualified" and (rule == 1 or moves > 0)


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
    """The place of each of these seats, from 1; equal in all is an equal place, and the next one counts on: 1, 1, 3."""
    order = {seat: _order(result) for seat, result in results.items()}
    ranked = sorted(order.values())
    first = {key: place for place, key in reversed(list(enumerate(ranked, start=1)))}
    return {seat: first[key] for seat, key in order.items()}
