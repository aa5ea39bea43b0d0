"""Notifications of what other processes commit, received by Redis pub/sub.

One connection receives all of them. In a cluster with sharded pub/sub (Redis 7), each node publishes only the
notifications of its rooms, so there is one connection to each of these nodes.

Notifications may be lost. A process that sees a gap reads the log. After a broken connection, all rooms are checked.
"""

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from redis.asyncio.client import PubSub
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import NoPermissionError, RedisError

from fortythieves_server.common.logs import about
from fortythieves_server.common.tasks import end
from fortythieves_server.store import schema
from fortythieves_server.store.connections import Connections
from fortythieves_server.store.group_commit import RETRY, settle
from fortythieves_server.store.redis_errors import LOST_CONNECTION, StoreDown, reason
from fortythieves_server.store.schema import Notification

log = logging.getLogger(__name__)

#: Seconds of silence before Redis gets a ping, and seconds in which it must answer.
SILENCE = 4.0
#: Seconds in which Redis must confirm a subscription.
SUBSCRIBE_WITHIN = 3.0
#: The same at the start of a server. A busy disk can block a Redis that syncs each write.
OPEN_WITHIN = 30.0


class Notifications:
    """The notifications that a process receives.

    ``on_notification`` is called for commits of other processes, ``on_gap`` with the code of a room for which some may
    be missing, ``on_probe`` for messages of this process to itself (`readiness_probe`).
    """

    def __init__(self, connections: Connections, process: str) -> None:
        self.on_notification: Callable[[Notification], None] = lambda notification: None
        self.on_gap: Callable[[str], None] = lambda code: None
        self.on_probe: Callable[[bytes], None] = lambda number: None
        self._connections = connections
        self._process = process
        self._own_channels = schema.probes_of(process)
        #: The connection of each node, and that of each subscribed channel.
        self._listeners: dict[str, _Listener] = {}
        self._subscribed: dict[str, _Listener] = {}
        #: The callers that wait until Redis confirms a subscription.
        self._unconfirmed: dict[str, asyncio.Future[None]] = {}

    async def open(self) -> None:
        for channel in self._own_channels:
            await self._subscribe_to(channel, OPEN_WITHIN)

    async def close(self) -> None:
        await end(listener.task for listener in self._listeners.values())

    async def subscribe(self, code: str) -> None:
        """Subscribe to the commits of other processes to a room. Raises `StoreDown`."""
        await self._subscribe_to(schema.of_room(code, "notify"), SUBSCRIBE_WITHIN)

    async def unsubscribe(self, code: str) -> None:
        channel = schema.of_room(code, "notify")
        self._unconfirmed.pop(channel, None)
        if (listener := self._subscribed.pop(channel, None)) is not None:
            await listener.unsubscribe(channel)

    def own_subscribers(self, channel: str) -> int:
        """How many of the subscribers that Redis counts belong to this process. -1: Redis cannot count them."""
        if not self._connections.counts_listeners:
            return -1
        return int(self._is_confirmed(channel))

    def hears(self, code: str) -> bool:
        """Whether notifications about a room arrive."""
        return self._is_confirmed(schema.of_room(code, "notify"))

    def _is_confirmed(self, channel: str) -> bool:
        listener = self._subscribed.get(channel)
        return listener is not None and channel in listener.confirmed

    async def _subscribe_to(self, channel: str, within: float) -> None:
        """Subscribe, and wait until Redis confirms. It may handle commands of different connections in any order."""
        waiting = self._unconfirmed.setdefault(channel, asyncio.get_running_loop().create_future())
        listener = self._subscribed[channel] = self._listener_of(channel)
        await listener.subscribe(channel)
        try:
            async with asyncio.timeout(within):
                await asyncio.shield(waiting)
        except TimeoutError as error:
            raise StoreDown("no answer in time") from error

    def _listener_of(self, channel: str) -> "_Listener":
        node = self._connections.node_of(channel) if self._connections.is_sharded else ""
        if node not in self._listeners:
            self._listeners[node] = _Listener(self, self._connections, node)
        return self._listeners[node]

    async def refresh_nodes(self) -> None:
        """Read the list of nodes after a failure, and subscribe to each room on its present node."""
        await self._connections.refresh_nodes()
        for channel, listener in list(self._subscribed.items()):
            other = self._listener_of(channel)
            if other is not listener and self._subscribed.get(channel) is listener:
                self._subscribed[channel] = other
                await listener.unsubscribe(channel)
                await other.subscribe(channel, moved=True)

    def confirmed(self, channel: str, error: Exception | None = None) -> None:
        """Redis has confirmed a subscription, or refused it."""
        if (waiting := self._unconfirmed.pop(channel, None)) is not None:
            settle(waiting, error)

    def receive(self, channel: str, data: bytes) -> None:
        try:
            if channel in self._own_channels:
                self.on_probe(data)
                return
            for notification in schema.notifications_of(self._process, channel, data):
                self.on_notification(notification)
        except Exception:
            code = schema.code_of(channel)
            log.exception("unreadable notification of room %s: %r", code, data, extra=about(code))


