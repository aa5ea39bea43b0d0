"""Near the memory limit of Redis, operators are warned and only running races continue."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from aiohttp import ClientSession, encode_basic_auth

from fortythieves_client.client import Client
from fortythieves_server.store.memory_limit import OPEN_UP_TO, Memory, MemoryWatch, fullest
from tests.refusals import refusal_of
from tests.server.redises import Node, a_cluster, free_port
from tests.server.stores import opened, until, until_it_is
from tests.serving import serving

LIMIT = 16 << 20
OPS_TOKEN = "a-token-that-nobody-guesses"


def memory(share: float, limit: int = 1000, policy: str = "noeviction") -> Memory:
    return Memory(int(share * limit), limit, policy)


def logged(caplog: pytest.LogCaptureFixture) -> list[tuple[str, str]]:
    return [(record.levelname, record.getMessage()) for record in caplog.records]


@pytest.mark.parametrize(
    ("measured", "expected"),
    [
        (
            [memory(share) for share in (0.79, 0.8, 0.9, 0.79, 0.8, 0.76, 0.7, 0.5)],
            [("WARNING", "Redis is near its memory limit (0 of 0 MB)"), ("WARNING", "Redis has memory again (0 of")],
        ),
        ([memory(1.01, limit=20_000_000)], [("ERROR", "Redis has reached its memory limit (20 of 20 MB)")]),
        ([Memory(5, 0, "noeviction")] * 3, [("WARNING", "Redis has no memory limit (maxmemory)")]),
        ([memory(0.1, policy="allkeys-lru")], [("ERROR", "Redis deletes rooms at its memory limit")]),
    ],
    ids=["near the limit", "at the limit", "no limit", "a policy that deletes"],
)
def test_each_change_that_operators_must_know_is_logged_once(
    caplog: pytest.LogCaptureFixture, measured: list[Memory], expected: list[tuple[str, str]]
) -> None:
    watch = MemoryWatch()
    for one in measured:
        watch.learn(one)
    for (level, text), (expected_level, start) in zip(logged(caplog), expected, strict=True):
        assert level == expected_level and text.startswith(start)


def test_the_fullest_of_several_servers_counts() -> None:
    nodes: list[dict[str, Any]] = [
        {"used_memory": used, "maxmemory": 100, "maxmemory_policy": "noeviction"} for used in (10, 90, 50)
    ]
    assert fullest(nodes) == Memory(90, 100, "noeviction")


class Limited(NamedTuple):
    """A server on a small Redis, and its operators' port."""

    address: str
    redis: Node
    ops: str

    async def fill(self, share: float) -> None:
        """Use this share of the memory."""
        await self.redis.ask("DEL", "filler")
        used = (await self.redis.info("memory"))["used_memory"]
        await self.redis.ask("SETRANGE", "filler", int(share * LIMIT) - used, "x")

    async def seen(self, path: str) -> str:
        headers = {"Authorization": encode_basic_auth("", OPS_TOKEN)}
        async with ClientSession(self.ops, headers=headers) as session, session.get(path) as answer:
            assert answer.status == 200
            return await answer.text()


@pytest.fixture
async def limited(tmp_path: Path) -> AsyncIterator[Limited]:
    redis = Node(tmp_path / "redis", {"maxmemory": LIMIT, "maxmemory-policy": "noeviction", "save": "''"})
    try:
        await redis.start()
        port = free_port()
        url = f"redis://127.0.0.1:{redis.port}"
        async with serving(tmp_path / "data", redis=url, ops_port=port, ops_token=OPS_TOKEN) as address:
            yield Limited(address, redis, f"http://127.0.0.1:{port}")
    finally:
        await redis.close()


async def test_near_the_limit_new_rooms_are_refused_and_races_continue(limited: Limited) -> None:
    async with Client(limited.address) as ann, Client(limited.address) as bob, Client(limited.address) as carl:
        room = await ann.create("Ann", countdown=3, auto_start=False)
        await limited.fill(OPEN_UP_TO + 0.02)
        before = await limited.redis.ask("KEYS", "ft:{*")
        assert await refusal_of(carl.create("Carl")) == "server-full"
        assert await limited.redis.ask("KEYS", "ft:{*") == before
        assert await limited.redis.ask("ZCARD", "ft:due") == 1
        await bob.join("Bob", room.code)
        await ann.start()
        for player in (ann, bob):
            await draw(player, 20)
        await bob.chat("Well played.")
        await limited.fill(OPEN_UP_TO - 0.1)
        await carl.create("Carl")


async def draw(player: Client, times: int) -> None:
    await player.until(lambda: player.race)
    for _ in range(times):
        await player.play("draw")


async def test_operators_see_the_limit_in_log_metrics_and_dashboard(
    limited: Limited, caplog: pytest.LogCaptureFixture
) -> None:
    await limited.fill(OPEN_UP_TO + 0.02)
    await until(lambda: any("Redis is near its memory limit" in text for _, text in logged(caplog)))
    assert "fortythieves_redis_memory_limit_bytes 1.6777216e+07" in await limited.seen("/metrics")

    async def is_shown() -> bool:
        return "no new rooms are opened (!)" in await limited.seen("/ops")

    await until_it_is(is_shown)


async def test_every_node_of_a_cluster_is_measured(tmp_path: Path) -> None:
    async with a_cluster(tmp_path) as cluster:
        for node in cluster.nodes:
            await node.ask("CONFIG", "SET", "maxmemory", LIMIT)
        async with opened(cluster.url) as store:
            assert store.memory.now is not None and not store.memory.now.is_short
            node = await cluster.master_of("ft:key")
            used = (await node.info("memory"))["used_memory"]
            await node.ask("CONFIG", "SET", "maxmemory", int(used / 0.9))
            await until(lambda: store.memory.now is not None and store.memory.now.is_short)
