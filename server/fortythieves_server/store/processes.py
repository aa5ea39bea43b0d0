"""The processes that share a Redis: which are alive, and their reports for operators."""

import time
from collections.abc import Sequence

from fortythieves.times import ms_of
from fortythieves_server.store.clock import Clock
from fortythieves_server.store.reads import Reader
from fortythieves_server.store.schema import DUE, REPORTS, of_process

#: Seconds between two heartbeats, and seconds without one after which a process counts as dead.
HEARTBEAT_INTERVAL, PROCESS_TTL = 2, 15
#: Seconds for which reports are kept after the last one was written.
REPORTS_TTL = 600


class Processes:
    """This process among the others. ``name``: its own name."""

    def __init__(self, name: str, reader: Reader, clock: Clock) -> None:
        self._process = name
        self._reader = reader
        self._clock = clock

    async def heartbeat(self) -> None:
        """Mark this process as alive, and read Redis's clock. Raises the errors of redis-py."""
        # In a cluster, each node has its own clock, so all processes ask the node of this key.
        seconds, microseconds = await self._reader.redis.eval("return redis.call('TIME')", 1, DUE)
        self._clock.learn(ms_of(int(seconds) + int(microseconds) / 1_000_000), time.monotonic())
        await self._reader.redis.set(of_process(self._process), "1", ex=PROCESS_TTL)

    async def leave(self) -> None:
        """Mark this process as stopped. Raises the errors of redis-py."""
        await self._reader.redis.delete(of_process(self._process))

    async def alive(self, processes: Sequence[str]) -> frozenset[str]:
        if not processes:
            return frozenset()
        async with self._reader.reading():
            pipeline = self._reader.redis.pipeline(transaction=False)
            for process in processes:
                pipeline.exists(of_process(process))
            found = await pipeline.execute()
        return frozenset(process for process, there in zip(processes, found, strict=True) if there)

    async def report(self, report: bytes) -> None:
        async with self._reader.reading():
            await self._reader.redis.hset(REPORTS, self._process, report)
            await self._reader.redis.expire(REPORTS, REPORTS_TTL)

    async def reports(self) -> dict[str, bytes]:
        async with self._reader.reading():
            found: dict[bytes, bytes] = await self._reader.redis.hgetall(REPORTS)
        return {process.decode(): report for process, report in found.items()}

    async def unreport(self, processes: Sequence[str]) -> None:
        async with self._reader.reading():
            await self._reader.redis.hdel(REPORTS, *processes)
