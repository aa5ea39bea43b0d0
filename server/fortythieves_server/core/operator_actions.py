"""What operators of the server can do to a room. Pure."""

from fortythieves.errors import Refused
from fortythieves_server.core import events
from fortythieves_server.core.clean_text import clean_reason
from fortythieves_server.core.room_state import Room
from fortythieves_server.core.rule_context import Events


def unlisted(room: Room, *, unlisted: bool) -> Events:
    check_open(room)
    return [] if room.unlisted == unlisted else [events.Unlisted(unlisted)]


def closed(room: Room, reason: str) -> Events:
    """Close the room for good, even during a race. Raises `Refused` ("bad-reason")."""
    return [] if room.closed else [events.RoomClosed(clean_reason(reason))]


def check_open(room: Room) -> None:
    """Raise `Refused` if an operator has closed the room. For everybody else it no longer exists."""
    if room.closed:
        raise Refused("unknown-room", code=room.code)
