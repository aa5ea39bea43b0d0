"""The host of a room, and how hosts and operators remove or mute people and close rooms. Pure.

A room belongs to its creator. In a race among friends, the role may pass to others or be handed over for good. In a
tournament only co-hosts, whom the creator appoints, can stand in, and the creator keeps the room.
"""

from fortythieves.errors import Refused, found, refuse_if
from fortythieves.protocol import to_server
from fortythieves.times import Ms
from fortythieves_server.core import events
from fortythieves_server.core.names_and_texts import clean_reason
from fortythieves_server.core.room_state import ChatMessage, Room, stand_in
from fortythieves_server.core.rule_context import Context, Events, leave_tournament, take_out_of_race, tournament_of

# The host's role

#: If the host is away this long, another person stands in. A guess.
HOST_AWAY = Ms(30_000)


def returned(room: Room, seat: int) -> Events:
    """Give the host's role back to its owner when they return."""
    return [events.Hosted(seat)] if seat != room.host and room.people[seat].guest == room.organiser else []


def follower(room: Room) -> tuple[Ms, int] | None:
    """When another seat becomes the host if nothing else happens, and which. None: the host stays."""
    if room.of_arena is not None or (room.tournament is not None and room.host in room.tournament.arena.racing):
        return None  # such a room has no host, and a racing host returns
    host = room.people.get(room.host) if room.host is not None else None
    if host is not None and host.away_at is None:
        return None
    others = [seat for seat, person in room.people.items() if seat != room.host and person.here]
    heir = stand_in(room, others)
    if heir is None or (room.people[heir].bot and not room.is_creator(room.people[heir].guest)):
        return None
    return room.at if host is None or host.away_at is None else host.away_at + HOST_AWAY, heir


def due(room: Room, now: Ms) -> Events:
    follows = follower(room)
    return [events.Hosted(follows[1])] if follows and now >= follows[0] else []


def check_judgement(room: Room, by: int, seat: int) -> None:
    """Raise `Refused` if a host of a tournament may not disqualify or withdraw the seat."""
    refuse_if(room.is_creator(room.guest_at(seat)) and not room.is_creator(room.people[by].guest), "creator")


def hand_over(room: Room, seat: int, request: to_server.HandOver, context: Context) -> Events:
    person = found(room.people.get(request.seat), "unknown-seat", seat=request.seat)
    if request.seat == seat:
        return []
    refuse_if(room.tournament is not None, "creators-tournament")
    refuse_if(person.bot, "bot-host")
    # A stand-in can only hand the role over until the owner returns.
    return [events.Hosted(request.seat, for_good=room.people[seat].guest == room.organiser)]


def appoint_co_host(room: Room, seat: int, request: to_server.CoHost, context: Context) -> Events:
    tournament_of(room)
    refuse_if(not room.is_creator(room.people[seat].guest), "not-creator")
    on_already = request.seat in room.co_hosts
    # An absent co-host can still be dismissed: an entrant's seat is kept, and the role with it.
    if request.seat == seat or (request.seat not in room.people and not (on_already and not request.on)):
        raise Refused("unknown-seat", seat=request.seat)
    return [] if on_already == request.on else [events.CoHosted(request.seat, request.on, seat)]


# Moderation. The number of a chat message identifies its author, because a spectator has no seat


def check_address(room: Room, guest: str, address: str, now: Ms) -> None:
    """Raise `Refused` for a new guest from a blocked address. Guests that have chatted before are not new."""
    is_known = any(message.guest == guest for message in room.chat.values())
    refuse_if(room.blocked_addresses.get(address, Ms(0)) > now and not is_known, "address-held")


def kick(room: Room, seat: int, request: to_server.Kick, context: Context) -> Events:
    refuse_if(request.seat not in room.people or request.seat == seat, "unknown-seat", seat=request.seat)
    guest, is_creator = room.people[request.seat].guest, room.is_creator(room.people[seat].guest)
    # A stand-in cannot remove the owner of the room.
    refuse_if(room.is_creator(guest) or (guest == room.organiser and not is_creator), "creator")
    refuse_if(request.seat in room.co_hosts and not is_creator, "not-creator")
    # The removal would end when the owner returns, but the racer would be disqualified for good.
    refuse_if(room.race.is_racing(request.seat) and not room.is_in_owners_hands, "racing")
    hold = block_address(room, room.people[request.seat].address, seat, context.now) if request.hold else []
    end = take_out_of_race(room, request.seat, "kicked", context)
    return [*end, *leave_tournament(room, request.seat), events.Left(request.seat, kicked=True), *hold]


def mute(room: Room, seat: int, request: to_server.Mute, context: Context) -> Events:
    message = room.muted.get(request.line) or _message(room, request.line)
    if not request.on:
        numbers = [number for number, muted in room.muted.items() if muted.guest == message.guest]
        return [events.Muted(number, False, seat) for number in numbers]
    refuse_if(room.is_creator(message.guest), "creator")
    return [] if room.is_muted(message.guest) else [events.Muted(request.line, True, seat)]


def remove(room: Room, seat: int, request: to_server.Remove, context: Context) -> Events:
    message = _message(room, request.line)
    refuse_if(room.is_creator(message.guest), "creator")
    refuse_if(room.seat_of(message.guest) is not None, "no-watcher")
    if any(room.guest_at(co) == message.guest for co in room.co_hosts) and not room.is_creator(room.people[seat].guest):
        raise Refused("not-creator")
    hold = block_address(room, message.address, seat, context.now) if request.hold else []
    return hold if message.guest in room.banned else [events.Removed(request.line, seat), *hold]


def admit(room: Room, seat: int, request: to_server.Admit, context: Context) -> Events:
    found = room.removed.get(request.number)
    if found is None:
        return []
    refuse_if(not found.by_stand_in and not room.is_in_owners_hands, "not-creator")
    return [events.Admitted(request.number, seat)]


def _message(room: Room, number: int) -> ChatMessage:
    message = room.chat.get(number)
    return found(message if message and message.guest else None, "unknown-line")


# Operators of the server


def unlisted(room: Room, *, unlisted: bool) -> Events:
    check_open(room)
    return [] if room.unlisted == unlisted else [events.Unlisted(unlisted)]


def closed(room: Room, reason: str) -> Events:
    """Close the room for good, even during a race. Raises `Refused` ("bad-reason")."""
    return [] if room.closed else [events.RoomClosed(clean_reason(reason))]


def check_open(room: Room) -> None:
    """Raise `Refused` if an operator has closed the room. For its players it no longer exists."""
    refuse_if(room.closed, "unknown-room", code=room.code)


def block_address(room: Room, address: str, by: int, now: Ms) -> Events:
    """Refuse new guests of an address for a while, if the address is known and not refused already."""
    return [events.AddressBlocked(address, by)] if address and room.blocked_addresses.get(address, Ms(0)) <= now else []
