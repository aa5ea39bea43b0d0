"""Bots race while something fails every few seconds: ``make soak`` runs all, ``python -m tests.faults.soak disk`` one.

Here are real processes, sockets, disks, Sentinels and Clusters, which the simulation cannot have. After the races, each
bot compares its acknowledged moves with the record. Prints a row for each fault, as in docs/CAPACITY.md.
"""

import argparse
import asyncio
import contextlib
import io
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import NamedTuple

from fortythieves_client.load import Load, Results, run_load
from fortythieves_server.process.embedded_redis import EmbeddedRedis, redis_servers
from tests.faults import scattered
from tests.faults.test_chaos import LIMITS
from tests.faults.test_clock import Wound
from tests.faults.test_disk import SCRIPT
from tests.server.programs import children_with, started
from tests.server.redises import LASTING, PASSWORD, SERVICE, Node, Watched, a_cluster, watched_by_a_sentinel
from tests.server.store.test_connections import move_slot
from tests.server.stores import kill, until, until_it_is

#: Seconds between the end of a fault and the next one.
BETWEEN = 5.0
WORKERS = 2
#: The bots of a room.
RACERS, WATCHERS = 4, 1
#: The password of the servers. Replicas and sentinels have another one.
SECRET = "secret"


class World(NamedTuple):
    """A Redis, and a function that breaks something and mends it again. It gets the process of the server."""

    redis: str
    fail: Callable[[int], Awaitable[None]]
    rooms: int = 6
    #: Whether acknowledged moves are lost, so that all people must be told.
    loses: bool = False


Fault = Callable[[Path], AbstractAsyncContextManager[World]]


@contextlib.asynccontextmanager
async def _sentinel(folder: Path, fail: Callable[[Watched], Awaitable[None]]) -> AsyncIterator[World]:
    async with watched_by_a_sentinel(folder, {"min-replicas-to-write": 1, "min-replicas-max-lag": 2}) as watched:
        for node in watched.servers:
            await node.ask("ACL", "SETUSER", "server", "on", f">{SECRET}", "~*", "&*", "+@all")

        async def fail_once(_: int) -> None:
            old = await watched.master()
            await fail(watched)
            await watched.until_another_than(old)

            async def whole() -> bool:
                found = await (await watched.master()).info("replication")
                return bool(found["role"] == "master" and found["connected_slaves"] == len(watched.servers) - 1)

            await until_it_is(whole)

        login = f"server:{SECRET}@127.0.0.1:{watched.sentinel.port}"
        yield World(f"redis+sentinel://{login}/{SERVICE}/0?replicas=1", fail_once)


def sentinel_kill(folder: Path) -> AbstractAsyncContextManager[World]:
    """Sentinel: the master is killed"""

    async def fail(watched: Watched) -> None:
        old = await watched.master()
        await old.kill()
        old.options["replicaof"] = f"127.0.0.1 {(await watched.until_another_than(old)).port}"
        await old.start()
        await old.ask("ACL", "SETUSER", "server", "on", f">{SECRET}", "~*", "&*", "+@all")

    return _sentinel(folder, fail)


def sentinel_planned(folder: Path) -> AbstractAsyncContextManager[World]:
    """Sentinel: a planned failover"""

    async def fail(watched: Watched) -> None:
        await watched.sentinel.ask("SENTINEL", "FAILOVER", SERVICE)

    return _sentinel(folder, fail)


def sentinel_partition(folder: Path) -> AbstractAsyncContextManager[World]:
    """Sentinel: the servers reach the master, its replicas and the Sentinel do not"""

    async def fail(watched: Watched) -> None:
        old = await watched.master()
        # All except the servers log in as "default".
        await old.ask("ACL", "SETUSER", "default", "resetpass", ">another")
        await old.ask("CLIENT", "KILL", "USER", "default", "SKIPME", "yes")
        await watched.until_another_than(old)
        await asyncio.sleep(BETWEEN)
        await old.ask("ACL", "SETUSER", "default", "resetpass", f">{PASSWORD}")

    return _sentinel(folder, fail)


@contextlib.asynccontextmanager
async def cluster_kill(folder: Path) -> AsyncIterator[World]:
    """Cluster: a master is killed"""
    async with a_cluster(folder) as cluster:

        async def fail(server: int) -> None:
            await cluster.fail_over(random.choice(await cluster.masters()))
            await cluster.until_whole()

        yield World(f"{cluster.url}?replicas=1", fail)


@contextlib.asynccontextmanager
async def cluster_slots(folder: Path) -> AsyncIterator[World]:
    """Cluster: slots move to other nodes"""
    async with a_cluster(folder) as cluster:

        async def fail(server: int) -> None:
            found = [key for node in await cluster.masters() for key in await node.ask("KEYS", "ft:{??????}:meta")]
            await move_slot(
                cluster, random.choice(found).decode(), lambda: asyncio.sleep(1), lambda _: asyncio.sleep(1)
            )

        yield World(f"{cluster.url}?replicas=1", fail)


