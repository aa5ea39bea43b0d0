"""The connections of one room in this process, and the messages that all of them get: events, progress, reactions.

There are two kinds of messages. *Exact* ones tell what changed in the view, numbered by the events of the room log.
*Convergent* ones tell how far the racers are. Only the latest matters, so each client gets one per interval. A racer of
a small room gets it with the acknowledgement of a move, if there is one in time: a write costs more than a frame.
"""

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Iterable, Sequence
from typing import cast

import msgspec

from fortythieves.errors import refuse_if
from fortythieves.protocol import to_client, to_server
from fortythieves.protocol.wire import encode
from fortythieves_server.common.limits import Bucket, Rate
from fortythieves_server.core import views
from fortythieves_server.rooms.cached_room import CachedRoom
from fortythieves_server.rooms.pacing import Pacing
from fortythieves_server.rooms.peer import Peer
from fortythieves_server.rooms.spectators import Spectators
from fortythieves_server.store.redis_errors import StoreDown

#: With more people than this, events are also collected and sent once per interval. A guess.
CROWD = 40
#: Up to this many people, each gets progress with the acknowledgement of a move. For more, one frame for all costs less
#: than one for each. A guess.
SMALL = 16
#: Bytes of an encoded view that is worth caching even for few people. That of a tournament has 100,000.
BIG = 8192
#: The reactions that a room takes in one process. A page cannot show more; the rest is dropped.
REACTIONS = Rate(20, "s", 60)
#: A racer's signs are shown to everybody who races, so that more would disturb, s.
RACER_REACTS_EVERY = 3
#: The most of one reaction in one frame.
MOST_REACTIONS = 99


