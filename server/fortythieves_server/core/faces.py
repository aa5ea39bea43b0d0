"""The face of each seat: a picture in a colour. Players tell each other apart by colour first. Pure."""

from collections.abc import Iterable, Iterator

from fortythieves.protocol.to_server import COLOURS, PICTURES
from fortythieves_server.core.room_state import Room

#: The picture of all bots, and of nobody else.
BOT = 0


def face_for(room: Room, seat: int, wanted: int | None, *, bot: bool) -> int:
    """The wanted face, but as long as there are enough, nobody else has its colour, then its picture."""
    colour, picture = divmod(seat * PICTURES + seat if wanted is None else wanted, PICTURES)
    taken = {face for other, face in room.faces.items() if other != seat}
    colours, pictures = {face // PICTURES for face in taken}, {face % PICTURES for face in taken}
    if bot or colour in colours:
        colour = max(((colour + n) % COLOURS for n in range(COLOURS)), key=lambda one: _apart(one, colours))
    return min(
        _bots(colour) if bot else _faces(colour, picture),
        key=lambda face: (face in taken, face // PICTURES != colour, face % PICTURES in pictures),
    )


def _apart(colour: int, others: Iterable[int]) -> int:
    """How far a colour is from the most similar other one. Colours are hues."""
    return min((min((colour - other) % COLOURS, (other - colour) % COLOURS) for other in others), default=COLOURS)


def _bots(colour: int) -> Iterator[int]:
    for n in range(COLOURS):
        yield (colour + n) % COLOURS * PICTURES + BOT


def _faces(colour: int, picture: int) -> Iterator[int]:
    for n in range(COLOURS):
        for m in range(PICTURES):
            if (other := (picture + m) % PICTURES) != BOT:
                yield (colour + n) % COLOURS * PICTURES + other
