"""Limit the share of event-loop time for everything except moves, however many addresses send requests.

The budget of an address (`prices`) does not help against a hundred addresses. So during races, all other work together
gets a share of the time. Work beyond the share waits, and addresses take turns. Moves never wait here.
"""

import asyncio
import time
from collections.abc import Callable, Coroutine, Generator
from functools import partial
from types import coroutine
from typing import Any, TypeVar

from fortythieves_server.common.fair_queue import FairQueue
from fortythieves_server.common.prices import Account

T = TypeVar("T")

#: Share of the time, during races. Measured with a hundred hostile addresses (`make bench ONLY=hostile`): with 0.4,
#: racers waited twice as long as without them, with 0.25 1.1 to 1.2 times as long.
SHARE = 0.25
#: Seconds of uninterrupted work: half of the time of a move from its arrival to its acknowledgement.
IN_A_ROW = 0.0005
#: The most seconds of debt. After very slow work, others wait for a quarter of a second at most.
LONGEST_DEBT = 0.1
#: After this many seconds without a move, no request has to wait.
QUIET = 1.0
#: The shortest wait, in seconds. uvloop rounds a shorter one to zero, and the loop would be busy.
SHORTEST = 0.001
#: Estimated seconds to wake up a connection and read its message.
WAKING = 0.00003


class LoopShare:
    """Schedules all work that is not a move. One per process."""

    def __init__(self, moves: Callable[[], int], clock: Callable[[], float] | None = None) -> None:
        """``moves``: returns how many moves there were so far. ``clock``: seconds."""
        self._clock = clock or time.monotonic
        self._count_moves = moves
        self._moves = 0
        self._last_move = float("-inf")
        self._queue = FairQueue()
        #: A token bucket of seconds. Below zero, no request is admitted.
        self._left = IN_A_ROW
        self._filled_at = self._clock()
        self._planned = False

    async def turn(self, address: str) -> None:
        """Wait for the turn of an address. There is no wait if no other waits and the share is not used up."""
        if self._queue or self._fill() <= 0:
            turn = self._queue.join(address)
            self._plan()
            try:
                await turn
            finally:
                self._queue.leave(address, turn)
        self._left -= WAKING

    async def do(self, account: Account, work: Coroutine[Any, Any, T]) -> T:
        """Do some work after `turn`. Each of its steps is charged to the share and to the account."""
        return await metered(work, partial(self._charge, account))

    def spend(self, seconds: float) -> None:
        self._left -= seconds

    def _charge(self, account: Account, seconds: float) -> None:
        self._left -= seconds
        account.charge_work(seconds)

    def _fill(self) -> float:
        """How many seconds are left now."""
        now = self._clock()
        moves = self._count_moves()
        if moves != self._moves:
            self._moves, self._last_move = moves, now
        if now - self._last_move > QUIET:
            self._left = IN_A_ROW
        else:
            self._left = min(max(self._left, -LONGEST_DEBT) + (now - self._filled_at) * SHARE, IN_A_ROW)
        self._filled_at = now
        return self._left

    def _plan(self) -> None:
        """Schedule the next admission: right after the tasks that are ready now, or when the share has time left."""
        if self._planned or not self._queue:
            return
        self._planned = True
        loop = asyncio.get_running_loop()
        left = self._fill()
        if left > 0:
            loop.call_soon(self._admit)
        else:
            loop.call_later(max(-left / SHARE, SHORTEST), self._admit)

    def _admit(self) -> None:
        self._planned = False
        if self._fill() > 0:
            self._queue.admit()
        # The admitted request runs before the next call, because its task was woken first.
        self._plan()


@coroutine
def metered(work: Coroutine[Any, Any, T], charge: Callable[[float], None]) -> Generator[Any, Any, T]:
    """Await some work. ``charge`` gets the seconds of CPU time of each of its steps. Waiting costs nothing."""
    step, argument = work.send, None
    while True:
        began = time.thread_time()
        try:
            awaited = step(argument)
        except StopIteration as done:
            value: T = done.value
            return value
        finally:
            charge(time.thread_time() - began)
        try:
            argument = yield awaited
            step = work.send
        except BaseException as error:  # noqa: BLE001 - the work must see whatever interrupts it
            step, argument = work.throw, error
