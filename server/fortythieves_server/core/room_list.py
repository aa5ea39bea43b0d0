"""Which rooms the front page lists, and until when. Pure.

A room is listed while somebody is in it. A tournament that was announced for later is listed while nobody is there,
too, if its start is near and its hosts have not forgotten it.
"""

from typing import NamedTuple

from fortythieves_server.core.room_state import Room
from fortythieves_server.core.views import summary

_SECOND, _DAY = 1000, 24 * 3_600_000

#: Of one address, the liveliest: the list has fifty places, so whoever opens many leaves most of them to others, and
#: a school behind one address still has three classes in it.
OF_ONE_ADDRESS = 3
#: How near the start of a tournament must be, and how long ago one of its hosts may have gone (ms).
ANNOUNCED_WITHIN, HOST_SEEN_WITHIN = 14 * _DAY, _DAY
#: What a process says of a room with people in it is good for so long, in ms: it says so again every five seconds, and
#: is taken for dead after fifteen (`PROCESS_TTL`).
GOOD_FOR = 20 * _SECOND


class Listing(NamedTuple):
    """A room on the front page; ``until`` 0: it is not, or no longer."""

    code: str
    #: The hash of where it was opened from, or of rooms from before that was known, its code.
    address: str
    #: When something last happened in it, and until when it is listed if nobody says so again (ms).
    active_at: int
    until: int


def listing(room: Room, active_at: int, now: int) -> Listing:
    """How a room is listed now."""
    return Listing(room.code, room.address or room.code, active_at, _until(room, now) or 0)


def _until(room: Room, now: int) -> int | None:
    shown = summary(room)
    if not (shown["open"] or shown["watchable"]):
        return None
    starts_at = _announced(room, now)
    if starts_at is not None:
        return _until_start(room, starts_at, now)
    return now + GOOD_FOR if any(person.here and not person.bot for person in room.people.values()) else None


def _announced(room: Room, now: int) -> int | None:
    """When a tournament that has not begun is to begin, if that is later."""
    held = room.tournament
    at = held.next_at if held is not None and held.phase == "entry" else None
    return at if at is not None and at > now else None


def _until_start(room: Room, starts_at: int, now: int) -> int | None:
    hosts = [person for seat, person in room.people.items() if room.is_led_by(seat) or room.is_creator(person.guest)]
    seen = max((now if person.away_at is None else person.away_at for person in hosts), default=0)
    until = min(starts_at, seen + HOST_SEEN_WITHIN)
    return until if starts_at <= now + ANNOUNCED_WITHIN and until > now else None
