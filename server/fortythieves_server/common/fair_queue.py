"""Queues in which addresses take turns. A request waits for earlier ones of its address, not for all of another."""

import asyncio
import contextlib
import sys
from collections import OrderedDict, defaultdict
from collections.abc import AsyncIterator, Callable, Collection

from fortythieves.errors import Refused, refuse_if


class FairQueue:
    """Waiting requests by address. If more than ``most`` wait, the last request of the longest queue is refused."""

    def __init__(self, most: int = sys.maxsize) -> None:
        self._most = most
        #: The first address is next. No queue here is empty.
        self._queues: OrderedDict[str, dict[asyncio.Future[None], None]] = OrderedDict()
        self._count = 0

    def __len__(self) -> int:
        return self._count

    @property
    def addresses(self) -> Collection[str]:
        """The addresses that wait."""
        return self._queues.keys()

    def join(self, address: str) -> asyncio.Future[None]:
        """Join the queue. Returns a future that is done when it is this request's turn.

        If too many wait, now or later, this call or the future raises `Refused` ("too-fast").
        """
        if self._count >= self._most:
            self._refuse_one(address)
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queues.setdefault(address, {})[turn] = None
        self._count += 1
        return turn

    def leave(self, address: str, turn: asyncio.Future[None]) -> None:
        """Leave the queue, whether admitted or not."""
        queue = self._queues.get(address, {})
        if turn not in queue:
            return
        del queue[turn]
        self._count -= 1
        if not queue:
            del self._queues[address]

    def admit(self, may: Callable[[str], bool] = lambda _: True) -> str | None:
        """Admit the next request, but none of addresses that ``may`` rejects. Returns its address, or None."""
        while (address := next(filter(may, self._queues), None)) is not None:
            turn = next(iter(self._queues[address]))
            self._queues.move_to_end(address)
            self.leave(address, turn)
            if not turn.done():  # its task may have been cancelled, and not have run since
                turn.set_result(None)
                break
        return address

    def _refuse_one(self, address: str) -> None:
        longest = max(self._queues, key=lambda address: len(self._queues[address]))
        refuse_if(len(self._queues[longest]) <= len(self._queues.get(address, ())) + 1, "too-fast")
        newest = next(reversed(self._queues[longest]))
        self.leave(longest, newest)
        if not newest.done():
            newest.set_exception(Refused("too-fast"))


class Slots:
    """A limit of concurrent requests, in total and per address. Others wait in a `FairQueue`."""

    def __init__(self, of_all: int, of_address: int | None = None, waiting: int = sys.maxsize) -> None:
        self._of_all = of_all
        self._of_address = of_address or of_all
        self._queue = FairQueue(waiting)
        self._taken: defaultdict[str, int] = defaultdict(int)
        #: How many slots are taken.
        self.count = 0

    @property
    def waiting(self) -> int:
        """How many addresses would get a slot if not all were taken."""
        return sum(map(self._may, self._queue.addresses)) if self.count >= self._of_all else 0

    def taken_by(self, address: str) -> int:
        return self._taken.get(address, 0)

    @contextlib.asynccontextmanager
    async def turn(self, address: str, within: float | None = None) -> AsyncIterator[None]:
        """Hold a slot. Raises `Refused` ("too-fast") if too many wait, or after ``within`` seconds."""
        if self.count < self._of_all and self._may(address):
            self._take(address)
        else:
            await self._wait(address, within)
        try:
            yield
        finally:
            self._release(address)

    async def _wait(self, address: str, within: float | None) -> None:
        turn = self._queue.join(address)
        try:
            async with asyncio.timeout(within):
                await turn
        except BaseException as error:
            if turn.done() and not turn.cancelled() and turn.exception() is None:
                self._release(address)  # its turn came in the same moment
            if isinstance(error, TimeoutError):
                raise Refused("too-fast") from None
            raise
        finally:
            self._queue.leave(address, turn)

    def _may(self, address: str) -> bool:
        return self.taken_by(address) < self._of_address

    def _take(self, address: str) -> None:
        self._taken[address] += 1
        self.count += 1

    def _release(self, address: str) -> None:
        self.count -= 1
        self._taken[address] -= 1
        if not self._taken[address]:
            del self._taken[address]
        # The slot counts as taken from now on, not when the task runs. Otherwise one request too many would get in.
        while self.count < self._of_all and (next_one := self._queue.admit(self._may)) is not None:
            self._take(next_one)
