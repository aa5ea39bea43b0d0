"""Keep the names of players, entrants and spectators of a room distinct. Pure.

Unicode's Technical Standard 39, section 4, calls the common form of look-alikes a *skeleton*. The library
`confusable_homoglyphs` has the standard's table of confusable characters, as pairs. It computes no skeletons.
"""

import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache

from confusable_homoglyphs.utils import load

from fortythieves.errors import Refused
from fortythieves_server.core.clean_text import NAME_LENGTH
from fortythieves_server.core.room_state import Room

#: In Unicode 15, chains of characters that look like the next one have at most two steps. This leaves a margin.
_LINKS = 8
#: The library puts these around right-to-left letters.
_MARKS = "\u200e\u200f"


@lru_cache(maxsize=10_000)  # ten rooms of a thousand people; a miss takes about 10 us (measured)
def lookalike_forms(text: str) -> frozenset[str]:
    """The looks of a text. Two texts can be confused if their looks have an element in common.

    Case is ignored ("ANN" is "Ann"), and so is the form of letters (NFKC, as in RFC 8266 for nicknames). "lan" looks
    like "Ian" but not like "ian".
    """
    skeleton = _skeleton(text)
    folded = unicodedata.normalize("NFKC", text).casefold()
    return frozenset((skeleton, _skeleton(skeleton.casefold()), _skeleton(folded)))


def _skeleton(text: str) -> str:
    table = _prototypes()
    for _ in range(_LINKS):
        before, text = text, "".join(table.get(char, char) for char in unicodedata.normalize("NFD", text))
        if text == before:
            break
    return text


@cache
def _prototypes() -> Mapping[str, str]:
    """Each confusable character, and the one that represents all its look-alikes."""
    pairs: Mapping[str, list[Mapping[str, str]]] = load("confusables.json")
    alike = {char.strip(_MARKS): [one["c"].strip(_MARKS) for one in others] for char, others in pairs.items()}
    prototypes: dict[str, str] = {}
    for char, others in alike.items():
        # The representative is listed with all its look-alikes, each of them only with the representative.
        if len(char) > 1 or len(others) > 1:
            continue
        (other,) = others
        is_one_of_two = len(other) == 1 and len(alike[other]) == 1
        if not (is_one_of_two and char < other):
            prototypes[char] = other
    return prototypes


#: The highest number that is added to a name to make it distinct.
NAMESAKES = 1_000


def distinct(room: Room, name: str, guest: str) -> str:
    """The name for a guest, with a number if it looks like another name. Raises `Refused` if no number is free."""
    taken = {form for other, known in _known(room) if other != guest for form in lookalike_forms(known)}
    tournament = room.tournament
    if tournament and tournament.has_list and room.creator and not room.is_creator(guest):
        # Only the creator may use a name of the list here. Others claim it elsewhere.
        taken |= {form for row in tournament.plan.listed for form in lookalike_forms(row)}
    if taken.isdisjoint(lookalike_forms(name)):
        return name
    numbered = (f"{name[: NAME_LENGTH - 1 - len(str(k))].rstrip()} {k}" for k in range(2, NAMESAKES + 2))
    free = next((candidate for candidate in numbered if taken.isdisjoint(lookalike_forms(candidate))), None)
    if free is None:
        raise Refused("bad-name")
    return free


def is_free(room: Room, name: str, guest: str) -> bool:
    """Whether no other person in the room and no other entrant has a name that looks like this one."""
    forms = lookalike_forms(name)
    return all(other == guest or forms.isdisjoint(lookalike_forms(known)) for other, known in _known(room))


def _known(room: Room) -> Iterator[tuple[str, str]]:
    yield room.creator, room.creator_name  # reserved even while the creator is away
    for person in room.people.values():
        yield person.guest, person.name
    if room.tournament is not None:  # an absent entrant keeps the name
        for seat, entrant in room.tournament.entrants.items():
            yield room.tournament.guests.get(seat, ""), entrant.name
    for message in room.chat.values():
        if message.guest:
            yield message.guest, message.name
