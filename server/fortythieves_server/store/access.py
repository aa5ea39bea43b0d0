"""How the parts of the store reach Redis: by commits, by redis-py, and by bulk reads.

A bulk read about many rooms is one request for each node. With redis-py it would take ten times as long.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

from redis.exceptions import NoScriptError, ResponseError

from fortythieves_server.store import scripts
from fortythieves_server.store.connections import connections
from fortythieves_server.store.group_commit import REPLICATED_MS, GroupCommit
from fortythieves_server.store.redis_connection import Command, RedisConnection
from fortythieves_server.store.redis_errors import LOST_CONNECTION, StoreDown, is_passing, reason
from fortythieves_server.store.schema import PROCESS_TTL, of_process
from fortythieves_server.store.scripts import Form, Script

#: How many reads run at the same time, and for how many seconds others wait.
READERS, READ_WITHIN = 16, 10.0

#: The commands that are used outside scripts alone, as far as a script can try them.
_OTHERS = ("EXPIRE", "HGETALL", "SADD", "SISMEMBER")


class RedisAccess:
    """The access of one process, with the name ``process``. Its methods raise `StoreDown` while Redis is away."""

    def __init__(self, url: str, process: str, report: Callable[[str, object], None]) -> None:
        """``report``: see `GroupCommit`."""
        self.process = process
        self.connections = connections(url)
        self.scripts = scripts.load()
        self.commits = GroupCommit(self.connections, report, self.scripts["publish"])
        self._readers = asyncio.Semaphore(READERS)
        #: The connection of bulk reads to each node.
        self._bulk: dict[str, RedisConnection] = {}
        self._bulk_turn = asyncio.Lock()
        self.connections.on_moved = self._reconnect

    async def commit(self, script: str, keys: Sequence[str], *arguments: str | bytes | int) -> list[bytes]:
        """Run a script together with other commits. Returns its answer when the result is on disk."""
        return await self.commits.make(self.scripts[script], keys, lambda: [*arguments])

    async def confirm(self, key: str) -> None:
        """Wait until replicas have all that was read of the node of a key, if commits wait for them.

        Otherwise clients could be shown what is lost when the master dies.
        """
        if self.commits.waits_for_replicas:
            try:
                async with asyncio.timeout(2 * REPLICATED_MS / 1000):
                    await self.commit("confirm", [key])
            except TimeoutError:
                raise StoreDown("replicas do not have what was read") from None

    @contextlib.asynccontextmanager
    async def reading(self) -> AsyncIterator[Any]:
        """Use the client of redis-py. The number of concurrent users is limited."""
        try:
            async with asyncio.timeout(READ_WITHIN):
                await self._readers.acquire()
        except TimeoutError:
            raise StoreDown("too many reads wait for Redis") from None
        try:
            yield self.connections.reader
        except LOST_CONNECTION as error:
            raise StoreDown(reason(error)) from error
        except ResponseError as error:
            if is_passing(error):
                raise StoreDown(str(error)) from error
            raise
        finally:
            self._readers.release()

    async def do(self, *command: str | bytes | int) -> Any:
        async with self.reading() as redis:
            return await redis.execute_command(*command)

    async def run(self, script: str, keys: Sequence[str], *arguments: str | bytes | int) -> Any:
        """Run a script with redis-py."""
        return await self.do("EVAL", self._form(self.scripts[script]).text, len(keys), *keys, *arguments)

    def _form(self, script: Script) -> Form:
        return script.sharded if self.connections.is_sharded else script.plain

    async def refused_commands(self) -> list[str]:
        """The commands that the user of Redis needs and may not run. Raises `RedisError` if no script runs at all."""
        with contextlib.suppress(NoScriptError):
            await self.do("EVALSHA", "0" * 40, 0)
        needed = scripts.commands(map(self._form, self.scripts.values()))
        found = await self.run("refused_commands", [of_process(self.process)], PROCESS_TTL, *needed, *_OTHERS)
        return [command.decode() for command in found]

    async def read_many(self, commands: Sequence[Command]) -> list[Any]:
        """The answers to commands, errors among them. The second word of a command is its key."""
        by_node: dict[str, list[int]] = {}
        for i, command in enumerate(commands):
            by_node.setdefault(self.connections.node_of(str(command[1])), []).append(i)
        answers: list[Any] = [None] * len(commands)
        async with self.reading(), self._bulk_turn:
            for node, indexes in by_node.items():
                found = await self._read_from(node, [commands[i] for i in indexes])
                for i, answer in zip(indexes, found, strict=True):
                    answers[i] = answer
        return answers

    async def _read_from(self, node: str, commands: Sequence[Command]) -> list[Any]:
        if node in self._bulk:
            with contextlib.suppress(*LOST_CONNECTION):  # it may have been idle for too long
                return await self._try(node, commands)
        self._bulk[node] = await RedisConnection.open(self.connections.client(node))
        return await self._try(node, commands)

    async def _try(self, node: str, commands: Sequence[Command]) -> list[Any]:
        connection = self._bulk[node]
        try:
            return await connection.execute(commands)
        except BaseException:  # the answers may still arrive and must not reach the next caller
            self._bulk.pop(node, connection).close()
            raise

    def _reconnect(self) -> None:
        """Another server is the master."""
        self.close_bulk()
        self.commits.reconnect()

    def close_bulk(self) -> None:
        while self._bulk:
            self._bulk.popitem()[1].close()
