"""House bots: a real server, and the one process that plays them."""

import asyncio
import contextlib
import json
import logging
import os
from pathlib import Path

import psutil
import pytest

from fortythieves.errors import Refused
from fortythieves.protocol import to_server
from fortythieves_client.client import Client
from fortythieves_server.common.limits import Limits
from fortythieves_server.common.prices import JOIN, MESSAGES
from fortythieves_server.core.decide_lobby import MOST_BOTS
from fortythieves_server.process.house_bots import COMMAND, Bots
from tests.refusals import refusal_of
from tests.server.programs import children_with
from tests.server.redises import in_a_hurry
from tests.server.stores import until
from tests.serving import CONNECTION, HASTY, points_for, serving

SECONDS = 60


def pools() -> list[psutil.Process]:
    return children_with(COMMAND[-1])


async def until_here(client: Client, count: int) -> list[int]:
    def seats() -> list[int]:
        assert client.room is not None
        people = client.room.people
        return [seat for seat, person in people.items() if person["bot"] and person["here"] and person["ready"]]

    async with asyncio.timeout(SECONDS):
        await client.until(lambda: len(seats()) == count)
    return seats()


async def test_one_process_plays_all_bots_of_all_rooms(tmp_path: Path) -> None:
    async with serving(tmp_path, max_bots=32) as address, contextlib.AsyncExitStack() as stack:
        hosts = [await stack.enter_async_context(Client(address)) for _ in range(4)]
        assert pools() == [], "there is none before it is needed"
        for host in hosts:
            await host.create("Ann", auto_start=False, seats=10, countdown=3)
            for _ in range(4):
                await host.add_bot(3)
        for host in hosts:
            await until_here(host, 4)
        assert len(pools()) == 1
        assert await refusal_of(hosts[0].add_bot(3)) == "too-many-bots"
        for host in hosts:
            await host.start()
        async with asyncio.timeout(SECONDS):
            for host in hosts:
                await host.until(lambda host=host: sum(row.moves > 0 for row in host.progress.values()) == 4)  # type: ignore[misc]


async def test_bots_come_back_when_their_process_dies_and_it_knows_no_secrets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("FORTY_THIEVES_REDIS", "redis://user:sesame@127.0.0.1:1")
    async with serving(tmp_path, max_bots=16) as address, Client(address) as ann:
        await ann.create("Ann", auto_start=False, countdown=3)
        for _ in range(3):
            await ann.add_bot(3)
        seats = await until_here(ann, 3)
        (pool,) = pools()
        assert "sesame" not in str(pool.environ())
        assert not any(name.startswith("FORTY_THIEVES") for name in pool.environ())
        assert pool.cmdline()[1:] == ["-P", "-m", "fortythieves_client.bot.pool"]
        assert pool.nice() == min(19, os.nice(0) + 10)
        assert ann.room is not None
        names = {seat: ann.room.people[seat]["name"] for seat in seats}
        await ann.start()
        async with asyncio.timeout(SECONDS):
            await ann.until(lambda: all(seat in ann.progress and ann.progress[seat].moves for seat in seats))
            with caplog.at_level(logging.WARNING):
                pool.kill()
                before = {seat: ann.progress[seat].moves for seat in seats}
                # One of each may have been on its way.
                await ann.until(lambda: all(ann.progress[seat].moves > before[seat] + 1 for seat in seats))
        assert {seat: ann.room.people[seat]["name"] for seat in seats} == names
        assert "the process of the house bots ended by signal 9" in caplog.text
    assert pools() == [], "it ends with its server"


async def test_the_process_of_the_bots_ends_when_nobody_has_needed_it_for_a_while() -> None:
    bots = Bots(16, lambda: "", str, idle=0.01)
    bots.url = "http://127.0.0.1:1"  # No player is there: each bot leaves immediately.
    for _ in range(2):
        bots.add("KQXWVD", 1, "somewhere")
        await until(lambda: (len(bots), bots.pid) == (0, None))
    await bots.close()


