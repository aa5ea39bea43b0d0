"""The rooms of a process: found by their codes, read once, told when Redis is away."""

import asyncio

import pytest

from fortythieves.protocol.to_server import Chat
from fortythieves_server.process.embedded_redis import EmbeddedRedis
from fortythieves_server.rooms.registry import LENGTH, LETTERS
from fortythieves_server.rooms.room_service import RoomService
from tests.refusals import refusal_of
from tests.server.clients import Client, process, seen_by_all, store_of, until_each
from tests.server.stores import Admin, keys_of, kill
from tests.server.tables import lobby


async def test_a_room_code_has_six_clear_letters(one: RoomService) -> None:
    ann = Client(one, "ann")
    code = await ann.create()
    assert len(code) == LENGTH and set(code) <= set(LETTERS)
    assert ann.seat == 1


async def test_a_code_may_have_small_letters_and_spaces(one: RoomService, two: RoomService) -> None:
    ann, bob = Client(one, "ann"), Client(two, "bob")
    code = await ann.create()
    await bob.join(f"  {code.lower()} ")
    assert bob.seat == 2


@pytest.mark.parametrize("code", ["", "KQXWV", "KQXWVDD", "KQXWVA", "KQX WV", "ΑΒΓΔΕΖ", "*" * 6, "KQXWVD", "x" * 64])
async def test_a_missing_room_is_refused(one: RoomService, admin: Admin, code: str) -> None:
    assert await refusal_of(Client(one, "ann").join(code)) == "unknown-room"
    assert await keys_of(admin) == []


async def test_a_room_is_read_once_for_concurrent_guests(one: RoomService, admin: Admin) -> None:
    await store_of(admin, lobby(2))
    before = await admin.calls("lrange")
    ann, bob, cem = (Client(one, guest) for guest in ("ann", "bob", "cem"))
    await asyncio.gather(ann.join(), bob.join(), cem.join())
    assert await admin.calls("lrange") - before == 1
    assert ann.live is bob.live is cem.live
    await seen_by_all(admin, ann, bob, cem)


async def test_clients_are_told_that_redis_is_away_and_back(own_redis: EmbeddedRedis) -> None:
    async with process(own_redis.url, "one") as hub:
        ann, bob = Client(hub, "ann"), Client(hub, "bob")
        await ann.create()
        await bob.create()
        kill(own_redis)
        await ann.do(Chat(1, "k", "hi"))
        await until_each((ann, bob), lambda client: client.notices() == ["store-down", "store-back"])
