"""Commands are sent to a real Redis without redis-py, and their answers return in order."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import pytest
from redis.asyncio import Redis
from redis.exceptions import AuthenticationError, NoScriptError, ReadOnlyError, ResponseError
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from fortythieves_server.process.embedded_redis import EmbeddedRedis
from fortythieves_server.store.redis_connection import RedisConnection
from fortythieves_server.store.redis_errors import is_passing
from tests.server.stores import kill, pause


@contextlib.asynccontextmanager
async def connected(url: str, **options: Any) -> AsyncIterator[RedisConnection]:
    async with Redis.from_url(url, **options) as redis:
        connection = await RedisConnection.open(redis)
        try:
            yield connection
        finally:
            connection.close()


async def test_answers_have_the_order_of_the_commands(url: str) -> None:
    async with connected(url) as connection:
        answers = await connection.execute([("SET", "key", 7), ("GET", "key"), ("LRANGE", "list", 0, -1), ("PING",)])
        assert answers == [b"OK", b"7", [], b"PONG"]
        long = b"x" * 1_000_000
        assert await connection.execute([("ECHO", long), ("ECHO", "last")]) == [long, b"last"]


async def test_an_error_is_an_answer_with_the_class_that_redis_py_has_for_it(url: str) -> None:
    async with connected(url) as connection:
        script = "return redis.error_reply('READONLY You write to a replica')"
        answers = await connection.execute([("EVALSHA", "0" * 40, 0), ("EVAL", script, 0), ("HOP",), ("PING",)])
        assert [type(answer) for answer in answers] == [NoScriptError, ReadOnlyError, ResponseError, bytes]


async def test_the_options_of_the_address_apply(own_redis: EmbeddedRedis) -> None:
    async with connected(own_redis.url, db=3, client_name="committer") as connection:
        await connection.execute([("SET", "key", 1), ("ACL", "SETUSER", "ann", "on", ">open", "+ping")])
        [name] = await connection.execute([("CLIENT", "GETNAME")])
        assert name == b"committer"
    async with connected(own_redis.url) as connection:
        assert await connection.execute([("GET", "key"), ("SELECT", 3), ("GET", "key")]) == [None, b"OK", b"1"]
    async with connected(own_redis.url, username="ann", password="open") as connection:
        pong, refused = await connection.execute([("PING",), ("GET", "key")])
        assert pong == b"PONG" and isinstance(refused, ResponseError)
    with pytest.raises(AuthenticationError):
        async with connected(own_redis.url, username="ann", password="shut"):
            pass


async def test_a_waiting_caller_learns_that_the_connection_is_lost(own_redis: EmbeddedRedis) -> None:
    async with connected(own_redis.url) as connection:
        with pytest.raises(RedisConnectionError):
            await connection.execute([("PING",), ("CLIENT", "KILL", "SKIPME", "no"), ("PING",)])
        with pytest.raises(RedisConnectionError):
            await connection.execute([("PING",)])
    async with connected(own_redis.url) as connection:
        assert await connection.execute([("PING",)]) == [b"PONG"]
        kill(own_redis)
        with pytest.raises(RedisConnectionError):
            await connection.execute([("BLPOP", "nothing", 0)])


async def test_each_call_waits_for_the_whole_timeout_and_not_longer(
    own_redis: EmbeddedRedis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fortythieves_server.store.redis_connection.TIMEOUT", 0.2)
    loop = asyncio.get_running_loop()
    async with connected(own_redis.url) as connection:
        began = loop.time()
        while loop.time() < began + 0.1:
            await connection.execute([("PING",)])
        go_on = pause(own_redis)
        began = loop.time()
        with pytest.raises(RedisTimeoutError):
            await connection.execute([("PING",)])
        assert loop.time() >= began + 0.2
        go_on()


async def test_data_that_is_no_answer_ends_the_call(url: str) -> None:
    async with connected(url) as connection:
        waiting = asyncio.create_task(connection.execute([("BLPOP", "nothing", 0)]))
        await asyncio.sleep(0)
        connection.data_received(b"hello\r\n")
        with pytest.raises(RedisConnectionError):
            await waiting


PASSING = [
    "LOADING Redis is loading the dataset in memory",
    "MISCONF Redis is configured to save snapshots, but is unable to",
    "OOM command not allowed when used memory > 'maxmemory'.",
    "READONLY You can't write against a read only replica.",
    "NOREPLICAS Not enough good replicas to write.",
    "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
    "CLUSTERDOWN The cluster is down",
    "TRYAGAIN Multiple keys request during rehashing of slot",
    "BUSY Redis is busy running a script.",
    "MOVED 3999 127.0.0.1:6381",
    "ASK 3999 127.0.0.1:6381",
]
LASTING = ["ERR unknown command", "WRONGTYPE Operation against a key holding the wrong kind of value", "NOPERM no"]


@pytest.mark.parametrize("words", PASSING + LASTING, ids=lambda words: words.partition(" ")[0])
async def test_only_errors_that_may_pass_are_worth_another_attempt(url: str, words: str) -> None:
    """However redis-py changes their texts."""
    async with connected(url) as connection:
        (answer,) = await connection.execute([("EVAL", "return redis.error_reply(ARGV[1])", 0, words)])
    assert isinstance(answer, Exception)
    assert is_passing(answer) == (words in PASSING)
