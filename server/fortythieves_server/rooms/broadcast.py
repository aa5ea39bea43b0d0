"""The connections of one room in this process, and what is sent to them: events, progress, chat.

There are two kinds of messages. *Exact* ones say what changed in the view, numbered by the events of the room log.
*Convergent* ones say how far the racers are. Only the latest matters, so they are sent once per interval, in one frame
for all.
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

#: With more people than this, events are also collected and sent once per interval. A guess.
CROWD = 40
#: Bytes of an encoded view that is worth caching even for few people. That of a tournament has 100,000.
BIG = 8192


class Peers:
    """The connections of one room. ``on_tick`` is called whenever progress is sent to them."""

    def __init__(self, cached: CachedRoom, on_tick: Callable[[], None], pacing: Pacing) -> None:
        self.seated: dict[int, Peer] = {}
        self.watchers: set[Peer] = set()
        self._cached = cached
        self._on_tick = on_tick
        self._pacing = pacing
        self._camera = views.Views()
        self._views = self._camera.of(cached.room)
        #: The encoded views, and everybody's progress. They are made once for all who join before the next change.
        self._encoded: dict[bool, tuple[views.View, msgspec.Raw]] = {}
        self._all_progress: bytes | None = None
        self._watchers_sent = 0
        #: The seats with new progress, and whether there are new events, for the next broadcast.
        self._moved: set[int] = set()
        self._has_events = False

    def __len__(self) -> int:
        return len(self.seated) + len(self.watchers)

    def everybody(self) -> Iterator[Peer]:
        yield from self.seated.values()
        yield from self.watchers

    def welcome(self, peer: Peer) -> None:
        """Send everything that may be cached to somebody who has just joined, or must start over."""
        cached = self._cached
        racing = cached.room.race.is_racing(peer.seat)
        peer.view_sent, peer.events_sent = self._views[racing], cached.room.n
        peer.send_big(encode(to_client.RoomState(cached.epoch, cached.room.n, peer.seat, self._encoded_view(racing))))
        if peer in self.watchers:
            peer.send(to_client.Watchers(self._watchers_sent))
        if cached.progress and not views.is_blind(cached.room):
            peer.send_big(self._progress_of_all())

    def _encoded_view(self, racing: bool) -> views.View:
        """A view in a form that is encoded only once."""
        view = self._views[racing]
        known = self._encoded.get(racing)
        if known is not None and known[0] is view:
            return cast("views.View", known[1])
        encoded = msgspec.Raw(msgspec.msgpack.encode(view))
        if len(self) > CROWD or len(encoded) > BIG:  # otherwise caching is not worth it
            self._encoded[racing] = view, encoded
        return cast("views.View", encoded)

    def _progress_of_all(self) -> bytes:
        if self._all_progress is None:
            self._all_progress = _progress_frame(self._cached, self._cached.progress)
        return self._all_progress

    def send(self, message: to_client.Said) -> None:
        frame = encode(message)
        for peer in self.everybody():
            peer.send_queue.put(frame)

    def send_watchers(self, count: int) -> None:
        if count != self._watchers_sent:
            self._watchers_sent = count
            self.send(to_client.Watchers(count))

    def room_changed(self) -> None:
        """Broadcast what changed: at once, or to a crowd after an interval, together with other changes."""
        self._all_progress = None  # there may be another race
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
                continue  # has just joined and is up to date
            # Racers and others see different chat messages.
            racing = cached.room.race.is_racing(peer.seat)
            key = id(peer.view_sent), racing
            if key not in frames:
                patch = views.merge_patch(peer.view_sent, self._views[racing])
                frames[key] = encode(to_client.Patch(cached.room.n, patch))
            peer.view_sent, peer.events_sent = self._views[racing], cached.room.n
            peer.send_queue.put(frames[key])

    def moved(self, seat: int) -> None:
        """Broadcast a seat's progress soon."""
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
        # If only one racer moved, that racer knows it already. In a room of four, this saves one write of five.
        alone = self.seated.get(next(iter(moved))) if len(moved) == 1 else None
        for peer in self.everybody():
            if peer is not alone:
                peer.send_queue.put_latest(frame, self._progress_of_all)

    def start_over(self) -> None:
        """The known state is invalid. Everybody must be welcomed again."""
        self._all_progress = None
        self._views = self._camera.of(self._cached.room)
        self._moved.clear()

    def leave(self, peer: Peer) -> None:
        self.watchers.discard(peer)
        if self.seated.get(peer.seat) is peer:
            del self.seated[peer.seat]

    def close(self, code: int, reason: str) -> None:
        for peer in self.everybody():
            peer.send_queue.close(code, reason)
        self.seated.clear()
        self.watchers.clear()
        self._moved.clear()


def _progress_frame(cached: CachedRoom, progress: Mapping[int, Progress]) -> bytes:
    rows = [(seat, row.moves, row.home, row.stock) for seat, row in progress.items()]
    return encode(to_client.ProgressRows(cached.room.race.number, rows))
