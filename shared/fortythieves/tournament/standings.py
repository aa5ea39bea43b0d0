"""The rules of each format for scores, and the standings after the rounds so far. `draw` has the draws."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Literal, NamedTuple

import msgspec

from fortythieves.rules.ranking import placed
from fortythieves.tournament import arena, double, knockout, points, roundrobin, swiss
from fortythieves.tournament.plan import Format, Plan
from fortythieves.tournament.results import Entrants, field, is_out, outcome
from fortythieves.tournament.rounds import Round, Score

#: The comparison in a round: of all with all, in pairs, or in pairs with one survivor.
Comparison = Literal["field", "pairs", "bracket"]


class FormatRules(NamedTuple):
    """The rules of a format. Rounds are given in order, and one of them at least was not skipped."""

    #: The score of each of these seats. A seat without one has no place.
    scores: Callable[[Plan, Entrants, Sequence[Round], Sequence[int]], dict[int, Score]]
    #: Whether there is no winner and cannot be one any more. Then the first place is empty.
    is_vacant: Callable[[Plan, Entrants, Sequence[Round]], bool] = lambda plan, entrants, rounds: False
    #: See `misdrawn`.
    misdrawn: Callable[[Plan, Sequence[Round]], int | None] = lambda plan, rounds: None
    #: Whether entrants are compared in pairs, and not all with all.
    has_pairs: bool = True
    #: Whether a draw among hundreds takes long.
    is_slow: bool = False


FORMATS: Mapping[Format, FormatRules] = MappingProxyType(
    {
        "points": FormatRules(points.scores, has_pairs=False),
        "knockout": FormatRules(knockout.scores, knockout.is_vacant, knockout.misdrawn),
        "double": FormatRules(double.scores, double.is_vacant, double.misdrawn, is_slow=True),
        "swiss": FormatRules(swiss.scores, is_slow=True),
        "roundrobin": FormatRules(roundrobin.scores, roundrobin.is_vacant, roundrobin.misdrawn, is_slow=True),
        "arena": FormatRules(arena.scores, has_pairs=False),
    }
)


def misdrawn(plan: Plan, rounds: Sequence[Round]) -> int | None:
    """The number of the first round with pairs that do not follow from the first draw, or None."""
    return None if all(done.skipped for done in rounds) else FORMATS[plan.format].misdrawn(plan, rounds)


def comparison(plan: Plan, rounds: Sequence[Round]) -> Comparison:
    """With whom entrants are compared in the last of these rounds."""
    if not FORMATS[plan.format].has_pairs:
        return "field"
    if plan.format == "roundrobin":
        is_cup = not rounds[-1].skipped and rounds[-1] in roundrobin.course(plan, rounds).cup
        return "bracket" if is_cup else "pairs"
    return "pairs" if plan.format == "swiss" else "bracket"


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The row of an entrant."""

    #: From 1. Ties share a place, for example 1, 1, 3. None: disqualified, or no result of the entrant counts.
    place: int | None
    seat: int
    score: float
    #: In the order of `Plan.tiebreak_order`. In each of them, more is better.
    tiebreaks: tuple[float, ...]
    #: The points of each round. None: the entrant was not in it, or it does not count (yet). In an arena, the points of
    #: the entrant's own races that count.
    rounds: tuple[float | None, ...]


def standings(plan: Plan, entrants: Entrants, rounds: Sequence[Round]) -> tuple[Row, ...]:
    """The rows, best first; rows without a place last. Entrants who left before their first draw have no row."""
    drawn = {seat for done in rounds for seat in done.everybody}
    listed = [seat for seat in sorted(entrants) if seat in drawn or entrants[seat].state != "withdrawn"]
    seats = [seat for seat in listed if entrants[seat].state != "disqualified"]
    none = Score.nothing(len(plan.tiebreak_order), 0 if plan.format == "arena" else len(rounds))
    scores, first = dict.fromkeys(seats, none), 1
    if not all(done.skipped for done in rounds):
        scores = FORMATS[plan.format].scores(plan, entrants, rounds, seats)
        first += FORMATS[plan.format].is_vacant(plan, entrants, rounds)
    places = placed({seat: scores[seat].in_order for seat in seats if seat in scores}, first, most=True)
    rows = [Row(places[seat], seat, *scores[seat].floats) for seat in sorted(places, key=places.__getitem__)]
    return (*rows, *(Row(None, seat, *none.floats) for seat in listed if seat not in scores))


def places_in(plan: Plan, entrants: Entrants, done: Round) -> dict[int, int]:
    """The place of each seat in a finished round: in its pair, or in the whole field if there are no pairs.

    1 and 1 is an exact tie. A no-show has a place only in a pair. A disqualified entrant has none.
    """
    if not FORMATS[plan.format].has_pairs:
        return field(entrants, done)
    places: dict[int, int] = {}
    for pair in done.pairs if done.counts else ():
        found = outcome(entrants, done, pair)
        for seat in pair:
            if not is_out(entrants, seat):
                places[seat] = 1 if found.equal or seat == found.winner else 2
    return places
