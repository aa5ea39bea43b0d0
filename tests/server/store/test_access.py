"""Bulk reads: errors among the answers, and lost connections. `test_connections` reads from several nodes."""

import contextlib
from collections.abc import AsyncIterator

from redis.exceptions import ResponseError

from fortythieves_server.store.access import RedisAccess
from tests.server.stores import Admin


@contextlib.asynccontextmanager
async def access(url: str) -> AsyncIterator[RedisAccess]:
    redis = RedisAccess(url, "one", lambda node, error: None)
    await redis.connections.open()
    try:
        yield redis
    finally:
        redis.close_bulk()
        await redis.connections.close()


async def test_an_error_is_the_answer_to_one_command_only(url: str) -> None:
    async with access(url) as redis:
        pushed, error, length = await redis.read_many([("RPUSH", "a", 1), ("GET", "a"), ("LLEN", "a")])
        assert (pushed, type(error), length) == (1, ResponseError, 1)


async def test_a_connection_that_was_lost_while_idle_is_opened_again(url: str, admin: Admin) -> None:
    async with access(url) as redis:
        for _ in range(3):
            assert await redis.read_many([("LLEN", "a")]) == [0]
            await admin.redis.execute_command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
