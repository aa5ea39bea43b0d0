"""A connection to Redis for many commands at once, without a task or a timer for each.

redis-py opens it, because it handles addresses, passwords, TLS and sentinels. But sending and reading with redis-py
would take more time for a commit than everything else. So after that, hiredis and the transport are used directly.
"""

import asyncio
from collections.abc import Iterable
from typing import Any, cast

from hiredis import PushNotification, Reader, pack_command
from redis.asyncio.client import Redis
from redis.asyncio.connection import AbstractConnection, ConnectionPool, DefaultParser
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import InvalidResponse
from redis.exceptions import TimeoutError as RedisTimeoutError

#: Seconds in which Redis must answer.
TIMEOUT = 10.0

Command = tuple[str | bytes | int, ...]

#: The value that hiredis returns before an answer is complete. (False may be an answer.)
_MORE = object()


class Pipe(asyncio.Protocol):
    """One connection. A caller must wait for its answers before the next call."""

    def __init__(self, pool: ConnectionPool, connection: AbstractConnection, timeout: float = TIMEOUT) -> None:
        self._timeout = timeout
        self._pool = pool
        self._connection = connection
        # The only private part of redis-py in use. Its version is pinned, and `test_redis_py_is_as_it_was_read` says
        # what to do before an update.
        self._transport = cast("asyncio.Transport", connection._writer.transport)  # type: ignore[union-attr]
        self._before = self._transport.get_protocol()
        self._reader = Reader(protocolError=InvalidResponse, replyError=DefaultParser.parse_error, notEnoughData=_MORE)
        self._answers: list[Any] = []
        self._wanted = 0
        self._done: asyncio.Future[list[Any]] | None = None
        self._asked_at = 0.0
        #: Looks whether answers are late. One for many calls: a timer for each would cost as much as a move.
        self._watch: asyncio.TimerHandle | None = None
        self._transport.set_protocol(self)

    @classmethod
    async def open(cls, redis: Redis, timeout: float = TIMEOUT) -> "Pipe":  # noqa: ASYNC109 - of each answer
        """A new connection, or an unused one of the pool."""
        pool = redis.connection_pool
        connection: AbstractConnection = await pool.get_connection()  # type: ignore[no-untyped-call]
        return cls(pool, connection, timeout)

    async def close(self) -> None:
        """Close it, even while answers are on their way."""
        if self._watch is not None:
            self._watch.cancel()
        self._transport.abort()
        await self._connection.disconnect(nowait=True)
        await self._pool.release(self._connection)

    async def ask(self, commands: Iterable[Command]) -> list[Any]:
        """The answers to commands, errors among them. After any exception, the pipe must be closed."""
        packed = [pack_command(command) for command in commands]  # type: ignore[arg-type]  # its stub wants one item
        if self._transport.is_closing():
            raise RedisConnectionError("the connection is closed")
        loop = asyncio.get_running_loop()
        self._done, self._answers, self._wanted = loop.create_future(), [], len(packed)
        self._transport.write(b"".join(packed))
        self._asked_at = loop.time()
        if self._watch is None:
            self._watch = loop.call_later(self._timeout, self._look)
        try:
            return await self._done
        finally:
            self._done = None

    def _look(self) -> None:
        self._watch = None
        if self._done is None:
            return  # the next call watches again
        loop = asyncio.get_running_loop()
        left = self._asked_at + self._timeout - loop.time()
        if left > 0:
            self._watch = loop.call_later(left, self._look)
        else:
            self._fail(RedisTimeoutError("no answer in time"))

    def _fail(self, error: Exception) -> None:
        if self._done is not None and not self._done.done():
            self._done.set_exception(error)

    def data_received(self, data: bytes) -> None:
        """Parts of the answers have arrived."""
        try:
            self._reader.feed(data)
            while (answer := self._reader.gets()) is not _MORE:
                if not isinstance(answer, PushNotification):
                    self._answers.append(answer)
        except InvalidResponse as error:
            self._fail(RedisConnectionError(str(error)))
        if len(self._answers) >= self._wanted and self._done is not None and not self._done.done():
            self._done.set_result(self._answers)

    def connection_lost(self, error: Exception | None) -> None:
        """The connection is closed."""
        self._before.connection_lost(error)  # redis-py waits for this
        self._fail(RedisConnectionError(str(error or "Redis has closed the connection")))
