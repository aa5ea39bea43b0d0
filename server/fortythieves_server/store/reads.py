"""Reads: of a few keys with redis-py, and bulk reads about many rooms with one request for each node."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from typing import Any

from redis.exceptions import ResponseError

from fortythieves_server.store.connections import Connections
from fortythieves_server.store.redis_connection import Command, RedisConnection
from fortythieves_server.store.redis_errors import LOST_CONNECTION, StoreDown, is_passing, reason

#: How many reads run at the same time, and for how many seconds others wait.
READERS, READ_WITHIN = 16, 10.0


class Reader:
    """A client of redis-py with a limit of concurrent users."""

    def __init__(self, redis: Any) -> None:
        self.redis = redis
        self._readers = asyncio.Semaphore(READERS)

    @contextlib.asynccontextmanager
    async def reading(self) -> AsyncIterator[None]:
        """Use the client during this context. Raises `StoreDown`."""
        try:
            async with asyncio.timeout(READ_WITHIN):
                await self._readers.acquire()
        except TimeoutError:
            raise StoreDown("too many reads wait for Redis") from None
        try:
            yield
        except LOST_CONNECTION as error:
            raise StoreDown(reason(error)) from error
        except ResponseError as error:
            if is_passing(error):
                raise StoreDown(str(error)) from error
            raise
        finally:
            self._readers.release()


class BulkReader:
    """Reads about many rooms. A read with redis-py takes ten times as long. It keeps one connection to each node."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._open: dict[str, RedisConnection] = {}
        self._turn = asyncio.Lock()

    def close(self) -> None:
        for node in list(self._open):
            self._open.pop(node).close()

    async def execute(self, commands: Sequence[Command]) -> list[Any]:
        """The answers to commands, errors among them. The second word of a command is its key."""
        by_node: dict[str, list[int]] = {}
        for i, command in enumerate(commands):
            by_node.setdefault(self._connections.node_of(str(command[1])), []).append(i)
        answers: list[Any] = [None] * len(commands)
        async with self._turn:
            for node, indexes in by_node.items():
                found = await self._execute_on(node, [commands[i] for i in indexes])
                for i, answer in zip(indexes, found, strict=True):
                    answers[i] = answer
        return answers

    async def _execute_on(self, node: str, commands: Sequence[Command]) -> list[Any]:
        if node in self._open:
            with contextlib.suppress(*LOST_CONNECTION):  # it may have been idle for too long
                return await self._try(node, commands)
        self._open[node] = await RedisConnection.open(self._connections.committer(node))
        return await self._try(node, commands)

    async def _try(self, node: str, commands: Sequence[Command]) -> list[Any]:
        try:
            return await self._open[node].execute(commands)
        except BaseException:  # the answers may still arrive and must not reach the next caller
            self._open.pop(node).close()
            raise
