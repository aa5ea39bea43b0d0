"""A process is ready if its readiness probe returns."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import ClientSession

from fortythieves_server.process.embedded_redis import EmbeddedRedis
from fortythieves_server.store.readiness_probe import TIMEOUT
from fortythieves_server.store.store import Store
from tests.server.stores import Admin, opened, pause, until_it_is
from tests.serving import serving


@pytest.fixture
async def store(own_redis: EmbeddedRedis) -> AsyncIterator[Store]:
    async with opened(own_redis.url) as store:
        yield store


async def test_a_probe_returns_through_redis(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    await until_it_is(store.readiness_probe.returns)
    assert store.readiness_probe.seconds is not None and 0 < store.readiness_probe.seconds < TIMEOUT
    assert caplog.records == []


async def test_simultaneous_callers_share_one_probe(store: Store, own_redis: EmbeddedRedis) -> None:
    async with Admin(own_redis.url) as admin:
        await until_it_is(store.readiness_probe.returns)
        before = await admin.calls("publish")
        await asyncio.gather(*(store.readiness_probe.returns() for _ in range(20)))
        assert await admin.calls("publish") - before <= 1


async def test_a_probe_fails_while_redis_is_paused(store: Store, own_redis: EmbeddedRedis) -> None:
    resume = pause(own_redis)
    try:
        assert not await store.readiness_probe.returns()
        assert store.readiness_probe.seconds is None
    finally:
        resume()
    await until_it_is(store.readiness_probe.returns)


async def test_a_process_without_notifications_is_alive_but_not_ready(own_redis: EmbeddedRedis, tmp_path: Path) -> None:
    async with (
        serving(tmp_path / "data", redis=own_redis.url) as address,
        Admin(own_redis.url) as admin,
        ClientSession() as session,
    ):

        async def status(path: str) -> int:
            async with session.get(address + path) as answer:
                return answer.status

        async def is_ready() -> bool:
            return await status("/readyz") == 200

        async def is_not_ready() -> bool:
            return not await is_ready()

        await until_it_is(is_ready)
        # Redis answers, but refuses subscriptions.
        await admin.redis.execute_command("ACL", "SETUSER", "default", "-subscribe")
        await admin.kill("pubsub")
        await until_it_is(is_not_ready)
        assert await status("/healthz") == 200
        await admin.redis.execute_command("ACL", "SETUSER", "default", "+subscribe")
        await until_it_is(is_ready)
