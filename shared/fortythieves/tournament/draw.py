"""The draw: the racers and pairs of the next round."""

from collections.abc import Callable, Collection, Sequence
from itertools import chain

from fortythieves.tournament import double, knockout, roundrobin, swiss, teams
from fortythieves.tournament.plan import MOST_ROUNDS, Plan
from fortythieves.tournament.results import Entrants, decided, is_in, is_replayed
from fortythieves.tournament.rounds import ANY_CHANCE, Drawing, Round, by_lot
from fortythieves.tournament.standings import comparison, standings

#: Draws a round, given a plan, the entrants, the rounds so far, the randomness, and the requests for half-point byes.
Draw = Callable[[Plan, Entrants, Sequence[Round], str, Collection[int]], Drawing | None]


def follows(plan: Plan, entrants: Entrants, rounds: Sequence[Round]) -> bool:
    """Whether there is a next round, in less time than a draw takes. All rounds so far must be over, as in `draw`."""
    seats = _candidates(plan, entrants, rounds)
    if plan.format == "roundrobin":
        return bool(seats) and roundrobin.follows(plan, entrants, rounds, seats)
    if plan.has_schedule:
        return draw(plan, entrants, rounds, ANY_CHANCE) is not None
    return bool(seats)


def draw(
    plan: Plan, entrants: Entrants, rounds: Sequence[Round], chance: str, half: Collection[int] = ()
) -> Drawing | None:
    """Draw the next round. None if all rounds are played, or fewer than two entrants are left.

    All rounds so far must be over, without ties to play off. ``chance``: 64 hexadecimal digits, the only source of
    randomness. ``half``: the requests for half-point byes. Entrants who may not have one (`may_rest`) race; all do, if
    fewer than two would be left.
    """
    seats = _candidates(plan, entrants, rounds)
    if not seats:
        return None
    match plan.format:
        case "points":
            return Drawing(tuple(seats))
        case "knockout":
            return knockout.draw(plan, entrants, rounds, lambda: knockout.seeds(plan, entrants, seats, chance))
        case "double":
            return double.draw(plan, entrants, rounds, lambda: knockout.seeds(plan, entrants, seats, chance))
        case "swiss" if plan.has_boards:
            return teams.draw(plan, entrants, rounds, seats, chance)
        case "swiss":
            return _swiss(plan, entrants, rounds, seats, chance, half)
        case "roundrobin":
            return roundrobin.draw(plan, entrants, rounds, seats, chance)
    return None


def _swiss(
    plan: Plan, entrants: Entrants, rounds: Sequence[Round], seats: Sequence[int], chance: str, half: Collection[int]
) -> Drawing:
    rests = [seat for seat in seats if seat in half and may_rest(plan, rounds, seat)]
    if len(seats) - len(rests) < 2:
        rests = []
    rows = {row.seat: row for row in standings(plan, entrants, rounds)}
    order = sorted(by_lot(chance, {*seats} - {*rests}), key=lambda seat: rows[seat].place or 0)
    scores = {seat: rows[seat].score for seat in order}
    apart = swiss.pairs_apart(plan.apart, ((entrants[seat].name, seat) for seat in order))
    pairs, byes = swiss.draw(order, scores, rounds, apart)
    return Drawing(tuple(seat for pair in pairs for seat in pair), tuple(pairs), tuple(byes), tuple(rests))


def may_rest(plan: Plan, rounds: Sequence[Round], seat: int) -> bool:
    """Whether an entrant may have a half-point bye in the next round: not in the last one, and not too often."""
    return len(rounds) < plan.last_half_bye and half_byes_had(rounds, seat) < plan.half_byes


def half_byes_had(rounds: Sequence[Round], seat: int) -> int:
    """How many half-point byes an entrant has had. Skipped rounds gave nothing."""
    return sum(seat in done.half_byes for done in rounds if not done.skipped)


def _candidates(plan: Plan, entrants: Entrants, rounds: Sequence[Round]) -> list[int]:
    """The seats that could be in the next round. Empty if there is none. The races of an arena are not drawn."""
    number = len(rounds) + 1
    seats = sorted(seat for seat, entrant in entrants.items() if is_in(entrants, seat) and entrant.since <= number)
    if plan.team_size:
        lineups = teams.lineups(plan, entrants, seats)
        # Entrants without a team wait. Boards need an opponent.
        seats = [] if plan.has_boards and len(lineups) < 2 else sorted(chain.from_iterable(lineups.values()))
    most = 0 if plan.format == "arena" else MOST_ROUNDS if plan.has_schedule else plan.rounds
    return seats if len(seats) > 1 and number <= most else []


def plays_on(plan: Plan, entrants: Entrants, rounds: Sequence[Round]) -> tuple[int, ...]:
    """The racers of a further race in the last of these rounds: replayed pairs, and exact ties with one survivor."""
    done = rounds[-1]
    if not done.counts:
        return ()
    again = {pair for pair in done.pairs if is_replayed(entrants, done, pair)}
    if comparison(plan, rounds) == "bracket":
        again |= {pair for pair in done.pairs if decided(entrants, done, pair).tied}
    return tuple(seat for pair in done.pairs if pair in again for seat in pair)
