"""A lock that is taken in the order of asking, by calls and by tasks: nobody needs a task only to wait."""

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator, Callable


class FifoLock:
    """Something with one user at a time. If it is ``held``, others wait. The release of one starts the next one."""

    __slots__ = ("_waiting", "held")

    def __init__(self) -> None:
        self.held = False
        #: The waiting calls and tasks. None if nobody waits, which is nearly always.
        self._waiting: deque[Callable[[], None] | asyncio.Future[None]] | None = None

    @property
    def waiting(self) -> int:
        return len(self._waiting or ())

    @contextlib.asynccontextmanager
    async def hold(self) -> AsyncIterator[None]:
        if self.held:
            turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self.enqueue(turn)
            try:
                await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled():
                    self.release()
                raise
        self.held = True
        try:
            yield
        finally:
            self.release()

    def enqueue(self, who: Callable[[], None] | asyncio.Future[None]) -> None:
        """Call or wake up somebody when it is their turn. The turn of a call may last longer than the call."""
        if self._waiting is None:
            self._waiting = deque()
        self._waiting.append(who)

    def release(self) -> None:
        """Give the waiting ones their turns, until one of them keeps it."""
        self.held = False
        while self._waiting and not self.held:
            first = self._waiting.popleft()
            if not isinstance(first, asyncio.Future):
                first()
            elif not first.done():
                self.held = True
                first.set_result(None)
        self._waiting = self._waiting or None
