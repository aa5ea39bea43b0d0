"""An arena: many small races, each a `Round` of a few entrants. Points by place, and more of them in a streak."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from msgspec.structs import replace

from fortythieves.rules.ranking import Result
from fortythieves.times import Ms, ms_of
from fortythieves.tournament.plan import Plan, Tiebreak
from fortythieves.tournament.points import of_round
from fortythieves.tournament.results import Entrants, field, is_out, racers
from fortythieves.tournament.rounds import Number, Round, Score

#: How many times the points of a race in a streak are given.
IN_A_STREAK = 2
#: Who gives up with fewer cards revealed or brought home, or gives up or is stuck in the first part of the time (a
#: tenth), has not raced. A guess.
FEWEST_CARDS, PARTS = 10, 10


class Sheet(NamedTuple):
    """The sums over the races of an entrant so far."""

    total: Fraction = Fraction(0)
    #: The points of each own race that counts, in order.
    points: tuple[Number, ...] = ()
    #: Wins in a row, up to the last own race.
    row: int = 0
    wins: int = 0
    solved: int = 0
    home: int = 0


def early(race: Mapping[int, Result], got: Mapping[int, int], starts_at: Ms, time_limit: int) -> tuple[int, ...]:
    """The seats that did nothing, or lost so early that nobody gets points from that. ``time_limit``: seconds.

    ``got``: how many cards each has revealed and brought home. Other moves can be repeated, so they prove nothing. A
    program that draws all cards at once can be stuck as soon as it likes.
    """

    def is_early(seat: int, result: Result) -> bool:
        is_soon = (result.when - starts_at) * PARTS < ms_of(time_limit)
        gave_up = result.state == "gave_up" and (is_soon or got[seat] < FEWEST_CARDS)
        return not got[seat] or gave_up or (result.state == "stuck" and is_soon)

    return tuple(seat for seat, result in sorted(race.items()) if is_early(seat, result))


def contest(done: Round) -> Round:
    """The race without no-shows and racers who gave up early. Empty if fewer than two remain: a win needs a rival."""
    left = {seat: one for seat, one in done.races[0].items() if one.started and seat not in done.early}
    return replace(done, races=(left if len(left) > 1 else {},))


def is_streak(plan: Plan, sheet: Sheet) -> bool:
    """Whether the points of the next race are doubled."""
    return 0 < plan.streak <= sheet.row


def after(plan: Plan, entrants: Entrants, sheets: Mapping[int, Sheet], done: Round) -> dict[int, Sheet]:
    """The new sheets of the racers of a race, without disqualified entrants."""
    if not done.counts:
        return {}
    left, raced_at_all = contest(done), racers(entrants, done.races[0])
    given, ranked, there = of_round(plan, entrants, left), field(entrants, left), racers(entrants, left.races[0])
    first = [seat for seat, place in ranked.items() if place == 1]
    changed = {}
    for seat in done.seats:
        if is_out(entrants, seat):
            continue
        before, won, raced = sheets.get(seat, Sheet()), first == [seat], there.get(seat)
        doubled = is_streak(plan, before) and seat not in done.corrected
        points = given[seat] * IN_A_STREAK if doubled else given[seat]
        had_no_rival = seat in raced_at_all and seat not in done.early and not there
        changed[seat] = Sheet(
            before.total + points,
            (*before.points, points),
            before.row + won if won or had_no_rival else 0,
            before.wins + won,
            before.solved + (raced is not None and raced.solved),
            before.home + (raced.home if raced else 0),
        )
    return changed


def sheets(plan: Plan, entrants: Entrants, rounds: Iterable[Round]) -> dict[int, Sheet]:
    """The sheets after these races, in the order of their numbers."""
    known: dict[int, Sheet] = {}
    for done in rounds:
        known |= after(plan, entrants, known, done)
    return known


def score(plan: Plan, sheet: Sheet) -> Score:
    values: dict[Tiebreak, float] = {"wins": sheet.wins, "solved": sheet.solved, "home": sheet.home}
    return Score(sheet.total, tuple(values[name] for name in plan.tiebreak_order), sheet.points)


def scores(plan: Plan, entrants: Entrants, rounds: Sequence[Round], seats: Collection[int]) -> dict[int, Score]:
    """The score of each seat in the table."""
    known = sheets(plan, entrants, rounds)
    return {seat: score(plan, known.get(seat, Sheet())) for seat in seats}


def cells(plan: Plan, entrants: Entrants, rounds: Iterable[Round]) -> dict[int, dict[int, float]]:
    """The points of each race, by its number and by seat."""
    known: dict[int, Sheet] = {}
    found = {}
    for done in rounds:
        changed = after(plan, entrants, known, done)
        known |= changed
        found[done.number] = {seat: float(sheet.points[-1]) for seat, sheet in changed.items()}
    return found
