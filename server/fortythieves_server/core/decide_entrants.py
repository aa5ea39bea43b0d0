"""The entrants of a tournament: the entry list and its links, registration, check-in, and teams. Pure.

An entrant holds the row of the entry list with the entrant's name, even while the entrant is not in the room. Names of
people and teams that look alike are equal. A personal link works once: the first guest that uses it holds the row.
After the first draw an entrant stays in the team.
"""

import base64
import hmac
from collections.abc import Iterable, Mapping, Sequence

from fortythieves.errors import Refused, found, refuse_if
from fortythieves.protocol import to_server
from fortythieves.protocol.to_client import ListRow
from fortythieves.times import Ms
from fortythieves.tournament.results import is_in
from fortythieves.tournament.teams import members
from fortythieves_server.core import decide_hosts, events, rule_context
from fortythieves_server.core.names_and_texts import NAME_LENGTH, clean_name, distinct, lookalike_forms
from fortythieves_server.core.room_state import Room
from fortythieves_server.core.rule_context import Context, Events, earliest, entrant_at, tournament_of
from fortythieves_server.core.tournament import Tournament, is_released

# The entry list

#: Added to the name of an entrant when the row is released.
_RELEASED = " (released)"


def _with_list(room: Room) -> Tournament:
    tournament = tournament_of(room)
    refuse_if(not tournament.has_list, "no-list")
    return tournament


def check_list(listed: Sequence[str]) -> None:
    """Raise `Refused` if two names of the list can be confused."""
    seen: dict[str, str] = {}
    for row in listed:
        if other := _alike(row, seen):
            refuse_if(row == other, "bad-plan", detail="name-listed-twice", name=row)
            raise Refused("bad-plan", detail="names-alike", name=other, other=row)
        seen |= dict.fromkeys(lookalike_forms(row), row)


def clean_teams(teams: Sequence[str]) -> tuple[str, ...]:
    """The teams of a list. Names that look alike are the same team, as it is written first. Raises `Refused`."""
    seen: dict[str, str] = {}
    cleaned = []
    for text in teams:
        team = clean_listed_name(text) if text else ""
        cleaned.append(_alike(team, seen) or team)
        seen |= dict.fromkeys(lookalike_forms(team), cleaned[-1])
    return tuple(cleaned)


def _alike(name: str, known: Mapping[str, str]) -> str | None:
    """What the known forms say about a name that looks like one of them."""
    return next((known[form] for form in sorted(lookalike_forms(name)) if form in known), None)


def clean_listed_name(row: str) -> str:
    """A name of the list. Raises `Refused` with the name, because there may be hundreds."""
    try:
        return clean_name(row)
    except Refused:
        raise Refused("bad-plan", detail="listed-name", name=row[: 2 * NAME_LENGTH], most=NAME_LENGTH) from None


def row_like(tournament: Tournament, name: str) -> str | None:
    return _first_like(name, tournament.plan.listed)


def _first_like(name: str, others: Iterable[str]) -> str | None:
    forms = lookalike_forms(name)
    return next((other for other in others if not forms.isdisjoint(lookalike_forms(other))), None)


def _holders(room: Room, tournament: Tournament) -> dict[str, str]:
    """The guests by the looks of their names. Entrants have precedence."""
    named = [(room.creator_name, room.creator), *((person.name, person.guest) for person in room.people.values())]
    named += [(entrant.name, tournament.guests.get(seat, "")) for seat, entrant in tournament.entrants.items()]
    return {form: guest for name, guest in named for form in lookalike_forms(name)}


def holder(room: Room, row: str) -> str | None:
    return _alike(row, _holders(room, _with_list(room)))


def is_bound(room: Room, seat: int) -> bool:
    tournament = room.tournament if room.tournament and room.tournament.has_list else None
    entrant = tournament and tournament.entrants.get(seat)
    return bool(tournament and entrant and not is_released(entrant) and row_like(tournament, entrant.name))


def _claim(room: Room, guest: str, request: to_server.Join) -> str:
    """The name of the list that a guest claims by joining, with a link or by typing it. Raises `Refused`."""
    tournament = _with_list(room)
    if request.ticket:
        row = _row_of(room, tournament, request.ticket)
    elif tournament.plan.links_only:
        raise Refused("links-only")
    else:
        row = found(row_like(tournament, clean_name(request.name)), "not-listed")
    refuse_if(holder(room, row) not in {None, guest}, "link-used" if request.ticket else "name-taken")
    return row


