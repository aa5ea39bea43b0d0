"""A canary: a commit that goes all the way that a move goes, and comes back to its own process as a notification.

A process whose Redis answers may still be deaf, and then its players see rivals who stand still. So it is not enough
to ask Redis whether it is there.
"""

import asyncio
from collections.abc import Callable

from redis.exceptions import RedisError

from fortythieves_server.common.tasks import end
from fortythieves_server.store import schema
from fortythieves_server.store.group_commit import Commits
from fortythieves_server.store.notifications import Notifications
from fortythieves_server.store.redis_errors import StoreDown
from fortythieves_server.store.scripts import Script

#: Seconds that a canary may take, and for which what it found out is believed.
WITHIN, BELIEVED = 1.0, 1.0
#: Seconds for which it says that the process is alive; less often than a process says so itself.
ALIVE = 15


class Canary:
    """All canaries of a process: there is one at a time, however many ask."""

    def __init__(self, commits: Commits, notifications: Notifications, script: Script, process: str) -> None:
        #: How many seconds the last one took to be on disk and to be heard of; None: it did not come back in time.
        self.seconds: float | None = None
        self._commits = commits
        self._script = script
        self._channel = schema.of_process(process)
        self._sent = 0
        self._heard: Callable[[], None] = lambda: None
        self._began = float("-inf")
        self._flight: asyncio.Task[bool] | None = None
        self._commit: asyncio.Task[list[bytes]] | None = None
        notifications.on_word = self._hear

    async def close(self) -> None:
        """Send no more."""
        await end(task for task in (self._flight, self._commit) if task is not None)

    async def returns(self) -> bool:
        """Whether what is committed is on disk, and heard of, within a second."""
        now = asyncio.get_running_loop().time()
        if self._flight is None or (self._flight.done() and now >= self._began + BELIEVED):
            self._began = now
            self._flight = asyncio.create_task(self._fly(), name="canary")
        return await asyncio.shield(self._flight)

    async def _fly(self) -> bool:
        loop = asyncio.get_running_loop()
        self.seconds = None
        try:
            async with asyncio.timeout(WITHIN):
                if self._commit is not None:
                    # While Redis is away an earlier one still waits to be sent: there need not be two.
                    await asyncio.wait((self._commit,))
                self._sent += 1
                back, began = asyncio.Event(), loop.time()
                self._heard = back.set
                self._commit = asyncio.create_task(self._send(), name="canary's commit")
                await asyncio.shield(self._commit)
                await back.wait()
                self.seconds = loop.time() - began
        except (StoreDown, TimeoutError, RedisError):
            return False
        return True

    async def _send(self) -> list[bytes]:
        return await self._commits.make(self._script, [self._channel], [ALIVE, str(self._sent)])

    def _hear(self, word: bytes) -> None:
        if word == b"%d" % self._sent:
            self._heard()
