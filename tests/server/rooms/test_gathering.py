"""People of a room that another process should serve are sent there when nothing happens, and a few at a time."""

import asyncio

import pytest

from fortythieves.protocol.to_client import Close
from fortythieves.times import Ms
from fortythieves_server.rooms import sweeper
from fortythieves_server.rooms.room_service import RoomService
from fortythieves_server.rooms.sweeper import NO_MOVE, SETTLED, Gathering
from tests.server.clients import Client, Later, now, process, store_of
from tests.server.stores import Admin, until_it_is
from tests.server.tables import CODE, MINUTE, SECOND, lobby, racing


def gathering_of(hub: RoomService, after: Ms, here: bool = False) -> Gathering:
    """What sends people away from a process so many milliseconds later, by the clock of rooms."""
    return Gathering(hub.registry, Later(hub.clock, after), lambda code: here)


async def named(hub: RoomService, guest: str) -> Client:
    """Somebody in the room whose address names it."""
    client = Client(hub, guest)
    client.peer.named = CODE
    return await client.join()


async def test_only_clients_with_the_room_in_their_url_are_sent_away(one: RoomService, admin: Admin) -> None:
    await store_of(admin, lobby(3))
    ann, bob = await named(one, "ann"), await named(one, "bob")
    third_party = await Client(one, "cid").join()
    sending = gathering_of(one, MINUTE)
    sending.send_some()
    assert [await client.until_closed() for client in (ann, bob)] == [Close.GOING_AWAY] * 2
    assert sending.sent == 2
    assert third_party.closed is None


async def test_clients_of_the_right_process_stay(one: RoomService, admin: Admin) -> None:
    await store_of(admin, lobby(2))
    await named(one, "ann")
    staying = gathering_of(one, MINUTE, here=True)
    staying.send_some()
    assert staying.sent == 0


async def test_an_active_room_is_not_moved(one: RoomService, admin: Admin) -> None:
    await store_of(admin, lobby(2))
    await named(one, "ann")
    soon = gathering_of(one, Ms(0))
    soon.send_some()
    assert soon.sent == 0


async def test_a_race_with_recent_moves_is_not_moved(one: RoomService, admin: Admin) -> None:
    await store_of(admin, racing(2))
    ann = await named(one, "ann")
    for after, sent in ((SETTLED + SECOND, 0), (NO_MOVE + SECOND, 1)):
        sending = gathering_of(one, after)
        sending.send_some()
        assert sending.sent == sent
    assert await ann.until_closed() == Close.GOING_AWAY


async def test_returning_clients_are_not_sent_away_immediately(one: RoomService, admin: Admin) -> None:
    await store_of(admin, lobby(2))
    ann = await named(one, "ann")
    sending = gathering_of(one, MINUTE)
    sending.send_some()
    await ann.until_closed()
    await named(one, "ann")
    sending.send_some()
    assert sending.sent == 1


async def test_only_a_few_rooms_are_moved_at_a_time(
    one: RoomService, admin: Admin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweeper, "AT_ONCE", 1)
    hosts = [Client(one, f"host {n}") for n in range(3)]
    for host in hosts:
        host.peer.named = await host.create()
    sending = gathering_of(one, MINUTE)
    for sent in (1, 2, 3, 3):
        sending.send_some()
        assert sending.sent == sent
    await asyncio.gather(*(host.until_closed() for host in hosts))


async def test_a_large_room_stays_spread(one: RoomService, admin: Admin, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweeper, "LARGE", 2)
    await store_of(admin, lobby(2))
    await named(one, "ann")
    sending = gathering_of(one, MINUTE)
    sending.send_some()
    assert sending.sent == 0


# What else a process does with rooms that it should not serve


async def test_an_empty_room_of_another_process_is_dropped_immediately(url: str) -> None:
    async with process(url, "one", is_here=lambda code: False) as one:
        ann = Client(one, "ann")
        code = await ann.create()
        await ann.hang_up()
        await until_it_is(lambda: _is_gone(one, code))


async def _is_gone(hub: RoomService, code: str) -> bool:
    await hub.sweeper.drop_unused()
    return code not in hub.registry


async def test_a_due_room_of_another_process_is_checked_only_late(url: str, admin: Admin) -> None:
    await store_of(admin, lobby(2))
    async with process(url, "one", is_here=lambda code: False) as one:
        await admin.redis.zadd("ft:due", {CODE: await now(admin) - SECOND})
        await one.sweeper.sweep()
        assert CODE not in one.registry
        await admin.redis.zadd("ft:due", {CODE: await now(admin) - MINUTE})
        due = dict(await one.store.directory.due(await now(admin)))
        await one.sweeper.sweep()
        assert dict(await one.store.directory.due(await now(admin))) != due, "it was looked at"


async def test_a_new_room_gets_a_code_of_its_own_process(url: str) -> None:
    async with process(url, "one", is_here=lambda code: code[0] < "K") as one:
        codes = [await Client(one, f"host {n}").create() for n in range(10)]
    assert all(code[0] < "K" for code in codes)
