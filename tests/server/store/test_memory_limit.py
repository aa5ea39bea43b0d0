"""Near the memory limit of Redis, operators are warned and only running races continue."""

from pathlib import Path
from typing import Any

import pytest

from fortythieves.errors import Refused
from fortythieves_client.client import Client
from fortythieves_server.store.memory_limit import OPEN_UP_TO, Memory, MemoryWatch, fullest
from tests.refusals import refusal_of
from tests.server.ops.test_routes import TOKEN, operated
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


def test_every_byte_costs_more_near_the_limit() -> None:
    watch = MemoryWatch()
    prices = [watch.price(100)]
    for share in (0.79, 0.8):
        watch.learn(memory(share))
        prices.append(watch.price(100))
    assert prices == [100, 100, 400]


def test_the_fullest_of_several_servers_counts() -> None:
    nodes: list[dict[str, Any]] = [
        {"used_memory": used, "maxmemory": 100, "maxmemory_policy": "noeviction"} for used in (10, 90, 50)
    ]
    assert fullest(nodes) == Memory(90, 100, "noeviction")


async def fill(redis: Node, share: float) -> None:
    await redis.ask("DEL", "filler")
    used = (await redis.info("memory"))["used_memory"]
    await redis.ask("SETRANGE", "filler", int(share * LIMIT) - used, "x")


async def chats_until_refused(client: Client) -> str:
    for n in range(5_000):
        try:
            await client.chat(f"{n:04}" + "ü" * 276)
        except Refused as refused:
            return refused.code
    raise AssertionError("there is no end to it")


async def test_near_the_limit_operators_are_warned_and_only_running_races_continue(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    options = {"maxmemory": LIMIT, "maxmemory-policy": "noeviction", "save": "''"}
    async with (
        Node(tmp_path / "redis", options) as redis,
        operated(tmp_path / "data", redis=f"redis://127.0.0.1:{redis.port}", ops_token=TOKEN) as server,
        Client(server.address) as ann,
        Client(server.address) as bob,
        Client(server.address) as carl,
        Client(server.address) as eve,
    ):
        await eve.create("Eve", auto_start=False)
        room = await ann.create("Ann", countdown=3, auto_start=False)
        await bob.join("Bob", room.code)
        await ann.start()
        await fill(redis, OPEN_UP_TO - 0.005)
        assert await chats_until_refused(eve) == "server-full"
        await fill(redis, OPEN_UP_TO + 0.02)
        before = await redis.ask("KEYS", "ft:{*")
        assert await refusal_of(carl.create("Carl")) == "server-full"
        assert await redis.ask("KEYS", "ft:{*") == before
        assert await redis.ask("ZCARD", "ft:due") == 2
        for needs_none in (eve.chat("Anybody?"), eve.start(), carl.join("Carl", room.code)):
            assert await refusal_of(needs_none) == "server-full"
        for player in (ann, bob):
            await player.until(lambda player=player: player.race)  # type: ignore[misc]
            for _ in range(20):
                await player.play("draw")
        await bob.leave()
        await until(lambda: any("Redis is near its memory limit" in text for _, text in logged(caplog)))
        assert "redis_memory_limit_bytes 1.6777216e+07" in (await server.ask("/metrics")).text

        async def is_shown() -> bool:
            return "only running races go on (!)" in (await server.ask("/ops")).text

        await until_it_is(is_shown)
        await fill(redis, OPEN_UP_TO - 0.1)
        await carl.create("Carl")