@contextlib.asynccontextmanager
async def disk(folder: Path) -> AsyncIterator[World]:
    """The disk is full"""
    limit, server = folder / "limit", folder / "redis-server"
    server.write_text(SCRIPT.format(limit=limit, redis=next(redis_servers())))
    server.chmod(0o755)
    said: list[str] = []
    async with EmbeddedRedis(folder / "data", server, said.append) as redis:

        async def fail(_: int) -> None:
            said.clear()
            # In blocks of the shell; it counts from the next start.
            largest = max(path.stat().st_size for path in (folder / "data").rglob("*.aof"))
            limit.write_text(str(largest // 512 + 16))
            kill(redis)
            await until(lambda: any("AOF" in sentence for sentence in said))
            await asyncio.sleep(BETWEEN)
            limit.unlink()

        yield World(redis.url, fail)


@contextlib.asynccontextmanager
async def clock(folder: Path) -> AsyncIterator[World]:
    """The clock of Redis is an hour late"""
    wound = Wound(folder)
    async with wound.node:

        async def fail(server: int) -> None:
            for seconds in (-3600, 0):
                wound.set(seconds)
                await until_it_is(lambda seconds=seconds: wound.is_ahead(seconds))  # type: ignore[misc]
                await asyncio.sleep(BETWEEN)

        yield World(f"redis://127.0.0.1:{wound.node.port}", fail)


@contextlib.asynccontextmanager
async def restarts(folder: Path) -> AsyncIterator[World]:
    """All workers are replaced (SIGUSR1), then one is ended (SIGTERM), during 40 races"""
    async with EmbeddedRedis(folder / "data") as redis:

        async def fail(server: int) -> None:
            os.kill(server, signal.SIGUSR1)
            await asyncio.sleep(BETWEEN)
            os.kill(random.choice(children_with("--worker", server)).pid, signal.SIGTERM)

        yield World(redis.url, fail, rooms=40)


@contextlib.asynccontextmanager
async def old_data(folder: Path) -> AsyncIterator[World]:
    """Redis starts again with its data of 6 s ago"""
    async with Node(folder / "redis", LASTING) as node:
        copy = folder / "copy"

        async def fail(server: int) -> None:
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(node.folder, copy)
            await asyncio.sleep(6)
            await node.kill()
            shutil.rmtree(node.folder)
            shutil.copytree(copy, node.folder)
            await node.start()

        yield World(f"redis://127.0.0.1:{node.port}", fail, loses=True)


FAULTS: dict[str, Fault] = {
    made.__name__: made
    for made in (
        *(sentinel_kill, sentinel_planned, sentinel_partition, cluster_kill, cluster_slots),
        *(disk, clock, restarts, old_data),
    )
}


async def soak(fault: Fault, seconds: int) -> bool:
    """Let bots race during a fault, for at least some seconds. Prints a row. Returns whether all promises were kept."""
    results, began = Results(), time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        options = ("--workers", str(WORKERS), "--limits", LIMITS)
        async with (
            fault(folder) as world,
            started(folder / "server", "--redis", world.redis, *options, command=scattered.COMMAND) as server,
        ):
            failing = asyncio.create_task(_fail(world, server.pid, results, began + seconds))
            load = Load(server.address, world.rooms, RACERS, WATCHERS, rate=2, seconds=seconds)
            await run_load(load, io.StringIO(), results, failing.done)
            failures = await failing
    worst = max([*results.latency_ms, *results.back_to_play_ms], default=0) / 1000
    told = results.notices["data-lost"]
    harmless = told > 0 if world.loses else not (results.lost or results.doubled or told)
    good = harmless and results.races_ended == results.races and not (results.gone or results.wrong)
    minutes = (time.monotonic() - began) / 60
    row = [fault.__doc__, f"{failures} in {minutes:.1f}", f"{results.acknowledged:,}", results.lost, results.doubled]
    print(*row, f"{worst:.1f} s", told, "good" if good else f"BAD: {results.as_plain()}", sep=" | ", flush=True)
    return good


async def _fail(world: World, server: int, results: Results, until_then: float) -> int:
    """Let the world fail until then, at least once. Returns how often."""
    failures = 0
    await until(lambda: results.acknowledged > 20 * world.rooms)
    while time.monotonic() < until_then or not failures:
        await world.fail(server)
        failures += 1
        if world.loses:  # the bots know no moves for another board
            await until(lambda: results.notices["data-lost"] >= world.rooms * (RACERS + WATCHERS))
            break
        before = results.acknowledged
        await until(lambda before=before: results.acknowledged > before + 5 * world.rooms)  # type: ignore[misc]
        await asyncio.sleep(BETWEEN)
    return failures


async def _all(names: list[str], seconds: int) -> bool:
    print("fault | times in minutes | acknowledged | lost | doubled | worst recovery | told", flush=True)
    return all([await soak(FAULTS[name], seconds) for name in names])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("only", nargs="*", metavar="FAULT", help=", ".join(FAULTS))
    asked = parser.parse_args()
    sys.exit(not asyncio.run(_all(asked.only or list(FAULTS), asked.seconds)))
