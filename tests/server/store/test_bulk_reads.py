"""Many questions go to whom they concern, and the answers come back in their order."""

import contextlib
from collections.abc import AsyncIterator

import pytest
from redis.exceptions import ResponseError

from fortythieves_server.store.bulk_reads import Reads
from fortythieves_server.store.connections import connections
from fortythieves_server.store.schema import of_room
from tests.server.stores import Admin

#: In a cluster they are on all of its nodes.
KEYS = [of_room(f"ROOM{number}", "log") for number in range(50)]


@contextlib.asynccontextmanager
async def reads(url: str) -> AsyncIterator[Reads]:
    found = connections(url)
    await found.open()
    reads = Reads(found)
    try:
        yield reads
    finally:
        await reads.close()
        await found.close()


@pytest.mark.parametrize("redis_of_the_session", ["single", "cluster"], indirect=True)
async def test_answers_come_in_the_order_of_the_questions_whoever_gave_them(url: str) -> None:
    async with reads(url) as asked:
        assert await asked.ask([("RPUSH", key, *range(n + 1)) for n, key in enumerate(KEYS)]) == [*range(1, 51)]
        assert await asked.ask([("LLEN", key) for key in reversed(KEYS)]) == [*range(50, 0, -1)]
        assert await asked.ask([]) == []


async def test_an_error_is_the_answer_to_one_question(url: str) -> None:
    async with reads(url) as asked:
        pushed, error, length = await asked.ask([("RPUSH", "a", 1), ("GET", "a"), ("LLEN", "a")])
        assert (pushed, type(error), length) == (1, ResponseError, 1)


async def test_a_connection_that_was_lost_while_nobody_asked_is_opened_anew(url: str, admin: Admin) -> None:
    async with reads(url) as asked:
        for _ in range(3):
            assert await asked.ask([("LLEN", "a")]) == [0]
            await admin.redis.execute_command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
