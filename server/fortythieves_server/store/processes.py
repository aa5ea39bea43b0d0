"""The processes that share a Redis: which are alive, and their reports for operators."""

import time
from collections.abc import Sequence

from fortythieves.times import ms_of
from fortythieves_server.store.access import RedisAccess
from fortythieves_server.store.clock import Clock
from fortythieves_server.store.schema import DUE, REPORTS, of_process

#: Seconds between two heartbeats, and seconds without one after which a process counts as dead.
HEARTBEAT_INTERVAL, PROCESS_TTL = 2, 15
#: Seconds for which reports are kept after the last one was written.
REPORTS_TTL = 600


class Processes:
    def __init__(self, redis: RedisAccess, clock: Clock) -> None:
        self._redis = redis
        self._clock = clock

    async def heartbeat(self) -> None:
        """Mark this process as alive, and read Redis's clock. Raises the errors of redis-py."""
        redis = self._redis.connections.reader
        # In a cluster, each node has its own clock, so all processes ask the node of this key.
        seconds, microseconds = await redis.eval("return redis.call('TIME')", 1, DUE)
        self._clock.learn(ms_of(int(seconds) + int(microseconds) / 1_000_000), time.monotonic())
        await redis.set(of_process(self._redis.process), "1", ex=PROCESS_TTL)

    async def leave(self) -> None:
        """Mark this process as stopped. Raises the errors of redis-py."""
        await self._redis.connections.reader.delete(of_process(self._redis.process))

    async def alive(self, processes: Sequence[str]) -> frozenset[str]:
        if not processes:
            return frozenset()
        async with self._redis.reading() as redis:
            pipeline = redis.pipeline(transaction=False)
            for process in processes:
                pipeline.exists(of_process(process))
            found = await pipeline.execute()
        return frozenset(process for process, there in zip(processes, found, strict=True) if there)

    async def report(self, report: bytes) -> None:
        await self._redis.do("HSET", REPORTS, self._redis.process, report)
        await self._redis.do("EXPIRE", REPORTS, REPORTS_TTL)

    async def reports(self) -> dict[str, bytes]:
        return {process.decode(): report for process, report in (await self._redis.do("HGETALL", REPORTS)).items()}

    async def unreport(self, processes: Sequence[str]) -> None:
        await self._redis.do("HDEL", REPORTS, *processes)
