"""The standings after the rounds so far."""

from collections.abc import Sequence

import msgspec

from fortythieves.tournament import knockout, points, swiss
from fortythieves.tournament.plan import Plan
from fortythieves.tournament.results import Entrants, field, outcome
from fortythieves.tournament.rounds import Round
from fortythieves.tournament.score import Score


class Row(msgspec.Struct, frozen=True):
    """The row of an entrant."""

    #: From 1. Ties share a place, for example 1, 1, 3. None: disqualified.
    place: int | None
    seat: int
    score: float
    #: In the order of `Plan.tiebreak_order`. In each of them, more is better.
    tiebreaks: tuple[float, ...]
    #: The points of each round. None: the entrant was not in it, or it does not count (yet).
    rounds: tuple[float | None, ...]


def standings(plan: Plan, entrants: Entrants, rounds: Sequence[Round]) -> tuple[Row, ...]:
    """The rows, best first; disqualified entrants last. Entrants who left before their first draw have no row."""
    drawn = {seat for done in rounds for seat in done.everybody}
    listed = [seat for seat in sorted(entrants) if seat in drawn or entrants[seat].state != "withdrawn"]
    seats = [seat for seat in listed if entrants[seat].state != "disqualified"]
    scores = _scores(plan, entrants, rounds, seats)
    first = 2 if plan.format == "knockout" and knockout.is_vacant(plan.rules, entrants, rounds) else 1
    rows: list[Row] = []
    for n, seat in enumerate(sorted(seats, key=lambda seat: _order(scores[seat]), reverse=True), start=first):
        above = rows[-1] if rows else None
        equal = above is not None and _order(scores[above.seat]) == _order(scores[seat])
        rows.append(_row(above.place if above is not None and equal else n, seat, scores[seat]))
    none = Score.nothing(len(plan.tiebreak_order), len(rounds))
    return (*rows, *(_row(None, seat, none) for seat in listed if entrants[seat].state == "disqualified"))


def places_in(plan: Plan, entrants: Entrants, done: Round) -> dict[int, int]:
    """The place of each seat in a finished round: in its pair, or in the whole field if there are no pairs.

    1 and 1 is an exact tie. A no-show has a place only in a pair. A disqualified entrant has none.
    """
    if plan.format == "points":
        return field(entrants, done)
    places: dict[int, int] = {}
    for pair in done.pairs if done.counts else ():
        found = outcome(entrants, done, pair)
        for seat in pair:
            if entrants[seat].state != "disqualified":
                places[seat] = 1 if found.equal or seat == found.winner else 2
    return places


def _scores(plan: Plan, entrants: Entrants, rounds: Sequence[Round], seats: Sequence[int]) -> dict[int, Score]:
    match plan.format:
        case "points":
            return points.scores(plan, entrants, rounds, seats)
        case "knockout":
            return knockout.scores(plan.rules, entrants, rounds, seats)
        case "swiss":
            return swiss.scores(plan, entrants, rounds, seats)


def _order(score: Score) -> tuple[object, ...]:
    return (score.total, *score.tiebreaks)


def _row(place: int | None, seat: int, score: Score) -> Row:
    cells = tuple(None if cell is None else float(cell) for cell in score.rounds)
    return Row(place, seat, float(score.total), tuple(map(float, score.tiebreaks)), cells)
