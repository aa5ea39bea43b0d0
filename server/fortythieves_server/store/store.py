"""The Redis that holds the only truth, and this process's connections to it. There is no other implementation."""

import asyncio
import contextlib
import logging
from collections.abc import Callable

from redis.exceptions import RedisError

from fortythieves_server.common.tasks import end
from fortythieves_server.store.access import RedisAccess
from fortythieves_server.store.client_files import ClientFiles
from fortythieves_server.store.clock import Clock
from fortythieves_server.store.directory import Directory
from fortythieves_server.store.group_commit import RETRY
from fortythieves_server.store.memory_limit import MemoryWatch, fullest
from fortythieves_server.store.move_batches import MoveBatches
from fortythieves_server.store.notifications import Notifications
from fortythieves_server.store.processes import HEARTBEAT_INTERVAL, Keys, Processes
from fortythieves_server.store.readiness_probe import ReadinessProbe
from fortythieves_server.store.redis_errors import LOST_CONNECTION, OtherSchema, StoreDown, reason
from fortythieves_server.store.room_logs import RoomLogs
from fortythieves_server.store.winnable_pool import WinnablePool

log = logging.getLogger(__name__)

#: The name for heartbeats in `_report`, where all other names are nodes.
_HEARTBEAT = "heartbeat"


class Store:
    """Everything that talks to Redis. ``on_up(bool)`` is called when Redis fails and when it works."""

    def __init__(self, url: str, process: str, clock: Clock, *, fills_pool: bool = False) -> None:
        """``fills_pool``: whether this server prepares winnable deals."""
        self.process = process
        self.clock = clock
        self.up = True
        self.on_up: Callable[[bool], None] = lambda up: None
        self._redis = redis = RedisAccess(url, process, self._report)
        self._connections = redis.connections
        self.commits = redis.commits
        self.notifications = Notifications(redis.connections, process)
        self.moves = MoveBatches(redis.commits, redis.scripts["moves"], process, self.notifications.own_subscribers)
        self.logs = RoomLogs(redis)
        self.directory = Directory(redis)
        self.processes = Processes(redis, clock)
        self.keys = Keys(redis)
        self.client_files = ClientFiles(redis)
        self.pool = WinnablePool(redis, is_filled=fills_pool)
        self.readiness_probe = ReadinessProbe(redis, self.notifications)
        self.memory = MemoryWatch()
        #: The error of each node on which commits fail, or of heartbeats.
        self._failing: dict[str, object] = {}
        self._heartbeats: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Connect. Raises `StoreDown` with the reason if Redis cannot be reached, or `OtherSchema`."""
        try:
            await self._connections.open()
            await self.keys.check_schema()
            await self.processes.heartbeat()
            await self._measure_memory()
        except (RedisError, *LOST_CONNECTION, StoreDown, OtherSchema) as error:
            await self._connections.close()
            if isinstance(error, StoreDown | OtherSchema):
                raise
            raise StoreDown(reason(error)) from error
        self._heartbeats = asyncio.create_task(self._send_heartbeats(), name="heartbeat")
        try:
            await self.notifications.open()
        except StoreDown:
            await self.close()
            raise

    async def close(self) -> None:
        """Finish running commits, mark the process as stopped, and disconnect."""
        await self.readiness_probe.close()
        await self.commits.close()
        self._redis.close_bulk()
        await self.notifications.close()
        await end([self._heartbeats])
        with contextlib.suppress(RedisError, *LOST_CONNECTION):
            await self.processes.leave()
        await self._connections.close()

    def _report(self, part: str, error: object) -> None:
        """Note that a node or the heartbeats fail, or work (``error`` is None)."""
        if error is None:
            self._failing.pop(part, None)
        else:
            self._failing[part] = error
        up = not self._failing
        if up == self.up:
            return
        self.up = up
        if up:
            log.warning("Redis is back")
        else:
            log.error("Redis is away, commits wait: %s", error)
        self.on_up(up)

    async def is_short(self) -> bool:
        """Whether Redis is too full for anything but running races."""
        if self.memory.is_short:  # at the last measurement
            await self._measure_memory()
        return self.memory.is_short

    async def _measure_memory(self) -> None:
        try:
            self.memory.learn(fullest(await self._connections.memory()))
        except (RedisError, *LOST_CONNECTION) as error:
            log.debug("the memory of Redis cannot be read: %s", error)

    async def _send_heartbeats(self) -> None:
        """Send heartbeats, read Redis's clock, and notice when Redis fails."""
        while True:
            try:
                await self._connections.follow_master()
                await self.processes.heartbeat()
                self._report(_HEARTBEAT, None)
            except (RedisError, *LOST_CONNECTION) as error:
                self._report(_HEARTBEAT, error)
            await self._measure_memory()
            await asyncio.sleep(HEARTBEAT_INTERVAL if self.up else RETRY)
