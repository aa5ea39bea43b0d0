"""Who watches a room on this process, and the boards they are shown. What may be shown is for `watching` to say."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Protocol

from fortythieves.wire import encode
from fortythieves_server.outbox import Outbox
from fortythieves_server.race import Room
from fortythieves_server.track import Progress, Track
from fortythieves_server.watching import Gallery


class Viewer(Protocol):
    """Whoever has an outbox can be shown something."""

    @property
    def outbox(self) -> Outbox: ...


class Viewers:
    """The watchers of one room, and those at its seats who look on because they do not race."""

    def __init__(self, read: Callable[[int], Awaitable[Track]]) -> None:
        """``read(seat)`` gives the seat's track, with all entries that anybody has heard of."""
        self.lines: set[Viewer] = set()
        self._read = read
        self._gallery: Gallery | None = None
        self._lock = asyncio.Lock()

    def leave(self, line: Viewer) -> None:
        """A viewer looks away."""
        self.lines.discard(line)

    async def enter(self, line: Viewer, room: Room, progress: Mapping[int, Progress], now: int) -> None:
        """Somebody begins to look, and is shown all that may be seen."""
        await self.refresh(room, progress, now)
        self.lines.add(line)
        if self._gallery is not None:
            line.outbox.put(encode(self._gallery.whole(room.race.active)))

    async def refresh(self, room: Room, progress: Mapping[int, Progress], now: int) -> None:
        """Read what has happened on the boards, and show what may be seen of it."""
        current = room.race
        if current.starts_at is None or now < current.starts_at:
            self._gallery = None
            return
        async with self._lock:
            if self._gallery is None or self._gallery.race != current.number:
                start = (await self._read(next(iter(current.racers)))).start
                self._gallery = Gallery(current.number, start, current.starts_at)
            gallery = self._gallery
            for seat in current.racers:
                gallery.open(seat)
                if seat in progress:
                    await self._follow(gallery, seat, progress[seat].moves)
            for message in gallery.news(room.settings, current.active, now):
                frame = encode(message)
                for line in self.lines:
                    line.outbox.put(frame)

    async def _follow(self, gallery: Gallery, seat: int, moves: int) -> None:
        known = gallery.length(seat)
        if moves <= known:
            return
        track = await self._read(seat)
        for n in range(known, min(moves, len(track.times))):
            gallery.add(seat, *track.entries[n], track.times[n])

    def next_change(self, room: Room) -> int | None:
        """When time alone will let more be seen (ms), or None."""
        return self._gallery.next_change(room.settings) if self._gallery is not None and self.lines else None
