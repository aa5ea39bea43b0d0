"""The connections of one room in this process, and what is sent to them: events, progress, chat.

There are two kinds of messages. *Exact* ones say what changed in the view, numbered by the events of the room log.
*Convergent* ones say how far the racers are. Only the latest matters, so each client gets one per interval. To a racer
of a small room it is sent with the acknowledgement of a move, if there is one in time: a write costs more than a frame.
"""

import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import cast

import msgspec

from fortythieves.protocol import to_client
from fortythieves.protocol.wire import encode
from fortythieves_server.core import views
from fortythieves_server.rooms.cached_room import CachedRoom
from fortythieves_server.rooms.pacing import Pacing
from fortythieves_server.rooms.peer import Peer

#: With more people than this, events are also collected and sent once per interval. A guess.
CROWD = 40
#: Up to so many people, each gets progress with the acknowledgement of a move. For more, one frame for all costs less
#: than one for each. A guess.
SMALL = 16
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
        #: How many times anybody has made progress, and for each seat that has, the last of these.
        self._steps = 0
        self._last_steps: dict[int, int] = {}
        #: When each of the latest steps was made. Everybody has been sent all before these, or will be at once.
        self._step_times: deque[float] = deque()
        #: Whether progress, or events, will be broadcast.
        self._has_progress = False
        self._has_events = False

    def __len__(self) -> int:
        return len(self.seated) + len(self.watchers)

    def everybody(self) -> list[Peer]:
        return [*self.seated.values(), *self.watchers]

    def welcome(self, peer: Peer) -> None:
        """Send everything that may be cached to somebody who has just joined, or must start over."""
        cached = self._cached
        racing = cached.room.race.is_racing(peer.seat)
        peer.view_sent, peer.events_sent = self._views[racing], cached.room.n
        peer.steps_sent = self._steps
        peer.send_big(encode(to_client.RoomState(cached.epoch, cached.room.n, peer.seat, self._encoded_view(racing))))
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
        """Broadcast a seat's progress soon. Call it before the move is acknowledged."""
        self._all_progress = None
        before, self._steps = self._steps, self._steps + 1
        self._last_steps[seat] = self._steps
        now = time.monotonic()
        self._step_times.append(now)
        if not self._has_progress:
            self._broadcast_soon(now)
        mover = self.seated.get(seat)
        if mover is None:
            return
        if mover.steps_sent == before:
            mover.steps_sent = self._steps  # its own move is no news
        elif now - self._behind_since(mover.steps_sent) >= self._pacing.early and len(self) <= SMALL:
            # In a small room, what somebody has missed for a while goes with the acknowledgement.
            self._send_progress(mover, self._progress_since(mover.steps_sent, seat))

    def _behind_since(self, steps_sent: int) -> float:
        """When the first step was made that somebody has not been sent. 0.0: long ago."""
        missing = self._steps - steps_sent
        return self._step_times[-missing] if missing <= len(self._step_times) else 0.0

    def _broadcast_soon(self, since: float) -> None:
        self._has_progress = True
        self._pacing.soon(len(self), self._broadcast_progress, since)

    def _broadcast_progress(self) -> None:
        """Send progress to all, or in a small room to those who have waited for an interval."""
        self._has_progress = False
        if not views.is_blind(self._cached.room):
            self._on_tick()
        here, times = len(self), self._step_times
        if here > SMALL:
            times.clear()
        else:
            before = time.monotonic() - self._pacing.wait(here)
            while times and times[0] <= before:
                times.popleft()
        due = self._steps - len(times)
        late: list[Peer] = []
        all_sent = self._steps
        for peer in self.everybody():
            if peer.steps_sent < due:
                late.append(peer)
            elif peer.steps_sent < all_sent:
                all_sent = peer.steps_sent
        if late:
            self._send_progress_to(late)
        if all_sent < self._steps:
            self._broadcast_soon(self._behind_since(all_sent))

    def _send_progress_to(self, peers: Sequence[Peer]) -> None:
        """Send what they have not been sent: to each of few what rivals did, to many one frame with everybody."""
        frames: dict[tuple[int, int], bytes | None] = {}
        are_few = len(self) <= SMALL
        all_of_many = min(peer.steps_sent for peer in peers), 0
        for peer in peers:
            key = (peer.steps_sent, peer.seat) if are_few else all_of_many
            if key not in frames:
                frames[key] = self._progress_since(*key)
            self._send_progress(peer, frames[key])

    def _send_progress(self, peer: Peer, frame: bytes | None) -> None:
        peer.steps_sent = self._steps
        if frame is not None:
            peer.send_queue.put_latest(frame, self._progress_of_all)

    def _progress_since(self, step: int, own: int) -> bytes | None:
        """What has changed since a step, without one's own seat."""
        if views.is_blind(self._cached.room):
            return None
        known = self._cached.progress
        changed = [seat for seat, last in self._last_steps.items() if last > step and seat != own and seat in known]
        return _progress_frame(self._cached, changed) if changed else None

    def start_over(self) -> None:
        """The known state is invalid. Everybody must be welcomed again."""
        self._all_progress = None
        self._views = self._camera.of(self._cached.room)
        self._last_steps.clear()

    def leave(self, peer: Peer) -> None:
        self.watchers.discard(peer)
        if self.seated.get(peer.seat) is peer:
            del self.seated[peer.seat]

    def close(self, code: int, reason: str) -> None:
        for peer in self.everybody():
            peer.send_queue.close(code, reason)
        self.seated.clear()
        self.watchers.clear()


def _progress_frame(cached: CachedRoom, seats: Iterable[int]) -> bytes:
    known = cached.progress
    rows = [(seat, (row := known[seat]).moves, row.home, row.stock) for seat in seats]
    return encode(to_client.ProgressRows(cached.room.race.number, rows))