class Peers:
    """The connections of one room. Spectators see new moves whenever progress is sent."""

    def __init__(self, cached: CachedRoom, spectators: Spectators, pacing: Pacing) -> None:
        self.seated: dict[int, Peer] = {}
        self.watchers: dict[Peer, None] = {}
        self._cached = cached
        self._spectators = spectators
        self._pacing = pacing
        self._camera = views.Views()
        self._views = self._camera.of(cached.room)
        #: The encoded views, and the progress of all seats. They are made once for all who join before the next change.
        self._encoded: dict[bool, tuple[views.View, msgspec.Raw]] = {}
        self._all_progress: bytes | None = None
        self._watchers_sent = 0
        #: A step is the progress of seats that moved at the same time. Here are the number of all steps, and for each
        #: seat the number of its last one.
        self._steps = 0
        self._last_steps: dict[int, int] = {}
        #: When each of the latest steps was made. All peers have the steps before these, or get them now.
        self._step_times: deque[float] = deque()
        #: Whether progress, or events, will be broadcast.
        self._has_progress = False
        self._has_events = False

    def __len__(self) -> int:
        return len(self.seated) + len(self.watchers)

    def all(self) -> list[Peer]:
        return [*self.seated.values(), *self.watchers]

    def is_racer(self, peer: Peer) -> bool:
        """Whether a racer sees what this peer gets: the peer races, or is the projector of a guest who does.

        In a challenge: whether the guest must not see results yet. In a circle: whether the guest is no member.
        """
        race, without_seats = self._cached.room.race, self._cached.room.without_seats
        if without_seats is not None:
            return without_seats.hides_from(peer.guest)
        return race.is_racing(peer.seat) or (peer.is_projector and race.is_raced_by(peer.guest))

    def welcome(self, peer: Peer) -> None:
        """Send the view and the progress of the race to a client that has just joined, or must start over."""
        cached = self._cached
        racing = self.is_racer(peer)
        peer.view_sent, peer.events_sent = self._views[racing], cached.room.n
        peer.steps_sent = self._steps
        view, now = self._encoded_view(racing), cached.now()
        peer.send_big(encode(to_client.RoomState(cached.epoch, cached.room.n, peer.seat, view, now)))
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

    def send(self, message: to_client.Message) -> None:
        frame = encode(message)
        for peer in self.all():
            peer.send_queue.put(frame)

    def send_watchers(self, count: int) -> None:
        if count != self._watchers_sent:
            self._watchers_sent = count
            self.send(to_client.Watchers(count))

    def room_changed(self) -> None:
        """Broadcast the change: immediately, or to a crowd after an interval, together with other changes."""
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
        for peer in self.all():
            if peer.events_sent == cached.room.n:
                continue  # has just joined and is up to date
            # Racers and others see different chat messages.
            racing = self.is_racer(peer)
            key = id(peer.view_sent), racing
            if key not in frames:
                patch = views.merge_patch(peer.view_sent, self._views[racing])
                frames[key] = encode(to_client.Patch(cached.room.n, patch, cached.now()))
            is_first = cached.room.challenge is not None and not racing and "best" not in peer.view_sent["challenge"]
            peer.view_sent, peer.events_sent = self._views[racing], cached.room.n
            peer.send_queue.put(frames[key])
            if is_first:  # their own result is in
                self.send_own_try(peer)

    def send_own_try(self, peer: Peer) -> None:
        """Send a guest which try of a challenge is theirs, if they have begun one; or which member of a circle."""
        if (circle := self._cached.room.circle) is not None:
            peer.send(to_client.OwnTry(circle.number_of(peer.guest) or 0, "", None))
        challenge = self._cached.room.challenge
        number = challenge.numbers.get(peer.guest) if challenge is not None else None
        if challenge is not None and number:
            peer.send(to_client.OwnTry(number, challenge.tries[number].code, challenge.place(number)))

    def moved(self, seats: Sequence[int]) -> None:
        """Broadcast the progress of seats soon. Call it before their moves are acknowledged."""
        self._all_progress = None
        before, self._steps = self._steps, self._steps + 1
        now = time.monotonic()
        self._step_times.append(now)
        if not self._has_progress:
            self._broadcast_soon(now)
        for seat in seats:
            self._last_steps[seat] = self._steps
        for seat in seats:
            mover = self.seated.get(seat)
            if mover is None:
                continue
            if mover.steps_sent == before and len(seats) == 1:
                mover.steps_sent = self._steps  # its own move is no news
            elif now - self._behind_since(mover.steps_sent) >= self._pacing.early and len(self) <= SMALL:
                # In a small room, steps that a racer has missed for a while are sent with the acknowledgement.
                self._send_progress(mover, self._progress_since(mover.steps_sent, seat))

    def _behind_since(self, steps_sent: int) -> float:
        """When the step after ``steps_sent`` was made. 0.0: long ago."""
        missing = self._steps - steps_sent
        return self._step_times[-missing] if missing <= len(self._step_times) else 0.0

    def _broadcast_soon(self, since: float) -> None:
        self._has_progress = True
        self._pacing.soon(len(self), self._broadcast_progress, since)

    def _broadcast_progress(self) -> None:
        """Send progress to all, or in a small room to the peers that have waited for an interval."""
        self._has_progress = False
        if not views.is_blind(self._cached.room):
            self._spectators.refresh_soon()
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
        for peer in self.all():
            if peer.steps_sent < due:
                late.append(peer)
            elif peer.steps_sent < all_sent:
                all_sent = peer.steps_sent
        if late:
            self._send_progress_to(late)
        if all_sent < self._steps:
            self._broadcast_soon(self._behind_since(all_sent))

    def _send_progress_to(self, peers: Sequence[Peer]) -> None:
        """Send the missing steps: to each of few peers those of the rivals, to many peers one frame with all seats."""
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
        """The progress since a step, without the seat ``own``."""
        if views.is_blind(self._cached.room):
            return None
        known = self._cached.progress
        changed = [seat for seat, last in self._last_steps.items() if last > step and seat != own and seat in known]
        return _progress_frame(self._cached, changed) if changed else None

    def start_over(self) -> None:
        """The known state is invalid. Every peer must be welcomed like a new one."""
        self._all_progress = None
        self._views = self._camera.of(self._cached.room)
        self._last_steps.clear()

    def leave(self, peer: Peer) -> None:
        self._spectators.peers.pop(peer, None)
        self.watchers.pop(peer, None)
        if self.seated.get(peer.seat) is peer:
            del self.seated[peer.seat]

    def close(self, code: int, reason: str) -> None:
        for peer in self.all():
            peer.send_queue.close(code, reason)
        self.seated.clear()
        self.watchers.clear()


