"""The Redis that holds the only truth, and this process's connections to it. There is no other implementation."""

import asyncio
import contextlib
import logging
from collections.abc import Callable

from redis.exceptions import RedisError

from fortythieves_server.common.tasks import end
from fortythieves_server.store import scripts
from fortythieves_server.store.clock import Clock
from fortythieves_server.store.connections import connections
from fortythieves_server.store.directory import Directory
from fortythieves_server.store.group_commit import GroupCommit
from fortythieves_server.store.memory_limit import MemoryWatch, fullest
from fortythieves_server.store.move_batches import MoveBatches
from fortythieves_server.store.notifications import RETRY, SUBSCRIBE_WITHIN, Notifications
from fortythieves_server.store.processes import HEARTBEAT_INTERVAL, Processes
from fortythieves_server.store.readiness_probe import ReadinessProbe
from fortythieves_server.store.reads import BulkReader, Reader
from fortythieves_server.store.redis_errors import LOST_CONNECTION, OtherSchema, StoreDown, reason
from fortythieves_server.store.room_logs import WINDOW, RoomLogs
from fortythieves_server.store.signing_keys import Keys
from fortythieves_server.store.winnable_pool import WinnablePool

log = logging.getLogger(__name__)

#: The name for heartbeats in `_report`, where all other names are nodes.
_HEARTBEAT = "heartbeat"


class Store:
    """Everything that talks to Redis. ``on_up(bool)`` is called when Redis fails and when it works."""

    def __init__(
        self,
        url: str,
        process: str,
        clock: Clock,
        *,
        subscribe_within: float = SUBSCRIBE_WITHIN,
        window: int = WINDOW,
        fills_pool: bool = False,
    ) -> None:
        """``subscribe_within``: the most seconds of `Notifications.subscribe`. ``window``: see `RoomLogs`.

        ``fills_pool``: whether this server prepares winnable deals.
        """
        self.process = process
        self.clock = clock
        self.up = True
        self.on_up: Callable[[bool], None] = lambda up: None
        self._connections = connections(url)
        self._bulk_reader = BulkReader(self._connections)
        reader, known = Reader(self._connections.reader), scripts.load()
        self.commits = GroupCommit(self._connections, self._report)
        self.notifications = Notifications(self._connections, process, subscribe_within)
        self.moves = MoveBatches(self.commits, known["moves"], process, self.notifications.own_subscribers)
        self.logs = RoomLogs(process, reader, self.commits, self._bulk_reader, known, window)
        self.directory = Directory(process, reader, self._bulk_reader, known, self._connections)
        self.processes = Processes(process, reader, clock)
        self.keys = Keys(reader, self.commits, known["swap"])
        self.pool = WinnablePool(reader, self.commits, known, is_filled=fills_pool)
        self.readiness_probe = ReadinessProbe(self.commits, self.notifications, known["readiness_probe"], process)
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
        except (RedisError, *LOST_CONNECTION) as error:
            await self._connections.close()
            raise StoreDown(reason(error)) from error
        except (StoreDown, OtherSchema):
            await self._connections.close()
            raise
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
        self._bulk_reader.close()
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
        """Whether Redis is too full for new rooms."""
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
                await self.processes.heartbeat()
                self._report(_HEARTBEAT, None)
            except (RedisError, *LOST_CONNECTION) as error:
                self._report(_HEARTBEAT, error)
            await self._measure_memory()
            await asyncio.sleep(HEARTBEAT_INTERVAL if self.up else RETRY)
