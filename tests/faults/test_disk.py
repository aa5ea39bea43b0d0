"""A full disk under the embedded Redis."""

import asyncio
from pathlib import Path

import pytest

from fortythieves.times import Ms
from fortythieves_server.process.embedded_redis import EmbeddedRedis, redis_servers
from tests.server.stores import SECONDS, Log, Recorder, opened, until

#: A redis-server with a limit for the size of its files, while the file LIMIT exists.
SCRIPT = """#!/bin/sh
if test -f "{limit}"; then trap '' XFSZ; ulimit -f "$(cat "{limit}")"; fi
exec "{redis}" "$@"
"""


@pytest.mark.long
async def test_a_full_disk_is_reported_and_acknowledged_moves_survive(tmp_path: Path) -> None:
    limit, server, said = tmp_path / "limit", tmp_path / "redis-server", list[str]()
    limit.write_text("64")
    server.write_text(SCRIPT.format(limit=limit, redis=next(redis_servers())))
    server.chmod(0o755)
    async with EmbeddedRedis(tmp_path / "data", server, said.append) as redis, opened(redis.url) as store:
        recorder = Recorder(store)
        log = await Log.create(store)
        acknowledged: list[Ms] = []

        async def play() -> None:
            while len(acknowledged) < 2000:
                acknowledged.append(await log.move())

        playing = asyncio.create_task(play())
        await until(lambda: not store.up)
        full = len(acknowledged)
        assert 0 < full < 2000
        await until(lambda: any("AOF" in sentence for sentence in said))
        limit.unlink()
        async with asyncio.timeout(SECONDS):
            await playing
        assert [at for at, _ in await store.logs.moves(log.code, 1, 1)] == acknowledged
        assert recorder.ups[-1] is True
