"""The input for the standings of a tournament: its entrants, and the races. Plain values.

An entrant is a seat of the room and keeps it for good.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

import msgspec
from msgspec.structs import replace

from fortythieves.rules.race_rules import Ending
from fortythieves.rules.ranking import RULE, Result, Rule

State = Literal["in", "withdrawn", "disqualified"]
Pair = tuple[int, int]


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


class Correction(msgspec.Struct, frozen=True):
    """What a host says a round gave an entrant, instead of what the races say."""

    seat: int
    #: Points, from 0 to 1000. In a pair: 1 for a win, 0.5 for a tie, 0 for a loss; 0 for both if nobody won.
    value: Annotated[float, msgspec.Meta(ge=0, le=1000)]
    #: In the host's own words.
    reason: str = ""


class Drawing(msgspec.Struct, frozen=True):
    """A round as drawn; see `Round`."""

    seats: tuple[int, ...]
    pairs: tuple[Pair, ...] = ()
    byes: tuple[int, ...] = ()
    half_byes: tuple[int, ...] = ()


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
    #: Swiss: who asked for a half-point bye and does not race.
    half_byes: tuple[int, ...] = ()
    #: By seat, in pairs of both.
    corrections: tuple[Correction, ...] = ()
    #: How many of the first races do not count for a seat, because its pair races again. `races` are without them.
    replayed: Mapping[int, int] = {}

    @property
    def everybody(self) -> tuple[int, ...]:
        """All who were drawn, with byes of both kinds."""
        return (*self.seats, *self.byes, *self.half_byes)

    @property
    def corrected(self) -> dict[int, float]:
        """The corrected results by seat."""
        return {one.seat: one.value for one in self.corrections}

    def with_races(self, races: Sequence[Mapping[int, Played]]) -> "Round":
        """The round with these races, as far as they count."""
        counted = (
            {seat: one for seat, one in race.items() if n >= self.replayed.get(seat, 0)} for n, race in enumerate(races)
        )
        return replace(self, races=tuple(counted))

    def played_again(self, pair: tuple[int, int]) -> "Round":
        """The round, without the races of a pair so far."""
        others = tuple(one for one in self.corrections if one.seat not in pair)
        replayed = {**self.replayed, **dict.fromkeys(pair, len(self.races))}
        return replace(self, corrections=others, replayed=replayed).with_races(self.races)

    @property
    def counts(self) -> bool:
        """Whether it was raced, and was not skipped."""
        return bool(self.races) and not self.skipped
