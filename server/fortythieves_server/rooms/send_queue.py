"""What waits to be sent to one client. Nobody ever awaits a slow peer: they put a frame here and go on."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterator

from fortythieves.protocol.to_client import Close

#: Frames that wait before a client counts as too slow. A whole race's moves and events fit.
FRAMES = 1024
#: Bytes that wait before a client counts as too slow.
BYTES = 1 << 20


class SendQueue:
    """A bounded queue of frames of two classes.

    *Exact* frames are numbered, kept in order and never dropped: where they pile up the client is closed as
    too slow, and resumes by its positions. Of *convergent* ones (progress) only the latest matters: a frame
    that comes while one still waits is replaced by one that says all of it.

    ``write``: has a frame written at once if the client can take it, or says that it cannot; then it waits here. Nearly
    all frames never do. ``begin``: has `drain` called, unless it was already; before that there is nothing for it.
    """

    __slots__ = ("_begin", "_bytes", "_closing", "_exact", "_latest", "_wake", "_write")

    def __init__(
        self, write: Callable[[bytes], bool] = lambda frame: False, begin: Callable[[], None] = lambda: None
    ) -> None:
        self._write = write
        self._begin = begin
        # Most of the time nothing waits, and for a thousand clients even an empty queue takes its space.
        self._exact: deque[bytes | Iterator[bytes]] | None = None
        self._bytes = 0
        self._latest: bytes | None = None
        self._closing: tuple[int, str] | None = None
        #: What `drain` waits for, while it does.
        self._wake: asyncio.Future[None] | None = None

    @property
    def open(self) -> bool:
        """Whether the connection is not to be closed."""
        return self._closing is None

    @property
    def waiting(self) -> int:
        """How many bytes wait to be sent."""
        return self._bytes + len(self._latest or b"")

    def put(self, frame: bytes) -> None:
        """Send an exact frame as soon as possible."""
        if self._closing is not None or (not self._exact and self._latest is None and self._write(frame)):
            return
        if self._exact is None:
            self._exact = deque()
        self._exact.append(frame)
        self._bytes += len(frame)
        if len(self._exact) > FRAMES or self._bytes > BYTES:
            self._exact.clear()
            self.close(Close.TOO_SLOW, "You read more slowly than there is news")
        self._go_on()

    def put_parts(self, frames: Iterator[bytes]) -> None:
        """Queue exact frames that may be more than fit: each but the first is only asked for when it can be sent."""
        first = next(frames, None)
        if first is not None:
            self.put(first)
            if self._closing is None:
                if self._exact is None:
                    self._exact = deque()
                self._exact.append(frames)
                self._go_on()

    def put_latest(self, frame: bytes, whole: Callable[[], bytes]) -> None:
        """Send a convergent frame that says what changed; ``whole()`` is one that says everything."""
        if self._closing is not None or (not self._exact and self._latest is None and self._write(frame)):
            return
        self._latest = frame if self._latest is None else whole()
        self._go_on()

    def close(self, code: int, reason: str) -> None:
        """Close the connection once what is queued has been sent. The first reason stands."""
        if self._closing is None:
            self._closing = code, reason
            self._go_on()

    def _go_on(self) -> None:
        if self._wake is None:
            self._begin()
        elif not self._wake.done():
            self._wake.set_result(None)

    async def drain(self, send: Callable[[bytes], Awaitable[None]]) -> tuple[int, str]:
        """Send what is queued as it comes; returns why the connection is to be closed."""
        while True:
            while (frame := self._next()) is not None:
                await send(frame)
            if self._latest is not None:
                latest, self._latest = self._latest, None
                await send(latest)
            if self._exact:
                continue
            if self._closing is not None:
                return self._closing
            self._exact = None
            self._wake = asyncio.get_running_loop().create_future()
            await self._wake

    def _next(self) -> bytes | None:
        """Take the next exact frame out."""
        while self._exact:
            first = self._exact[0]
            if isinstance(first, bytes):
                self._bytes -= len(first)
                self._exact.popleft()
                return first
            if (frame := next(first, None)) is not None:
                return frame
            self._exact.popleft()
        return None
