"""Teams: in Points, the sum of the best members of each round; in a Swiss, matches on boards. See TOURNAMENTS.md."""

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from itertools import chain
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from fortythieves.rules.ranking import placed
from fortythieves.tournament import points, swiss
from fortythieves.tournament.plan import Format, Plan
from fortythieves.tournament.results import Entrants, is_out
from fortythieves.tournament.rounds import Drawing, Duel, Pair, Round, Score, by_lot

#: The tie-breaks of teams, in the order in which they decide. In each of them, more is better.
TIEBREAKS: Mapping[Format, tuple[str, ...]] = MappingProxyType(
    {"points": ("best", "alone"), "swiss": ("boards", "buchholz", "direct")}
)


class TeamRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The row of a team."""

    #: From 1. Ties share a place, for example 1, 1, 3. None: all its members are disqualified.
    place: int | None
    team: str
    score: float
    #: In the order of `TIEBREAKS`.
    tiebreaks: tuple[float, ...]
    #: The points of each round, or of the match. None: no member of the team was in it, or it does not
    #: count (yet).
    rounds: tuple[float | None, ...]
    #: By round, the members that counted: in Points the best ones first, in a Swiss by board.
    counted: tuple[tuple[int, ...], ...]


class Side(NamedTuple):
    """A team in a round of a Swiss."""

    #: Its members, by board.
    seats: tuple[int, ...]
    #: The team it meets. None: it has a bye.
    opponent: str | None


def members(entrants: Entrants) -> dict[str, list[int]]:
    """The members of each team in the team's order. Teams are in the order of their lowest seats."""
    of_team: dict[str, list[int]] = {}
    for seat in sorted(entrants):
        if entrants[seat].team:
            of_team.setdefault(entrants[seat].team, []).append(seat)
    return {team: sorted(seats, key=lambda seat: entrants[seat].board) for team, seats in of_team.items()}


def lineups(plan: Plan, entrants: Entrants, seats: Collection[int]) -> dict[str, list[int]]:
    """The racers of these seats for each team: in a Swiss one for each board, otherwise all."""
    most = plan.team_size if plan.has_boards else None
    here = {team: [seat for seat in order if seat in seats][:most] for team, order in members(entrants).items()}
    return {team: order for team, order in here.items() if order}


# Swiss: the draw


def draw(plan: Plan, entrants: Entrants, rounds: Sequence[Round], seats: Collection[int], chance: str) -> Drawing:
    """A round of boards, among seats of at least two teams. The teams are paired as entrants are in a Swiss."""
    lineup = lineups(plan, entrants, seats)
    names = list(members(entrants))
    numbers = {team: n for n, team in enumerate(names, start=1)}
    rows = {numbers[row.team]: row for row in table(plan, entrants, rounds)}
    order = sorted(by_lot(chance, map(numbers.__getitem__, lineup)), key=lambda team: rows[team].place or 0)
    scores = {team: rows[team].score for team in order}
    before = [_as_teams(entrants, done, numbers) for done in rounds]
    matches, byes = swiss.draw(order, scores, before, swiss.pairs_apart(plan.apart, numbers.items()))
    boards: list[Pair] = []
    idle: list[int] = []
    for match in matches:
        one, other = (lineup[names[team - 1]] for team in match)
        boards += zip(one, other, strict=False)
        idle += [*one[len(other) :], *other[len(one) :]]
    idle += chain.from_iterable(lineup[names[team - 1]] for team in byes)
    return Drawing(tuple(chain.from_iterable(boards)), tuple(boards), tuple(idle))


def _as_teams(entrants: Entrants, done: Round, numbers: Mapping[str, int]) -> Round:
    """The round with the numbers of teams instead of seats, as a draw needs it."""
    of_round = sides(entrants, done)
    matches = [(team, side.opponent) for team, side in of_round.items()]
    pairs = tuple((numbers[one], numbers[other]) for one, other in matches if other and numbers[one] < numbers[other])
    byes = tuple(numbers[team] for team, other in matches if other is None)
    return Round(done.number, (), pairs, byes, skipped=done.skipped)


def sides(entrants: Entrants, done: Round) -> dict[str, Side]:
    """The racers of each team in a round of a Swiss, and the opponent. A board without an opponent has a bye."""
    seats: dict[str, list[int]] = {}
    against: dict[str, str] = {}
    for seat in [*chain.from_iterable(done.pairs), *done.byes]:
        seats.setdefault(entrants[seat].team, []).append(seat)
    for pair in done.pairs:
        one, other = (entrants[seat].team for seat in pair)
        against |= {one: other, other: one}
    return {team: Side(tuple(of_team), against.get(team)) for team, of_team in seats.items()}


def wrong_with(plan: Plan, entrants: Entrants, done: Round) -> str | None:
    """The fault of a drawn round of teams, as a sentence, or None."""
    if not plan.team_size:
        return None
    if any(not entrants[seat].team for seat in done.everybody):
        return "somebody is drawn who is in no team"
    if not plan.has_boards:
        return None
    of_round = sides(entrants, done)
    for pair in done.pairs:
        one, other = (entrants[seat].team for seat in pair)
        if one == other:
            return "a team meets itself"
        if (of_round[one].opponent, of_round[other].opponent) != (other, one):
            return "a team meets two others"
    if any(len(side.seats) > plan.team_size for side in of_round.values()):
        return "a team has more boards than there are"
    for side in of_round.values():
        rest = of_round[side.opponent].seats if side.opponent is not None else ()
        if {*side.seats} & {*done.byes} and {*rest} & {*done.byes}:
            return "two boards of a match have a bye instead of each other"
    return None


# The table


