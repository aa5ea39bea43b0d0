"""The face of each seat: a picture in a colour. Players tell each other apart by colour first. Pure."""

from collections.abc import Iterator

from fortythieves.protocol.to_server import COLOURS, PICTURES
from fortythieves_server.core.room_state import Room

#: The picture of all bots, and of nobody else.
BOT = 0


def face_for(room: Room, seat: int, wanted: int | None, *, bot: bool) -> int:
    """The face for a seat, as close to the wanted one as possible: first nobody else has its colour, then its picture."""
    colour, picture = divmod(seat * PICTURES + seat if wanted is None else wanted, PICTURES)
    taken = {face for other, face in room.faces.items() if other != seat}
    colours, pictures = {face // PICTURES for face in taken}, {face % PICTURES for face in taken}
    return min(
        _bots(colour) if bot else _faces(colour, picture),
        key=lambda face: (face // PICTURES in colours, face in taken, face % PICTURES in pictures),
    )


def _bots(colour: int) -> Iterator[int]:
    for n in range(COLOURS):
        yield (colour + n) % COLOURS * PICTURES + BOT


def _faces(colour: int, picture: int) -> Iterator[int]:
    for n in range(COLOURS):
        for m in range(PICTURES):
            if (other := (picture + m) % PICTURES) != BOT:
                yield (colour + n) % COLOURS * PICTURES + other
