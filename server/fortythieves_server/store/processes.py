"""The processes that share a Redis: which are alive, their reports for operators, and the keys with which they sign."""

import secrets
import time
from collections.abc import Sequence

from fortythieves.times import ms_of
from fortythieves_server.store.access import RedisAccess
from fortythieves_server.store.clock import Clock
from fortythieves_server.store.redis_errors import OtherSchema
from fortythieves_server.store.schema import DUE, KEY, KEY_RING, PROCESS_TTL, REPORTS, SCHEMA, SCHEMA_KEY, of_process

#: Seconds between two heartbeats.
HEARTBEAT_INTERVAL = 2
#: Seconds for which reports are kept after the last one was written.
REPORTS_TTL = 600


class Processes:
    def __init__(self, redis: RedisAccess, clock: Clock) -> None:
        self._redis = redis
        self._clock = clock

    async def read_clock(self) -> None:
        """Read Redis's clock. Raises the errors of redis-py."""
        redis = self._redis.connections.reader
        sent = time.monotonic()
        # In a cluster, each node has its own clock, so all processes ask the node of this key.
        seconds, microseconds = await redis.eval("return redis.call('TIME')", 1, DUE)
        self._clock.learn(ms_of(int(seconds) + int(microseconds) / 1_000_000), sent, time.monotonic())

    async def heartbeat(self) -> None:
        """Mark this process as alive. Raises the errors of redis-py."""
        await self._redis.connections.reader.set(of_process(self._redis.process), "1", ex=PROCESS_TTL)

    async def leave(self) -> None:
        """Mark this process as stopped. Raises the errors of redis-py."""
        await self._redis.connections.reader.delete(of_process(self._redis.process))

    async def alive(self, processes: Sequence[str]) -> frozenset[str]:
        found = await self._redis.read_many([("EXISTS", of_process(process)) for process in processes])
        # One of which a node cannot tell, because the slot moves to another one, counts as alive.
        return frozenset(process for process, there in zip(processes, found, strict=True) if there != 0)

    async def report(self, report: bytes) -> None:
        await self._redis.do("HSET", REPORTS, self._redis.process, report)
        await self._redis.do("EXPIRE", REPORTS, REPORTS_TTL)

    async def reports(self) -> dict[str, bytes]:
        return {process.decode(): report for process, report in (await self._redis.do("HGETALL", REPORTS)).items()}

    async def unreport(self, processes: Sequence[str]) -> None:
        await self._redis.do("HDEL", REPORTS, *processes)


class Keys:
    """Keys, each drawn once for all processes. Every method raises `StoreDown` while Redis is away.

    If they are gone from Redis, this process stores those that it knows. Otherwise its guests would become strangers.
    """

    def __init__(self, redis: RedisAccess) -> None:
        self._redis = redis
        #: The last stored value of each name.
        self._known: dict[str, bytes] = {}

    async def check_schema(self) -> None:
        """Note the schema of this server if it is the first here. Raises `OtherSchema` if the data has another one.

        Every server writes the schema first and then its keys. So keys without a schema are older, unless this server
        has seen a schema: then the node that had it was emptied.
        """
        is_new = SCHEMA_KEY not in self._known
        if is_new and await self._redis.do("EXISTS", KEY) and not await self._redis.do("EXISTS", SCHEMA_KEY):
            raise OtherSchema("unknown")
        found = (await self._first(SCHEMA_KEY, b"%d" % SCHEMA)).decode(errors="replace")
        if found != str(SCHEMA):
            raise OtherSchema(found)

    async def signing_key(self) -> bytes:
        """The first key of guest tokens."""
        return await self._first(KEY, secrets.token_bytes(32))

    async def key_ring(self, name: str, first: bytes) -> bytes:
        """A ring of keys (`Rings`). If there is none, ``first`` is stored."""
        return await self._first(KEY_RING + name, first)

    async def _first(self, name: str, value: bytes) -> bytes:
        """The stored value of a name. If there is none, the last known one is stored, or else ``value``."""
        await self._redis.do("SET", name, self._known.get(name, value), "NX")
        stored: bytes = await self._redis.do("GET", name)
        self._known[name] = stored
        return stored

    async def change_key_ring(self, name: str, before: bytes, after: bytes) -> bool:
        """Replace a ring of keys. Returns False if it is no longer ``before``."""
        return await self._redis.commit("swap", [KEY_RING + name], before, after) == [b"ok"]
