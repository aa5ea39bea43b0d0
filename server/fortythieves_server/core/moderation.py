"""Who is muted or kept out: seated players, spectators, and new guests of an address. Pure.

A spectator has no seat. The number of one of their chat messages identifies them, because a spectator who never chatted
needs no moderation.
"""

from fortythieves.errors import Refused
from fortythieves.protocol import to_server
from fortythieves.times import Ms
from fortythieves_server.core import decide_tournament, events, host_role
from fortythieves_server.core.room_state import ChatMessage, Room
from fortythieves_server.core.rule_context import Context, Events, on, out_of_race


def check_address(room: Room, guest: str, address: str, now: Ms) -> None:
    """Raise `Refused` for a new guest from a held address. Guests who have chatted before are not new."""
    if room.blocked_addresses.get(address, Ms(0)) > now and not any(line.guest == guest for line in room.chat.values()):
        raise Refused("address-held")


def check_voice(room: Room, guest: str) -> None:
    if room.is_muted(guest):
        raise Refused("muted")


@on(to_server.Kick, host=True)
def _kick(room: Room, seat: int, request: to_server.Kick, context: Context) -> Events:
    if request.seat not in room.people or request.seat == seat:
        raise Refused("unknown-seat", seat=request.seat)
    host_role.check_removal(room, seat, request.seat)
    hold = decide_tournament.hold(room, room.people[request.seat].address, seat, context.now) if request.hold else []
    end = out_of_race(room, request.seat, "kicked", context)
    return [*end, *decide_tournament.left(room, request.seat), events.Left(request.seat, kicked=True), *hold]


@on(to_server.Mute, co_host=True)
def _mute(room: Room, seat: int, request: to_server.Mute, context: Context) -> Events:
    line = room.muted.get(request.line) or _message(room, request.line)
    if not request.on:
        numbers = [number for number, muted in room.muted.items() if muted.guest == line.guest]
        return [events.Muted(number, False, seat) for number in numbers]
    if room.is_creator(line.guest):
        raise Refused("creator")
    return [] if room.is_muted(line.guest) else [events.Muted(request.line, True, seat)]


@on(to_server.Remove, co_host=True)
def _remove(room: Room, seat: int, request: to_server.Remove, context: Context) -> Events:
    line = _message(room, request.line)
    if room.is_creator(line.guest):
        raise Refused("creator")
    if room.seat_of(line.guest) is not None:
        raise Refused("no-watcher")
    if any(room.guest_at(co) == line.guest for co in room.co_hosts) and not room.is_creator(room.people[seat].guest):
        raise Refused("not-creator")
    hold = decide_tournament.hold(room, line.address, seat, context.now) if request.hold else []
    return hold if line.guest in room.banned else [events.Removed(request.line, seat), *hold]


def _message(room: Room, number: int) -> ChatMessage:
    line = room.chat.get(number)
    if line is None or not line.guest:
        raise Refused("unknown-line")
    return line
