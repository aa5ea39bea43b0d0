"""Commands go over a connection of redis-py's, and come back, without redis-py."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import pytest
from redis.asyncio import Redis
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import NoScriptError, ReadOnlyError, ResponseError
from redis.exceptions import TimeoutError as RedisTimeoutError

from fortythieves_server.process.embedded_redis import EmbeddedRedis
from fortythieves_server.store.pipeline import Pipe
from tests.server.stores import kill, pause
from tests.sources import assert_as_read

#: What gives a meaning to `_writer`, the one private attribute that pipeline.py uses.
READ = {
    "redis.asyncio.connection:AbstractConnection.disconnect": "11194f01c2f6d3c2",
    "redis.asyncio.connection:Connection._connect": "24cd655d5f27ddbb",
    "redis.asyncio.connection:UnixDomainSocketConnection._connect": "c46949736ceeafad",
}


def test_redis_py_is_as_it_was_read() -> None:
    assert_as_read(READ, "store/pipeline.py")


@contextlib.asynccontextmanager
async def client(url: str, **options: Any) -> AsyncIterator[Redis]:
    async with Redis.from_url(url, **options) as redis:
        yield redis


@pytest.mark.parametrize("protocol", [2, 3])
async def test_answers_come_in_the_order_of_the_commands(url: str, protocol: int) -> None:
    async with client(url, protocol=protocol) as redis:
        asked = await Pipe.open(redis)
        answers = await asked.ask([("SET", "key", 7), ("GET", "key"), ("LRANGE", "list", 0, -1), ("PING",)])
        assert answers == [b"OK", b"7", [], b"PONG"]
        long = b"x" * 1_000_000
        assert await asked.ask([("ECHO", long), ("ECHO", "last")]) == [long, b"last"]
        await asked.close()


async def test_an_error_is_an_answer_of_the_kind_that_redis_py_makes_of_it(url: str) -> None:
    async with client(url) as redis:
        asked = await Pipe.open(redis)
        script = "return redis.error_reply('READONLY You write to a replica')"
        answers = await asked.ask([("EVALSHA", "0" * 40, 0), ("EVAL", script, 0), ("HOP",), ("PING",)])
        assert [type(answer) for answer in answers] == [NoScriptError, ReadOnlyError, ResponseError, bytes]
        await asked.close()


async def test_what_is_closed_can_be_opened_again(url: str) -> None:
    async with client(url, max_connections=1) as redis:
        for _ in range(3):
            asked = await Pipe.open(redis)
            assert await asked.ask([("PING",)]) == [b"PONG"]
            await asked.close()
            with pytest.raises(RedisConnectionError):
                await asked.ask([("PING",)])


async def test_whoever_waits_is_told_that_the_connection_is_lost(own_redis: EmbeddedRedis) -> None:
    async with client(own_redis.url) as redis:
        asked = await Pipe.open(redis)
        with pytest.raises(RedisConnectionError):
            await asked.ask([("PING",), ("CLIENT", "KILL", "SKIPME", "no"), ("PING",)])
        await asked.close()
        asked = await Pipe.open(redis)
        assert await asked.ask([("PING",)]) == [b"PONG"]
        kill(own_redis)
        with pytest.raises(RedisConnectionError):
            await asked.ask([("BLPOP", "nothing", 0)])
        await asked.close()


async def test_whoever_hears_nothing_does_not_wait_for_ever(own_redis: EmbeddedRedis) -> None:
    async with client(own_redis.url) as redis:
        asked = await Pipe.open(redis, timeout=0.05)  # However long: Redis stands still.
        go_on = pause(own_redis)
        with pytest.raises(RedisTimeoutError):
            await asked.ask([("PING",)])
        go_on()
        await asked.close()


async def test_a_later_call_has_as_much_time_as_the_first(own_redis: EmbeddedRedis) -> None:
    loop = asyncio.get_running_loop()
    async with client(own_redis.url) as redis:
        asked = await Pipe.open(redis, timeout=0.2)
        began = loop.time()
        while loop.time() < began + 0.1:
            await asked.ask([("PING",)])
        go_on = pause(own_redis)
        began = loop.time()
        with pytest.raises(RedisTimeoutError):
            await asked.ask([("PING",)])
        assert loop.time() >= began + 0.2
        go_on()
        await asked.close()


async def test_what_is_no_answer_at_all_ends_the_connection(url: str) -> None:
    async with client(url) as redis:
        asked = await Pipe.open(redis)
        asking = asyncio.create_task(asked.ask([("BLPOP", "nothing", 0)]))
        await asyncio.sleep(0)
        asked.data_received(b"hello\r\n")
        with pytest.raises(RedisConnectionError):
            await asking
        await asked.close()
