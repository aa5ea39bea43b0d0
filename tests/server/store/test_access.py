"""Bulk reads go to the nodes of their keys, and the answers return in order."""

import contextlib
from collections.abc import AsyncIterator

import pytest
from redis.exceptions import ResponseError

from fortythieves_server.store.access import RedisAccess
from fortythieves_server.store.schema import of_room
from tests.server.stores import Admin

#: In a cluster they are on all of its nodes.
KEYS = [of_room(f"ROOM{number}", "log") for number in range(50)]


@contextlib.asynccontextmanager
async def access(url: str) -> AsyncIterator[RedisAccess]:
    redis = RedisAccess(url, "one", lambda node, error: None)
    await redis.connections.open()
    try:
        yield redis
    finally:
        redis.close_bulk()
        await redis.connections.close()


@pytest.mark.parametrize("redis_of_the_session", ["single", "cluster"], indirect=True)
async def test_answers_have_the_order_of_their_commands_on_all_nodes(url: str) -> None:
    async with access(url) as redis:
        assert await redis.read_many([("RPUSH", key, *range(n + 1)) for n, key in enumerate(KEYS)]) == [*range(1, 51)]
        assert await redis.read_many([("LLEN", key) for key in reversed(KEYS)]) == [*range(50, 0, -1)]
        assert await redis.read_many([]) == []


async def test_an_error_is_the_answer_to_one_command_only(url: str) -> None:
    async with access(url) as redis:
        pushed, error, length = await redis.read_many([("RPUSH", "a", 1), ("GET", "a"), ("LLEN", "a")])
        assert (pushed, type(error), length) == (1, ResponseError, 1)


async def test_a_connection_that_was_lost_while_idle_is_opened_again(url: str, admin: Admin) -> None:
    async with access(url) as redis:
        for _ in range(3):
            assert await redis.read_many([("LLEN", "a")]) == [0]
            await admin.redis.execute_command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
