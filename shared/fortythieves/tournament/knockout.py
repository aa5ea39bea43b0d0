"""Knock-out. Losers are out; an entrant without an opponent has a bye; if neither of a pair starts, both are out.

The first round lays the bracket out by seed, with a power of two of positions. After that the bracket follows the
draws: an entrant in the next draw has advanced. Its levels are numbered from 1, the first round, to the final.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

from fortythieves.tournament.plan import Plan
from fortythieves.tournament.results import Entrants, beaten, decided, is_in, undecided
from fortythieves.tournament.rounds import Drawing, Pair, Round, Score, by_lot


def seeds(plan: Plan, entrants: Entrants, seats: Iterable[int], chance: str) -> list[int]:
    """All seats, best first: in the order of the host's list, then by lot."""
    listed = {name.casefold(): n for n, name in enumerate(plan.listed)} if plan.entry == "list" else {}
    return sorted(by_lot(chance, seats), key=lambda seat: listed.get(entrants[seat].name.casefold(), len(listed)))


def spots(size: int) -> list[int]:
    """The seed (from 1) at each position of a bracket of this size. The best two can only meet in the final."""
    order = [1]
    while len(order) < size:
        order = [seed for above in order for seed in (above, 2 * len(order) + 1 - above)]
    return order


class Bracket:
    """The position of each entrant, from the first round."""

    def __init__(self, seeded: Sequence[int]) -> None:
        self.seed = {seat: n for n, seat in enumerate(seeded, start=1)}
        self.levels = (len(seeded) - 1).bit_length()
        #: The seat at each position. None: no entrant.
        self.positions = [seeded[n - 1] if n <= len(seeded) else None for n in spots(1 << self.levels)]
        self._spot = {seat: n for n, seat in enumerate(self.positions) if seat is not None}

    def level(self, one: int, other: int) -> int:
        """The level at which these two would meet."""
        return (self._spot[one] ^ self._spot[other]).bit_length()

    def pair(self, one: int, other: int) -> Pair:
        """The pair, with the better seed first."""
        return (one, other) if self.seed[one] < self.seed[other] else (other, one)

    def meeting(self, seats: Sequence[int]) -> list[Pair]:
        """The pairs at the lowest level at which any of these seats meet, in bracket order. None of them have met."""
        standing = sorted(seats, key=self._spot.__getitem__)
        near = [(self.level(one, other), one, other) for one, other in pairwise(standing)]
        lowest = min((level for level, _, _ in near), default=0)
        return [self.pair(one, other) for level, one, other in near if level == lowest]


class Stage(NamedTuple):
    """A round of the bracket."""

    done: Round
    #: Its pairs, without the match for third place.
    main: tuple[Pair, ...]
    third: Pair | None
    level: int

    #: The entrants still in the bracket at the draw.
    alive: frozenset[int]


class Course(NamedTuple):
    """How far the bracket has been played."""

    entrants: Entrants
    bracket: Bracket
    stages: list[Stage]

    @property
    def champion(self) -> int | None:
        """The winner: the last entrant left, even if there was no final, or the winner of the final."""
        last, alive = self.stages[-1], self.alive
        if len(alive) == 1:
            return alive[0] if last.done.counts and not self.undecided else None
        finals = [pair for pair in last.main if last.level == self.bracket.levels]
        return self.winner(len(self.stages) - 1, finals[0]) if finals else None

    def winner(self, n: int, pair: Pair) -> int | None:
        """The winner of a pair: the one in the next draw, or the winner of the races. None if not decided."""
        if n + 1 < len(self.stages):
            went_on = [seat for seat in pair if seat in self.stages[n + 1].alive]
            if went_on:
                return went_on[0]
        return decided(self.entrants, self.stages[n].done, pair).winner

    @property
    def alive(self) -> list[int]:
        """The entrants still in the bracket after its last stage, without leavers."""
        last = self.stages[-1]
        winners = (self.winner(len(self.stages) - 1, pair) for pair in last.main)
        return [seat for seat in (*last.done.byes, *winners) if seat is not None and is_in(self.entrants, seat)]

    @property
    def undecided(self) -> list[Pair]:
        """The pairs of the last stage that still have to race."""
        last = self.stages[-1]
        return undecided(self.entrants, last.done, last.main)


def course(entrants: Entrants, rounds: Sequence[Round]) -> Course:
    """The bracket as drawn. Skipped rounds are ignored."""
    drawn = [done for done in rounds if not done.skipped]
    bracket = Bracket(seeds_of(drawn[0]))
    return Course(entrants, bracket, [_stage(bracket, done) for done in drawn])


def seeds_of(first: Round) -> list[int]:
    """All entrants of the first round, best first."""
    return [*first.byes, *(seat for seat in first.seats if seat not in first.byes)]


def _stage(bracket: Bracket, done: Round) -> Stage:
    """Of two pairs that could only meet in the final, the first is the final and the other is for third place."""
    last = [pair for pair in done.pairs if bracket.level(*pair) == bracket.levels]
    third = last[-1] if last and (len(last) > 1 or done.byes) else None
    main = tuple(pair for pair in done.pairs if pair != third)
    alive = frozenset((*done.byes, *(seat for pair in main for seat in pair)))
    return Stage(done, main, third, bracket.level(*main[0]) if main else bracket.levels, alive)


