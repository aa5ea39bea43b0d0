"""Plain values of a tournament: its entrants, its rounds with their races, and the scores that follow from these.

An entrant is a seat of the room and keeps it for good.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence, Set
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from fortythieves.rules.ranking import Result, places

State = Literal["in", "withdrawn", "disqualified"]
Pair = tuple[int, int]


class Entrant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entrant of a tournament."""

    name: str
    #: The first round for which the entrant is drawn.
    since: int = 1
    state: State = "in"
    #: Why the entrant was withdrawn or disqualified.
    reason: str = ""
    #: The team, if the plan has teams. "": none.
    team: str = ""
    #: The position in the order of the team, from 1. 0: in no team.
    board: int = 0


class Met(NamedTuple):
    """The result of a pair in a round."""

    #: None: no winner, or not decided yet.
    winner: int | None
    #: Whether neither a race nor a host decides it, and both can be asked to race again.
    tied: bool = False
    #: Whether both raced and finished exactly equal.
    equal: bool = False
    #: Whether both started the same race, or a host has decided the pair.
    played: bool = False


class Duel(NamedTuple):
    """The same from the view of one of the two."""

    opponent: int
    #: 1 for a win, 0.5 for a tie, 0 for a loss, or if neither came.
    given: float
    played: bool
    #: How many cards this one had home. 0 without a start.
    home: int = 0


