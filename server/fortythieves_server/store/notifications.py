"""Notifications of what other processes commit, received by Redis pub/sub over one connection.

Notifications may be lost. A process that sees a gap reads the log. After a broken connection, all rooms are checked.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable
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

    ``on_notification`` is called for commits of other processes, ``on_gap`` when some may have been missed, and
    ``on_probe`` for messages of this process to itself (`readiness_probe`).
    """

    def __init__(self, connections: Connections, process: str, follow_within: float = FOLLOW_WITHIN) -> None:
        self.on_notification: Callable[[Notification], None] = lambda notification: None
        self.on_gap: Callable[[], None] = lambda: None
        self.on_probe: Callable[[bytes], None] = lambda word: None
        self._connections = connections
        self._process = process
        self._follow_within = follow_within
        self._own_channel = schema.of_process(process)
        self._pubsub: PubSub | None = None
        #: The subscribed channels, those of them that Redis has confirmed on this connection, and who waits for that.
        self._followed = {self._own_channel}
        self._confirmed: set[str] = set()
        self._following: dict[str, asyncio.Future[None]] = {}
        self._was_listening = False
        self._listener: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Subscribe. Raises `StoreDown`."""
        self._listener = asyncio.create_task(self._listen(), name="listen")
        await self._listened_to(self._own_channel, OPEN_WITHIN)

    async def close(self) -> None:
        """Stop listening."""
        if self._listener is not None:
            await end([self._listener])

    async def follow(self, code: str) -> None:
        """Subscribe to the commits of other processes to a room. Raises `StoreDown`."""
        channel = schema.of_room(code, "nudge")
        self._followed.add(channel)
        with contextlib.suppress(RedisError, *LOST_CONNECTION):  # the next connection subscribes to all channels
            if (pubsub := self._listening) is not None:
                await pubsub.subscribe(channel)
        await self._listened_to(channel, self._follow_within)

    async def unfollow(self, code: str) -> None:
        """Unsubscribe from a room."""
        channel = schema.of_room(code, "nudge")
        self._followed.discard(channel)
        self._confirmed.discard(channel)
        self._following.pop(channel, None)
        with contextlib.suppress(RedisError, *LOST_CONNECTION):
            if (pubsub := self._listening) is not None:
                await pubsub.unsubscribe(channel)

    def listeners(self, channel: str) -> int:
        """How many of the subscribers that Redis counts belong to this process. -1: Redis cannot count them."""
        if not self._connections.counts_listeners:
            return -1
        return int(channel in self._confirmed)

    @property
    def _listening(self) -> PubSub | None:
        """The pub/sub client if it is connected. Using it must not open a connection."""
        pubsub = self._pubsub
        connection: Any = pubsub and pubsub.connection  # redis-py's type is None
        return pubsub if connection and connection.is_connected else None

    async def _listened_to(self, channel: str, within: float) -> None:
        """Wait until Redis confirms. It may handle commands of different connections in any order."""
        waiting = self._following.setdefault(channel, asyncio.get_running_loop().create_future())
        try:
            async with asyncio.timeout(within):
                await asyncio.shield(waiting)
        except TimeoutError as error:
            raise StoreDown("no answer in time") from error

    async def _listen(self) -> None:
        """Receive notifications, and reconnect whenever the connection breaks."""
        while True:
            try:
                await self._hear()
            except (RedisError, *LOST_CONNECTION) as error:
                log.debug("no notifications for now: %s", error)
            except Exception:
                log.exception("listening failed")
            await asyncio.sleep(RETRY)
            await self._connections.look_again()

    async def _hear(self) -> None:
        """Receive until the connection breaks or is silent for too long."""
        pubsub = self._connections.listener().pubsub()
        try:
            channels = frozenset(self._followed)
            await pubsub.subscribe(*channels)
            self._pubsub = pubsub
            if late := self._followed - channels:
                await pubsub.subscribe(*late)
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
                if message["type"] == "message":
                    self._hear_of(message["channel"].decode(), message["data"])
                elif message["type"] == "subscribe":
                    self._listening_to(message["channel"].decode())
        finally:
            self._pubsub = None
            self._confirmed.clear()
            with contextlib.suppress(RedisError, *LOST_CONNECTION):
                await pubsub.aclose()  # type: ignore[no-untyped-call]  # redis-py leaves it untyped

    def _listening_to(self, channel: str) -> None:
        if channel in self._followed:
            self._confirmed.add(channel)
        waiting = self._following.pop(channel, None)
        if waiting is not None and not waiting.done():
            waiting.set_result(None)
        if channel == self._own_channel:
            if self._was_listening:
                self.on_gap()
            self._was_listening = True

    def _hear_of(self, channel: str, data: bytes) -> None:
        try:
            if channel == self._own_channel:
                self.on_probe(data)
                return
            for notification in schema.notifications_of(self._process, channel, data):
                self.on_notification(notification)
        except Exception:
            code = schema.code_of(channel)
            log.exception("unreadable notification of room %s: %r", code, data, extra=about(code))
