"""Double elimination: after one loss an entrant plays in the losers' bracket, and after two the entrant is out.

The first round lays the winners' bracket out by seed, as in a knock-out. After that the brackets follow the draws:
a drawn entrant has not lost twice, and each draw has the entrants with one loss.

All matches have a fixed round of the tournament, from 1, in which they are raced: the first round of the winners'
bracket in 1, its round r in 2r - 2, round j of the losers' bracket in j + 1, and the finals after them. So the losers'
bracket has two rounds for each one of the winners' bracket, each wait is one round at most, and all matches of
a round of the losers' bracket are on one deal.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Literal, NamedTuple

from fortythieves.tournament.knockout import ABSENT, Bracket, can_win, drawing_of, seeds_of
from fortythieves.tournament.plan import Plan
from fortythieves.tournament.results import Entrants, beaten, decided, is_in, undecided
from fortythieves.tournament.rounds import Drawing, Pair, Round, Score

Seats = frozenset[int]


class Match(NamedTuple):
    """A match of the brackets."""

    side: Literal["winners", "losers", "final"]
    #: Of its side, from 1. The second final is round 2 of the finals.
    round: int
    #: From the top of the bracket, from 0.
    row: int


class Source(NamedTuple):
    """The source of one side of a match."""

    #: A position in the first round, or the winner or loser of another match.
    kind: Literal["position", "winner", "loser"]
    of: Match | int


def last_round(levels: int) -> int:
    """The round of the tournament in which the second final is raced. ``levels``: of the winners' bracket."""
    return 2 * levels + 1


