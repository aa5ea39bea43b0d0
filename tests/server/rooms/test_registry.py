"""Rooms are found by their codes and read once; the front page lists public rooms."""

import asyncio

import pytest

from fortythieves.protocol.to_server import Lock
from fortythieves_server.common.limits import Limits, Rate
from fortythieves_server.common.prices import Accounts, price
from fortythieves_server.core import events
from fortythieves_server.core.room_list import GOOD_FOR
from fortythieves_server.rooms.room_service import RoomService
from fortythieves_server.store.schema import PUBLIC
from tests.refusals import refusal_of
from tests.server.clients import Client, Later, front, seen_by_all, store_of
from tests.server.stores import Admin, keys_of
from tests.server.tables import CODE, SECOND, lobby


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


async def test_a_stopped_room_ends_its_work_and_begins_no_more(one: RoomService) -> None:
    """Reactions are sent after an interval, in which the server may have closed its connections to Redis."""
    ann = Client(one, "ann")
    await ann.create()
    assert ann.live is not None
    room, ended = ann.live.cached, list[str]()

    async def work(name: str) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(name)

    room.run_soon(work("before"))
    await asyncio.sleep(0)
    await room.stop()
    room.run_soon(work("after"))
    await asyncio.sleep(0)
    assert ended == ["before"]


async def test_public_rooms_are_listed_while_they_can_be_joined(
    one: RoomService, two: RoomService, admin: Admin
) -> None:
    ann, bob = Client(one, "ann"), Client(one, "bob")
    code = await ann.create(public=True)
    await bob.create()
    await one.sweeper.sweep()
    assert [room["code"] for room in await two.front_page.rooms()] == [code]
    await ann.do(Lock(1, True))
    assert [room["code"] for room in await two.front_page.rooms()] == [code], "asked of the store once a second at most"
    await one.sweeper.sweep()
    assert await one.front_page.rooms() == []
    assert await admin.redis.zcard(PUBLIC[1]) == 0


async def test_an_empty_room_is_not_listed_by_any_process(one: RoomService, two: RoomService) -> None:
    ann, bob = Client(one, "ann"), Client(two, "bob")
    code = await ann.create(public=True)
    await bob.join(code)
    for leaver, listed in ((ann, [code]), (bob, [])):
        await leaver.hang_up()
        for service in (one, two):
            await service.sweeper.check_presence()
            await service.sweeper.sweep()
        assert await front(one) == await front(two) == listed


async def test_a_listing_expires_unless_its_process_renews_it(one: RoomService, two: RoomService) -> None:
    code = await Client(one, "ann").create(public=True)
    await one.sweeper.sweep()
    assert await front(two) == [code]
    for service in (one, two):
        service.front_page.clock = Later(service.clock, GOOD_FOR + SECOND)
    assert await front(two) == []
    await one.sweeper.check_presence()
    assert await front(two) == [code]


async def test_an_address_pays_for_a_long_log_that_is_read_for_it(one: RoomService, admin: Admin) -> None:
    table = lobby(2)
    table.happen(*(events.Chatted(2, f"{n}", "words") for n in range(3_000)))
    await store_of(admin, table)
    accounts = Accounts(Limits()._replace(cpu=Rate(1, "hour", 1)))
    first, second = accounts.of("first"), accounts.of("second")
    await one.registry.room(CODE, first)
    await one.registry.room(CODE, second)
    assert first.pay(price(needs=("cpu",))) > 0
    assert second.pay(price(needs=("cpu",))) == 0, "it is in memory"
