"""The spectators of a room on this process, and the boards that they see. `visibility` decides how much that is."""

import asyncio
import contextlib
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from fortythieves.protocol import to_client
from fortythieves.protocol.wire import encode
from fortythieves.times import Ms
from fortythieves_server.core.room_state import Room
from fortythieves_server.core.views import is_blind
from fortythieves_server.core.visibility import Gallery
from fortythieves_server.rooms.cached_room import RETRY_AFTER, CachedRoom
from fortythieves_server.rooms.peer import Peer
from fortythieves_server.store.redis_errors import StoreDown

#: The most messages for one spectator that are queued together: less than 1 MB, because of `visibility.PART`.
FEW = 4
#: Up to this many entries (about 100 kB), a gallery is encoded once for all. A longer one is made while it is sent.
SHARED = 10_000
#: After this many bytes of news, or this many frames, a gallery is encoded anew for the next spectator.
SLACK, MOST_FRAMES = 4096, 100


class Spectators:
    """The spectators of one room, and players who watch because they do not race."""

    def __init__(self, cached: CachedRoom) -> None:
        self.peers: dict[Peer, None] = {}
        self._cached = cached
        self._gallery: Gallery | None = None
        #: The frames for new spectators: an older gallery, and all messages about it since. And how many bytes fit.
        self._shared: list[bytes] | None = None
        self._room = 0
        self._lock = asyncio.Lock()

    def enter(self, peer: Peer) -> None:
        """Show everything to a new spectator. Call `refresh` right before it, with no await in between."""
        self.peers[peer] = None
        room = self._cached.room
        if self._gallery is not None and self._has_started and self._gallery.race == room.race.number:
            # Before the boards: how the race went so far, if racers may know that.
            history = [] if is_blind(room) else self._gallery.history()
            frames = self._while_true(self._gallery, chain(map(encode, history), self._whole(self._gallery, room)))
            peer.send_queue.put_parts(_charged(frames, peer))

    @property
    def _has_started(self) -> bool:
        return self._cached.room.race.has_started(self._cached.now())

    def _whole(self, gallery: Gallery, room: Room) -> Iterable[bytes]:
        """Everything that has been shown, as frames. They are cached for the next spectators."""
        if self._shared is None:
            whole = gallery.snapshot(room.settings, room.race.active)
            if gallery.entries > SHARED:
                return map(encode, whole)
            self._shared = [encode(message) for message in whole]
            self._room = sum(map(len, self._shared)) + SLACK
        return tuple(self._shared)  # later news is sent to all spectators, including the new one

    @property
    def has_person(self) -> bool:
        """Whether a person watches: a spectator, or a player at a seat who is no bot."""
        people = self._cached.room.people
        return any(peer.seat not in people or not people[peer.seat].bot for peer in self.peers)

    def forget(self) -> None:
        """The shown boards are no longer valid. The next `refresh` shows everything from the start."""
        self._gallery = self._shared = None

    def refresh_soon(self) -> None:
        if self.peers:
            self._cached.run_soon(self._refresh_or_skip())

    async def _refresh_or_skip(self) -> None:
        with contextlib.suppress(StoreDown):  # the next update reads it
            await self.refresh_if_any()
        self._cached.act_by(self.next_change)

    async def refresh_when_possible(self) -> None:
        """Update spectators that joined while Redis was away, when it is back."""
        while self.peers and not self._cached.gone:
            await asyncio.sleep(RETRY_AFTER)
            with contextlib.suppress(StoreDown):
                await self.refresh_if_any()
                self._cached.act_by(self.next_change)
                return

    async def refresh_if_any(self) -> None:
        if self.peers:
            await self.refresh()

    async def refresh(self) -> None:
        """Read the new entries of the boards, and show those that may be seen. Raises `StoreDown`."""
        async with self._lock:
            gallery = await self._updated_gallery()
            # Reading takes time, and the policy may have become narrower by now. The current one counts.
            room = self._cached.room
            race = room.race
            if gallery is None or gallery is not self._gallery or gallery.race != race.number:
                return  # there is another race, and it is refreshed soon
            for seat in race.racers:
                gallery.open(seat)
            self._show(gallery, gallery.updates(room.settings, race.active, self._cached.now()))

    def _show(self, gallery: Gallery, messages: Sequence[to_client.Message]) -> None:
        frames = [encode(message) for message in messages]
        if self._shared is not None:
            self._shared += frames
            self._room -= sum(map(len, frames))
            is_new = any(isinstance(message, to_client.Gallery) for message in messages)
            if is_new or self._room < 0 or len(self._shared) > MOST_FRAMES:
                self._shared = None  # another gallery, or longer than necessary
        for peer in self.peers:
            if len(frames) > FEW:
                peer.send_queue.put_parts(self._while_true(gallery, frames))
                continue
            for frame in frames:
                peer.send_queue.put(frame)

    def _while_true(self, gallery: Gallery, frames: Iterable[bytes]) -> Iterator[bytes]:
        """The frames, until everything is shown from the start. After that, not all of them may be seen."""
        ruled = gallery.ruled
        for frame in frames:
            if gallery is not self._gallery or gallery.ruled != ruled:
                return
            yield frame

    async def _updated_gallery(self) -> Gallery | None:
        """The gallery with all entries of the boards. None if there is nothing to watch."""
        cached, race = self._cached, self._cached.room.race
        if not self._has_started:
            self.forget()
            return None
        progress = cached.progress
        if self._gallery is None or self._gallery.race != race.number:
            first = await cached.playthrough(race.number, next(iter(race.racers)))
            if first is None:
                return None
            self._gallery = Gallery(race.number, first.start, race.starts_at or Ms(0), race.game)
            self._shared = None
        gallery = self._gallery
        for seat in race.racers:
            if seat not in progress or progress[seat].moves <= gallery.length(seat):
                continue
            moves, found = progress[seat].moves, await cached.playthrough(gallery.race, seat)
            if found is None:
                continue
            for n in range(gallery.length(seat), min(moves, len(found.times))):
                gallery.add(seat, *found.entries[n], found.times[n])
                if found.homes[n] != found.homes[n + 1]:
                    gallery.add_home(seat, found.homes[n + 1], found.times[n])
        return gallery

    @property
    def next_change(self) -> Ms | None:
        """When more may be shown just because time passes, or None."""
        settings = self._cached.room.settings
        return self._gallery.next_change(settings) if self._gallery is not None and self.peers else None


def _charged(frames: Iterator[bytes], peer: Peer) -> Iterator[bytes]:
    """The same frames. Each is charged to the peer, with the CPU seconds that it took to make."""
    while True:
        began = time.thread_time()
        if (frame := next(frames, None)) is None:
            return
        peer.charge(time.thread_time() - began, frame)
        yield frame