def matches_of(at: int, levels: int) -> Iterator[Match]:
    """The matches of a round of the tournament, first the matches of the winners' bracket."""
    if at == 1 or (at % 2 == 0 and at < 2 * levels):
        number = at // 2 + 1
        yield from (Match("winners", number, n) for n in range(1 << (levels - number)))
    if 1 < at < 2 * levels:
        yield from (Match("losers", at - 1, n) for n in range(1 << (levels - 1 - at // 2)))
    if at >= 2 * levels:
        yield Match("final", at + 1 - 2 * levels, 0)


def sources(match: Match, levels: int) -> tuple[Source, Source]:
    """The two sides of a match."""
    side, number, n = match
    if side == "final" and number == 2:
        final = Match("final", 1, 0)
        return Source("winner", final), Source("loser", final)
    if side == "final":
        best = Match("winners", levels, 0)
        return Source("winner", best), (
            Source("winner", Match("losers", 2 * levels - 2, 0)) if levels > 1 else Source("loser", best)
        )
    if number == 1:
        one, other = 2 * n, 2 * n + 1
        if side == "winners":
            return Source("position", one), Source("position", other)
        return Source("loser", Match("winners", 1, one)), Source("loser", Match("winners", 1, other))
    if side == "losers" and number % 2 == 0:
        dropped = Match("winners", number // 2 + 1, n ^ crossing(number // 2 + 1, levels))
        return Source("winner", Match("losers", number - 1, n)), Source("loser", dropped)
    return Source("winner", Match(side, number - 1, 2 * n)), Source("winner", Match(side, number - 1, 2 * n + 1))


def crossing(number: int, levels: int) -> int:
    """By how much the losers of a round of the winners' bracket are moved when they drop, as bits of their row.

    Losers of round 2 go into the other half, of round 3 into the other quarter of their half, of round 4 into the other
    half and quarter, and so on, as one counts in binary. If two have met, their paths differ by both of their
    crossings. So two entrants meet a second time only after their parts of the bracket have joined.
    """
    bits = levels - number
    return sum(1 << (bits - 1 - b) for b in range(bits) if (number - 1) >> b & 1)


class _Board:
    """The position of each entrant in the brackets, from the first round on."""

    def __init__(self, bracket: Bracket) -> None:
        self._bracket = bracket
        self._levels = max(1, bracket.levels)
        self._seats: dict[Source, int] = {
            Source("position", n): seat for n, seat in enumerate(bracket.positions) if seat is not None
        }
        #: The round of the tournament that is raced next.
        self.at = 1

    def meeting(self, alive: Collection[int]) -> dict[Pair, Match]:
        """The pairs of the next round in which any of these meet. In earlier ones they go on without a race."""
        while self.at <= last_round(self._levels):
            found: dict[Pair, Match] = {}
            for match in matches_of(self.at, self._levels):
                drawn = (self._seats.get(source) for source in sources(match, self._levels))
                here = [seat for seat in drawn if seat is not None and seat in alive]
                if len(here) == 2:
                    found[self._bracket.pair(*here)] = match
                elif here:
                    self._seats[Source("winner", match)] = here[0]
            if found:
                return found
            self.at += 1
        return {}

    def settle(self, match: Match, result: "Result") -> None:
        """A match is over."""
        sides = {Source("winner", match): result.winner, Source("loser", match): result.dropped}
        self._seats |= {source: seat for source, seat in sides.items() if seat is not None}


class Result(NamedTuple):
    """The result of a match."""

    winner: int | None
    #: The loser, if it was the first match that this entrant lost.
    dropped: int | None


class Stage(NamedTuple):
    """A round as it was drawn."""

    done: Round
    #: The round of the tournament by the brackets. Some do not take place, because entrants have left.
    at: int
    #: The pairs, by the brackets.
    meeting: dict[Pair, Match]
    #: The entrants still in the brackets at the draw.
    alive: Seats
    #: The entrants with one loss among them.
    lost: Seats
    #: The result of each drawn pair, if it is decided.
    results: dict[Pair, Result]


class Course(NamedTuple):
    """How far the brackets have been played."""

    bracket: Bracket
    stages: list[Stage]
    #: The next pairs, among all entrants still here.
    meeting: dict[Pair, Match]
    #: The entrants with fewer than two losses after the last stage, without leavers and racers of a tied match.
    alive: list[int]
    #: The entrants with a loss by then, including leavers.
    lost: Seats
    #: The pairs of the last stage that still have to race.
    undecided: list[Pair]

    @property
    def champion(self) -> int | None:
        """The winner: the last entrant left, or the winner of the last final."""
        last = self.stages[-1]
        if self.undecided or not last.done.counts or len(self.alive) > 1:
            return None
        if self.alive:
            return self.alive[0]
        finals = [result for pair, result in last.results.items() if _is_final(last, pair)]
        return finals[0].winner if finals else None


def _is_final(stage: Stage, pair: Pair) -> bool:
    return pair in stage.meeting and stage.meeting[pair].side == "final"


def course(plan: Plan, entrants: Entrants, rounds: Sequence[Round]) -> Course:
    """The brackets as drawn. Skipped rounds are ignored."""
    drawn = [done for done in rounds if not done.skipped]
    bracket = Bracket(seeds_of(drawn[0]))
    board = _Board(bracket)
    alive = [frozenset(done.everybody) for done in drawn]
    lost = [frozenset(done.lost) for done in drawn]
    stages: list[Stage] = []
    for n, done in enumerate(drawn):
        meeting = board.meeting(alive[n])
        stage = Stage(done, board.at, meeting, alive[n], lost[n], {})
        for pair in done.pairs:
            drawn_again = _drawn_again(pair, lost[n], alive[n + 1], lost[n + 1]) if n + 1 < len(drawn) else None
            result = drawn_again or _raced(plan, entrants, stage, pair)
            stage.results[pair] = result
            if pair in meeting:
                board.settle(meeting[pair], result)
        stages.append(stage)
        board.at += 1
    last = stages[-1]
    still_open = undecided(entrants, last.done, last.done.pairs)
    on = (seat for result in last.results.values() for seat in result)
    still_in = [seat for seat in (*last.done.byes, *on) if seat is not None and is_in(entrants, seat)]
    have_lost = last.lost | {result.dropped for result in last.results.values() if result.dropped is not None}
    return Course(bracket, stages, board.meeting({*still_in}), still_in, have_lost, still_open)


def _drawn_again(pair: Pair, lost: Seats, alive: Seats, have_lost: Seats) -> Result | None:
    """The result of a pair, by its entrants in the following draw. None if neither is in it. ``lost``: the entrants
    with a loss before. ``alive``, ``have_lost``: all drawn entrants, and those with a loss then.
    """
    on = [seat for seat in pair if seat in alive]
    dropped = next((seat for seat in on if seat in have_lost and seat not in lost), None)
    if dropped is not None:
        return Result(pair[0] if dropped == pair[1] else pair[1], dropped)
    return Result(on[0], None) if on else None


def _raced(plan: Plan, entrants: Entrants, stage: Stage, pair: Pair) -> Result:
    """The result of a pair, by its races."""
    winner = decided(entrants, stage.done, pair).winner
    if winner is None:
        return Result(None, None)
    loser = pair[0] if winner == pair[1] else pair[1]
    is_out = loser in stage.lost or (_is_final(stage, pair) and not plan.second_final)
    return Result(winner, None if is_out else loser)


def misdrawn(plan: Plan, rounds: Sequence[Round]) -> int | None:
    """The first round that does not follow from the brackets, or None."""
    stages = course(plan, {}, rounds).stages
    for n, stage in enumerate(stages):
        meets = stage.meeting.keys() == {*stage.done.pairs} and bool(stage.meeting)
        if not meets or not _follows(plan, stage, stages[n - 1] if n else None):
            return stage.done.number
    return None


def _follows(plan: Plan, stage: Stage, before: Stage | None) -> bool:
    """Whether no eliminated entrant is back, and exactly the losers of matches have one more loss."""
    if before is None:
        return not stage.lost
    new = stage.lost - before.lost
    met = {seat for pair in before.done.pairs for seat in pair}
    if not stage.lost <= stage.alive <= before.alive or before.lost & stage.alive - stage.lost or not new <= met:
        return False
    for pair in before.done.pairs:
        if len(stage.alive.difference(new).intersection(pair)) > 1 or len(new.intersection(pair)) > 1:
            return False
        if _is_final(before, pair) and not (plan.second_final and new.intersection(pair)):
            return False
    return True


# The draw


def draw(
    plan: Plan, entrants: Entrants, rounds: Sequence[Round], seeded: Callable[[], Sequence[int]]
) -> Drawing | None:
    """The next racers, pairs and waiting entrants, each by seed. ``seeded``: all in the first round, best first."""
    if all(done.skipped for done in rounds):
        bracket = Bracket(seeded())
        return drawing_of(bracket, bracket.seed, _Board(bracket).meeting(bracket.seed))
    so_far = course(plan, entrants, rounds)
    return drawing_of(so_far.bracket, so_far.alive, so_far.meeting, so_far.lost.intersection(so_far.alive))


# The standings


def scores(plan: Plan, entrants: Entrants, rounds: Sequence[Round], seats: Sequence[int]) -> dict[int, Score]:
    """The score of each seat in the table: the rounds of the losers' bracket, and the finals, that are behind it.

    A no-show without a start who is out has passed nothing, and is behind all racers.
    """
    so_far = course(plan, entrants, rounds)
    behind = [beaten(entrants, stage.done) for stage in so_far.stages]
    cells = {stage.done.number: _cells(stage) for stage in so_far.stages}
    still = can_win(entrants, so_far.alive, so_far.undecided)
    champion, passed = so_far.champion, _passed(so_far)

    def score(seat: int) -> Score:
        given = tuple(cells.get(done.number, {}).get(seat) for done in rounds)
        if seat not in still and not any(seat in of for of in behind):
            return Score(0.0, (ABSENT,), given)
        raced = [
            of.get(seat, ABSENT)
            for stage, of in zip(so_far.stages, behind, strict=True)
            if stage.done.counts and seat in stage.done.seats
        ]
        top = 2 * so_far.bracket.levels if seat == champion else passed.get(seat, 0)
        return Score(float(top), (float(raced[-1]) if raced else 0.0,), given)

    return {seat: score(seat) for seat in seats}


def _passed(so_far: Course) -> dict[int, int]:
    """How many rounds of the losers' bracket are behind each entrant, with the finals as two more."""
    passed: dict[int, int] = {}
    for stage in so_far.stages:
        passed |= {seat: _behind(stage.at, has_lost=seat in stage.lost) for seat in stage.alive}
        if stage.done.counts:
            dropped = {result.dropped for result in stage.results.values()}
            on = {*stage.done.byes, *dropped, *(result.winner for result in stage.results.values())}
            lost = stage.lost | dropped
            passed |= {seat: _behind(stage.at + 1, has_lost=seat in lost) for seat in on if seat is not None}
    return passed


def _behind(at: int, *, has_lost: bool) -> int:
    """The same before a round of the tournament. An entrant without a loss drops as far as losers' rounds are over: as
    many as rounds of the tournament but one.
    """
    if has_lost or at == 1:
        return max(0, at - 2)
    return at - 1 if at % 2 == 0 else at


def _cells(stage: Stage) -> dict[int, float]:
    """The points of a round for each racer with a decided match: 1 for a win."""
    if not stage.done.counts:
        return {}
    return {
        seat: float(seat == result.winner)
        for pair, result in stage.results.items()
        if result.winner is not None
        for seat in pair
    }


def is_vacant(plan: Plan, entrants: Entrants, rounds: Sequence[Round]) -> bool:
    """Whether there is no winner and cannot be one any more. Then the first place is empty."""
    so_far = course(plan, entrants, rounds)
    return so_far.champion is None and not can_win(entrants, so_far.alive, so_far.undecided)
