"""Which rooms the front page lists, and for how long. Pure.

A room is listed while somebody is in it. An announced tournament is listed even if nobody is there, provided that it
starts soon and one of its hosts was there recently.
"""

from typing import NamedTuple

from fortythieves.times import Ms, ms_of
from fortythieves_server.core.room_state import Room
from fortythieves_server.core.views import summary

#: The most rooms of one address, the liveliest first. The list has fifty places, so an address with many rooms leaves
#: most places to others. A school behind one address can still list three classes. A guess.
OF_ONE_ADDRESS = 3
#: How soon a tournament must start, and how recently a host must have been there.
ANNOUNCED_WITHIN, HOST_SEEN_WITHIN = ms_of(14 * 86_400), ms_of(86_400)
#: How long a process's report of a room with people is valid. Processes report every five seconds, and are taken
#: for dead after fifteen (`PROCESS_TTL`).
GOOD_FOR = ms_of(20)


class Listing(NamedTuple):
    """A room on the front page. ``until`` 0: it is not listed, or no longer."""

    code: str
    #: The hash of the address that opened it. For old rooms without one, the code.
    address: str
    #: When something last happened in it, and until when it is listed without a new report.
    active_at: Ms
    until: Ms


def listing(room: Room, active_at: Ms, now: Ms) -> Listing:
    return Listing(room.code, room.address or room.code, active_at, _until(room, now) or Ms(0))


def _until(room: Room, now: Ms) -> Ms | None:
    shown = summary(room)
    if not (shown["open"] or shown["watchable"]):
        return None
    starts_at = _announced(room, now)
    if starts_at is not None:
        return _until_start(room, starts_at, now)
    return now + GOOD_FOR if any(person.here and not person.bot for person in room.people.values()) else None


def _announced(room: Room, now: Ms) -> Ms | None:
    """When a tournament that has not begun will start, or None."""
    tournament = room.tournament
    at = tournament.next_at if tournament is not None and tournament.phase == "entry" else None
    return at if at is not None and at > now else None


def _until_start(room: Room, starts_at: Ms, now: Ms) -> Ms | None:
    hosts = [person for seat, person in room.people.items() if room.is_led_by(seat) or room.is_creator(person.guest)]
    seen = max((now if person.away_at is None else person.away_at for person in hosts), default=Ms(0))
    until = min(starts_at, seen + HOST_SEEN_WITHIN)
    return until if starts_at <= now + ANNOUNCED_WITHIN and until > now else None
