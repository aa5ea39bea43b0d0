"""Redis servers of other kinds than the embedded one: a cluster, and a master with a sentinel."""

import asyncio
import contextlib
import itertools
import os
import random
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, Self
from urllib.parse import quote

import redis.asyncio
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from fortythieves_server.process.embedded_redis import LEASH, bundled, redis_servers
from tests.server.stores import until, until_it_is

#: Every server of this machine.
SERVERS = list({path.resolve(): path for path in redis_servers()}.values())

#: The nodes of a cluster, and the milliseconds of silence after which a node counts as dead.
MASTERS, REPLICAS, TIMEOUT = 3, 3, 1500

#: The size of a block of neighbouring ports.
BLOCK = 4

LIBFAKETIME = find_spec("libfaketime")
#: The speed of the clock of a fast Redis, if libfaketime is installed. Not higher, because servers renew every two and
#: every five real seconds keys that expire after 15 and 20 of its seconds (`PROCESS_TTL`, `GOOD_FOR`).
HURRY = 3 if LIBFAKETIME else 1

PASSWORD = "open:sesame/&"
SERVICE = "mymaster"


def _firsts() -> Iterator[int]:
    """The first ports of blocks that no other test process uses, below the ports that the system gives to clients."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    own = range(20_000, 30_000, BLOCK)[worker::workers]
    for k in itertools.count(random.randrange(len(own))):
        yield own[k % len(own)]


_FIRSTS = _firsts()


def free_port(count: int = 1) -> int:
    """The first of ``count`` free neighbouring ports."""
    assert count <= BLOCK
    while True:
        first = next(_FIRSTS)
        with contextlib.suppress(OSError), ExitStack() as stack:
            for port in range(first, first + count):
                stack.enter_context(socket.socket()).bind(("127.0.0.1", port))
            return first


class Node:
    def __init__(
        self,
        folder: Path,
        options: dict[str, object],
        *,
        connect: dict[str, Any] | None = None,
        environment: dict[str, str] | None = None,
    ) -> None:
        self.port = free_port()
        self.folder = folder
        self.options = {"port": self.port, **options}
        self.redis: Any = redis.asyncio.Redis(
            **{"host": "127.0.0.1", "port": self.port, "retry": Retry(NoBackoff(), 1), **(connect or {})}
        )
        self._binary = next(bundled())
        self._environment = {**os.environ, **(environment or {})}
        self._process: asyncio.subprocess.Process | None = None

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def start(self, *first: str) -> None:
        """Start it and wait until it answers. ``first`` precedes all options."""
        self.folder.mkdir(parents=True, exist_ok=True)
        options = {"bind": "127.0.0.1", "dir": self.folder, "logfile": self.folder / "log", **self.options}
        words = [*first, *(word for name, value in options.items() for word in (f"--{name}", str(value)))]
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", "-S", "-c", LEASH, str(os.getpid()), str(self._binary), *words),
            stdout=asyncio.subprocess.DEVNULL,
            env=self._environment,
        )

        async def answers_or_ended() -> bool:
            return self._ended or await self.answers()

        await until_it_is(answers_or_ended)
        assert not self._ended, (self.folder / "log").read_text()

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def _ended(self) -> bool:
        return self._process is not None and self._process.returncode is not None

    async def answers(self) -> bool:
        with contextlib.suppress(RedisError, OSError):
            return bool(await self.redis.ping())
        return False

    async def ask(self, *words: object) -> Any:
        return await self.redis.execute_command(*words)

    async def info(self, section: str) -> dict[str, Any]:
        found: dict[str, Any] = await self.redis.info(section)
        return found

    async def kill(self) -> None:
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            await self._process.wait()

    async def close(self) -> None:
        with contextlib.suppress(RedisError, OSError):
            await self.redis.aclose()
        await self.kill()


def clock(**setting: str) -> dict[str, str]:
    """The environment of a Redis with another wall clock. Its monotonic clock is the real one."""
    assert LIBFAKETIME is not None
    assert LIBFAKETIME.submodule_search_locations is not None
    [package] = LIBFAKETIME.submodule_search_locations
    library = Path(package) / "vendor/libfaketime/src/libfaketime.so.1"
    return {"LD_PRELOAD": str(library), "FAKETIME_DONT_FAKE_MONOTONIC": "1", **setting}


#: Options with which a Redis syncs before it answers, like the embedded one.
LASTING: dict[str, object] = {"appendonly": "yes", "appendfsync": "always", "save": "''"}


@asynccontextmanager
async def in_a_hurry(folder: Path) -> AsyncIterator[str]:
    """The address of a Redis with a clock that runs `HURRY` times as fast. It must not be restarted."""
    async with Node(folder, LASTING, environment=clock(FAKETIME=f"+0 x{HURRY}") if LIBFAKETIME else None) as node:
        yield f"redis://127.0.0.1:{node.port}"


async def _all(calls: Iterable[Awaitable[Any]]) -> list[Any]:
    return list(await asyncio.gather(*calls))


class Cluster:
    """A cluster: first the masters, then their replicas."""

    def __init__(self, nodes: list[Node], writing: int) -> None:
        self.nodes = nodes
        self._writing = writing

    @property
    def url(self) -> str:
        return "redis+cluster://" + ",".join(f"127.0.0.1:{node.port}" for node in self.nodes[:2])

    async def form(self) -> None:
        buses = [(node.port, node.options["cluster-port"]) for node in self.nodes]
        await _all(
            one.ask("CLUSTER", "MEET", "127.0.0.1", *bus) for one in self.nodes for bus in buses if bus[0] != one.port
        )
        masters, replicas = self.nodes[: self._writing], self.nodes[self._writing :]
        ends = [16384 * k // self._writing for k in range(self._writing + 1)]
        for master, first, after in zip(masters, ends, ends[1:], strict=False):
            await master.ask("CLUSTER", "ADDSLOTSRANGE", first, after - 1)
        await self._until(f"cluster_known_nodes:{len(self.nodes)}")
        for master, replica in zip(masters, replicas, strict=False):
            name = (await master.ask("CLUSTER", "MYID")).decode()
            await until_it_is(lambda replica=replica, name=name: _behind(replica, name))  # type: ignore[misc]
        await self._until("cluster_state:ok")
        for replica in replicas:
            await until_it_is(lambda replica=replica: _in_step(replica))  # type: ignore[misc]

    async def masters(self) -> list[Node]:
        return [node for node in self.nodes if (await node.info("replication"))["role"] == "master"]

    async def renew(self) -> None:
        await self.until_whole()
        await _all(master.ask("FLUSHALL") for master in await self.masters())

    async def until_whole(self) -> None:
        async def whole() -> bool:
            masters = await self.masters()
            return len(masters) == self._writing and all(
                await _all(_in_step(node) for node in self.nodes if node not in masters)
            )

        await self._until("cluster_state:ok")
        await until_it_is(whole)

    async def _until(self, line: str) -> None:
        async def so() -> bool:
            return all(
                line.encode() in info.split() for info in await _all(n.ask("CLUSTER", "INFO") for n in self.nodes)
            )

        await until_it_is(so)

    async def master_of(self, key: str) -> Node:
        for node in await self.masters():
            with contextlib.suppress(RedisError):  # the key has moved: it is on another node
                await node.ask("EXISTS", key)
                return node
        raise AssertionError("no node has the key")

    async def fail_over(self, master: Node, noticed: Callable[[], object] = lambda: True) -> None:
        """Kill a master. As soon as that is ``noticed``, its replica takes over, and it starts again as a replica."""
        following = {"role": "slave", "master_port": master.port}.items()
        [successor] = [node for node in self.nodes if following <= (await node.info("replication")).items()]
        takes_over = "CONFIG", "SET", "cluster-replica-no-failover"
        await successor.ask(*takes_over, "yes")
        await master.kill()
        await until(noticed)
        await successor.ask(*takes_over, "no")

        async def taken_over() -> bool:
            return bool((await successor.info("replication"))["role"] == "master")

        await until_it_is(taken_over)
        await master.start()


async def _behind(replica: Node, name: str) -> bool:
    with contextlib.suppress(RedisError):  # It does not know that node yet.
        return bool(await replica.ask("CLUSTER", "REPLICATE", name))
    return False


async def _in_step(replica: Node) -> bool:
    return (await replica.info("replication")).get("master_link_status") == "up"


@asynccontextmanager
async def a_cluster(
    folder: Path, masters: int = MASTERS, replicas: int = REPLICAS, more: Mapping[str, object] = MappingProxyType({})
) -> AsyncIterator[Cluster]:
    options: dict[str, object] = {
        "cluster-enabled": "yes",
        "cluster-node-timeout": TIMEOUT,
        "cluster-allow-replica-migration": "no",
        "cluster-replica-validity-factor": 0,
        "cluster-require-full-coverage": "no",  # the other masters go on without one that is away
        "repl-diskless-sync-delay": 0,
        "save": "''",
        "appendonly": "no",
        **more,
    }
    async with AsyncExitStack() as stack:
        nodes = [Node(folder / f"{k}", {**options, "cluster-port": free_port()}) for k in range(masters + replicas)]
        for node in nodes:
            stack.push_async_callback(node.close)
        await _all(node.start() for node in nodes)
        cluster = Cluster(nodes, masters)
        await cluster.form()
        yield cluster


class Watched(NamedTuple):
    servers: list[Node]
    sentinel: Node

    def url(self, query: str = "") -> str:
        return f"redis+sentinel://:{quote(PASSWORD, safe='')}@127.0.0.1:{self.sentinel.port}/{SERVICE}/0{query}"

    async def master(self) -> Node:
        _, port = await self.sentinel.ask("SENTINEL", "GET-MASTER-ADDR-BY-NAME", SERVICE)
        return next(node for node in self.servers if node.port == int(port))

    async def until_another_than(self, old: Node) -> Node:
        async def another() -> bool:
            with contextlib.suppress(RedisError, OSError):  # It disconnects clients when it becomes a replica.
                master = await self.master()
                return master is not old and (await master.info("replication"))["role"] == "master"
            return False

        await until_it_is(another)
        return await self.master()


@asynccontextmanager
async def watched_by_a_sentinel(
    folder: Path, more: Mapping[str, object] = MappingProxyType({})
) -> AsyncIterator[Watched]:
    """A master with two replicas, all with a password, and a sentinel. ``more``: other options of each server."""
    options: dict[str, object] = {
        "requirepass": PASSWORD,
        "masterauth": PASSWORD,
        "repl-diskless-sync-delay": 0,
        "save": "''",
        "appendonly": "no",
        **more,
    }
    servers = [Node(folder / f"server{k}", options, connect={"password": PASSWORD}) for k in range(3)]
    sentinel = Node(folder / "sentinel", {})
    sentinel.folder.mkdir()
    file = sentinel.folder / "sentinel.conf"
    file.write_text(
        f"sentinel monitor {SERVICE} 127.0.0.1 {servers[0].port} 1\n"
        f'sentinel auth-pass {SERVICE} "{PASSWORD}"\n'
        f"sentinel down-after-milliseconds {SERVICE} 1000\n"
        f"sentinel failover-timeout {SERVICE} 3000\n"
    )
    async with AsyncExitStack() as stack:
        for node in (*servers, sentinel):
            stack.push_async_callback(node.close)
        for server in servers[1:]:
            server.options["replicaof"] = f"127.0.0.1 {servers[0].port}"
        await _all(server.start() for server in servers)
        for server in servers[1:]:
            await until_it_is(lambda server=server: _in_step(server))  # type: ignore[misc]
        await sentinel.start(str(file), "--sentinel")

        async def knows_all() -> bool:
            return int((await sentinel.ask("SENTINEL", "MASTER", SERVICE))[b"num-slaves"]) == 2

        await until_it_is(knows_all)
        yield Watched(servers, sentinel)
