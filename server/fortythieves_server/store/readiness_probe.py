"""The readiness probe: a commit like that of a move, which returns to its own process as a notification.

A ping is not enough: even if Redis answers, a process may receive no notifications, so that its players see no rival
move.
"""

import asyncio
import contextlib

from redis.exceptions import RedisError

from fortythieves_server.common.tasks import end
from fortythieves_server.store import schema
from fortythieves_server.store.access import RedisAccess
from fortythieves_server.store.notifications import Notifications
from fortythieves_server.store.redis_errors import StoreDown

#: Seconds in which a probe must return, and for which its result is valid.
TIMEOUT, VALID_FOR = 1.0, 1.0
#: Seconds after which it is sent in another slot of a cluster, too.
ELSEWHERE_AFTER = 0.4
#: Seconds for which a probe marks the process as alive. Heartbeats do so more often.
ALIVE = 15


class ReadinessProbe:
    """The probes of a process. At most one is on its way."""

    def __init__(self, redis: RedisAccess, notifications: Notifications) -> None:
        #: Seconds until the last probe was on disk, and until its notification came. None: it did not return in time.
        self.seconds: float | None = None
        self._redis = redis
        self._sent = 0
        self._back = asyncio.Event()
        self._began = float("-inf")
        self._running: asyncio.Task[bool] | None = None
        self._commit: asyncio.Task[list[bytes]] | None = None
        notifications.on_probe = self._receive

    async def close(self) -> None:
        await end([self._running, self._commit])

    async def returns(self) -> bool:
        """Whether a commit is on disk and its notification arrives within a second."""
        now = asyncio.get_running_loop().time()
        if self._running is None or (self._running.done() and now >= self._began + VALID_FOR):
            self._began = now
            self._running = asyncio.create_task(self._run(), name="readiness probe")
        return await asyncio.shield(self._running)

    async def _run(self) -> bool:
        loop = asyncio.get_running_loop()
        self.seconds = None
        try:
            async with asyncio.timeout(TIMEOUT):
                if self._commit is not None:
                    # While Redis is away, an earlier probe still waits to be sent. One is enough.
                    await asyncio.wait((self._commit,))
                self._sent, began = self._sent + 1, loop.time()
                self._back.clear()
                here, elsewhere = schema.probes_of(self._redis.process)
                await self._send(here)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(ELSEWHERE_AFTER):
                        await self._back.wait()
                if not self._back.is_set():
                    await self._send(elsewhere)
                    await self._back.wait()
                self.seconds = loop.time() - began
        except (StoreDown, TimeoutError, RedisError):
            return False
        return True

    async def _send(self, key: str) -> None:
        commit = self._redis.commit("readiness_probe", [key], ALIVE, str(self._sent))
        self._commit = asyncio.create_task(commit, name="readiness probe: commit")
        await asyncio.shield(self._commit)

    def _receive(self, number: bytes) -> None:
        if number == b"%d" % self._sent:
            self._back.set()
