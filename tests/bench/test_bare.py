"""The bare commits use the script of the server."""

from pathlib import Path

import redis

from fortythieves_server.process.embedded_redis import EmbeddedRedis
from fortythieves_server.store.schema import of_room
from tests.bench import bare


async def test_moves_of_the_limit_are_committed_by_the_script_of_the_server(tmp_path: Path) -> None:
    async with EmbeddedRedis(tmp_path) as embedded:
        with redis.Redis.from_url(embedded.url) as client:
            sha = bare.open_rooms(client, rooms=2).execute()[0]
            for seat in bare.seats(rooms=2):
                for _ in range(3):
                    seat.take(client.execute_command(*seat.command(sha)))
            assert client.llen(of_room("BARE1", "moves", 1, 4)) == 3
