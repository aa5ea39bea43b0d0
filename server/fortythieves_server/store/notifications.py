"""Notifications of what other processes commit, received by Redis pub/sub.

One connection receives all of them. In a cluster with sharded pub/sub (Redis 7), each node only publishes those of its
own rooms, so there is one connection to each of these nodes.

Notifications may be lost. A process that sees a gap reads the log. After a broken connection, all rooms are checked.
"""

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from typing import Any

from redis.asyncio.client import PubSub
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError

from fortythieves_server.common.logs import about
from fortythieves_server.common.tasks import end
from fortythieves_server.store import schema
from fortythieves_server.store.connections import Connections
from fortythieves_server.store.redis_errors import LOST_CONNECTION, StoreDown
from fortythieves_server.store.schema import Notification

log = logging.getLogger(__name__)

#: Seconds between two attempts to reach a Redis that is away.
RETRY = 0.25
#: Seconds of silence after which Redis gets a ping, and then as many until it must answer.
SILENCE = 4.0
#: Seconds in which Redis must confirm a subscription.
FOLLOW_WITHIN = 3.0
#: The same at the start of a server, when nobody waits yet. A busy disk can block a Redis that syncs each write.
OPEN_WITHIN = 30.0


class Notifications:
    """The notifications that a process receives.

    ``on_notification`` is called for commits of other processes, ``on_gap`` with the codes of rooms of which some may
    have been missed, and ``on_probe`` for messages of this process to itself (`readiness_probe`).
    """

    def __init__(self, connections: Connections, process: str, follow_within: float = FOLLOW_WITHIN) -> None:
        self.on_notification: Callable[[Notification], None] = lambda notification: None
        self.on_gap: Callable[[Collection[str]], None] = lambda codes: None
        self.on_probe: Callable[[bytes], None] = lambda word: None
        self._connections = connections
        self._process = process
        self._follow_within = follow_within
        self._own_channel = schema.of_process(process)
        #: The connection of each node, and that of each subscribed channel.
        self._listeners: dict[str, _Listener] = {}
        self._followed: dict[str, _Listener] = {}
        #: Who waits until Redis confirms a subscription.
        self._following: dict[str, asyncio.Future[None]] = {}

    async def open(self) -> None:
        """Subscribe. Raises `StoreDown`."""
        await self._follow(self._own_channel, OPEN_WITHIN)

    async def close(self) -> None:
        """Stop listening."""
        await end(listener.task for listener in self._listeners.values())

    async def follow(self, code: str) -> None:
        """Subscribe to the commits of other processes to a room. Raises `StoreDown`."""
        await self._follow(schema.of_room(code, "nudge"), self._follow_within)

    async def unfollow(self, code: str) -> None:
        """Unsubscribe from a room."""
        channel = schema.of_room(code, "nudge")
        self._following.pop(channel, None)
        if (listener := self._followed.pop(channel, None)) is not None:
            await listener.unfollow(channel)

    def listeners(self, channel: str) -> int:
        """How many of the subscribers that Redis counts belong to this process. -1: Redis cannot count them."""
        if not self._connections.counts_listeners:
            return -1
        listener = self._followed.get(channel)
        return int(listener is not None and channel in listener.confirmed)

    async def _follow(self, channel: str, within: float) -> None:
        """Subscribe, and wait until Redis confirms. It may handle commands of different connections in any order."""
        waiting = self._following.setdefault(channel, asyncio.get_running_loop().create_future())
        listener = self._followed[channel] = self._listener_of(channel)
        await listener.follow(channel)
        try:
            async with asyncio.timeout(within):
                await asyncio.shield(waiting)
        except TimeoutError as error:
            raise StoreDown("no answer in time") from error

    def _listener_of(self, channel: str) -> "_Listener":
        node = self._connections.node_of_channel(channel)
        if node not in self._listeners:
            self._listeners[node] = _Listener(self, self._connections, node)
        return self._listeners[node]

    async def look_again(self) -> None:
        """A connection has failed: read which nodes there are, and listen to each room where it is now."""
        await self._connections.look_again()
        for channel, listener in list(self._followed.items()):
            other = self._listener_of(channel)
            if other is not listener and self._followed.get(channel) is listener:
                self._followed[channel] = other
                await listener.unfollow(channel)
                await other.follow(channel, moved=True)

    def confirmed(self, channel: str) -> None:
        """Redis has confirmed a subscription."""
        waiting = self._following.pop(channel, None)
        if waiting is not None and not waiting.done():
            waiting.set_result(None)

    def hear(self, channel: str, data: bytes) -> None:
        try:
            if channel == self._own_channel:
                self.on_probe(data)
                return
            for notification in schema.notifications_of(self._process, channel, data):
                self.on_notification(notification)
        except Exception:
            code = schema.code_of(channel)
            log.exception("unreadable notification of room %s: %r", code, data, extra=about(code))


