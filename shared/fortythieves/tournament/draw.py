"""The draw: who takes part in the next round, and which pairs meet."""

from collections.abc import Callable, Collection, Sequence

import msgspec

from fortythieves.tournament import knockout, swiss
from fortythieves.tournament.lots import by_lot
from fortythieves.tournament.plan import MOST_ROUNDS, Plan, kept_apart
from fortythieves.tournament.results import Entrants, Pair, decided, is_in, is_replayed
from fortythieves.tournament.rounds import Round
from fortythieves.tournament.standings import standings

#: Whether there is a next round does not depend on lots.
_ANY_CHANCE = "0" * 64


class Drawing(msgspec.Struct, frozen=True):
    """A round as drawn; see `rounds.Round`."""

    seats: tuple[int, ...]
    pairs: tuple[Pair, ...] = ()
    byes: tuple[int, ...] = ()
    half_byes: tuple[int, ...] = ()


#: Draws a round, given a plan, the entrants, the rounds so far, the randomness, and who asks for a half-point bye.
Draw = Callable[[Plan, Entrants, Sequence[Round], str, Collection[int]], Drawing | None]


def follows(plan: Plan, entrants: Entrants, rounds: Sequence[Round]) -> bool:
    """Whether there is a next round, in less time than a draw takes. All rounds so far must be over, as in `draw`."""
    if plan.format != "swiss":
        return draw(plan, entrants, rounds, _ANY_CHANCE) is not None
    return bool(_candidates(plan, entrants, rounds))


def draw(
    plan: Plan, entrants: Entrants, rounds: Sequence[Round], chance: str, half: Collection[int] = ()
) -> Drawing | None:
    """Draw the next round. None if all rounds are played, or fewer than two entrants are left.

    All rounds so far must be over, without ties to play off. ``chance``: 64 hexadecimal digits, the only source of
    randomness. ``half``: who asks for a half-point bye. Who may not have one (`may_rest`) races; and so do all, if
    fewer than two would be left.
    """
    seats = _candidates(plan, entrants, rounds)
    if not seats:
        return None
    if plan.format == "points":
        return Drawing(tuple(seats))
    if plan.format == "swiss":
        return _swiss(plan, entrants, rounds, seats, chance, half)
    racing, pairs, byes = knockout.draw(plan, entrants, rounds, seats, chance)
    return Drawing(tuple(racing), tuple(pairs), tuple(byes)) if pairs else None


def _swiss(
    plan: Plan, entrants: Entrants, rounds: Sequence[Round], seats: Sequence[int], chance: str, half: Collection[int]
) -> Drawing:
    rests = [seat for seat in seats if seat in half and may_rest(plan, rounds, seat)]
    if len(seats) - len(rests) < 2:
        rests = []
    rows = {row.seat: row for row in standings(plan, entrants, rounds)}
    order = sorted(by_lot(chance, {*seats} - {*rests}), key=lambda seat: rows[seat].place or 0)
    scores = {seat: rows[seat].score for seat in order}
    pairs, byes = swiss.draw(order, scores, rounds, _apart(plan, entrants, order))
    return Drawing(tuple(seat for pair in pairs for seat in pair), tuple(pairs), tuple(byes), tuple(rests))


def _apart(plan: Plan, entrants: Entrants, seats: Sequence[int]) -> set[Pair]:
    """The pairs that a host does not want, the lower seat first."""
    apart = kept_apart(plan.apart)
    seats_of: dict[str, list[int]] = {}
    for seat in seats:
        seats_of.setdefault(entrants[seat].name.casefold(), []).append(seat)
    return {
        (seat, other)
        for name, others in apart.items()
        for seat in seats_of.get(name, ())
        for other in (one for named in others for one in seats_of.get(named, ()))
        if seat < other
    }


def may_rest(plan: Plan, rounds: Sequence[Round], seat: int) -> bool:
    """Whether an entrant may have a half-point bye in the next round: not in the last one, and not too often."""
    had = sum(seat in done.half_byes for done in rounds if not done.skipped)
    return plan.format == "swiss" and len(rounds) + 1 < plan.rounds and had < plan.half_byes


def _candidates(plan: Plan, entrants: Entrants, rounds: Sequence[Round]) -> list[int]:
    """Who could be in the next round. Empty if there is none."""
    number = len(rounds) + 1
    seats = sorted(seat for seat, entrant in entrants.items() if is_in(entrants, seat) and entrant.since <= number)
    if len(seats) < 2 or number > (MOST_ROUNDS if plan.format == "knockout" else plan.rounds):
        return []
    return seats


def plays_on(plan: Plan, entrants: Entrants, done: Round) -> tuple[int, ...]:
    """Who races again in this round: pairs that a host lets race again, and the exactly tied pairs of a knock-out.

    Empty if the round is decided.
    """
    if not done.counts:
        return ()
    again = {pair for pair in done.pairs if is_replayed(entrants, done, pair)}
    if plan.format == "knockout":
        again |= {pair for pair in done.pairs if decided(plan.rules, entrants, done, pair).tied}
    return tuple(seat for pair in done.pairs if pair in again for seat in pair)
