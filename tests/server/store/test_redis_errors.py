"""Errors that may pass are told apart from errors that stay, however redis-py changes their texts."""

import pytest
from redis.asyncio import Redis

from fortythieves_server.store.redis_connection import RedisConnection
from fortythieves_server.store.redis_errors import is_passing

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
    async with Redis.from_url(url) as redis:
        connection = await RedisConnection.open(redis)
        (answer,) = await connection.execute([("EVAL", "return redis.error_reply(ARGV[1])", 0, words)])
        connection.close()
    assert isinstance(answer, Exception)
    assert is_passing(answer) == (words in PASSING)
