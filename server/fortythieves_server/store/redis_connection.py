"""A connection to Redis for many commands at once, without a task or a timer for each.

redis-py knows the options of an address: TLS, passwords, sentinels. But sending and reading with redis-py would take
more time for a commit than everything else. So this connection uses the parser of hiredis and an asyncio transport.
"""

import asyncio
import socket
from collections.abc import Iterable
from typing import Any

from hiredis import Reader, pack_command
from redis.asyncio.client import Redis
from redis.asyncio.connection import DefaultParser, SSLConnection, UnixDomainSocketConnection
from redis.asyncio.sentinel import SentinelConnectionPool
from redis.credentials import UsernamePasswordCredentialProvider
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import InvalidResponse
from redis.exceptions import TimeoutError as RedisTimeoutError

#: Seconds in which Redis must answer.
TIMEOUT = 10.0

Command = tuple[str | bytes | int, ...]

#: The value that hiredis returns before an answer is complete. (False may be an answer.)
_MORE = object()


class RedisConnection(asyncio.Protocol):
    """One connection. A caller must wait for its answers before the next call."""

    def __init__(self) -> None:
        self._transport: Any = None
        self._reader = Reader(protocolError=InvalidResponse, replyError=DefaultParser.parse_error, notEnoughData=_MORE)
        self._answers: list[Any] = []
        self._wanted = 0
        self._done: asyncio.Future[list[Any]] | None = None
        self._sent_at = 0.0
        #: Checks whether answers are late. One for many calls: a timer for each would cost as much as a move.
        self._timer: asyncio.TimerHandle | None = None

    @classmethod
    async def open(cls, redis: Redis) -> "RedisConnection":
        """A new connection with the address and the options of a client."""
        connection, pool = cls(), redis.connection_pool
        options: Any = pool.make_connection()  # type: ignore[no-untyped-call]  # not connected
        try:
            async with asyncio.timeout(options.socket_connect_timeout):
                if isinstance(pool, SentinelConnectionPool):
                    options.host, options.port = await pool.get_master_address()  # type: ignore[no-untyped-call]
                await connection._connect(options)
                await connection._log_in(options)
        except BaseException:
            connection.close()
            raise
        return connection

    async def _connect(self, options: Any) -> None:
        loop = asyncio.get_running_loop()
        if isinstance(options, UnixDomainSocketConnection):
            await loop.create_unix_connection(lambda: self, options.path)
            return
        context = options.ssl_context.get() if isinstance(options, SSLConnection) else None
        await loop.create_connection(lambda: self, options.host, options.port, ssl=context)
        if options.socket_keepalive:
            keep_alive = self._transport.get_extra_info("socket").setsockopt
            keep_alive(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            for name, value in options.socket_keepalive_options.items():
                keep_alive(socket.IPPROTO_TCP, name, value)

    async def _log_in(self, options: Any) -> None:
        commands: list[Command] = []
        credentials = options.credential_provider
        if credentials is None and (options.username or options.password):
            credentials = UsernamePasswordCredentialProvider(options.username, options.password)
        if credentials is not None:
            commands.append(("AUTH", *await credentials.get_credentials_async()))
        if options.client_name:
            commands.append(("CLIENT", "SETNAME", options.client_name))
        if options.db:
            commands.append(("SELECT", options.db))
        for answer in await self.execute(commands) if commands else ():
            if isinstance(answer, Exception):
                raise answer

    def close(self) -> None:
        """Close it, even while answers are on their way."""
        if self._timer is not None:
            self._timer.cancel()
        if self._transport is not None:
            self._transport.abort()

    async def execute(self, commands: Iterable[Command]) -> list[Any]:
        """Send commands. Returns their answers, errors among them. After an exception, close the connection."""
        packed = [pack_command(command) for command in commands]  # type: ignore[arg-type]  # its stub wants one item
        if self._transport.is_closing():
            raise RedisConnectionError("the connection is closed")
        loop = asyncio.get_running_loop()
        self._done, self._answers, self._wanted = loop.create_future(), [], len(packed)
        self._transport.write(b"".join(packed))
        self._sent_at = loop.time()
        if self._timer is None:
            self._timer = loop.call_later(TIMEOUT, self._check_timeout)
        try:
            return await self._done
        finally:
            self._done = None

    def _check_timeout(self) -> None:
        self._timer = None
        if self._done is None:
            return  # the next call starts the timer
        loop = asyncio.get_running_loop()
        left = self._sent_at + TIMEOUT - loop.time()
        if left > 0:
            self._timer = loop.call_later(left, self._check_timeout)
        else:
            self._fail(RedisTimeoutError("no answer in time"))

    def _fail(self, error: Exception) -> None:
        if self._done is not None and not self._done.done():
            self._done.set_exception(error)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        try:
            self._reader.feed(data)
            while (answer := self._reader.gets()) is not _MORE:
                self._answers.append(answer)
        except InvalidResponse as error:
            self._fail(RedisConnectionError(str(error)))
        if len(self._answers) >= self._wanted and self._done is not None and not self._done.done():
            self._done.set_result(self._answers)

    def connection_lost(self, error: Exception | None) -> None:
        self._fail(RedisConnectionError(str(error or "Redis has closed the connection")))
