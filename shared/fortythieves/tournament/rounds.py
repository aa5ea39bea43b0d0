"""The input for the standings of a tournament: its entrants, and the races. Plain values.

An entrant is a seat of the room and keeps it for good.
"""

from collections.abc import Mapping
from typing import Literal

import msgspec

from fortythieves.rules.race_rules import Ending
from fortythieves.rules.ranking import RULE, Result, Rule

State = Literal["in", "withdrawn", "disqualified"]


class Entrant(msgspec.Struct, frozen=True):
    """Somebody who entered."""

    name: str
    #: The first round for which the entrant is drawn.
    since: int = 1
    state: State = "in"
    #: Why the entrant was withdrawn or disqualified.
    reason: str = ""


class Played(msgspec.Struct, frozen=True):
    """The result of a seat in a race."""

    state: Ending
    result: Result
    #: Whether a racer without a move is ranked. An older rule occurs only in old records.
    rule: Rule = RULE


class Round(msgspec.Struct, frozen=True):
    """A drawn round, and its races."""

    number: int
    #: Who races, without byes. In the first round of a knock-out in order of seed.
    seats: tuple[int, ...]
    #: The pairs. In a knock-out the better seed comes first.
    pairs: tuple[tuple[int, int], ...] = ()
    #: Who advances without a race. In the first round of a knock-out by seed; they are better than all who race.
    byes: tuple[int, ...] = ()
    #: The finished races that count, in order. From the second on, only exactly tied pairs race.
    races: tuple[Mapping[int, Played], ...] = ()
    #: Whether it counts for nothing, as if it had not been drawn.
    skipped: bool = False
    #: Whether a host has confirmed the results.
    confirmed: bool = False

    @property
    def counts(self) -> bool:
        """Whether it was raced, and was not skipped."""
        return bool(self.races) and not self.skipped