def name_of(room: Room, guest: str, request: to_server.Join) -> str:
    """The name of a joining guest. Raises `Refused` if there is a list that does not admit the guest."""
    tournament = room.tournament
    seat = tournament.seat_of(guest) if tournament is not None else None
    if tournament is not None and seat is not None and not is_released(tournament.entrants[seat]):
        return tournament.entrants[seat].name  # a kept seat keeps its name
    # The creator is admitted without a row. If the creator tries out a link, it stays unclaimed.
    if tournament is None or not tournament.has_list or not room.creator or room.is_creator(guest):
        return distinct(room, clean_name(request.name), guest)
    return _claim(room, guest, request)


def claimed_at(room: Room, seat: int, request: to_server.Join) -> Events:
    """The events when a guest in the room uses a personal link. Raises `Refused`."""
    tournament = room.tournament
    if tournament is None or not tournament.has_list or not request.ticket:
        return []
    if is_bound(room, seat) or room.is_creator(room.people[seat].guest):
        return []  # has a name of the list already, or enters with `enter`
    row = _claim(room, room.people[seat].guest, request)
    renamed: Events = [events.Renamed(seat, row)] if row != room.people[seat].name else []
    return [*renamed, events.Entered(seat)] if tournament.may_enter(seat) else []


def check_list_entry(room: Room, seat: int) -> None:
    tournament, person = tournament_of(room), room.people[seat]
    entrant = tournament.entrants.get(seat)
    if not tournament.has_list or room.is_creator(person.guest) or (entrant and not is_released(entrant)):
        return
    refuse_if(tournament.plan.links_only, "links-only")
    row = row_like(tournament, person.name)
    refuse_if(row is None or holder(room, row) != person.guest, "not-listed")


def ticket_of(room: Room, tournament: Tournament, row: str) -> str:
    """The part of a personal link after the `#`. It changes with each release."""
    count = tournament.released.get(row.casefold(), 0)
    digest = hmac.digest(bytes.fromhex(tournament.links), f"{room.code} {count} {row.casefold()}".encode(), "sha256")
    # 128 random bits cannot be guessed.
    return base64.urlsafe_b64encode(digest[:16]).rstrip(b"=").decode()


def _row_of(room: Room, tournament: Tournament, ticket: str) -> str:
    if tournament.links and ticket.isascii():
        for row in tournament.plan.listed:
            if hmac.compare_digest(ticket_of(room, tournament, row), ticket):
                return row
    raise Refused("wrong-link")


def show_list(room: Room, seat: int, request: to_server.ShowList, context: Context) -> Events:
    """Links are derived from a key, which is drawn when a host first asks for them."""
    return [] if _with_list(room).links else [events.LinksDrawn(context.secret)]


def rows(room: Room) -> list[ListRow]:
    """The list, for hosts only: the name, the seat that holds it, the ticket of its link, and the team."""
    tournament = _with_list(room)
    holders = _holders(room, tournament)
    seats = {person.guest: seat for seat, person in room.people.items()}
    seats |= {guest: seat for seat, guest in tournament.guests.items()}
    teams = tournament.plan.team_of_line
    return [
        (row, seats.get(_alike(row, holders) or ""), ticket_of(room, tournament, row), teams[row])
        for row in tournament.plan.listed
    ]


def release_name(room: Room, seat: int, request: to_server.Release, context: Context) -> Events:
    """Release a name and change its link. Its holder is out until claiming a name."""
    tournament = _with_list(room)
    same = (row for row in tournament.plan.listed if row.casefold() == request.name.casefold())
    row = found(next(same, None), "not-on-list")
    refuse_if(tournament.over, "ended")
    guest = holder(room, row)
    holder_seat = None if guest is None else (tournament.seat_of(guest) or room.seat_of(guest))
    if holder_seat is None:
        return [events.Released(row, None, seat)]
    decide_hosts.check_judgement(room, seat, holder_seat)
    free = distinct(room, row[: NAME_LENGTH - len(_RELEASED)].rstrip() + _RELEASED, guest or "")
    end = rule_context.take_out_of_race(room, holder_seat, "left", context)
    return [*end, events.Released(row, holder_seat, seat, free)]


