"""The spectators of a room on this process, and the boards that they see. `visibility` decides what they may see."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple, Protocol

from fortythieves.protocol import to_client
from fortythieves.protocol.wire import encode
from fortythieves.times import Ms
from fortythieves_server.common.metered import metered_parts
from fortythieves_server.core.playthrough import Playthrough, Progress
from fortythieves_server.core.room_state import Room
from fortythieves_server.core.views import is_blind
from fortythieves_server.core.visibility import Gallery
from fortythieves_server.rooms.send_queue import SendQueue

#: The most messages for one viewer that are queued at once: less than 1 MB, because of `visibility.PART`.
FEW = 4


#: Up to this many entries (about 100 kB), a gallery is encoded once for all viewers. A longer one may have 100 MB, and
#: is made while it is sent.
SHARED = 10_000
#: After so many bytes of news, or so many frames, a gallery is encoded again for the next viewer.
SLACK, MOST_FRAMES = 4096, 100


class Viewer(Protocol):
    """Somebody with a send queue who can be shown boards."""

    @property
    def send_queue(self) -> SendQueue: ...

    def charge(self, seconds: float, frame: bytes) -> None:
        """Charge the viewer for a frame, and for the seconds that it took to make."""


class _Shared:
    """The frames for new viewers: an older gallery, and all messages about it since."""

    def __init__(self, frames: list[bytes], slack: int, most_frames: int) -> None:
        self.frames = frames
        self._most_frames = most_frames
        self._room = sum(map(len, frames)) + slack

    def add(self, frames: Sequence[bytes]) -> bool:
        """Add messages. Returns False if the gallery should be encoded again instead."""
        self._room -= sum(map(len, frames))
        self.frames += frames
        return self._room >= 0 and len(self.frames) <= self._most_frames


class Scene(NamedTuple):
    """What can be watched: the room, the progress of its boards, and the time."""

    room: Room
    progress: Mapping[int, Progress]
    now: Ms

    @property
    def begun(self) -> bool:
        return self.room.race.has_started(self.now)


class Spectators:
    """The spectators of one room, and people at its seats who watch because they do not race."""

    def __init__(
        self,
        scene: Callable[[], Scene],
        read: Callable[[int, int], Awaitable[Playthrough | None]],
        slack: int = SLACK,
        most_frames: int = MOST_FRAMES,
    ) -> None:
        """``read(race, seat)``: the playthrough with all known entries, or None if there is another race."""
        self._slack = slack
        self._most_frames = most_frames
        self.viewers: set[Viewer] = set()
        self._scene = scene
        self._read = read
        self._gallery: Gallery | None = None
        self._shared: _Shared | None = None
        self._lock = asyncio.Lock()

    def leave(self, viewer: Viewer) -> None:
        self.viewers.discard(viewer)

    def enter(self, viewer: Viewer) -> None:
        """Show everything to a new viewer. Call `refresh` right before it, with no await in between."""
        self.viewers.add(viewer)
        scene = self._scene()
        if self._gallery is not None and scene.begun and self._gallery.race == scene.room.race.number:
            frames = self._while_true(self._gallery, self._everything(self._gallery, scene.room))
            viewer.send_queue.put_parts(metered_parts(frames, viewer.charge))

    def _everything(self, gallery: Gallery, room: Room) -> Iterator[bytes]:
        """What has been shown, and before it how the race went so far, if racers are told."""
        history = [] if is_blind(room) else gallery.history()
        return chain(map(encode, history), self._whole(gallery, room))

    def _whole(self, gallery: Gallery, room: Room) -> Iterable[bytes]:
        """Everything that has been shown, as frames. They are cached for the next viewers."""
        if self._shared is not None:
            return tuple(self._shared.frames)  # later news is sent to all viewers, including the new one
        whole = gallery.whole(room.settings, room.race.active)
        if gallery.entries > SHARED:
            return map(encode, whole)
        self._shared = _Shared([encode(message) for message in whole], self._slack, self._most_frames)
        return tuple(self._shared.frames)

    def forget(self) -> None:
        """What was shown is no longer valid. The next `refresh` shows everything again."""
        self._gallery = self._shared = None

    async def refresh(self) -> None:
        """Read the new entries of the boards, and show those that may be seen. Raises `StoreDown`."""
        async with self._lock:
            gallery = await self._look()
            # Reading takes time, and the policy may have become narrower meanwhile. The current one counts.
            scene = self._scene()
            current = scene.room.race
            if gallery is None or gallery is not self._gallery or gallery.race != current.number:
                return  # whoever changed the race also asks for a refresh
            for seat in current.racers:
                gallery.open(seat)
            self._show(gallery, gallery.news(scene.room.settings, current.active, scene.now))

    async def refresh_if_any(self) -> None:
        if self.viewers:
            await self.refresh()

    def _show(self, gallery: Gallery, messages: Sequence[to_client.Said]) -> None:
        frames = [encode(message) for message in messages]
        if self._shared is not None and (
            any(isinstance(message, to_client.Gallery) for message in messages) or not self._shared.add(frames)
        ):
            self._shared = None  # another gallery, or longer than necessary
        for viewer in self.viewers:
            if len(frames) > FEW:
                viewer.send_queue.put_parts(self._while_true(gallery, frames))
                continue
            for frame in frames:
                viewer.send_queue.put(frame)

    def _while_true(self, gallery: Gallery, frames: Iterable[bytes]) -> Iterator[bytes]:
        """The frames, until everything is shown again. What still waits then may be more than may be seen."""
        ruled = gallery.ruled
        for frame in frames:
            if gallery is not self._gallery or gallery.ruled != ruled:
                return
            yield frame

    async def _look(self) -> Gallery | None:
        """The gallery with all entries of the boards. None if there is nothing to watch."""
        scene = self._scene()
        current = scene.room.race
        if not scene.begun:
            self.forget()
            return None
        if self._gallery is None or self._gallery.race != current.number:
            first = await self._read(current.number, next(iter(current.racers)))
            if first is None:
                return None
            self._gallery = Gallery(current.number, first.start, current.starts_at or Ms(0))
            self._shared = None
        gallery = self._gallery
        for seat in current.racers:
            if seat in scene.progress:
                await self._follow(gallery, seat, scene.progress[seat].moves)
        return gallery

    async def _follow(self, gallery: Gallery, seat: int, moves: int) -> None:
        known = gallery.length(seat)
        if moves <= known:
            return
        playthrough = await self._read(gallery.race, seat)
        if playthrough is not None:
            for n in range(known, min(moves, len(playthrough.times))):
                gallery.add(seat, *playthrough.entries[n], playthrough.times[n])
                if playthrough.homes[n] != playthrough.homes[n + 1]:
                    gallery.reached(seat, playthrough.homes[n + 1], playthrough.times[n])

    def next_change(self, room: Room) -> Ms | None:
        """When more may be shown just because time passes, or None."""
        return self._gallery.next_change(room.settings) if self._gallery is not None and self.viewers else None
