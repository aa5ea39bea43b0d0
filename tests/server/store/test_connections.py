"""Every kind of Redis, and commits during a failover."""

import asyncio
import contextlib
import datetime
import gc
import ipaddress
import os
import signal
import ssl
import warnings
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

import pytest
import pytest_asyncio
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from redis.exceptions import ClusterError

from fortythieves.times import Ms
from fortythieves_server.store.clock import Clock
from fortythieves_server.store.group_commit import REPLICATED_MS
from fortythieves_server.store.redis_errors import StoreDown
from fortythieves_server.store.schema import DUE, of_process, of_room
from fortythieves_server.store.store import Store
from tests.faults.proxy import Proxy
from tests.server.clients import Client, process
from tests.server.redises import PASSWORD, SERVICE, Cluster, Node, Watched, a_cluster, free_port, watched_by_a_sentinel
from tests.server.store.test_access import access
from tests.server.stores import Log, Recorder, joined, key, opened, until, until_it_is, until_there
from tests.server.tables import CODE

T = TypeVar("T")

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(autouse=True)
def let_go() -> Iterator[None]:
    """redis-py closes connections to lost nodes only when they are garbage-collected."""
    yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


async def open_error(url: str) -> str:
    with pytest.raises(StoreDown) as down:
        await Store(url, "one", Clock()).open()
    return down.value.reason


@pytest_asyncio.fixture(loop_scope="module")
async def guarded(tmp_path: Path) -> AsyncIterator[int]:
    """The port of a Redis with a password, behind a TLS proxy, because few builds support TLS."""
    node = Node(tmp_path / "redis", {"requirepass": PASSWORD, "save": "''"}, connect={"password": PASSWORD})
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(*certificate(tmp_path))
    proxy = Proxy(lambda: asyncio.open_connection("127.0.0.1", node.port))
    port = free_port()
    async with node, await asyncio.start_server(proxy.serve, "127.0.0.1", port, ssl=tls):
        yield port


