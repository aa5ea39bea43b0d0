"""Knock-out: a bracket. Whoever loses is out; whoever has nobody to race against goes on.

The bracket is laid out by seed in the first round, with room for a power of two, and stays as it was played: who went
on is who was drawn for the next round. Its levels are counted from 1, the first round, up to the final.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from fortythieves.tournament.lots import by_lot
from fortythieves.tournament.plan import Plan
from fortythieves.tournament.results import Entrants, Pair, beaten, decided, is_in
from fortythieves.tournament.rounds import Round
from fortythieves.tournament.score import Score

TIEBREAKS = ("beaten",)


def seeds(plan: Plan, entrants: Entrants, seats: Iterable[int], chance: str) -> list[int]:
    """Best first: as the host's list has the names, then by lot."""
    listed = {name.casefold(): n for n, name in enumerate(plan.listed)} if plan.entry == "list" else {}
    return sorted(by_lot(chance, seats), key=lambda seat: listed.get(entrants[seat].name.casefold(), len(listed)))


def spots(size: int) -> list[int]:
    """Which seed (from 1) stands where in a bracket of this size: the best two meet in the final, if they get there."""
    order = [1]
    while len(order) < size:
        order = [seed for above in order for seed in (above, 2 * len(order) + 1 - above)]
    return order


class Bracket:
    """Where everybody stands, by the first round."""

    def __init__(self, seeded: Sequence[int]) -> None:
        self.seed = {seat: n for n, seat in enumerate(seeded, start=1)}
        self.levels = (len(seeded) - 1).bit_length()
        spot = {seed: n for n, seed in enumerate(spots(1 << self.levels))}
        self._spot = {seat: spot[seed] for seat, seed in self.seed.items()}

    def level(self, one: int, other: int) -> int:
        """At which level these two would meet."""
        return (self._spot[one] ^ self._spot[other]).bit_length()

    def pair(self, one: int, other: int) -> Pair:
        """The better seed first."""
        return (one, other) if self.seed[one] < self.seed[other] else (other, one)

    def meeting(self, seats: Sequence[int]) -> list[Pair]:
        """Who meets at the lowest level at which some of these do, by their places in the bracket.

        No two of them have met yet, so at this level there are at most two of them in each part.
        """
        standing = sorted(seats, key=self._spot.__getitem__)
        near = [(self.level(one, other), one, other) for one, other in pairwise(standing)]
        lowest = min((level for level, _, _ in near), default=0)
        return [self.pair(one, other) for level, one, other in near if level == lowest]


class Stage(NamedTuple):
    """A round of the bracket."""

    done: Round
    #: Its pairs, but for that about the third place.
    main: tuple[Pair, ...]
    third: Pair | None
    level: int

    #: Who was still in the bracket when it was drawn.
    alive: frozenset[int]


class Course(NamedTuple):
    """How far the bracket is played."""

    bracket: Bracket
    stages: list[Stage]

    def winner(self, entrants: Entrants, n: int, pair: Pair) -> int | None:
        """Who goes on from a pair of a stage: whoever was drawn for the next one, or else won."""
        if n + 1 < len(self.stages):
            went_on = [seat for seat in pair if seat in self.stages[n + 1].alive]
            if went_on:
                return went_on[0]
        return decided(entrants, self.stages[n].done, pair).winner

    def alive(self, entrants: Entrants) -> list[int]:
        """Who is in the bracket after its last stage, and has not left."""
        last = self.stages[-1]
        winners = (self.winner(entrants, len(self.stages) - 1, pair) for pair in last.main)
        return [seat for seat in (*last.done.byes, *winners) if seat is not None and is_in(entrants, seat)]


def course(rounds: Sequence[Round]) -> Course | None:
    """The bracket as it was drawn; None before that. A skipped round is as if it had not been drawn."""
    drawn = [done for done in rounds if not done.skipped]
    if not drawn:
        return None
    first = drawn[0]
    bracket = Bracket([*first.byes, *(seat for seat in first.seats if seat not in first.byes)])
    return Course(bracket, [_stage(bracket, done) for done in drawn])


def _stage(bracket: Bracket, done: Round) -> Stage:
    """Two pairs that could only have met in the final: the first is the final. With a bye, there was none to race."""
    last = [pair for pair in done.pairs if bracket.level(*pair) == bracket.levels]
    third = last[-1] if last and (len(last) > 1 or done.byes) else None
    main = tuple(pair for pair in done.pairs if pair != third)
    alive = frozenset((*done.byes, *(seat for pair in main for seat in pair)))
    return Stage(done, main, third, bracket.level(*main[0]) if main else bracket.levels, alive)


