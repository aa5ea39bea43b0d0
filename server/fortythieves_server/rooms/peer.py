"""A connection as its room sees it: its seat, what it has been sent, and the frames that wait to be sent.

No code waits for a slow client: its frames wait in its send queue.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Protocol

from fortythieves.protocol import to_client
from fortythieves.protocol.to_client import Close
from fortythieves.protocol.wire import encode
from fortythieves_server.common.counters import Counters
from fortythieves_server.common.prices import NOBODY, Account
from fortythieves_server.core import views

#: The most frames that may wait. All moves and events of a race fit. A guess.
FRAMES = 1024
#: The most bytes that may wait. A guess.
BYTES = 1 << 20


class Writer(Protocol):
    """A connection, as its send queue sees it."""

    def send_now(self, frame: bytes) -> bool:
        """Write a frame and return True, or return False if the client cannot take it. Then it waits in the queue."""

    def begin_to_write(self) -> None:
        """Ensure that `SendQueue.drain` is called, because a frame waits. That is rare."""


class SendQueue:
    """A bounded queue of frames of two classes.

    *Exact* frames are numbered, kept in order and never dropped. If too many wait, the client is disconnected as too
    slow, and resumes later. Of *convergent* frames (progress), only the latest matters: if one still waits, it is
    replaced by a frame with the whole state.

    Without a ``writer``, all frames wait for `drain`.
    """

    __slots__ = ("_bytes", "_closing", "_exact", "_latest", "_wake", "_writer")

    def __init__(self, writer: Writer | None = None) -> None:
        self._writer = writer
        # Usually nothing waits, and for a thousand clients even empty queues would take memory.
        self._exact: deque[bytes | Iterator[bytes]] | None = None
        self._bytes = 0
        self._latest: bytes | None = None
        self._closing: tuple[int, str] | None = None
        #: Set while `drain` waits.
        self._wake: asyncio.Future[None] | None = None

    @property
    def open(self) -> bool:
        return self._closing is None

    @property
    def waiting(self) -> int:
        return self._bytes + len(self._latest or b"")

    def put(self, frame: bytes) -> None:
        if self._closing is not None or self._is_sent(frame):
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
        """Queue exact frames that may be more than fit. Each after the first is made only when it can be sent."""
        first = next(frames, None)
        if first is not None:
            self.put(first)
            if self._closing is None:
                if self._exact is None:
                    self._exact = deque()
                self._exact.append(frames)
                self._go_on()

    def put_latest(self, frame: bytes, whole: Callable[[], bytes]) -> None:
        """Send a convergent frame with the latest change. ``whole()`` makes one with the whole state."""
        if self._closing is not None or self._is_sent(frame):
            return
        self._latest = frame if self._latest is None else whole()
        self._go_on()

    def put_if_free(self, frame: bytes) -> None:
        """Send an unimportant frame, unless others still wait."""
        if not self._exact and self._latest is None:
            self.put(frame)

    def close(self, code: int, reason: str) -> None:
        """Close the connection after the queued frames. The first reason counts."""
        if self._closing is None:
            self._closing = code, reason
            self._go_on()

    def _is_sent(self, frame: bytes) -> bool:
        """Write a frame, if no other waits and the client can take it."""
        return self._writer is not None and not self._exact and self._latest is None and self._writer.send_now(frame)

    def _go_on(self) -> None:
        if self._wake is None:
            if self._writer is not None:
                self._writer.begin_to_write()
        elif not self._wake.done():
            self._wake.set_result(None)

    async def drain(self, send: Callable[[bytes], Awaitable[None]]) -> tuple[int, str]:
        """Send queued frames as they come. Returns the close code and the reason when the connection must close."""
        while True:
            while (frame := self._next()) is not None:
                await send(frame)
            if self._latest is not None:
                latest, self._latest = self._latest, None
                await send(latest)
                continue  # other frames may wait by now
            if self._closing is not None:
                return self._closing
            self._exact = None
            self._wake = asyncio.get_running_loop().create_future()
            await self._wake

    def _next(self) -> bytes | None:
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


@dataclass(slots=True, eq=False)
class Peer:
    via: str
    send_queue: SendQueue
    counts: Counters
    address: str = ""  # its hash (`Guests.address_hash`)
    account: Account = NOBODY  # pays for large messages
    seat: int = 0  # 0: none, or a spectator called ``name``
    name: str = ""
    face: int = 0  # the spectator's
    guest: str = ""
    is_projector: bool = False
    entries_sent: int | None = None  # how many entries of its own log were sent to it; None: it has no board
    view_sent: views.View = field(default_factory=dict)
    events_sent: int = 0  # the number of events in that view
    steps_sent: int = 0  # up to which step it has been sent progress (`Peers`)

    def address_in(self, code: str) -> str:
        """The hash of its address for one room. It differs per room, so two rooms cannot compare their guests."""
        return blake2b(self.address.encode(), key=code.encode(), digest_size=8).hexdigest() if self.address else ""

    def send(self, message: to_client.Message) -> None:
        if isinstance(message, to_client.Moved):
            self.counts.moves += 1
        elif isinstance(message, to_client.Unmoved | to_client.Refused):
            self.counts.refused[message.code] += 1
        self.send_queue.put(encode(message))

    def send_big(self, frame: bytes) -> None:
        """Queue a frame that may be large, and charge it to the client's address."""
        self.charge(0.0, frame)
        self.send_queue.put(frame)

    def charge(self, seconds: float, frame: bytes) -> None:
        """Charge the client's address for a frame, and for the seconds that it took to make."""
        self.account.charge("bytes", len(frame))
        self.account.charge_work(seconds)
