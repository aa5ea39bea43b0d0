"""Who will be there for the first round: registration that closes, and check-in. Pure."""

from fortythieves.errors import Refused
from fortythieves.protocol import to_server
from fortythieves.times import Ms
from fortythieves_server.core import events
from fortythieves_server.core.room_state import Room
from fortythieves_server.core.rule_context import Context, Events, on, tournament_of
from fortythieves_server.core.tournament import Tournament


def due(tournament: Tournament, now: Ms) -> Events:
    """What is due by the clock before the first draw."""
    times, closes_at = tournament.check_in_times, tournament.closes_at
    closing: Events = [events.Registration(False)] if closes_at is not None and now >= closes_at else []
    if times is None or now < times.ends:
        return closing
    entrants = tournament.entrants
    missing = [seat for seat in entrants if entrants[seat].state == "in" and seat not in tournament.checked_in]
    return [*closing, events.CheckInEnded(tuple(missing))]


def next_due(tournament: Tournament) -> Ms | None:
    """When `due` will next have something to do, or None."""
    times, closes_at = tournament.check_in_times, tournament.closes_at
    return min((at for at in (times and times.ends, closes_at) if at is not None), default=None)


def passed_over(tournament: Tournament, now: Ms) -> Events:
    """Nobody is missing if a host starts the first round before anybody could check in."""
    if not tournament.has_check_in or tournament.check_in_over or tournament.rounds:
        return []
    times = tournament.check_in_times
    return [] if times is not None and times.opens <= now else [events.CheckInEnded()]


def check_start(tournament: Tournament, now: Ms) -> None:
    """Raise `Refused` if check-in is open and too few have checked in: all others would be out of a round, in vain."""
    times = tournament.check_in_times
    here = [seat for seat in tournament.checked_in if tournament.entrants[seat].state == "in"]
    if times is not None and times.opens <= now and len(here) < 2:
        raise Refused("too-few")


def check_entry(tournament: Tournament, seat: int) -> None:
    """Raise `Refused` if the seat may not enter now."""
    if tournament.may_enter(seat):
        return
    if tournament.over or tournament.closed is None:
        raise Refused("too-late")
    raise Refused("entry-full" if tournament.closed == "full" else "entry-closed")


@on(to_server.CheckIn)
def _check_in(room: Room, seat: int, request: to_server.CheckIn, context: Context) -> Events:
    """An entrant does so while check-in is open. A host can do it for anybody until the first draw."""
    tournament = tournament_of(room)
    by_host = request.seat != seat
    if by_host and not room.is_led_by(seat):
        raise Refused("not-host")
    entrant = tournament.entrants.get(request.seat)
    if entrant is None:
        raise Refused("unknown-seat", seat=request.seat)
    if request.seat in tournament.checked_in and entrant.state == "in":
        return []
    if not tournament.has_check_in or tournament.rounds or entrant.state == "disqualified":
        raise Refused("no-check-in")
    times = tournament.check_in_times
    is_open = times is not None and times.opens <= context.now < times.ends
    if not by_host and not (room.is_led_by(seat) or (is_open and entrant.state == "in")):
        raise Refused("no-check-in")
    return [events.CheckedIn(request.seat, seat if by_host or not is_open else None)]


@on(to_server.Registration, co_host=True)
def _registration(room: Room, seat: int, request: to_server.Registration, context: Context) -> Events:
    tournament = tournament_of(room)
    if tournament.over:
        raise Refused("ended")
    if request.open:
        return [events.Registration(True, seat)] if tournament.closed else []
    return [] if tournament.registration == "closed" else [events.Registration(False, seat)]