# Registration and check-in


def due(tournament: Tournament, now: Ms) -> Events:
    """The events that are due by the clock before the first draw."""
    times, closes_at = tournament.check_in_times, tournament.closes_at
    closing: Events = [events.Registration(False)] if closes_at is not None and now >= closes_at else []
    if times is None or now < times.ends:
        return closing
    entrants = tournament.entrants
    missing = tuple(seat for seat in entrants if is_in(entrants, seat) and seat not in tournament.checked_in)
    return [*closing, events.CheckInEnded(missing)]


def next_due(tournament: Tournament) -> Ms | None:
    times = tournament.check_in_times
    return earliest(times and times.ends, tournament.closes_at)


def end_check_in(tournament: Tournament, now: Ms) -> Events:
    """End check-in without absentees if a host starts the first round before check-in was open.

    Raises `Refused` if it is open and fewer than two have checked in: no round could be drawn.
    """
    if not tournament.has_check_in or tournament.check_in_over or tournament.rounds:
        return []
    times = tournament.check_in_times
    if times is None or times.opens > now:
        return [events.CheckInEnded()]
    refuse_if(sum(is_in(tournament.entrants, seat) for seat in tournament.checked_in) < 2, "too-few")
    return []


def check_registration(tournament: Tournament, seat: int) -> None:
    if tournament.may_enter(seat):
        return
    refuse_if(tournament.over or tournament.closed is None, "too-late")
    raise Refused("entry-full" if tournament.closed == "full" else "entry-closed")


def check_in(room: Room, seat: int, request: to_server.CheckIn, context: Context) -> Events:
    """An entrant checks in while check-in is open. A host can check in any entrant until the first draw."""
    tournament = tournament_of(room)
    by_host = request.seat != seat
    rule_context.check_asks_for(room, seat, request.seat)
    entrant = entrant_at(tournament, request.seat)
    if request.seat in tournament.checked_in and entrant.state == "in":
        return []
    refuse_if(not tournament.has_check_in or tournament.rounds or entrant.state == "disqualified", "no-check-in")
    times = tournament.check_in_times
    is_open = times is not None and times.opens <= context.now < times.ends
    refuse_if(not by_host and not (room.is_led_by(seat) or (is_open and entrant.state == "in")), "no-check-in")
    return [events.CheckedIn(request.seat, seat if by_host or not is_open else None)]


def set_registration(room: Room, seat: int, request: to_server.Registration, context: Context) -> Events:
    tournament = tournament_of(room)
    refuse_if(tournament.over, "ended")
    if request.open:
        return [events.Registration(True, seat)] if tournament.closed else []
    return [] if tournament.registration == "closed" else [events.Registration(False, seat)]


# Teams


def team_like(tournament: Tournament, name: str) -> str:
    known = dict.fromkeys([*tournament.plan.listed_teams, *(one.team for one in tournament.entrants.values())])
    return _first_like(name, filter(None, known)) or name


def choose_team(room: Room, seat: int, request: to_server.Team, context: Context) -> Events:
    """An entrant asks for themselves, a host for any entrant."""
    tournament = tournament_of(room)
    refuse_if((request.seat != seat or request.board) and not room.is_led_by(seat), "not-host")
    entrant = entrant_at(tournament, request.seat)
    refuse_if(not tournament.plan.team_size, "no-team", detail="team-none")
    refuse_if(tournament.over, "ended")
    team = team_like(tournament, clean_name(request.team)) if request.team else ""
    others = [one for one in members(tournament.entrants).get(team, ()) if one != request.seat]
    board = min(request.board, len(others) + 1)
    if team == entrant.team and board in {0, entrant.board}:
        return []
    if team != entrant.team:
        refuse_if(tournament.was_drawn(request.seat), "no-team", detail="team-drawn")
        if not room.is_led_by(seat) and tournament.plan.team_of_line.get(entrant.name):
            raise Refused("no-team", detail="team-line")
        most = tournament.plan.most_members
        count = sum(one.team == team and one.state == "in" for one in tournament.entrants.values())
        refuse_if(team and most is not None and count >= most, "no-team", detail="team-full", team=team, most=most)
    by_host = request.seat != seat or board > 0
    return [events.Teamed(request.seat, team, board, seat if by_host else None)]
