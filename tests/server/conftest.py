"""A real Redis for all tests that want one, and one of its own for those that hurt it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from fortythieves_server.process.embedded_redis import EmbeddedRedis
from fortythieves_server.rooms.room_service import RoomService
from fortythieves_server.store.store import Store
from tests.server.clients import process
from tests.server.redises import a_cluster
from tests.server.stores import Admin, opened
from tests.serving import address

__all__ = ["address"]


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def redis_of_the_session(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[str]:
    """The embedded one, unless a file of tests asks for a cluster."""
    if getattr(request, "param", "single") == "cluster":
        async with a_cluster(tmp_path_factory.mktemp("cluster")) as cluster:
            yield cluster.url
        return
    async with EmbeddedRedis(tmp_path_factory.mktemp("redis")) as redis:
        yield redis.url


@pytest.fixture
async def url(redis_of_the_session: str) -> str:
    async with Admin(redis_of_the_session) as admin:
        await admin.redis.flushall()
    return redis_of_the_session


@pytest.fixture
async def admin(url: str) -> AsyncIterator[Admin]:
    async with Admin(url) as admin:
        yield admin


@pytest.fixture
async def store(url: str) -> AsyncIterator[Store]:
    async with opened(url) as store:
        yield store


@pytest.fixture
async def own_redis(tmp_path: Path) -> AsyncIterator[EmbeddedRedis]:
    """A Redis that can be killed; it comes back by itself."""
    async with EmbeddedRedis(tmp_path) as redis:
        yield redis


@pytest.fixture
async def one(url: str) -> AsyncIterator[RoomService]:
    async with process(url, "one") as service:
        yield service


@pytest.fixture
async def two(url: str) -> AsyncIterator[RoomService]:
    """Those of another one on the same Redis."""
    async with process(url, "two") as service:
        yield service
