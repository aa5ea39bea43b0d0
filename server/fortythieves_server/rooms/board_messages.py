"""The messages that give players their own boards, whole or entry by entry."""

from fortythieves.protocol import to_client
from fortythieves.protocol.wire import encode
from fortythieves.times import Ms
from fortythieves_server.core.playthrough import Playthrough
from fortythieves_server.core.room_state import Race
from fortythieves_server.rooms.cached_room import CachedRoom
from fortythieves_server.rooms.peer import Peer

#: A client that missed more moves than this gets its whole board. A guess.
RESUME_MOVES = 200


class FreshBoard:
    """The board as dealt. It is the same for all racers, so it is encoded once for hundreds who start together."""

    def __init__(self) -> None:
        self._dealt = "", 0
        self._frame = b""

    def of(self, cached: CachedRoom) -> bytes:
        race = cached.room.race
        if self._dealt != (cached.epoch, race.number):
            self._dealt = cached.epoch, race.number
            self._frame = encode(to_client.OwnBoard(race.number, new_playthrough(race).start, []))
        return self._frame


def new_playthrough(race: Race) -> Playthrough:
    return Playthrough(race.game, race.deck, race.settings.undo, race.starts_at or Ms(0))


def send_entries(peer: Peer, race: int, playthrough: Playthrough) -> None:
    """Send a player the entries on disk that it has not received, or the whole board."""
    on_disk, sent = len(playthrough.times), peer.entries_sent
    if sent is not None and 0 <= on_disk - sent <= RESUME_MOVES:
        for n in range(sent, on_disk):
            peer.send(to_client.Moved(race, n + 1, *playthrough.entries[n]))
    else:
        peer.send_big(encode(to_client.OwnBoard(race, playthrough.start, playthrough.entries[:on_disk])))
    peer.entries_sent = on_disk
