"""The embedded database reads data of Redis 6.2.

`redis_6_2` is a data directory of its server: one room in the snapshot of the file, one in the commands after it.
``contents.json`` has the contents that this server reported.
"""

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from redis.asyncio import Redis

from fortythieves_server.app import running
from fortythieves_server.common.errors import StartError
from fortythieves_server.config import Config
from fortythieves_server.process.embedded_redis import EmbeddedRedis

WRITTEN = Path(__file__).parent / "redis_6_2"
CONTENTS: dict[str, str] = json.loads((WRITTEN / "contents.json").read_text())


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return shutil.copytree(WRITTEN, tmp_path / "data")


async def contents(url: str) -> dict[str, str]:
    """A hash of the contents of each permanent key."""
    found = {}
    store: Any  # redis-py types every answer as bytes or str, and here they are bytes.
    async with Redis.from_url(url) as store:
        for key in sorted(await store.keys("*")):
            match (await store.type(key)).decode():
                case "string":
                    held = await store.get(key)
                case "list":
                    held = await store.lrange(key, 0, -1)
                case "hash":
                    held = sorted((await store.hgetall(key)).items())
                case "zset":
                    held = await store.zrange(key, 0, -1, withscores=True)
            if not key.startswith(b"ft:process:"):
                found[key.decode()] = hashlib.sha256(repr(held).encode()).hexdigest()
    return found


async def test_all_data_is_there_after_the_first_start_and_the_next(data: Path) -> None:
    for _ in range(2):
        async with EmbeddedRedis(data) as redis:
            assert await contents(redis.url) == CONTENTS
    assert not (data / "appendonly.aof").exists(), "one version must not write where another no longer reads"


async def test_only_a_truncated_last_write_is_lost(data: Path) -> None:
    file = data / "appendonly.aof"
    with file.open("ab") as appended:
        appended.write(b"*3\r\n$3\r\nSET\r\n$3\r\nkey\r\n$5\r\nva")
    said: list[str] = []
    async with EmbeddedRedis(data, said=said.append) as redis:
        assert await contents(redis.url) == CONTENTS
    [sentence] = said
    assert "was cut short when Redis ended, and is dropped" in sentence


async def test_the_server_refuses_the_data_because_another_version_wrote_it(data: Path) -> None:
    config = Config(host="127.0.0.1", port=0, data=data, bots=False, winnable=0)
    with pytest.raises(StartError, match="Another version of the server wrote the data"):
        async with running(config):
            pass
    async with EmbeddedRedis(data) as redis:
        assert await contents(redis.url) == CONTENTS
