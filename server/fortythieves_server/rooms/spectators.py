"""Who watches a room on this process, and the boards they are shown. What may be shown is for `visibility` to say."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from fortythieves.protocol import to_client
from fortythieves.protocol.wire import encode
from fortythieves_server.common.metered import metered_parts
from fortythieves_server.core.judge_moves import Progress, Track
from fortythieves_server.core.room_state import Room
from fortythieves_server.core.visibility import Gallery
from fortythieves_server.rooms.send_queue import SendQueue

#: So many messages may wait for one viewer all at once: below 1 MB, as `visibility.PART` keeps them short.
FEW = 4


#: Entries of a gallery that is encoded once for all who come: some 100 kB. A longer one is made as it is sent: it may
#: have 100 MB.
SHARED = 10_000
#: Bytes of news, and messages, after which a gallery is encoded anew for the next who comes.
SLACK, MOST_FRAMES = 4096, 100


class Viewer(Protocol):
    """Whoever has an send queue can be shown something."""

    @property
    def send_queue(self) -> SendQueue: ...

    def charge(self, seconds: float, frame: bytes) -> None:
        """Charge a frame that took so long to be made to whoever is shown it."""


class _Shared:
    """What whoever comes is sent: the gallery as it was once, and all that was told of it since."""

    def __init__(self, frames: list[bytes], slack: int, most_frames: int) -> None:
        self.frames = frames
        self._most_frames = most_frames
        self._room = sum(map(len, frames)) + slack

    def add(self, frames: Sequence[bytes]) -> bool:
        """Whether what was told of it now may be added: all of it is at most twice as long as it need be."""
        self._room -= sum(map(len, frames))
        self.frames += frames
        return self._room >= 0 and len(self.frames) <= self._most_frames


class Scene(NamedTuple):
    """What there is to look at: the room, how far its boards are, and the time."""

    room: Room
    progress: Mapping[int, Progress]
    now: int

    @property
    def begun(self) -> bool:
        """Whether there are boards."""
        return self.room.race.has_started(self.now)


class Spectators:
    """The watchers of one room, and those at its seats who look on because they do not race."""

    def __init__(
        self,
        scene: Callable[[], Scene],
        read: Callable[[int, int], Awaitable[Track | None]],
        slack: int = SLACK,
        most_frames: int = MOST_FRAMES,
    ) -> None:
        """``read(race, seat)`` gives the seat's track, with all entries that anybody has heard of, or None if
        another race is the room's by now.
        """
        self._slack = slack
        self._most_frames = most_frames
        self.viewers: set[Viewer] = set()
        self._scene = scene
        self._read = read
        self._gallery: Gallery | None = None
        self._shared: _Shared | None = None
        self._lock = asyncio.Lock()

    def is_shown(self, viewer: Viewer) -> bool:
        """Whether somebody is shown the boards already, and will be whatever comes of them."""
        return viewer in self.viewers

    def leave(self, viewer: Viewer) -> None:
        """A viewer looks away."""
        self.viewers.discard(viewer)

    def enter(self, viewer: Viewer) -> None:
        """Somebody begins to look, and is shown all that may be seen; `refresh` comes first, with nothing between."""
        self.viewers.add(viewer)
        scene = self._scene()
        if self._gallery is not None and scene.begun and self._gallery.race == scene.room.race.number:
            frames = self._while_true(self._gallery, self._whole(self._gallery, scene.room))
            viewer.send_queue.put_parts(metered_parts(frames, viewer.charge))

    def _whole(self, gallery: Gallery, room: Room) -> Iterable[bytes]:
        """All that has been shown, as it is sent: for the next ones it need not be made anew."""
        if self._shared is not None:
            return tuple(self._shared.frames)  # What comes while they are sent is told to whoever is here by then.
        whole = gallery.whole(room.settings, room.race.active)
        if gallery.entries > SHARED:
            return map(encode, whole)
        self._shared = _Shared([encode(message) for message in whole], self._slack, self._most_frames)
        return tuple(self._shared.frames)

    def forget(self) -> None:
        """What was shown cannot be relied on any more: the next time everybody is shown everything anew."""
        self._gallery = self._shared = None

    async def refresh(self) -> None:
        """Read what has happened on the boards, and show what may be seen of it. Raises `StoreDown`."""
        async with self._lock:
            gallery = await self._look()
            # Reading takes time, and the policy may have become a narrower one meanwhile: it is today's that counts.
            scene = self._scene()
            current = scene.room.race
            if gallery is None or gallery is not self._gallery or gallery.race != current.number:
                return  # Whoever made it so asks for another look.
            for seat in current.racers:
                gallery.open(seat)
            self._show(gallery, gallery.news(scene.room.settings, current.active, scene.now))

    async def refresh_if_any(self) -> None:
        """The same, if somebody watches."""
        if self.viewers:
            await self.refresh()

    def _show(self, gallery: Gallery, messages: Sequence[to_client.Said]) -> None:
        frames = [encode(message) for message in messages]
        if self._shared is not None and (
            any(isinstance(message, to_client.Gallery) for message in messages) or not self._shared.add(frames)
        ):
            self._shared = None  # It is another one, or is now longer than need be.
        for viewer in self.viewers:
            if len(frames) > FEW:
                viewer.send_queue.put_parts(self._while_true(gallery, frames))
                continue
            for frame in frames:
                viewer.send_queue.put(frame)

    def _while_true(self, gallery: Gallery, frames: Iterable[bytes]) -> Iterator[bytes]:
        """The frames, until everything is shown anew: what still waits then may be more than may be seen."""
        ruled = gallery.ruled
        for frame in frames:
            if gallery is not self._gallery or gallery.ruled != ruled:
                return
            yield frame

    async def _look(self) -> Gallery | None:
        """The gallery, with all that has happened on the boards; None if there is nothing to look at."""
        scene = self._scene()
        current = scene.room.race
        if not scene.begun:
            self.forget()
            return None
        if self._gallery is None or self._gallery.race != current.number:
            first = await self._read(current.number, next(iter(current.racers)))
            if first is None:
                return None
            self._gallery = Gallery(current.number, first.start, current.starts_at or 0)
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
        track = await self._read(gallery.race, seat)
        if track is not None:
            for n in range(known, min(moves, len(track.times))):
                gallery.add(seat, *track.entries[n], track.times[n])

    def next_change(self, room: Room) -> int | None:
        """When time alone will let more be seen (ms), or None."""
        return self._gallery.next_change(room.settings) if self._gallery is not None and self.viewers else None