def table(plan: Plan, entrants: Entrants, rounds: Sequence[Round]) -> tuple[TeamRow, ...]:
    """The rows of the teams with a row in `standings`, best first; those without a place last. Empty without teams."""
    if not plan.team_size:
        return ()
    drawn = {seat for done in rounds for seat in done.everybody}
    of_team = {
        team: seats
        for team, seats in members(entrants).items()
        if any(seat in drawn or entrants[seat].state != "withdrawn" for seat in seats)
    }
    found = (_boards if plan.has_boards else _sums)(plan, entrants, rounds, of_team)
    there = [team for team, seats in of_team.items() if not all(is_out(entrants, seat) for seat in seats)]
    places = placed({team: found[team].score.in_order for team in there}, most=True)
    rows = [
        TeamRow(places[team], team, *found[team].score.floats, found[team].counted)
        for team in sorted(places, key=places.__getitem__)
    ]
    none = Score.nothing(len(TIEBREAKS[plan.format]), len(rounds)).floats
    return (*rows, *(TeamRow(None, team, *none, ((),) * len(rounds)) for team in of_team if team not in there))


class _Found(NamedTuple):
    score: Score
    counted: tuple[tuple[int, ...], ...]


def _sums(
    plan: Plan, entrants: Entrants, rounds: Sequence[Round], of_team: Mapping[str, Sequence[int]]
) -> dict[str, _Found]:
    """Points: each round gives the sum of the points of the best members."""
    given = [points.of_round(plan, entrants, done) if done.counts else {} for done in rounds]

    def best_in(of: Mapping[int, Fraction], seats: Sequence[int]) -> list[int]:
        """The members that count in a round, the best first. Among equal ones, the order of the team decides."""
        there = [seat for seat in seats if seat in of and not is_out(entrants, seat)]
        return sorted(there, key=of.__getitem__, reverse=True)[: plan.team_size]

    best = {team: [best_in(of, seats) for of in given] for team, seats in of_team.items()}
    sums = {
        team: [sum((of[seat] for seat in seats), Fraction(0)) for of, seats in zip(given, of_rounds, strict=True)]
        for team, of_rounds in best.items()
    }

    # Of each round: the most points, and the teams with them.
    tops = [max((of_rounds[n] for of_rounds in sums.values()), default=Fraction(0)) for n in range(len(rounds))]
    firsts = [[team for team in sums if sums[team][n] == top] if top else [] for n, top in enumerate(tops)]

    def found(team: str) -> _Found:
        own, counted = sums[team], best[team]
        ties = (float(max(own, default=Fraction(0))), float(firsts.count([team])))
        cells = tuple(cell if seats else None for cell, seats in zip(own, counted, strict=True))
        return _Found(Score(sum(own, Fraction(0)), ties, cells), tuple(map(tuple, counted)))

    return {team: found(team) for team in of_team}


def _boards(
    plan: Plan, entrants: Entrants, rounds: Sequence[Round], of_team: Mapping[str, Sequence[int]]
) -> dict[str, _Found]:
    """Swiss: each round gives the points of a match."""
    numbers = {team: n for n, team in enumerate(of_team, start=1)}
    of_rounds = [sides(entrants, done) if done.counts else {} for done in rounds]
    points_of = [board_points(entrants, done) if done.counts else {} for done in rounds]
    matches = [_matches(entrants, done, points, numbers) for done, points in zip(rounds, points_of, strict=True)]
    met = [
        {numbers[team]: one for team, one in of.items()}
        for of, done in zip(matches, rounds, strict=True)
        if done.counts
    ]
    totals = {team: sum(of[team].given for of in matches if team in of) for team in of_team}
    boards = {team: sum(of[team] for of in points_of if team in of) for team in of_team}
    worths = swiss.worths(met, numbers.values())
    buchholz = {team: sum(worth for _, worth in worths[number]) for team, number in numbers.items()}
    direct = swiss.direct({numbers[team]: (totals[team], boards[team], buchholz[team]) for team in of_team}, met)

    def found(team: str) -> _Found:
        counted = [
            tuple(seat for seat in of[team].seats if not is_out(entrants, seat)) if team in of else ()
            for of in of_rounds
        ]
        cells = tuple(of[team].given if seats else None for of, seats in zip(matches, counted, strict=True))
        return _Found(Score(totals[team], (boards[team], buchholz[team], direct[numbers[team]]), cells), tuple(counted))

    return {team: found(team) for team in of_team}


def board_points(entrants: Entrants, done: Round) -> dict[str, float]:
    """How many board points each team has in a round of a Swiss. A bye of a whole team gives half of its boards."""
    met = dict(swiss.meetings(entrants, done)) if done.counts else {}
    return {
        team: sum(met[seat].given for seat in side.seats if seat in met) * (1 if side.opponent else swiss.DRAW)
        for team, side in sides(entrants, done).items()
    }


def _matches(
    entrants: Entrants, done: Round, boards: Mapping[str, float], numbers: Mapping[str, int]
) -> dict[str, Duel]:
    """The match of each team, by its board points."""
    played = {seat for seat, one in swiss.meetings(entrants, done) if one.played}

    def match(team: str, side: Side) -> Duel:
        own = boards[team]
        if side.opponent is None:
            return Duel(swiss.BYE, swiss.WIN if own else swiss.LOSS, False)
        other = boards[side.opponent]
        given = swiss.WIN if own > other else swiss.DRAW if own == other > 0 else swiss.LOSS
        return Duel(numbers[side.opponent], given, any(seat in played for seat in side.seats))

    return {team: match(team, side) for team, side in sides(entrants, done).items()} if done.counts else {}
