"""Attacks on the front page and on calendars fail."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from ipaddress import ip_network
from typing import Any

import pytest
import pytest_asyncio
from aiohttp import ClientSession

from fortythieves_server.core.room_list import OF_ONE_ADDRESS
from fortythieves_server.process.embedded_redis import EmbeddedRedis
from tests.integration.raw import RawClient, guest
from tests.server.stores import Admin, until_it_is
from tests.serving import serving

pytestmark = pytest.mark.asyncio(loop_scope="module")

DAY = 24 * 3_600_000
#: More rooms than the front page lists.
MANY = 60


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def redis(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[EmbeddedRedis]:
    async with EmbeddedRedis(tmp_path_factory.mktemp("redis")) as redis:
        yield redis


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def address(redis: EmbeddedRedis, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    data = tmp_path_factory.mktemp("data")
    async with serving(data, redis=redis.url, proxies=[ip_network("127.0.0.1")]) as address:
        yield address


async def listed(address: str) -> dict[str, dict[str, Any]]:
    async with ClientSession() as session, session.get(f"{address}/api/rooms") as answer:
        return {room["code"]: room for room in (await answer.json())["rooms"]}


async def test_one_address_with_many_rooms_does_not_fill_the_list(address: str) -> None:
    async with AsyncExitStack() as stack:

        async def guest_at(of: str) -> RawClient:
            return await stack.enter_async_context(guest(address, of=of))

        honest = [await (await guest_at(f"198.51.100.{k}")).create(public=True) for k in range(3)]
        evil = [await (await guest_at("203.0.113.9")).create(public=True) for _ in range(MANY)]

        async def is_so() -> bool:
            codes = (await listed(address)).keys()
            return codes >= set(honest) and len(codes & set(evil)) == OF_ONE_ADDRESS

        await until_it_is(is_so)


async def test_two_who_look_for_an_opponent_race_without_another_word_and_a_third_comes_in_time(address: str) -> None:
    queue: dict[str, Any] = {"seeking": True, "public": True, "seats": 3, "countdown": 10, "late": "join"}
    async with (
        guest(address, of="192.0.2.11") as ann,
        guest(address, of="192.0.2.12") as bob,
        guest(address, of="192.0.2.13") as cyd,
        guest(address, of="192.0.2.14") as dan,
    ):
        code = await ann.create(**queue)
        assert await ann.ask("ready", "") == "ok"

        async def is_offered() -> bool:
            room = (await listed(address)).get(code, {})
            return bool(room.get("seeking") and room["open"] and room["phase"] == "lobby")

        await until_it_is(is_offered)
        assert await bob.ask("join", code, "Bob") == await bob.ask("ready", "") == "ok"
        while not ann.messages("patch")[-1][2].get("race", {}).get("starts_at"):
            await ann.receive("patch")
        assert await cyd.ask("join", code, "Cyd") == "ok" and await dan.ask("join", code, "Dan") == "full"
        assert set(cyd.messages("room")[-1][4]["race"]["racers"]) == {"1", "2", "3"}
        for racer in (ann, bob, cyd):
            assert await racer.receive("board")

    async def is_gone() -> bool:
        return code not in await listed(address)

    await until_it_is(is_gone)


async def test_neither_the_room_list_nor_the_log_contains_addresses(address: str, redis: EmbeddedRedis) -> None:
    async with guest(address, of="198.51.100.77") as ann, Admin(redis.url) as admin:
        code = await ann.create(public=True)

        async def is_listed() -> bool:
            return code in await listed(address)

        await until_it_is(is_listed)
        room = (await listed(address))[code]
        names = "code game host people seats phase winnable stars watchable open seeking starts_at closed_to faces"
        assert " ".join(room) == f"{names} tournament"
        for name in [name async for name in admin.redis.scan_iter()]:
            assert b"198.51.100.77" not in (await admin.redis.dump(name) or b"")


async def time_of(client: RawClient) -> int:
    await client.send("ping", 1.0)
    return int((await client.receive("pong"))[2])


#: Odd `Host` headers.
HOSTS = [b"x", b"\xff\xfe", b"a b", b"a,b;c:d", b"[", b"x" * 2000, b"\xc3\xa9.example", b""]


async def test_the_files_of_a_tournament_are_served_for_any_host_header(address: str) -> None:
    async with guest(address) as ann:
        start = await time_of(ann) + DAY
        code = await ann.create(False, {"name": 'Club; "night", \\n', "starts_at": start})
        for host in HOSTS:
            for kind in (".ics", ".json", ".csv", "-results.csv", "-teams.csv", ".bundle.json"):
                status = await raw_get(address, f"/api/tournaments/{code}{kind}", host)
                assert status == 200 or (status, host) == (400, b""), (kind, host)


async def raw_get(address: str, path: str, host: bytes) -> int:
    reader, writer = await asyncio.open_connection("127.0.0.1", int(address.rpartition(":")[2]))
    writer.write(b"GET " + path.encode() + b" HTTP/1.1\r\nHost: " + host + b"\r\nConnection: close\r\n\r\n")
    answer = await reader.read()
    writer.close()
    await writer.wait_closed()
    return int(answer.split(b" ", 2)[1])
