"""A queue of calls and tasks that run one at a time, without a task or a lock for each."""

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator, Callable


class Turns:
    """Something with one user at a time. If it is ``taken``, others wait. The end of a turn starts the next one."""

    __slots__ = ("_waiting", "taken")

    def __init__(self) -> None:
        self.taken = False
        #: The waiting calls and tasks. None if nobody waits, which is nearly always.
        self._waiting: deque[Callable[[], None] | asyncio.Future[None]] | None = None

    @property
    def waiting(self) -> int:
        """How many wait."""
        return len(self._waiting or ())

    def later(self, call: Callable[[], None]) -> None:
        """Call something in its turn. The turn may last longer than the call."""
        self._wait(call)

    @contextlib.asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for a turn, and hold it."""
        if self.taken:
            turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._wait(turn)
            try:
                await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled():
                    self.end_turn()
                raise
        self.taken = True
        try:
            yield
        finally:
            self.end_turn()

    def _wait(self, who: Callable[[], None] | asyncio.Future[None]) -> None:
        if self._waiting is None:
            self._waiting = deque()
        self._waiting.append(who)

    def end_turn(self) -> None:
        """Give the waiting ones their turns, until one of them keeps it."""
        self.taken = False
        while self._waiting and not self.taken:
            first = self._waiting.popleft()
            if not isinstance(first, asyncio.Future):
                first()
            elif not first.done():
                self.taken = True
                first.set_result(None)
        self._waiting = self._waiting or None
