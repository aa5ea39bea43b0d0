"""The entry list of a tournament: who is which line of it, and the links by which lines are claimed. Pure.

Whoever bears the name of a line holds it: an entrant of a list keeps that name, also while not in the room. Names are
compared by what they look like. A line's link is single-use: the first guest who comes by it holds the line.
"""

import base64
import hmac
from collections.abc import Sequence

from fortythieves.errors import Refused
from fortythieves.protocol import to_server
from fortythieves.protocol.to_client import ListRow
from fortythieves_server.core import events, host_role
from fortythieves_server.core.clean_text import NAME_LENGTH, clean_name
from fortythieves_server.core.lookalikes import looks
from fortythieves_server.core.names import distinct
from fortythieves_server.core.room_state import Room
from fortythieves_server.core.rule_types import Events, Given, on, out_of_race
from fortythieves_server.core.tournament import Tournament, is_released

#: 128 bits of a link: nobody guesses one.
_TICKET_BYTES = 16
#: What stands behind the name of somebody whose line was released.
_RELEASED = " (released)"


def _held(room: Room) -> Tournament:
    if room.tournament is None:
        raise Refused("not-tournament")
    if room.tournament.plan.entry != "list":
        raise Refused("no-list")
    return room.tournament


def check(listed: Sequence[str]) -> None:
    """Raise `Refused` for a list in which two names can be taken for each other."""
    seen: dict[str, str] = {}
    for line in listed:
        if other := next((seen[look] for look in looks(line) if look in seen), None):
            twice = f"{line} is on the list twice" if line == other else f"{other} and {line} look alike"
            raise Refused("bad-plan", detail=twice)
        seen |= dict.fromkeys(looks(line), line)


# --- who holds which line ------------------------------------------------------------------------------------------


def line_like(tournament: Tournament, name: str) -> str | None:
    """The line of the list that a name looks like."""
    look = looks(name)
    return next((line for line in tournament.plan.listed if not look.isdisjoint(looks(line))), None)


def _holders(room: Room, tournament: Tournament) -> dict[str, str]:
    """By what names look like: the guests who bear them, entrants before others."""
    borne = [(person.name, person.guest) for person in room.people.values()]
    borne += [(entrant.name, tournament.guests.get(seat, "")) for seat, entrant in tournament.entrants.items()]
    return {look: guest for name, guest in [(room.creator_name, room.creator), *borne] for look in looks(name)}


def holder(room: Room, line: str) -> str | None:
    """The guest who holds a line."""
    held = _held(room)
    holders = _holders(room, held)
    return next((holders[look] for look in looks(line) if look in holders), None)


def is_bound(room: Room, seat: int) -> bool:
    """Whether the entrant at a seat is one of the list, and keeps that name."""
    tournament = room.tournament
    if tournament is None or tournament.plan.entry != "list":
        return False
    entrant = tournament.entrants.get(seat)
    return entrant is not None and not is_released(entrant) and line_like(tournament, entrant.name) is not None


def _claim(room: Room, guest: str, request: to_server.Join) -> str:
    """The line that a guest claims by coming in, with a link or with a name. Raises `Refused`."""
    tournament = _held(room)
    line: str | None
    if request.ticket:
        line = _line_of(room, tournament, request.ticket)
    elif tournament.plan.links_only:
        raise Refused("links-only")
    else:
        line = line_like(tournament, clean_name(request.name))
        if line is None:
            raise Refused("not-listed")
    if holder(room, line) not in {None, guest}:
        raise Refused("link-used" if request.ticket else "name-taken")
    return line


def name_of(room: Room, guest: str, request: to_server.Join) -> str:
    """The name of somebody who comes into a room. Raises `Refused` if there is a list, and it lets in nobody else."""
    tournament = room.tournament
    seat = tournament.seat_of(guest) if tournament is not None else None
    if tournament is not None and seat is not None and not is_released(tournament.entrants[seat]):
        return tournament.entrants[seat].name  # A seat that is kept keeps its name.
    # Whoever opened the room is let in, and so was whoever came before there was a list. A link that the creator
    # tries out stays another one's.
    has_list = tournament is not None and tournament.plan.entry == "list" and bool(room.creator)
    if tournament is None or not has_list or room.is_creator(guest):
        return distinct(room, clean_name(request.name), guest)
    return _claim(room, guest, request)


