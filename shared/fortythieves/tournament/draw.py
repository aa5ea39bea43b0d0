"""The draw: who takes part in the next round, and who is compared with whom."""

from collections.abc import Sequence

import msgspec

from fortythieves.tournament import knockout, swiss
from fortythieves.tournament.plan import MOST_ROUNDS, Plan
from fortythieves.tournament.results import Entrants, Pair, decided, is_in
from fortythieves.tournament.rounds import Round


class Drawing(msgspec.Struct, frozen=True):
    """A round as it is drawn; see `rounds.Round`."""

    seats: tuple[int, ...]
    pairs: tuple[Pair, ...] = ()
    byes: tuple[int, ...] = ()


def draw(plan: Plan, entrants: Entrants, rounds: Sequence[Round], chance: str) -> Drawing | None:
    """The next round; None: all are played, or fewer than two are left.

    The rounds so far are over, and nothing of them is to be played on. ``chance``, 64 hex digits, is all the chance
    that there is in it.
    """
    number = len(rounds) + 1
    seats = sorted(seat for seat, entrant in entrants.items() if is_in(entrants, seat) and entrant.since <= number)
    if len(seats) < 2 or number > (MOST_ROUNDS if plan.format == "knockout" else plan.rounds):
        return None
    if plan.format == "points":
        return Drawing(tuple(seats))
    if plan.format == "swiss":
        pairs, byes = swiss.draw(entrants, rounds, seats, chance)
        racing = [seat for pair in pairs for seat in pair]
    else:
        racing, pairs, byes = knockout.draw(plan, entrants, rounds, seats, chance)
    return Drawing(tuple(racing), tuple(pairs), tuple(byes)) if pairs else None


def plays_on(plan: Plan, entrants: Entrants, done: Round) -> tuple[int, ...]:
    """Who races again in this round: the pairs of a knock-out that are exactly tied. Nobody: the round is decided."""
    if plan.format != "knockout" or not done.counts:
        return ()
    return tuple(seat for pair in done.pairs if decided(entrants, done, pair).tied for seat in pair)