class _Listener:
    """The connection to one node, and its subscriptions."""

    def __init__(self, of: Notifications, connections: Connections, node: str) -> None:
        #: The channels that Redis has confirmed on this connection.
        self.confirmed: set[str] = set()
        self.task: asyncio.Task[None] | None = None
        self._of = of
        self._connections = connections
        self._node = node
        self._channels: dict[str, None] = {}
        #: The channels with a possible gap. It is over when Redis confirms the subscription.
        self._missed: set[str] = set()
        self._was_listening = False
        self._pubsub: PubSub | None = None
        #: The unsubscriptions that Redis has not confirmed.
        self._leaving: Counter[str] = Counter()

    async def subscribe(self, channel: str, *, moved: bool = False) -> None:
        """Subscribe to a channel. ``moved``: it was subscribed to on another node."""
        self._channels[channel] = None
        if moved:
            self._missed.add(channel)
        if self.task is None or self.task.done():
            self.task = asyncio.create_task(self._listen(), name="listen")
        with contextlib.suppress(RedisError, *LOST_CONNECTION):  # the next connection subscribes to all channels
            if (pubsub := self._listening) is not None:
                await self._subscribe(pubsub, [channel])

    async def unsubscribe(self, channel: str) -> None:
        self._channels.pop(channel, None)
        self.confirmed.discard(channel)
        self._missed.discard(channel)
        with contextlib.suppress(RedisError, *LOST_CONNECTION):
            if (pubsub := self._listening) is not None:
                self._leaving[channel] += 1
                await (pubsub.sunsubscribe if self._connections.is_sharded else pubsub.unsubscribe)(channel)

    @property
    def _listening(self) -> PubSub | None:
        """The pub/sub client if it is connected. Using it must not open a connection."""
        pubsub = self._pubsub
        connection: Any = pubsub and pubsub.connection  # redis-py's type is None
        return pubsub if connection and connection.is_connected else None

    async def _subscribe(self, pubsub: PubSub, channels: Iterable[str]) -> None:
        if not self._connections.is_sharded:
            await pubsub.subscribe(*channels)
            return
        for channel in channels:  # Redis refuses channels of several slots in one command
            await pubsub.ssubscribe(channel)

    async def _listen(self) -> None:
        """Receive notifications, and reconnect whenever the connection breaks, until no channel is left."""
        while self._channels:
            try:
                await self._receive()
            except (RedisError, *LOST_CONNECTION) as error:
                log.debug("no notifications for now: %s", error)
                for channel in self._channels if isinstance(error, NoPermissionError) else ():
                    self._of.confirmed(channel, StoreDown(reason(error)))
            except Exception:
                log.exception("listening failed")
            await asyncio.sleep(RETRY)
            await self._of.refresh_nodes()

    async def _receive(self) -> None:
        """Receive until the connection breaks or is silent for too long."""
        pubsub = self._connections.client(self._node).pubsub()
        try:
            channels = dict(self._channels)
            if self._was_listening:
                self._missed |= channels.keys()
            await self._subscribe(pubsub, channels)
            self._pubsub = pubsub
            if late := [channel for channel in self._channels if channel not in channels]:
                await self._subscribe(pubsub, late)
            pinged = False
            while True:
                message = await pubsub.get_message(timeout=SILENCE)
                if message is None:
                    if pinged:
                        raise RedisConnectionError("no answer in time")
                    await pubsub.ping()
                    pinged = True
                    continue
                pinged = False
                self._handle(message)
        finally:
            self._pubsub = None
            self.confirmed.clear()
            self._leaving.clear()
            with contextlib.suppress(RedisError, *LOST_CONNECTION):
                await pubsub.aclose()  # type: ignore[no-untyped-call]  # redis-py leaves it untyped

    def _handle(self, message: dict[str, Any]) -> None:
        match message["type"]:
            case "message" | "smessage":
                self._of.receive(message["channel"].decode(), message["data"])
            case "subscribe" | "ssubscribe":
                self._confirm(message["channel"].decode())
            case "unsubscribe" | "sunsubscribe":
                channel = message["channel"].decode()
                if not self._leaving[channel]:
                    raise RedisConnectionError(f"{channel} is on another node now")
                self._leaving[channel] -= 1

    def _confirm(self, channel: str) -> None:
        self._was_listening = True
        if channel in self._channels:
            self.confirmed.add(channel)
        self._of.confirmed(channel)
        if channel in self._missed:
            self._missed.remove(channel)
            if code := schema.code_of(channel):
                self._of.on_gap(code)
