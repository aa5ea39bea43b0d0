"""Which rooms the front page lists."""

from fortythieves.protocol.to_server import Lock
from fortythieves_server.core.room_list import GOOD_FOR
from fortythieves_server.rooms.live_room import HOUR
from fortythieves_server.rooms.room_service import RoomService
from fortythieves_server.store.schema import PUBLIC
from tests.server.clients import Client, Later, front
from tests.server.stores import Admin
from tests.server.tables import SECOND


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
        for hub in (one, two):
            await hub.sweeper.check_presence()
            await hub.sweeper.sweep()
        assert await front(one) == await front(two) == listed


async def test_the_listing_of_a_dead_process_expires(one: RoomService, two: RoomService) -> None:
    code = await Client(one, "ann").create(public=True)
    await one.sweeper.sweep()
    assert await front(two) == [code]
    two.front_page.clock = Later(two.clock, GOOD_FOR + SECOND)
    assert await front(two) == []


async def test_a_room_with_people_stays_listed(one: RoomService, two: RoomService) -> None:
    code = await Client(one, "ann").create(public=True)
    await one.sweeper.sweep()
    for hub in (one, two):
        hub.front_page.clock = Later(hub.clock, GOOD_FOR)
    await one.sweeper.check_presence()
    assert await front(two) == [code]


async def test_an_announced_tournament_is_listed_while_it_is_empty(one: RoomService, two: RoomService) -> None:
    ann = Client(one, "ann")
    start = one.clock.now() + 20 * HOUR
    code = await ann.create({"name": "Club night", "starts_at": start}, public=True)
    await ann.hang_up()
    await one.sweeper.sweep()
    assert await front(two) == [code]
    two.front_page.clock = Later(two.clock, 20 * HOUR + SECOND)
    assert await front(two) == []
