"""The Redis that holds the only truth, and this process's connections to it. There is no other implementation."""

import asyncio
import contextlib
import logging
from collections.abc import Callable
from typing import Any

from redis.exceptions import ClusterError, RedisError

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
from fortythieves_server.store.redis_errors import LOST_CONNECTION, RIGHTS, OtherSchema, StoreDown, reason
from fortythieves_server.store.room_logs import RoomLogs
from fortythieves_server.store.schema import DUE, of_process, of_room
from fortythieves_server.store.winnable_pool import WinnablePool

log = logging.getLogger(__name__)


class Store:
    """Everything that talks to Redis. ``on_change`` is called when a node fails or works."""

    def __init__(self, url: str, process: str, clock: Clock, *, fills_pool: bool = False) -> None:
        """``fills_pool``: whether this server prepares winnable deals."""
        self.process = process
        self.clock = clock
        self.on_change: Callable[[], None] = lambda: None
        self._redis = redis = RedisAccess(url, process, self._report_commits)
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
        #: What fails, and on which node.
        self._failing: dict[str, str] = {}
        self._heartbeats: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Connect. Raises `StoreDown` with the reason if Redis cannot be reached, or `OtherSchema`."""
        try:
            await self._connections.open()
            await self.keys.check_schema()
            await self.processes.read_clock()
            await self.processes.heartbeat()
            await self._measure_memory()
            if refused := await self._redis.refused_commands():
                raise StoreDown(f"its user may not run {', '.join(refused)} ({RIGHTS})")
            await self._warn_of_losses()
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

    @property
    def up(self) -> bool:
        """Whether Redis works, or some nodes of a cluster."""
        return not self._failing or not {*self._connections.nodes()} <= {*self._failing.values()}

    def serves(self, code: str) -> bool:
        """Whether the node of a room works."""
        return not self._failing or self._connections.node_of(of_room(code, "meta")) not in self._failing.values()

    def _report_commits(self, node: str, error: object) -> None:
        self._report(f"commits {node}", node, error)

    def _report(self, what: str, node: str, error: object) -> None:
        """Note that something fails on a node, or works (``error`` is None)."""
        if error is None and not self._failing:
            return
        before = {*self._failing.values()}
        if error is None:
            self._failing.pop(what, None)
        else:
            self._failing[what] = node
        if (now := {*self._failing.values()}) == before:
            return
        if now - before:
            log.error("%s is away, commits wait: %s", f"Redis {node}".strip(), error)
        else:
            log.warning("%s is back", "".join(("Redis ", *before - now)).strip())
        self.on_change()

    async def is_short(self) -> bool:
        """Whether Redis is too full for anything but running races."""
        if self.memory.is_short:  # at the last measurement
            await self._measure_memory()
        return self.memory.is_short

    async def _measure_memory(self) -> None:
        nodes, found = self._connections.nodes(), []
        for what, node in list(self._failing.items()):
            if node not in nodes:
                self._report(what, node, None)  # another one has taken its place
        for node, answer in zip(nodes, await asyncio.gather(*map(self._memory, nodes)), strict=True):
            if isinstance(answer, dict):
                found.append(answer)
            self._report(f"memory {node}", node, answer if isinstance(answer, LOST_CONNECTION) else None)
        if found:
            self.memory.learn(fullest(found))

    async def _memory(self, node: str) -> dict[str, Any] | Exception:
        try:
            found: dict[str, Any] = await self._connections.reader_of(node).info("memory")
            return found
        except (RedisError, *LOST_CONNECTION) as error:
            log.debug("the memory of Redis cannot be read: %s", error)
            return error

    async def _warn_of_losses(self) -> None:
        """Warn if acknowledged moves may not be on disk."""
        nodes, lost = self._connections.nodes(), ""
        with contextlib.suppress(RedisError):  # not every user of a Redis may ask
            for redis in map(self._connections.reader_of, nodes):
                if not (await redis.info("persistence")).get("aof_enabled", True):
                    lost = "appendonly no"
                elif (found := (await redis.config_get("appendfsync"))["appendfsync"]) != "always":
                    lost = lost or f"appendfsync {found}" * (not self._connections.replicas)
        if lost:
            log.warning(
                "Redis may lose acknowledged moves when it stops (%s): set appendonly yes, appendfsync always", lost
            )

    async def _send_heartbeats(self) -> None:
        """Send heartbeats, read Redis's clock, and notice when Redis fails."""
        while True:
            await (self._connections.refresh_nodes if self._failing else self._connections.follow_master)()
            for key, beat in ((DUE, self.processes.read_clock), (of_process(self.process), self.processes.heartbeat)):
                node = self._connections.node_of(key)
                try:
                    await beat()
                    self._report(key, node, None)
                except (RedisError, *LOST_CONNECTION) as error:
                    # With several connections to a node, redis-py sends ASKING on one and the command on another, until
                    # it gives up. Then the slot moves, which says nothing about the node.
                    if type(error) is not ClusterError:
                        self._report(key, node, error)
            await self._measure_memory()
            await asyncio.sleep(RETRY if self._failing else HEARTBEAT_INTERVAL)