def misdrawn(rounds: Sequence[Round]) -> int | None:
    """The first round in which others met than the bracket says, of those who were in it; None: there is none."""
    so_far = course(rounds)
    if so_far is None:
        return None
    for n, stage in enumerate(so_far.stages):
        meeting = so_far.bracket.meeting([*stage.alive])
        if {*stage.main} != {*meeting} or not _follows(stage, so_far.stages[n - 1] if n else None):
            return stage.done.number
    return None


def _follows(stage: Stage, before: Stage | None) -> bool:
    """Whether nobody is back who had lost, but for the third place."""
    if before is None:
        return stage.third is None
    lost = {seat for pair in before.main for seat in pair} - stage.alive
    came = all(len(stage.alive.intersection(pair)) < 2 for pair in before.main)
    return came and stage.alive <= before.alive and lost.issuperset(stage.third or ())


# The draw


def draw(
    plan: Plan, entrants: Entrants, rounds: Sequence[Round], seats: Sequence[int], chance: str
) -> tuple[list[int], list[Pair], list[int]]:
    """Who races in the next round, the pairs, and the byes, each by seed. ``seats``: who may be in the first one."""
    so_far = course(rounds)
    bracket = so_far.bracket if so_far else Bracket(seeds(plan, entrants, seats, chance))
    alive = so_far.alive(entrants) if so_far else seats
    pairs = bracket.meeting(alive)
    if so_far and len(alive) == (2 if pairs else 1):
        pairs += _third(plan, entrants, so_far)
    racing = sorted((seat for pair in pairs for seat in pair), key=bracket.seed.__getitem__)
    byes = sorted({*alive} - {*racing}, key=bracket.seed.__getitem__)
    return racing, pairs, byes


def _third(plan: Plan, entrants: Entrants, so_far: Course) -> list[Pair]:
    """Those who lost the semi-finals, if both are still there."""
    last = so_far.stages[-1]
    if not plan.third_place or len(last.main) != 2 or last.done.byes:
        return []
    winners = {so_far.winner(entrants, len(so_far.stages) - 1, pair) for pair in last.main}
    losers = [seat for pair in last.main for seat in pair if seat not in winners and is_in(entrants, seat)]
    if len(losers) != 2 or so_far.bracket.level(*losers) < so_far.bracket.levels:
        return []
    return [so_far.bracket.pair(*losers)]


# The standings


def scores(entrants: Entrants, rounds: Sequence[Round]) -> dict[int, Score]:
    """By seat, of all entrants: how many levels of the bracket were passed, and half a one for the third place."""
    so_far = course(rounds)
    if so_far is None:
        return dict.fromkeys(entrants, Score.nothing(len(TIEBREAKS), len(rounds)))
    passed = [_passed(entrants, so_far, n) for n in range(len(so_far.stages))]
    behind = [beaten(entrants, stage.done) for stage in so_far.stages]
    index = {stage.done.number: n for n, stage in enumerate(so_far.stages)}
    champion = _champion(entrants, so_far)

    def score(seat: int) -> Score:
        # Who is drawn at a level has passed all below it, if need be without a race.
        levels = [
            stage.level if won.get(seat) == 1 else stage.level - 1
            for stage, won in zip(so_far.stages, passed, strict=True)
            if seat in stage.alive
        ]
        third = sum((won[seat] for won in passed if won.get(seat) == _HALF), 0.0)
        top = so_far.bracket.levels if seat == champion else max(levels, default=0)
        ahead = next((counted[seat] for counted in reversed(behind) if seat in counted), 0)
        cells = tuple(passed[index[done.number]].get(seat) if done.number in index else None for done in rounds)
        return Score(top + third, (ahead,), cells)

    return {seat: score(seat) for seat in entrants}


_HALF = 0.5


def _passed(entrants: Entrants, so_far: Course, n: int) -> dict[int, float]:
    """What a stage gave to each who was in it, as far as that is known."""
    stage = so_far.stages[n]
    if not stage.done.counts:
        return {}
    given = dict.fromkeys(stage.done.byes, 1.0)
    for pair in stage.main:
        given |= _given(pair, so_far.winner(entrants, n, pair), 1.0)
    if stage.third:
        given |= _given(stage.third, decided(entrants, stage.done, stage.third).winner, _HALF)
    return given


def _given(pair: Pair, winner: int | None, prize: float) -> dict[int, float]:
    return {} if winner is None else {seat: prize if seat == winner else 0.0 for seat in pair}


def _champion(entrants: Entrants, so_far: Course) -> int | None:
    """Who is left when all others have gone, without a final."""
    last = so_far.stages[-1]
    alive = so_far.alive(entrants)
    settled = last.done.counts and not any(decided(entrants, last.done, pair).tied for pair in last.main)
    return alive[0] if settled and len(alive) == 1 else None
