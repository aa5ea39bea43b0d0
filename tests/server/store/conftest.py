"""Two stores on one Redis."""

from collections.abc import AsyncIterator

import pytest

from fortythieves_server.store.store import Store
from tests.server.stores import opened


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Each test of the contract with an empty Redis runs on one server and on a cluster."""
    if metafunc.module.__name__.endswith("test_store") and "redis_of_the_session" in metafunc.fixturenames:
        metafunc.parametrize("redis_of_the_session", ["single", "cluster"], indirect=True, scope="session")


@pytest.fixture
def no_heartbeats(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a machine without CPU time they are late, which the store reports."""
    monkeypatch.setattr("fortythieves_server.store.store.HEARTBEAT_INTERVAL", 1e6)


@pytest.fixture
async def two(url: str) -> AsyncIterator[Store]:
    async with opened(url, "two") as store:
        yield store