async def test_the_process_of_the_bots_ends_when_its_server_is_killed() -> None:
    pool = await asyncio.create_subprocess_exec(*COMMAND, stdin=asyncio.subprocess.PIPE)
    assert pool.stdin is not None
    pool.stdin.write(json.dumps({"url": "http://127.0.0.1:1", "socket": ""}).encode() + b"\n")
    pool.stdin.close()  # As the system does for a process that was killed.
    async with asyncio.timeout(SECONDS):
        assert await pool.wait() == 0


async def test_a_room_and_an_address_have_so_many_bots_and_no_more() -> None:
    bots = Bots(14, lambda: "", str)
    bots.url = "http://127.0.0.1:1"

    def add(room: str, address: str) -> str:
        try:
            bots.add(room, 1, address)
        except Refused as refused:
            return refused.code
        return "ok"

    rooms = ["ROOM"] * (MOST_BOTS + 1) + [f"ROOM{n}" for n in range(8 - MOST_BOTS)]
    assert [add(room, "somewhere") for room in rooms] == (
        ["ok"] * MOST_BOTS + ["enough-bots"] + ["ok"] * (7 - MOST_BOTS) + ["too-many-bots"]
    )
    assert [add(f"ROOM{n}", "elsewhere") for n in range(8)] == ["ok"] * 7 + ["too-many-bots"]
    assert add("ROOM", "anywhere") == "too-many-bots"
    await bots.close()


@pytest.mark.long
async def test_bots_keep_their_seats_when_the_server_is_started_again(tmp_path: Path) -> None:
    async with contextlib.AsyncExitStack() as stack:
        redis = await stack.enter_async_context(in_a_hurry(tmp_path / "redis"))
        async with serving(tmp_path, redis=redis, max_bots=4, times=HASTY) as address:
            port = int(address.rpartition(":")[2])
            ann = await stack.enter_async_context(Client(address, reconnect_timeout=SECONDS))
            await ann.create("Ann", auto_start=False, seats=3, countdown=3)
            await ann.add_bot(3)
            await ann.add_bot(2)
            seats = await until_here(ann, 2)
            await ann.start()
            async with asyncio.timeout(SECONDS):
                await ann.until(lambda: all(seat in ann.progress and ann.progress[seat].moves for seat in seats))
            assert ann.room is not None
            names = {seat: ann.room.people[seat]["name"] for seat in seats}
        before = {seat: ann.progress[seat].moves for seat in seats}
        async with serving(tmp_path, port, redis=redis, max_bots=4, times=HASTY), asyncio.timeout(SECONDS):
            # One of each may have been on its way.
            await ann.until(lambda: all(ann.progress[seat].moves > before[seat] + 1 for seat in seats))
            assert {seat: ann.room.people[seat]["name"] for seat in seats} == names
            assert [ann.room.racers[seat]["state"] for seat in seats] == ["racing", "racing"]


async def test_our_own_bots_are_not_limited_as_strangers_at_loopback_are(tmp_path: Path) -> None:
    points = points_for(*CONNECTION * 3, JOIN, *[MESSAGES[to_server.AddBot]] * 4, spare=100)
    limits = Limits()._replace(connections=3, points=points)
    async with serving(tmp_path, limits=limits, max_bots=16) as address, Client(address) as ann, Client(address) as bob:
        code = (await ann.create("Ann", auto_start=False)).code
        await bob.join("Bob", code)
        for _ in range(4):
            await ann.add_bot(3)
        await until_here(ann, 4)
        sockets = [
            Path(one.laddr) for one in psutil.Process().net_connections("unix") if "/forty-thieves-" in one.laddr
        ]
        assert {socket.parent.stat().st_mode & 0o777 for socket in sockets} == {0o700}, "nobody else comes by it"
        async with Client(address) as stranger:
            assert await refusal_of(stranger.join("Eve", code)) == "too-fast"