class _Listener:
    """The connection to one node, and what is subscribed there."""

    def __init__(self, of: Notifications, connections: Connections, node: str) -> None:
        #: The channels that Redis has confirmed on this connection.
        self.confirmed: set[str] = set()
        self.task: asyncio.Task[None] | None = None
        self._of = of
        self._connections = connections
        self._node = node
        self._channels: set[str] = set()
        #: The channels of which notifications may have been missed, and those of them that are not confirmed again.
        self._missed: set[str] = set()
        self._awaited: set[str] = set()
        self._was_listening = False
        self._pubsub: PubSub | None = None
        #: The unsubscriptions that Redis has not confirmed.
        self._leaving: Counter[str] = Counter()

    async def follow(self, channel: str, *, moved: bool = False) -> None:
        """Subscribe to a channel. ``moved``: it was subscribed to elsewhere."""
        self._channels.add(channel)
        if moved:
            self._missed.add(channel)
            self._awaited.add(channel)
        if self.task is None or self.task.done():
            self.task = asyncio.create_task(self._listen(), name="listen")
        with contextlib.suppress(RedisError, *LOST_CONNECTION):  # the next connection subscribes to all channels
            if (pubsub := self._listening) is not None:
                await self._subscribe(pubsub, [channel])

    async def unfollow(self, channel: str) -> None:
        self._channels.discard(channel)
        self.confirmed.discard(channel)
        self._missed.discard(channel)
        self._awaited.discard(channel)
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
        """Receive notifications, and reconnect whenever the connection breaks, until nothing is followed."""
        while self._channels:
            try:
                await self._hear()
            except (RedisError, *LOST_CONNECTION) as error:
                log.debug("no notifications for now: %s", error)
            except Exception:
                log.exception("listening failed")
            await asyncio.sleep(RETRY)
            await self._of.look_again()

    async def _hear(self) -> None:
        """Receive until the connection breaks or is silent for too long."""
        pubsub = self._connections.listener(self._node).pubsub()
        try:
            channels = frozenset(self._channels)
            if self._was_listening:
                self._missed |= channels
                self._awaited |= channels
            await self._subscribe(pubsub, channels)
            self._pubsub = pubsub
            if late := self._channels - channels:
                await self._subscribe(pubsub, late)
            asked = False
            while True:
                message = await pubsub.get_message(timeout=SILENCE)
                if message is None:
                    if asked:
                        raise RedisConnectionError("no answer in time")
                    await pubsub.ping()
                    asked = True
                    continue
                asked = False
                self._heard(message)
        finally:
            self._pubsub = None
            self.confirmed.clear()
            self._leaving.clear()
            with contextlib.suppress(RedisError, *LOST_CONNECTION):
                await pubsub.aclose()  # type: ignore[no-untyped-call]  # redis-py leaves it untyped

    def _heard(self, message: dict[str, Any]) -> None:
        match message["type"]:
            case "message" | "smessage":
                self._of.hear(message["channel"].decode(), message["data"])
            case "subscribe" | "ssubscribe":
                self._listening_to(message["channel"].decode())
            case "unsubscribe" | "sunsubscribe":
                channel = message["channel"].decode()
                if not self._leaving[channel]:
                    raise RedisConnectionError(f"{channel} is on another node now")
                self._leaving[channel] -= 1

    def _listening_to(self, channel: str) -> None:
        self._was_listening = True
        if channel in self._channels:
            self.confirmed.add(channel)
        self._of.confirmed(channel)
        self._awaited.discard(channel)
        if self._missed and not self._awaited:
            missed, self._missed = self._missed, set()
            self._of.on_gap([code for channel in missed if (code := schema.code_of(channel))])