def claimed_at(room: Room, seat: int, request: to_server.Join) -> Events:
    """What it means that somebody who sits in the room comes by a link. Raises `Refused`."""
    tournament = room.tournament
    if tournament is None or tournament.plan.entry != "list" or not request.ticket or is_bound(room, seat):
        return []  # Whoever is bound stays who it is.
    if room.is_creator(room.people[seat].guest):
        return []  # `enter` is the creator's way in.
    line = _claim(room, room.people[seat].guest, request)
    renamed: Events = [events.Renamed(seat, line)] if line != room.people[seat].name else []
    return [*renamed, events.Entered(seat)] if tournament.may_enter(seat) else []


def check_entry(room: Room, seat: int) -> None:
    """Raise `Refused` if somebody in the room may not enter, because of the list."""
    tournament = room.tournament
    if tournament is None or tournament.plan.entry != "list" or room.is_creator(room.people[seat].guest):
        return
    entrant = tournament.entrants.get(seat)
    if entrant is not None and not is_released(entrant):
        return
    if tournament.plan.links_only:
        raise Refused("links-only")
    line = line_like(tournament, room.people[seat].name)
    if line is None or holder(room, line) != room.people[seat].guest:
        raise Refused("not-listed")


# --- links ---------------------------------------------------------------------------------------------------------


def ticket_of(room: Room, tournament: Tournament, line: str) -> str:
    """What the link of a line has behind its `#`. Another one after each release."""
    count = tournament.released.get(line.casefold(), 0)
    digest = hmac.digest(bytes.fromhex(tournament.links), f"{room.code} {count} {line.casefold()}".encode(), "sha256")
    return base64.urlsafe_b64encode(digest[:_TICKET_BYTES]).rstrip(b"=").decode()


def _line_of(room: Room, tournament: Tournament, ticket: str) -> str:
    """The line whose link this is. Raises `Refused`."""
    if tournament.links and ticket.isascii():
        for line in tournament.plan.listed:
            if hmac.compare_digest(ticket_of(room, tournament, line), ticket):
                return line
    raise Refused("wrong-link")


@on(to_server.ShowList, co_host=True)
def _show(room: Room, seat: int, request: to_server.ShowList, given: Given) -> Events:
    """Links are made of a key, which is drawn when they are first asked for."""
    return [] if _held(room).links else [events.LinksDrawn(given.secret)]


def rows(room: Room) -> list[ListRow]:
    """The list, for hosts alone: the name, the seat that holds it, and the ticket of its link."""
    tournament = _held(room)
    holders = _holders(room, tournament)
    seats = {person.guest: seat for seat, person in room.people.items()}
    seats |= {guest: seat for seat, guest in tournament.guests.items()}
    shown = []
    for line in tournament.plan.listed:
        guest = next((holders[look] for look in looks(line) if look in holders), None)
        shown.append((line, None if guest is None else seats.get(guest), ticket_of(room, tournament, line)))
    return shown


@on(to_server.Release, co_host=True)
def _release(room: Room, seat: int, request: to_server.Release, given: Given) -> Events:
    """Nobody holds the line any more, and its link is another one. Whoever held it is out until a line is claimed."""
    tournament = _held(room)
    line = next((line for line in tournament.plan.listed if line.casefold() == request.name.casefold()), None)
    if line is None:
        raise Refused("not-on-list")
    if tournament.over:
        raise Refused("ended")
    guest = holder(room, line)
    who = None if guest is None else (tournament.seat_of(guest) or room.seat_of(guest))
    if who is None:
        return [events.Released(line, None, seat)]
    host_role.check_judgement(room, seat, who)
    free = distinct(room, line[: NAME_LENGTH - len(_RELEASED)].rstrip() + _RELEASED, guest or "")
    end = out_of_race(room, who, "left", given)
    return [*end, events.Released(line, who, seat, free)]
