"""Keep names distinct: those of the people in a room, its entrants, and its spectators. Pure."""

from collections.abc import Iterator, Sequence

from fortythieves.errors import Refused
from fortythieves_server.core.clean_text import NAME_LENGTH
from fortythieves_server.core.lookalikes import looks
from fortythieves_server.core.room_state import Room

#: The highest number that is added to a name to make it distinct.
NAMESAKES = 1_000


def distinct(room: Room, name: str, guest: str) -> str:
    """The name for a guest, with a number if it looks like another name. Raises `Refused` if no number is free."""
    taken = {look for other, known in _known(room) if other != guest for look in looks(known)}
    taken |= {look for line in _reserved(room, guest) for look in looks(line)}
    if taken.isdisjoint(looks(name)):
        return name
    numbered = (f"{name[: NAME_LENGTH - 1 - len(str(k))].rstrip()} {k}" for k in range(2, NAMESAKES + 2))
    free = next((candidate for candidate in numbered if taken.isdisjoint(looks(candidate))), None)
    if free is None:
        raise Refused("bad-name")
    return free


def is_free(room: Room, name: str, guest: str) -> bool:
    """Whether no name that looks like this one belongs to anybody else, in the room or among the entrants."""
    look = looks(name)
    return all(other == guest or look.isdisjoint(looks(known)) for other, known in _known(room))


def _reserved(room: Room, guest: str) -> Sequence[str]:
    """The names on a tournament's list. Only the creator may use one here; others claim it elsewhere."""
    if room.tournament is None or room.tournament.plan.entry != "list" or not room.creator or room.is_creator(guest):
        return ()
    return room.tournament.plan.listed


def _known(room: Room) -> Iterator[tuple[str, str]]:
    yield room.creator, room.creator_name  # reserved even while the creator is away
    for person in room.people.values():
        yield person.guest, person.name
    if room.tournament is not None:  # an absent entrant keeps the name
        for seat, entrant in room.tournament.entrants.items():
            yield room.tournament.guests.get(seat, ""), entrant.name
    for line in room.chat.values():
        if line.guest:
            yield line.guest, line.name
