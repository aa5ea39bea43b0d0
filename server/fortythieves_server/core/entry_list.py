"""The entry list of a tournament: who holds which name, and the personal links that claim one. Pure.

Whoever has the name of a list row holds that row. Entrants keep their name, even while they are not in the room. Names
are compared by their looks. A personal link works once: the first guest who uses it holds the row.
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
from fortythieves_server.core.rule_context import Context, Events, on, out_of_race, tournament_of
from fortythieves_server.core.tournament import Tournament, is_released

#: A link has 128 random bits, so nobody can guess one.
_TICKET_BYTES = 16
#: Added to the name of somebody whose row was released.
_RELEASED = " (released)"


def _with_list(room: Room) -> Tournament:
    tournament = tournament_of(room)
    if tournament.plan.entry != "list":
        raise Refused("no-list")
    return tournament


def check(listed: Sequence[str]) -> None:
    """Raise `Refused` if two names of the list can be confused."""
    seen: dict[str, str] = {}
    for line in listed:
        if other := next((seen[look] for look in looks(line) if look in seen), None):
            if line == other:
                raise Refused("bad-plan", detail="name-listed-twice", name=line)
            raise Refused("bad-plan", detail="names-alike", name=other, other=line)
        seen |= dict.fromkeys(looks(line), line)


def clean_teams(teams: Sequence[str]) -> tuple[str, ...]:
    """The teams of a list. Names that look alike are the same team, as it is written first. Raises `Refused`."""
    seen: dict[str, str] = {}
    cleaned = []
    for text in teams:
        team = clean_line(text) if text else ""
        same = next((seen[look] for look in looks(team) if look in seen), team) if team else ""
        seen |= dict.fromkeys(looks(same), same)
        cleaned.append(same)
    return tuple(cleaned)


def clean_line(line: str) -> str:
    """A name of the list. Raises `Refused` with the name, because there may be hundreds."""
    try:
        return clean_name(line)
    except Refused:
        raise Refused("bad-plan", detail="listed-name", name=line[: 2 * NAME_LENGTH], most=NAME_LENGTH) from None


def line_like(tournament: Tournament, name: str) -> str | None:
    """The name on the list that this name looks like, or None."""
    look = looks(name)
    return next((line for line in tournament.plan.listed if not look.isdisjoint(looks(line))), None)


def _holders(room: Room, tournament: Tournament) -> dict[str, str]:
    """The guests by the looks of their names. Entrants have precedence."""
    borne = [(person.name, person.guest) for person in room.people.values()]
    borne += [(entrant.name, tournament.guests.get(seat, "")) for seat, entrant in tournament.entrants.items()]
    return {look: guest for name, guest in [(room.creator_name, room.creator), *borne] for look in looks(name)}


def holder(room: Room, line: str) -> str | None:
    tournament = _with_list(room)
    holders = _holders(room, tournament)
    return next((holders[look] for look in looks(line) if look in holders), None)


def is_bound(room: Room, seat: int) -> bool:
    """Whether the entrant at this seat is on the list and must keep that name."""
    tournament = room.tournament
    if tournament is None or tournament.plan.entry != "list":
        return False
    entrant = tournament.entrants.get(seat)
    return entrant is not None and not is_released(entrant) and line_like(tournament, entrant.name) is not None


def _claim(room: Room, guest: str, request: to_server.Join) -> str:
    """The name of the list that a guest claims by joining, with a link or by typing it. Raises `Refused`."""
    tournament = _with_list(room)
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
    """The name of a guest who joins. Raises `Refused` if there is a list that does not admit the guest."""
    tournament = room.tournament
    seat = tournament.seat_of(guest) if tournament is not None else None
    if tournament is not None and seat is not None and not is_released(tournament.entrants[seat]):
        return tournament.entrants[seat].name  # a kept seat keeps its name
    # The creator is admitted, and so were guests who came before there was a list. If the creator tries out a link,
    # it stays unclaimed.
    has_list = tournament is not None and tournament.plan.entry == "list" and bool(room.creator)
    if tournament is None or not has_list or room.is_creator(guest):
        return distinct(room, clean_name(request.name), guest)
    return _claim(room, guest, request)


def claimed_at(room: Room, seat: int, request: to_server.Join) -> Events:
    """What happens if somebody in the room uses a personal link. Raises `Refused`."""
    tournament = room.tournament
    if tournament is None or tournament.plan.entry != "list" or not request.ticket or is_bound(room, seat):
        return []  # already has a name of the list
    if room.is_creator(room.people[seat].guest):
        return []  # the creator enters with `enter`
    line = _claim(room, room.people[seat].guest, request)
    renamed: Events = [events.Renamed(seat, line)] if line != room.people[seat].name else []
    return [*renamed, events.Entered(seat)] if tournament.may_enter(seat) else []


def check_entry(room: Room, seat: int) -> None:
    """Raise `Refused` if the list keeps somebody in the room from entering."""
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


def ticket_of(room: Room, tournament: Tournament, line: str) -> str:
    """The part of a personal link after the `#`. It changes with each release."""
    count = tournament.released.get(line.casefold(), 0)
    digest = hmac.digest(bytes.fromhex(tournament.links), f"{room.code} {count} {line.casefold()}".encode(), "sha256")
    return base64.urlsafe_b64encode(digest[:_TICKET_BYTES]).rstrip(b"=").decode()


def _line_of(room: Room, tournament: Tournament, ticket: str) -> str:
    """The name of the list to which this link belongs. Raises `Refused`."""
    if tournament.links and ticket.isascii():
        for line in tournament.plan.listed:
            if hmac.compare_digest(ticket_of(room, tournament, line), ticket):
                return line
    raise Refused("wrong-link")


@on(to_server.ShowList, co_host=True)
def _show(room: Room, seat: int, request: to_server.ShowList, context: Context) -> Events:
    """Links are derived from a key, which is drawn when a host first asks for them."""
    return [] if _with_list(room).links else [events.LinksDrawn(context.secret)]


def rows(room: Room) -> list[ListRow]:
    """The list, for hosts only: the name, the seat that holds it, the ticket of its link, and the team."""
    tournament = _with_list(room)
    holders = _holders(room, tournament)
    seats = {person.guest: seat for seat, person in room.people.items()}
    seats |= {guest: seat for seat, guest in tournament.guests.items()}
    teams = tournament.plan.team_of_line
    shown = []
    for line in tournament.plan.listed:
        guest = next((holders[look] for look in looks(line) if look in holders), None)
        shown.append(
            (line, None if guest is None else seats.get(guest), ticket_of(room, tournament, line), teams[line])
        )
    return shown


@on(to_server.Release, co_host=True)
def _release(room: Room, seat: int, request: to_server.Release, context: Context) -> Events:
    """Release a name and change its link. Whoever tournament it is out until they claim a name again."""
    tournament = _with_list(room)
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
    end = out_of_race(room, who, "left", context)
    return [*end, events.Released(line, who, seat, free)]