def certificate(folder: Path) -> tuple[Path, Path]:
    now, day, key = (
        datetime.datetime.now(datetime.UTC),
        datetime.timedelta(days=1),
        ec.generate_private_key(ec.SECP256R1()),
    )
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "redis")])
    here = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    builder = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number(), now - day, now + day)
    builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
    made = builder.add_extension(here, critical=False).sign(key, hashes.SHA256())
    plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    (folder / "server.key").write_bytes(key.private_bytes(serialization.Encoding.PEM, *plain))
    (folder / "server.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    return folder / "server.pem", folder / "server.key"


async def test_a_connection_uses_tls_and_a_password(guarded: int, tmp_path: Path) -> None:
    login = f"rediss://:{quote(PASSWORD, safe='')}@127.0.0.1:{guarded}/0"
    async with opened(f"{login}?ssl_ca_certs={tmp_path}/server.pem") as store:
        log = await Log.create(store)
        await store.notifications.subscribe(CODE)
        await log.move()
        assert len(await store.logs.moves(CODE, 1, 1)) == 1
    authority = f"ssl_ca_certs={tmp_path}/server.pem"
    for wrong, sentence in {
        login: "certificate verify failed",
        f"rediss://:wrong@127.0.0.1:{guarded}/0?{authority}": "invalid username-password pair",
        f"rediss://127.0.0.1:{guarded}/0?{authority}": "a password is required",
    }.items():
        error = await open_error(wrong)
        assert sentence in error
        assert PASSWORD not in error


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def cluster_of_the_file(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Cluster]:
    async with a_cluster(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


@pytest_asyncio.fixture(loop_scope="module")
async def cluster(cluster_of_the_file: Cluster) -> Cluster:
    await cluster_of_the_file.renew()
    return cluster_of_the_file


#: Enough rooms for every node of the cluster.
CODES = [f"BCDF{letter}G" for letter in "GHJKLMNPQRSTVWXZ"]


async def test_the_address_of_one_cluster_node_is_refused_with_advice(cluster: Cluster) -> None:
    error = await open_error(f"redis://127.0.0.1:{cluster.nodes[0].port}")
    assert "it is a node of a cluster; its address must look like redis+cluster://host:port" in error
    assert "cannot be connected" in await open_error("redis+cluster://127.0.0.1:1")


async def test_answers_have_the_order_of_their_commands_on_all_nodes(cluster: Cluster) -> None:
    keys = [of_room(f"ROOM{number}", "log") for number in range(50)]
    async with access(cluster.url) as redis:
        assert await redis.read_many([("RPUSH", key, *range(n + 1)) for n, key in enumerate(keys)]) == [*range(1, 51)]
        assert await redis.read_many([("LLEN", key) for key in reversed(keys)]) == [*range(50, 0, -1)]


async def test_the_memory_of_every_node_is_measured(cluster: Cluster) -> None:
    node, limit = await cluster.master_of("ft:schema"), ("CONFIG", "SET", "maxmemory")
    async with opened(cluster.url) as store:
        assert store.memory.now is not None and not store.memory.now.is_short
        await node.ask(*limit, int((await node.info("memory"))["used_memory"] / 0.9))
        await until(lambda: store.memory.now is not None and store.memory.now.is_short)
        await node.ask(*limit, 0)


async def test_rooms_go_on_while_their_slot_moves_and_do_not_stop_others(cluster: Cluster) -> None:
    async with opened(f"{cluster.url}?replicas=1") as store:
        logs = [await Log.create(store, code) for code in CODES]
        moving = logs[0]
        await moving.move()
        meta = of_room(moving.code, "meta")

        async def halfway() -> asyncio.Task[Ms]:
            waiting = asyncio.create_task(moving.move())  # some of its keys are here, and some at the target
            for _ in range(20):
                await asyncio.gather(*(log.move() for log in logs[1:]))
            assert not waiting.done() and store.up
            return waiting

        async def nearly(waiting: asyncio.Task[Ms]) -> None:
            await waiting
            await asyncio.gather(moving.commit(joined(1)), *(log.move() for log in logs))

        await move_slot(cluster, meta, halfway, nearly)
        await moving.move()
        assert len(await store.logs.moves(moving.code, 1, 1)) == 4


async def test_a_process_is_healthy_and_counts_as_alive_while_its_slot_or_that_of_the_clock_moves(
    cluster: Cluster,
) -> None:
    """Otherwise all people that it serves would look as if they had left."""
    async with opened(cluster.url, "one") as one, opened(cluster.url, "two") as two:

        async def halfway() -> frozenset[str]:
            for beat in (two.processes.heartbeat, two.processes.read_clock):
                with contextlib.suppress(ClusterError):  # redis-py may give up while a slot moves
                    await beat()
            assert all(map(two.serves, CODES)) and await two.readiness_probe.returns()
            return await one.processes.alive(["two", "three"])

        async def nearly(found: frozenset[str]) -> None:
            assert found == {"two"}

        for key in (of_process("two"), DUE):
            await move_slot(cluster, key, halfway, nearly)


async def test_rooms_survive_the_failover_of_their_master(cluster: Cluster) -> None:
    """Rooms on other nodes are not affected."""
    async with opened(f"{cluster.url}?replicas=1", "one") as one, opened(cluster.url, "two") as two:
        other = Recorder(two)
        logs = [await Log.create(one, code) for code in CODES]
        for code in CODES:
            await two.notifications.subscribe(code)
        await asyncio.gather(*(log.move(seat=seat) for log in logs for seat in range(1, 6)))
        master = await cluster.master_of(of_room(CODES[0], "meta"))
        hit = [log for log in logs if await cluster.master_of(of_room(log.code, "meta")) is master]
        unharmed = [log for log in logs if log not in hit]
        assert hit and unharmed
        failing = asyncio.create_task(cluster.fail_over(master))
        await until_it_is(lambda: _is_dead(master))
        waiting = [asyncio.create_task(log.move(seat=seat)) for log in hit for seat in range(1, 6)]
        await asyncio.gather(*(log.move(seat=seat) for log in unharmed for seat in range(1, 6)))
        assert not any(task.done() for task in waiting)
        await failing
        await asyncio.gather(*waiting)
        await until(lambda: one.up and two.up)
        for log in logs:
            for seat in range(1, 6):
                assert len(await two.logs.moves(log.code, 1, seat)) == 2
        heard = len(other.notifications)
        await asyncio.gather(*(log.commit(joined(1)) for log in logs))
        await until(lambda: {*other.gaps} >= {log.code for log in hit})
        await until(lambda: len({one.code for one in other.notifications[heard:]} | {*other.gaps}) == len(logs))


async def test_only_rooms_of_a_lost_node_are_told_that_redis_is_away(cluster: Cluster) -> None:
    async with process(cluster.url, "one") as service:
        players: dict[Node, list[Client]] = {}
        while len(players) < 2:
            client = Client(service, "ann")
            node = await cluster.master_of(of_room(await client.create(), "meta"))
            players.setdefault(node, []).append(client)
        hit, *unharmed = players.values()
        await cluster.fail_over(next(iter(players)), lambda: all(client.notices() for client in hit))
        assert all(client.notices()[0] == "store-down" for client in hit)
        await until(lambda: all(client.notices()[-1] == "store-back" for client in hit))
        assert not any(client.notices() for clients in unharmed for client in clients) and service.store.up


async def _is_dead(node: Node) -> bool:
    return not await node.answers()


async def test_commits_and_notifications_follow_a_slot_to_another_node(cluster: Cluster) -> None:
    async with opened(cluster.url, "one") as one, opened(cluster.url, "two") as two:
        recorder, other = Recorder(one), Recorder(two)
        log = await Log.create(one)
        await two.notifications.subscribe(CODE)
        await log.move()
        meta = of_room(CODE, "meta")

        async def halfway() -> asyncio.Task[Ms]:
            return asyncio.create_task(log.move())

        await move_slot(cluster, meta, halfway, lambda waiting: waiting)
        await until_there(other.gaps, 1)
        heard = len(other.notifications)
        await log.move()
        await log.commit(joined(1))
        assert len(await one.logs.moves(CODE, 1, 1)) == 3
        assert recorder.ups in ([], [False, True])
        await until_there(other.notifications, heard + 2)
        assert {*other.gaps} == {CODE}


async def test_a_cluster_publishes_only_for_other_subscribers(cluster: Cluster) -> None:
    """Otherwise every node would receive every move."""

    async def published() -> int:
        stats = [await node.info("commandstats") for node in await cluster.masters()]
        return sum(stat.get("cmdstat_spublish", {"calls": 0})["calls"] for stat in stats)

    async with opened(cluster.url, "one") as one, opened(cluster.url, "two") as two:
        other = Recorder(two)
        log = await Log.create(one)
        await one.notifications.subscribe(CODE)
        await log.move()  # a node without the script gets it again, and then notifies all subscribers
        before = await published()
        await log.move()
        assert await published() == before
        await two.notifications.subscribe(CODE)
        await log.move()
        await until_there(other.notifications, 1)
        assert await published() == before + 1


async def move_slot(
    cluster: Cluster,
    key: str,
    halfway: Callable[[], Awaitable[T]],
    nearly: Callable[[T], Awaitable[object]],
) -> None:
    """Move the slot of a key. ``halfway``: when the key has moved. ``nearly``: when all have, with its result."""
    old = await cluster.master_of(key)
    new = next(node for node in await cluster.masters() if node is not old)
    slot = await old.ask("CLUSTER", "KEYSLOT", key)
    names = {node: (await node.ask("CLUSTER", "MYID")).decode() for node in (old, new)}
    await new.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", names[old])
    await old.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", names[new])
    await old.ask("MIGRATE", "127.0.0.1", new.port, "", 0, 2000, "KEYS", key)
    result = await halfway()
    while keys := await old.ask("CLUSTER", "GETKEYSINSLOT", slot, 100):
        await old.ask("MIGRATE", "127.0.0.1", new.port, "", 0, 2000, "KEYS", *keys)
    await nearly(result)
    for node in (new, old):
        await node.ask("CLUSTER", "SETSLOT", slot, "NODE", names[new])


@pytest_asyncio.fixture(loop_scope="module")
async def watched(tmp_path: Path) -> AsyncIterator[Watched]:
    async with watched_by_a_sentinel(tmp_path) as watched:
        yield watched


async def test_all_connections_follow_when_sentinels_name_another_master(watched: Watched) -> None:
    """The old one still answers as a master, as it does for some seconds after a planned failover."""
    old, new, _ = watched.servers
    async with opened(watched.url()) as store:
        recorder, log = Recorder(store), await Log.create(store)
        await store.notifications.subscribe(CODE)
        await log.move()
        await until_it_is(lambda: new.ask("EXISTS", key("moves", 1, 1)))
        await new.ask("REPLICAOF", "NO", "ONE")
        await old.ask("DEL", key("meta"))
        for command in (
            ("REMOVE", SERVICE),
            ("MONITOR", SERVICE, "127.0.0.1", new.port, 1),
            ("SET", SERVICE, "auth-pass", PASSWORD),
        ):
            await watched.sentinel.ask("SENTINEL", *command)
        await until(lambda: recorder.gaps)
        assert await store.logs.read(CODE) is not None and (await store.logs.heads([(CODE, 1)]))[0] is not None
        await log.move()
        assert await new.ask("LLEN", key("moves", 1, 1)) == 2
    assert await old.ask("LLEN", key("moves", 1, 1)) == 1


async def test_a_store_works_on_while_no_sentinel_answers(watched: Watched) -> None:
    async with opened(watched.url()) as store:
        recorder, log = Recorder(store), await Log.create(store)
        await watched.sentinel.kill()
        heartbeat = of_process(store.process)
        await watched.servers[0].ask("DEL", heartbeat)
        await until_it_is(lambda: watched.servers[0].ask("EXISTS", heartbeat))
        await log.move()
        assert recorder.ups == []


async def test_commits_and_news_wait_for_every_replica_of_the_master(watched: Watched) -> None:
    """Any of them may be the next master, unless the sentinel calls it down."""
    await watched.sentinel.ask("SENTINEL", "SET", SERVICE, "down-after-milliseconds", 600_000)
    url = watched.url("?replicas=1")
    async with opened(url) as store, opened(url, "two") as two:
        other, log, made = Recorder(two), await Log.create(store), 0
        await two.notifications.subscribe(CODE)
        pid = watched.servers[1].pid
        os.kill(pid, signal.SIGSTOP)
        waiting = asyncio.create_task(log.move())
        # A heartbeat counts the replicas, so the first moves may not wait.
        while await asyncio.wait([waiting], timeout=1.5 * REPLICATED_MS / 1000) != (set(), {waiting}):
            waiting, made = asyncio.create_task(log.move()), made + 1
        with pytest.raises(StoreDown):
            await two.logs.progress(CODE, 1)
        with pytest.raises(StoreDown):
            await two.logs.seat_log(CODE, 1, 1, 0)
        assert len(other.notifications) == made
        os.kill(pid, signal.SIGCONT)
        await waiting
        await log.commit(joined(1))
        await until_there(other.notifications, made + 2)
        told = [one.progress for one in other.notifications if one.progress]
        assert told[made] == (await two.logs.progress(CODE, 1))[1]


async def test_a_sentinel_names_another_master_that_has_all_replicated_commits(watched: Watched) -> None:
    async with opened(watched.url("?replicas=2")) as store:
        recorder = Recorder(store)
        log = await Log.create(store)
        await store.notifications.subscribe(CODE)
        await log.move()
        old = await watched.master()
        await old.kill()
        # Two of three servers are left, so no commit can have two replicas.
        waiting = asyncio.create_task(log.move())
        new = await watched.until_another_than(old)
        assert not waiting.done()
        old.options["replicaof"] = f"127.0.0.1 {new.port}"
        await old.start()
        await waiting
        assert len(await store.logs.moves(CODE, 1, 1)) == 2
        await until(lambda: recorder.ups == [False, True])
        await until(lambda: recorder.gaps)
    assert "No master found for 'other'" in await open_error(watched.url().replace("mymaster", "other"))
    assert "invalid username-password" in await open_error(watched.url().replace(":open", ":shut"))