class Reactions:
    """The reactions of all people here: a few signs, sent together and stored nowhere.

    Racers only get those of other racers: a spectator may know more than a racer, and six signs are enough to pass it
    on. Like progress, they are collected for an interval. A client for whom other frames wait misses some.
    """

    def __init__(self, cached: CachedRoom, peers: Peers, pacing: Pacing, rate: Rate = REACTIONS) -> None:
        self._cached = cached
        self._peers = peers
        self._pacing = pacing
        self._bucket = Bucket(rate)
        #: How many of each sign wait to be sent: of all clients, and of clients of this process.
        self._all = [0] * len(to_server.SIGNS)
        self._own = list(self._all)
        #: The same of racers: the seat, and which sign.
        self._all_of_racers: list[tuple[int, int]] = []
        self._own_of_racers: list[tuple[int, int]] = []
        #: When each racer may react again.
        self._again: dict[int, float] = {}

    def add(self, sign: to_server.Sign, racer: int = 0) -> None:
        """A client of this process reacts. ``racer``: its seat, if it races. Raises `Refused`."""
        which = to_server.SIGNS.index(sign)
        if racer:
            now = asyncio.get_running_loop().time()
            refuse_if(now < self._again.get(racer, now), "too-fast")
        counts = [int(not racer and one == which) for one in range(len(to_server.SIGNS))]
        of_racers = [(racer, which)] if racer else []
        if self.add_from_elsewhere(counts, of_racers):
            self._own = _sum(self._own, counts)
            self._own_of_racers += of_racers

    def add_from_elsewhere(self, counts: Sequence[int], of_racers: Sequence[tuple[int, int]]) -> bool:
        """Clients of another process have reacted. Returns whether the room takes so many reactions."""
        now = asyncio.get_running_loop().time()
        # Also of another process: a racer may change to this one.
        self._again |= {racer: now + RACER_REACTS_EVERY for racer, _ in of_racers}
        if not self._bucket.take(now):
            return False
        if not any(self._all) and not self._all_of_racers:
            self._pacing.soon(len(self._peers), self._send)
        self._all = _sum(self._all, counts)
        self._all_of_racers += of_racers
        return True

    def _send(self) -> None:
        none = [0] * len(to_server.SIGNS)
        frame = encode(to_client.Reactions(self._all, self._all_of_racers))
        for_racers = encode(to_client.Reactions(none, self._all_of_racers)) if self._all_of_racers else None
        own, own_of_racers = self._own, self._own_of_racers
        self._all, self._own = none, list(none)
        self._all_of_racers, self._own_of_racers = [], []
        for peer in self._peers.all():
            shown = for_racers if self._peers.is_racer(peer) else frame
            if shown is not None:
                peer.send_queue.put_if_free(shown)
        if any(own) or own_of_racers:
            self._cached.run_soon(self._publish(own, own_of_racers))

    async def _publish(self, counts: Sequence[int], of_racers: Sequence[tuple[int, int]]) -> None:
        with contextlib.suppress(StoreDown):
            await self._cached.store.directory.publish_reactions(self._cached.room.code, counts, of_racers)


def _progress_frame(cached: CachedRoom, seats: Iterable[int]) -> bytes:
    known = cached.progress
    rows = [(seat, (row := known[seat]).moves, row.home, row.stock) for seat in seats]
    return encode(to_client.ProgressRows(cached.room.race.number, rows))


def _sum(counts: Sequence[int], more: Sequence[int]) -> list[int]:
    return [min(MOST_REACTIONS, one + other) for one, other in zip(counts, more, strict=True)]