def misdrawn(plan: Plan, rounds: Sequence[Round]) -> int | None:
    """The first round with pairs that do not follow from the bracket, or None."""
    so_far = course({}, rounds)
    for n, stage in enumerate(so_far.stages):
        meeting = so_far.bracket.meeting([*stage.alive])
        if {*stage.main} != {*meeting} or not _follows(stage, so_far.stages[n - 1] if n else None):
            return stage.done.number
    return None


def _follows(stage: Stage, before: Stage | None) -> bool:
    """Whether no loser is back, except for third place."""
    if before is None:
        return stage.third is None
    lost = {seat for pair in before.main for seat in pair} - stage.alive
    came = all(len(stage.alive.intersection(pair)) < 2 for pair in before.main)
    return came and stage.alive <= before.alive and lost.issuperset(stage.third or ())


# The draw


def draw(
    plan: Plan, entrants: Entrants, rounds: Sequence[Round], seeded: Callable[[], Sequence[int]]
) -> Drawing | None:
    """The next racers, the pairs, and the byes, each by seed. ``seeded``: all in the first round, best first."""
    so_far = course(entrants, rounds) if any(not done.skipped for done in rounds) else None
    bracket = so_far.bracket if so_far else Bracket(seeded())
    alive = so_far.alive if so_far else [*bracket.seed]
    pairs = bracket.meeting(alive)
    if so_far and plan.third_place and len(alive) == (2 if pairs else 1):
        pairs += _third(so_far)
    return drawing_of(bracket, alive, pairs)


def drawing_of(
    bracket: Bracket, alive: Collection[int], pairs: Collection[Pair], lost: Collection[int] = ()
) -> Drawing | None:
    """The round in which these pairs race, and the others who are still in have a bye. None if there are no pairs."""

    def by_seed(seats: Iterable[int]) -> tuple[int, ...]:
        return tuple(sorted(seats, key=bracket.seed.__getitem__))

    racing = by_seed(chain.from_iterable(pairs))
    return Drawing(racing, tuple(pairs), by_seed({*alive} - {*racing}), lost=by_seed(lost)) if pairs else None


def _third(so_far: Course) -> list[Pair]:
    """The losers of the semi-finals, if each of these has one, and both are still there."""
    last = so_far.stages[-1]
    if len(last.main) != 2 or last.done.byes:
        return []
    winners = {so_far.winner(len(so_far.stages) - 1, pair) for pair in last.main}
    losers = [seat for pair in last.main for seat in pair if seat not in winners and is_in(so_far.entrants, seat)]
    if None in winners or len(losers) != 2 or so_far.bracket.level(*losers) < so_far.bracket.levels:
        return []
    return [so_far.bracket.pair(*losers)]


# The standings


#: The points for third place, and a number of beaten racers that is lower than any.
_HALF, ABSENT = 0.5, -1


def scores(plan: Plan, entrants: Entrants, rounds: Sequence[Round], seats: Sequence[int]) -> dict[int, Score]:
    """The score of each seat in the table: the levels of the bracket passed, and half a level for third place.

    An entrant that never started and is out has passed nothing, and is behind all racers.
    """
    so_far = course(entrants, rounds)
    passed = [_passed(so_far, n) for n in range(len(so_far.stages))]
    behind = [beaten(entrants, stage.done) for stage in so_far.stages]
    won_in = {stage.done.number: won for stage, won in zip(so_far.stages, passed, strict=True)}
    still, champion = can_win(entrants, so_far.alive, so_far.undecided), so_far.champion

    def score(seat: int) -> Score:
        # An entrant drawn at a level has passed all levels below it, possibly by a bye.
        levels = [
            stage.level if won.get(seat) == 1 else stage.level - 1
            for stage, won in zip(so_far.stages, passed, strict=True)
            if seat in stage.alive
        ]
        third = sum((won[seat] for won in passed if won.get(seat) == _HALF), 0.0)
        top = so_far.bracket.levels if seat == champion else max(levels, default=0)
        cells = tuple(won_in.get(done.number, {}).get(seat) for done in rounds)
        if seat not in still and not any(seat in of for of in behind):
            return Score(0.0, (ABSENT,), cells)
        own = [
            of
            for stage, of in zip(so_far.stages, behind, strict=True)
            if stage.done.counts and seat in stage.alive and seat in stage.done.seats
        ]
        last = own[-1] if own else {seat: 0}
        return Score(top + third, (last.get(seat, ABSENT),), cells)

    return {seat: score(seat) for seat in seats}


def can_win(entrants: Entrants, alive: Iterable[int], undecided: Iterable[Pair]) -> set[int]:
    """The entrants that can still win."""
    return {*alive, *(seat for pair in undecided for seat in pair if is_in(entrants, seat))}


def is_vacant(plan: Plan, entrants: Entrants, rounds: Sequence[Round]) -> bool:
    """Whether there is no winner and cannot be one any more. Then the first place is empty."""
    so_far = course(entrants, rounds)
    return so_far.champion is None and not can_win(entrants, so_far.alive, so_far.undecided)


def _passed(so_far: Course, n: int) -> dict[int, float]:
    """The points of a stage for each of its entrants with a decided match."""
    stage = so_far.stages[n]
    if not stage.done.counts:
        return {}
    given = dict.fromkeys(stage.done.byes, 1.0)
    for pair in stage.main:
        given |= _given(pair, so_far.winner(n, pair), 1.0)
    if stage.third:
        given |= _given(stage.third, decided(so_far.entrants, stage.done, stage.third).winner, _HALF)
    return given


def _given(pair: Pair, winner: int | None, prize: float) -> dict[int, float]:
    return {} if winner is None else {seat: prize if seat == winner else 0.0 for seat in pair}
