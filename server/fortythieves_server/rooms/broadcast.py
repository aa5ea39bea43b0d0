"""The connections of one room in this process, and what is sent to them: events, progress, chat.

Two kinds of news. *Exact*: what changed in the view, numbered by the events of the room's log. *Convergent*: how far
the racers are; only the latest matters, so it goes out once a tick, in one frame for all.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import cast

import msgspec

from fortythieves.protocol import to_client
from fortythieves.protocol.wire import encode
from fortythieves_server.core import views
from fortythieves_server.core.judge_moves import Progress
from fortythieves_server.rooms.cached_room import CachedRoom
from fortythieves_server.rooms.pacing import Pacing
from fortythieves_server.rooms.peer import Peer

#: More people than this are a crowd, which is told of events once a tick, too, of several at once.
CROWD = 40
#: Bytes of a view that is kept as it was encoded, also for a few: that of a tournament has a hundred thousand.
BIG = 8192


class Audience:
    """Those who are connected to one room.

    ``on_tick`` is called whenever it is told how far the racers are.
    """

    def __init__(self, cached: CachedRoom, on_tick: Callable[[], None], pacing: Pacing) -> None:
        #: By seat.
        self.seated: dict[int, Peer] = {}
        self.watchers: set[Peer] = set()
        self._cached = cached
        self._on_tick = on_tick
        self._pacing = pacing
        self._camera = views.Views()
        self._views = self._camera.of(cached.room)
        #: The views as they are sent, and the progress of all: made once for all who come before the next change.
        self._encoded: dict[bool, tuple[views.View, msgspec.Raw]] = {}
        self._all_progress: bytes | None = None
        self._watchers_sent = 0
        #: Who has come further, and whether there are events, that everybody is told of soon.
        self._moved: set[int] = set()
        self._has_events = False

    def __len__(self) -> int:
        return len(self.seated) + len(self.watchers)

    def everybody(self) -> Iterator[Peer]:
        """Who sits at a seat, and who watches."""
        yield from self.seated.values()
        yield from self.watchers

    # --- one who comes ---------------------------------------------------------------------------------------

    def welcome(self, peer: Peer) -> None:
        """Tell somebody who has just come, or has to forget what was, all that may be cached."""
        cached = self._cached
        racing = cached.room.race.is_racing(peer.seat)
        peer.view_sent, peer.events_sent = self._views[racing], cached.room.n
        peer.send_big(encode(to_client.RoomState(cached.epoch, cached.room.n, peer.seat, self._encoded_view(racing))))
        if peer in self.watchers:
            peer.send(to_client.Watchers(self._watchers_sent))
        if cached.progress and not views.is_blind(cached.room):
            peer.send_big(self._progress_of_all())

    def _encoded_view(self, racing: bool) -> views.View:
        """A view of which a message is made without writing it down anew."""
        view = self._views[racing]
        known = self._encoded.get(racing)
        if known is not None and known[0] is view:
            return cast("views.View", known[1])
        encoded = msgspec.Raw(msgspec.msgpack.encode(view))
        if len(self) > CROWD or len(encoded) > BIG:  # Else it is not worth being kept.
            self._encoded[racing] = view, encoded
        return cast("views.View", encoded)

    def _progress_of_all(self) -> bytes:
        if self._all_progress is None:
            self._all_progress = _progress_frame(self._cached, self._cached.progress)
        return self._all_progress

    # --- everybody -------------------------------------------------------------------------------------------

    def send(self, message: to_client.Said) -> None:
        """Queue a message for everybody."""
        frame = encode(message)
        for peer in self.everybody():
            peer.send_queue.put(frame)

    def send_watchers(self, count: int) -> None:
        """Tell how many people watch, if that has changed."""
        if count != self._watchers_sent:
            self._watchers_sent = count
            self.send(to_client.Watchers(count))

    def room_changed(self) -> None:
        """Tell what changed: at once, or in a crowd after a moment, with whatever else happens in it."""
        self._all_progress = None  # There may be another race.
        self._views = self._camera.of(self._cached.room)
        if self._has_events:
            return
        if len(self) <= CROWD:
            self._send_patches()
        else:
            self._has_events = True
            self._pacing.soon(len(self), self._send_patches)

    def _send_patches(self) -> None:
        self._has_events = False
        cached = self._cached
        frames: dict[tuple[int, bool], bytes] = {}
        for peer in self.everybody():
            if peer.events_sent == cached.room.n:
                continue  # Who has just come in knows it all.
            # Those who race and those who do not see different chat.
            racing = cached.room.race.is_racing(peer.seat)
            key = id(peer.view_sent), racing
            if key not in frames:
                patch = views.merge_patch(peer.view_sent, self._views[racing])
                frames[key] = encode(to_client.Patch(cached.room.n, patch))
            peer.view_sent, peer.events_sent = self._views[racing], cached.room.n
            peer.send_queue.put(frames[key])

    def moved(self, seat: int) -> None:
        """Tell how far a seat is now, soon."""
        self._all_progress = None
        if not self._moved:
            self._pacing.soon(len(self), self._send_progress)
        self._moved.add(seat)

    def _send_progress(self) -> None:
        cached = self._cached
        moved = {seat: cached.progress[seat] for seat in self._moved if seat in cached.progress}
        self._moved.clear()
        if not moved or views.is_blind(cached.room):
            return
        self._on_tick()
        frame = _progress_frame(cached, moved)
        # Who alone has moved knows it all from his own board: in a room of four, one write of five.
        alone = self.seated.get(next(iter(moved))) if len(moved) == 1 else None
        for peer in self.everybody():
            if peer is not alone:
                peer.send_queue.put_latest(frame, self._progress_of_all)

    def start_over(self) -> None:
        """What was known is not so any more: forget it. Everybody has to be welcomed again."""
        self._all_progress = None
        self._views = self._camera.of(self._cached.room)
        self._moved.clear()

    # --- one who goes ----------------------------------------------------------------------------------------

    def leave(self, peer: Peer) -> None:
        """A connection is closed."""
        self.watchers.discard(peer)
        if self.seated.get(peer.seat) is peer:
            del self.seated[peer.seat]

    def close(self, code: int, reason: str) -> None:
        """Close all connections."""
        for peer in self.everybody():
            peer.send_queue.close(code, reason)
        self.seated.clear()
        self.watchers.clear()
        self._moved.clear()


def _progress_frame(cached: CachedRoom, progress: Mapping[int, Progress]) -> bytes:
    rows = [(seat, row.moves, row.home, row.stock) for seat, row in progress.items()]
    return encode(to_client.ProgressRows(cached.room.race.number, rows))
