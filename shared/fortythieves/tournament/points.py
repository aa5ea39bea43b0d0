"""All against all: each round gives points by place. Tied entrants share the mean of their places' points."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from fortythieves.tournament.plan import Plan, Tiebreak
from fortythieves.tournament.results import Entrants, field, racers
from fortythieves.tournament.rounds import Round, Score


def of_round(plan: Plan, entrants: Entrants, done: Round) -> dict[int, Fraction]:
    """The points of each entrant drawn for a finished round. A no-show gets none."""
    ranked = field(entrants, done)
    shared = Counter(ranked.values())
    given = {place: mean(plan.points, place, many) for place, many in shared.items()}
    raced = {seat: given[ranked[seat]] if seat in ranked else Fraction(0) for seat in done.seats}
    return raced | {seat: exact(value) for seat, value in done.corrected.items()}


def mean(table: Sequence[float], place: int, many: int) -> Fraction:
    """The points of each of ``many`` entrants tied at a place. Exact, because the table has two decimals."""
    return sum((exact(value) for value in table[place - 1 : place - 1 + many]), Fraction(0)) / many


def exact(value: float) -> Fraction:
    """Points of a table, which have two decimals at most."""
    return Fraction(round(value * 100), 100)


def scores(plan: Plan, entrants: Entrants, rounds: Sequence[Round], seats: Sequence[int]) -> dict[int, Score]:
    """The score of each seat in the table."""
    played = [done if done.counts else None for done in rounds]
    points = [of_round(plan, entrants, done) if done else {} for done in played]
    ranked = [field(entrants, done) if done else {} for done in played]
    raced = [racers(entrants, done.races[0]) if done else {} for done in played]

    def score(seat: int) -> Score:
        there = [race[seat] for race in raced if seat in race]
        cells = tuple(given.get(seat) for given in points)
        counting = [cell or Fraction(0) for cell, done in zip(cells, played, strict=True) if done]
        values: dict[Tiebreak, float] = {
            "wins": sum(places.get(seat) == 1 for places in ranked),
            "solved": sum(one.solved for one in there),
            "home": sum(one.home for one in there),
            "par": sum(done.over_par(seat) for done, race in zip(rounds, raced, strict=True) if seat in race),
            "best": float(max(counting, default=0)),
            "last": float(counting[-1]) if counting else 0.0,
        }
        return Score(sum(counting, Fraction(0)), tuple(values[name] for name in plan.tiebreak_order), cells)

    return {seat: score(seat) for seat in seats}
