"""Near the memory limit of Redis, operators are warned and only running races continue."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from fortythieves_client.client import Client
from fortythieves_server.store.memory_limit import OPEN_UP_TO, Memory, MemoryWatch, fullest
from tests.refusals import refusal_of
from tests.server.ops.test_routes import TOKEN, Operated, operated
from tests.server.redises import Node
from tests.server.stores import until, until_it_is

LIMIT = 16 << 20


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
    """A server on a small Redis."""

    server: Operated
    redis: Node

    async def fill(self, share: float) -> None:
        """Use this share of the memory."""
        await self.redis.ask("DEL", "filler")
        used = (await self.redis.info("memory"))["used_memory"]
        await self.redis.ask("SETRANGE", "filler", int(share * LIMIT) - used, "x")


@pytest.fixture
async def limited(tmp_path: Path) -> AsyncIterator[Limited]:
    redis = Node(tmp_path / "redis", {"maxmemory": LIMIT, "maxmemory-policy": "noeviction", "save": "''"})
    try:
        await redis.start()
        async with operated(tmp_path / "data", redis=f"redis://127.0.0.1:{redis.port}", ops_token=TOKEN) as server:
            yield Limited(server, redis)
    finally:
        await redis.close()


async def test_near_the_limit_new_rooms_are_refused_and_races_continue(limited: Limited) -> None:
    address = limited.server.address
    async with Client(address) as ann, Client(address) as bob, Client(address) as carl:
        room = await ann.create("Ann", countdown=3, auto_start=False)
        await limited.fill(OPEN_UP_TO + 0.02)
        before = await limited.redis.ask("KEYS", "ft:{*")
        assert await refusal_of(carl.create("Carl")) == "server-full"
        assert await limited.redis.ask("KEYS", "ft:{*") == before
        assert await limited.redis.ask("ZCARD", "ft:due") == 1
        await bob.join("Bob", room.code)
        await ann.start()
        for player in (ann, bob):
            await player.until(lambda player=player: player.race)  # type: ignore[misc]
            for _ in range(20):
                await player.play("draw")
        await bob.chat("Well played.")
        await limited.fill(OPEN_UP_TO - 0.1)
        await carl.create("Carl")


async def test_operators_see_the_limit_in_log_metrics_and_dashboard(
    limited: Limited, caplog: pytest.LogCaptureFixture
) -> None:
    await limited.fill(OPEN_UP_TO + 0.02)
    await until(lambda: any("Redis is near its memory limit" in text for _, text in logged(caplog)))
    metrics = await limited.server.ask("/metrics")
    assert "fortythieves_redis_memory_limit_bytes 1.6777216e+07" in metrics.text

    async def is_shown() -> bool:
        return "no new rooms are opened (!)" in (await limited.server.ask("/ops")).text

    await until_it_is(is_shown)
