"""The messages that give a player the own board, whole or entry by entry."""

from fortythieves.protocol import to_client
from fortythieves.protocol.wire import encode
from fortythieves_server.core.judge_moves import Track
from fortythieves_server.core.room_state import Race
from fortythieves_server.rooms.cached_room import CachedRoom
from fortythieves_server.rooms.peer import Peer

#: A client that missed more moves than this (a guess) gets its board anew.
RESUME_MOVES = 200


class FreshBoard:
    """The board as it was dealt: the same for all, so it is encoded once for hundreds who begin together."""

    def __init__(self) -> None:
        self._dealt = "", 0
        self._frame = b""

    def of(self, cached: CachedRoom) -> bytes:
        """That of the room's race."""
        race = cached.room.race
        if self._dealt != (cached.epoch, race.number):
            self._dealt = cached.epoch, race.number
            self._frame = encode(to_client.OwnBoard(race.number, new_track(race).start, []))
        return self._frame


def new_track(race: Race) -> Track:
    """The track of a seat that has made no move."""
    return Track(race.game, race.deck, race.settings.undo, race.starts_at or 0)


def send_entries(peer: Peer, race: int, track: Track) -> None:
    """Send a player the entries that it was not sent yet, as far as they are on disk, or the whole board."""
    on_disk, sent = len(track.times), peer.entries_sent
    if sent is not None and 0 <= on_disk - sent <= RESUME_MOVES:
        for n in range(sent, on_disk):
            peer.send(to_client.Moved(race, n + 1, *track.entries[n]))
    else:
        peer.send_big(encode(to_client.OwnBoard(race, track.start, track.entries[:on_disk])))
    peer.entries_sent = on_disk