class Correction(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The points that a host gave an entrant for a round, instead of the result of races."""

    seat: int
    #: Points, from 0 to 1000. In a pair: 1 for a win, 0.5 for a tie, 0 for a loss; 0 for both without a winner.
    value: Annotated[float, msgspec.Meta(ge=0, le=1000)]
    #: In the host's own words.
    reason: str = ""


class Drawing(msgspec.Struct, frozen=True):
    """A round as drawn; see `Round`."""

    seats: tuple[int, ...]
    pairs: tuple[Pair, ...] = ()
    byes: tuple[int, ...] = ()
    half_byes: tuple[int, ...] = ()
    lost: tuple[int, ...] = ()


class Round(msgspec.Struct, frozen=True, dict=True):
    """A drawn round, and its races. Values that follow from these alone are computed once: standings are computed
    often, and of 30 rounds only the last one is new each time.
    """

    number: int
    #: The racers, without byes. In the first round of a knock-out, also a double one, in order of seed.
    seats: tuple[int, ...]
    #: The pairs. In a knock-out, also a double one, the better seed is first.
    pairs: tuple[tuple[int, int], ...] = ()
    #: The entrants without a race. In the first round of a knock-out, also a double one, by
    #: seed; they are better than all racers.
    byes: tuple[int, ...] = ()
    #: The finished races that count, in order. From the second on, only exactly tied pairs race.
    races: tuple[Mapping[int, Result], ...] = ()
    #: Whether it counts for nothing, as if it had not been drawn.
    skipped: bool = False
    #: Whether a host has confirmed the results.
    confirmed: bool = False
    #: Swiss: the entrants with a half-point bye.
    half_byes: tuple[int, ...] = ()
    #: By seat, in pairs of both.
    corrections: tuple[Correction, ...] = ()
    #: Double elimination: the entrants with one loss, in the losers' bracket.
    lost: tuple[int, ...] = ()
    #: Arena: the racers who gave up too early or did nothing, so that nobody gets points from that.
    early: tuple[int, ...] = ()
    #: How many of the first races do not count for a seat, because its pair raced once more. `races` are without them.
    replayed: Mapping[int, int] = {}
    #: The par of each race (`bot.par`), if this breaks ties and is known. A draw does without.
    pars: tuple[int | None, ...] = ()

    @property
    def everybody(self) -> tuple[int, ...]:
        """All drawn entrants, with byes of both kinds."""
        return (*self.seats, *self.byes, *self.half_byes)

    def met(self, pair: Pair) -> Met:
        """The result of a pair by its races and corrections, if neither of the two is disqualified."""
        return self._met.get(pair) or self._meeting(pair)

    @cached_property
    def _met(self) -> Mapping[Pair, Met]:
        return {pair: self._meeting(pair) for pair in self.pairs}

    def _meeting(self, pair: Pair) -> Met:
        one, other = (self.corrected.get(seat) for seat in pair)
        if one is not None and other is not None:
            return Met(None if one == other else pair[0] if one > other else pair[1], False, one == other > 0, True)
        winner, equal, both = None, False, False
        for race in self.races:
            there = {seat: race[seat] for seat in pair if seat in race and race[seat].started}
            both = both or len(there) == 2
            ranked = places(there)
            if winner is None and (len(there) == 1 or len({*ranked.values()}) == 2):
                winner = min(ranked, key=ranked.__getitem__)
            equal = equal or (winner is None and bool(there))
        return Met(winner, winner is None, winner is None and equal, both)

    @cached_property
    def duels(self) -> Mapping[int, Duel]:
        """For each seat of a pair its points from the round, if neither is disqualified."""
        found: dict[int, Duel] = {}
        for (one, other), met in self._met.items():
            for seat, opponent in ((one, other), (other, one)):
                given = 0.5 if met.equal else float(met.winner == seat)
                home = self.first[seat].home if seat in self.first else 0
                found[seat] = Duel(opponent, given, met.played, home)
        return found

    @cached_property
    def raced(self) -> Set[int]:
        """The seats that started a race, or have a corrected result."""
        return {*self.first, *self.corrected}

    @cached_property
    def first(self) -> Mapping[int, Result]:
        """The result of each seat in the first race that it started and that counts, even if disqualified by now."""
        found: dict[int, Result] = {}
        for race in self.races:
            found = {seat: played for seat, played in race.items() if played.started} | found
        return found

    def over_par(self, seat: int) -> int:
        """How many cards more than par the seat had home in the race of `first`."""
        rows = ((race[seat], par) for race, par in zip(self.races, self.pars, strict=False) if seat in race)
        return next((played.home - par if par is not None else 0 for played, par in rows if played.started), 0)

    @cached_property
    def corrected(self) -> dict[int, float]:
        """The corrected results by seat."""
        return {one.seat: one.value for one in self.corrections}

    def with_races(self, races: Sequence[Mapping[int, Result]]) -> "Round":
        """The round with these races, if they count."""
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


#: A fraction if points are shared. Otherwise halves and quarters, which a float adds exactly.
Number = Fraction | float


class Score(NamedTuple):
    """The score of an entrant, before places are given. In every field, more is better. Sums are exact."""

    total: Number
    #: In the order in which they decide.
    tiebreaks: tuple[float, ...]
    #: The points of each round. None if there were none to win.
    rounds: tuple[Number | None, ...]
    #: The values that decide the place, if not the total and then the tie-breaks.
    order: tuple[Number, ...] | None = None

    @property
    def in_order(self) -> tuple[Number, ...]:
        """The values that decide the place."""
        return (self.total, *self.tiebreaks) if self.order is None else self.order

    @property
    def floats(self) -> tuple[float, tuple[float, ...], tuple[float | None, ...]]:
        """The total, the tie-breaks and the rounds, rounded to floats."""
        cells = tuple(None if cell is None else float(cell) for cell in self.rounds)
        return float(self.total), tuple(map(float, self.tiebreaks)), cells

    @classmethod
    def nothing(cls, tiebreaks: int, rounds: int) -> "Score":
        """The score of an entrant without a result."""
        return cls(0.0, (0.0,) * tiebreaks, (None,) * rounds)


#: For questions whose answers do not depend on lots, or hardly.
ANY_CHANCE = "0" * 64


def by_lot(chance: str, seats: Iterable[int]) -> list[int]:
    """The seats in random order, which depends only on them and on ``chance``: 64 unpredictable hexadecimal digits."""
    known = bytes.fromhex(chance)
    return sorted(seats, key=lambda seat: hashlib.sha256(known + str(seat).encode()).digest())
