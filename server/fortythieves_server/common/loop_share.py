"""Limits the share of the event loop that everything but moves takes, however many addresses ask at once.

The budget of an address (`prices`) does not help against a hundred of them. So while people race, everything else
together gets a share of the time: what comes beyond that waits, and addresses take turns. Moves never wait here.
"""

import asyncio
import time
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, TypeVar

from fortythieves_server.common.fair_queue import FairQueue
from fortythieves_server.common.metered import metered
from fortythieves_server.common.prices import Account

T = TypeVar("T")

#: Of the time, while people race. Measured with a hundred hostile addresses: with 0.4 racers waited twice as long as
#: without them, with 0.25 it was 1.1 to 1.2 times (`make bench ONLY=hostile`).
SHARE = 0.25
#: Seconds of work in a row: half of what a move takes from its arrival to its acknowledgement.
IN_A_ROW = 0.0005
#: Seconds of debt at most: after something that took very long others wait for a quarter of a second, and no longer.
LONGEST_DEBT = 0.1
#: Seconds without a move after which nobody races: then nobody has to wait.
QUIET = 1.0
#: Seconds that it takes to wake up a connection, and to have it read what was said.
WAKING = 0.00003


class LoopShare:
    """Whose turn it is to have something done that is not a move. One a process."""

    def __init__(self, moves: Callable[[], int], clock: Callable[[], float] = time.monotonic) -> None:
        """``moves``: how many there were so far. ``clock``: seconds."""
        self._clock = clock
        self._count_moves = moves
        self._moves = 0
        self._last_move = float("-inf")
        self._queue = FairQueue()
        #: A token bucket of seconds. Below zero nobody is let in.
        self._left = IN_A_ROW
        self._filled_at = clock()
        #: Whether it is planned to let in the next one.
        self._planned = False

    async def turn(self, address: str) -> None:
        """Wait until it is the turn of an address: not at all, unless others wait or the share is used up."""
        if self._queue or self._fill() <= 0:
            turn = self._queue.join(address)
            self._plan()
            try:
                await turn
            finally:
                self._queue.leave(address, turn)
        self._left -= WAKING

    async def do(self, account: Account, work: Coroutine[Any, Any, T]) -> T:
        """Do something whose turn has come, and charge each of its steps to the share and to the account."""
        return await metered(work, partial(self._charge, account))

    def spend(self, seconds: float) -> None:
        """Take out what something has taken."""
        self._left -= seconds

    def _charge(self, account: Account, seconds: float) -> None:
        self._left -= seconds
        account.charge_work(seconds)

    def _fill(self) -> float:
        """How many seconds are left by now."""
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
        """Go on with the queue: after all that is ready now if something is left, otherwise when there will be."""
        if self._planned or not self._queue:
            return
        self._planned = True
        loop = asyncio.get_running_loop()
        left = self._fill()
        if left > 0:
            loop.call_soon(self._let_in)
        else:
            loop.call_later(-left / SHARE, self._let_in)

    def _let_in(self) -> None:
        self._planned = False
        if self._fill() > 0:
            self._queue.let_in()
        # Whoever was let in has his turn before this is called again: his task was woken up first.
        self._plan()
