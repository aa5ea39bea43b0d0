"""The draw: who takes part in the next round, and which pairs meet."""

from collections.abc import Sequence

import msgspec

from fortythieves.tournament import knockout, swiss
from fortythieves.tournament.plan import MOST_ROUNDS, Plan
from fortythieves.tournament.results import Entrants, Pair, decided, is_in
from fortythieves.tournament.rounds import Round


class Drawing(msgspec.Struct, frozen=True):
    """A round as drawn; see `rounds.Round`."""

    seats: tuple[int, ...]
    pairs: tuple[Pair, ...] = ()
    byes: tuple[int, ...] = ()


def draw(plan: Plan, entrants: Entrants, rounds: Sequence[Round], chance: str) -> Drawing | None:
    """Draw the next round. None if all rounds are played, or fewer than two entrants are left.

    All rounds so far must be over, without ties to play off. ``chance``: 64 hexadecimal digits, the only source of
    randomness.
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
    """Who races again in this round: the exactly tied pairs of a knock-out. Empty if the round is decided."""
    if plan.format != "knockout" or not done.counts:
        return ()
    return tuple(seat for pair in done.pairs if decided(entrants, done, pair).tied for seat in pair)
