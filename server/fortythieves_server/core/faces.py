"""The face of each seat: a picture in a colour. Faces differ within a room as long as there are enough. Pure."""

from collections.abc import Iterator

from fortythieves.protocol.to_server import COLOURS, PICTURES
from fortythieves_server.core.room_state import Room

#: The picture of all bots, and of nobody else.
BOT = 0


def face_for(room: Room, seat: int, wanted: int | None, *, bot: bool) -> int:
    """The face for a seat: the wanted one, or else one that nobody else in the room has, preferably in its colour."""
    colour, picture = divmod(seat * PICTURES + seat if wanted is None else wanted, PICTURES)
    taken = {face for other, face in room.faces.items() if other != seat}
    faces = list(_bots(colour) if bot else _faces(colour, picture))
    pictures = {face % PICTURES for face in taken}
    free = [face for face in faces if face not in taken]
    return next((face for face in free if face % PICTURES not in pictures), next(iter(free), faces[0]))


def _bots(colour: int) -> Iterator[int]:
    for n in range(COLOURS):
        yield (colour + n) % COLOURS * PICTURES + BOT


def _faces(colour: int, picture: int) -> Iterator[int]:
    for n in range(COLOURS):
        for m in range(PICTURES):
            if (other := (picture + m) % PICTURES) != BOT:
                yield (colour + n) % COLOURS * PICTURES + other
