"""Requests to create and join rooms: passwords and plans; and requests of operators."""

import asyncio

import pytest

from fortythieves.errors import Refused
from fortythieves.protocol import to_server
from fortythieves.protocol.to_client import Close
from fortythieves_server.common.limits import Limits
from fortythieves_server.common.prices import NEW_PASSWORD
from fortythieves_server.rooms.peer import SendQueue
from fortythieves_server.rooms.room_service import RoomService
from tests.refusals import refusal_of
from tests.server.clients import Client, process
from tests.server.stores import Admin, keys_of, looks
from tests.serving import points_for


async def test_a_changed_password_applies_to_new_guests(one: RoomService, two: RoomService, admin: Admin) -> None:
    host, bob, cleo = Client(one, "host"), Client(two, "bob"), Client(two, "cleo")
    code = await host.create({"entry": "open"})
    await bob.join(code)
    change = to_server.ChangePlan(2, {"entry": "password"}, "open sesame")
    assert await bob.refused(change) == "not-host"
    await host.do(change)
    await bob.until(lambda: bob.view["tournament"]["plan"]["entry"] == "password")
    assert await refusal_of(cleo.join(code)) == "wrong-password"
    again = await Client(two, "bob").join(code)
    assert again.seat == bob.seat, "who is in stays in"

    await host.do(to_server.ChangePlan(3, {}, "aha sesame"))
    await again.until(lambda: [deed[2] for deed in again.view["tournament"]["desk"]] == ["planned", "planned"])
    assert await refusal_of(cleo.join(code, password="open sesame")) == "wrong-password"
    await cleo.join(code, password="aha sesame")
    assert "sesame" not in str([client.view for client in (host, again, cleo)])
    assert not any(b"sesame" in entry for entry in await admin.list("log", code=code))


async def test_a_room_may_leave_memory_while_a_password_is_checked(one: RoomService, two: RoomService) -> None:
    host, bob, wanda = Client(one, "host"), Client(two, "bob"), Client(two, "wanda")
    code = await host.create({"entry": "open"})
    await host.do(to_server.ChangePlan(2, {"entry": "password"}, "open sesame"))
    watch = to_server.Watch(1, code, "Wanda", "open sesame")
    for entering in (bob.join(code, password="open sesame"), two.watch(wanda.peer, wanda.guest, watch)):
        room = await two.registry.room(code)
        task = asyncio.create_task(entering)
        await asyncio.sleep(0)
        await two.registry.drop(room)
        await task
        room = await two.registry.room(code)
        assert len(room.peers) == 1
        await two.registry.drop(room)


async def test_new_passwords_are_limited(url: str) -> None:
    limits = Limits()._replace(points=points_for(NEW_PASSWORD, NEW_PASSWORD))
    async with process(url, "guarded", limits=limits) as guarded:
        host, bob = Client(guarded, "host"), Client(guarded, "bob")
        await bob.join(await host.create({"entry": "open"}))
        change = to_server.ChangePlan(2, {"entry": "password"}, "open sesame")
        assert [await bob.refused(change) for _ in range(3)] == ["not-host"] * 3
        await host.do(change)
        await host.do(change)
        assert await host.refused(change) == "too-fast"
        await host.do(to_server.ChangePlan(2, {"pause": 90}))


async def test_a_refused_host_leaves_no_room_behind(one: RoomService, admin: Admin) -> None:
    for request in (to_server.Create(1, " ", {}), to_server.Create(1, "Ann", {"game": "spider"})):
        with pytest.raises(Refused):
            await one.create(one.peer(SendQueue()), "ann", request)
    assert [name async for name in admin.redis.scan_iter(match="ft:{*")] == []
    assert await looks(admin) == {}
    stranger = {"entry": "list", "listed": ["Ann", "Bob"], "apart": [["Ann", "Cem"]]}
    for plan in ({"rounds": 0}, {"starts_at": 1}, {"entry": "password"}, {"ladder": [{"game": "spider"}]}, stranger):
        assert await refusal_of(Client(one, "host").create(plan)) == "bad-plan", plan
    assert await keys_of(admin, "{") == []


async def watch(client: Client, code: str) -> None:
    await client.service.watch(client.peer, client.guest, to_server.Watch(1, code, client.guest.title()))


async def test_a_closed_room_is_unknown_to_all_guests_and_processes(
    one: RoomService, two: RoomService, url: str
) -> None:
    ann, bob, wanda = Client(one, "ann"), Client(two, "bob"), Client(two, "wanda")
    code = await ann.create(public=True)
    await bob.join(code)
    await watch(wanda, code)
    await two.close_room(code, "Names.")
    for client in (ann, bob, wanda):
        assert await client.until_closed() == Close.ROOM_GONE
        assert client.closed is not None and client.closed[1] == "An operator has closed this room: Names."
    async with process(url, "three") as three:
        for service in (one, two, three):
            for comes in (
                Client(service, "carl").join(code),
                watch(Client(service, "carl"), code),
                Client(service, "ann").join(code),
            ):
                assert await refusal_of(comes) == "unknown-room"
            assert await refusal_of(service.finished.race(code, 1)) == "unknown-race"
