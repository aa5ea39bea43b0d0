"""What the standings of a tournament are computed from: who is in it, and what was raced. Plain values.

An entrant is a seat of the room, and keeps it for good.
"""

from collections.abc import Mapping
from typing import Literal

import msgspec

from fortythieves.rules.ranking import RULE, Result, Rule

State = Literal["in", "withdrawn", "disqualified"]


class Entrant(msgspec.Struct, frozen=True):
    """Somebody who entered."""

    name: str
    #: The first round that the seat is drawn for.
    since: int = 1
    state: State = "in"
    #: Why it is withdrawn or disqualified.
    reason: str = ""


class Played(msgspec.Struct, frozen=True):
    """How a race went for a seat."""

    #: One of `shape.ENDS`.
    state: str
    result: Result
    #: Says whether who has made no move is ranked; an older one only in records that were made by it.
    rule: Rule = RULE


class Round(msgspec.Struct, frozen=True):
    """A round that is drawn, and what was raced of it."""

    number: int
    #: Who races; whoever has a bye does not. In the first round of a knock-out by seed.
    seats: tuple[int, ...]
    #: Who is compared with whom; in a knock-out the better seed comes first.
    pairs: tuple[tuple[int, int], ...] = ()
    #: Who goes on without a race. In the first round of a knock-out by seed, and better than those who race.
    byes: tuple[int, ...] = ()
    #: The races that count, in order, each over. In the second and later ones only those race who were exactly tied.
    races: tuple[Mapping[int, Played], ...] = ()
    #: It counts for nothing, as if it had not been drawn.
    skipped: bool = False
    #: A host has said that the results are right.
    confirmed: bool = False

    @property
    def counts(self) -> bool:
        """Whether it was raced, and was not skipped."""
        return bool(self.races) and not self.skipped
