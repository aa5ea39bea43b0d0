"""How a process learns what others have done in a room."""

import asyncio

import pytest

from fortythieves.protocol.to_client import Close
from fortythieves_server.common.tasks import SLICE
from fortythieves_server.core import events
from fortythieves_server.rooms.cached_room import folded
from fortythieves_server.rooms.room_service import RoomService
from fortythieves_server.store.redis_errors import Newer
from fortythieves_server.store.room_logs import PAGE
from tests.server.clients import Client, store_of
from tests.server.stores import Admin, keys_of
from tests.server.tables import CODE, lobby


async def test_other_tasks_run_while_a_long_log_is_read(one: RoomService, admin: Admin) -> None:
    """How often others have their turn is counted; how long all of it takes is the machine's affair."""
    table = lobby(3)
    table.happen(*(events.Chatted(2, f"k{k}", "hello") for k in range(PAGE)))
    await store_of(admin, table)
    before = await admin.calls("lrange")
    assert (await one.registry.room(CODE)).room.n == len(table.log)
    assert await admin.calls("lrange") - before == 2, "as many as come at once, and the rest"
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    task = asyncio.create_task(others())
    room = await folded(table.log)
    task.cancel()
    assert room == table.room
    assert turns == (len(table.log) - 2) // SLICE


class Danced(events.Event, frozen=True, tag="danced"):
    """What a newer version may write into a room's log."""

    seat: int


async def dance(two: RoomService, code: str) -> None:
    live = await two.registry.room(code)
    room = live.room
    await two.store.logs.commit(code, live.cached.epoch, room.n, room.at, room.race.number, [Danced(1)], {})


async def test_an_older_process_disconnects_a_room_with_unknown_events(
    one: RoomService, two: RoomService, admin: Admin
) -> None:
    await store_of(admin, lobby(2))
    ann = await Client(one, "ann").join()
    await dance(two, CODE)
    assert await ann.until_closed() == Close.GOING_AWAY
    late = Client(one, "bob")
    with pytest.raises(Newer):
        await late.join()


async def test_the_sweep_of_an_older_process_keeps_rooms_with_unknown_events(
    one: RoomService, two: RoomService, admin: Admin, caplog: pytest.LogCaptureFixture
) -> None:
    await store_of(admin, lobby(1))
    await dance(two, CODE)
    await admin.redis.zadd("ft:due", {CODE: 1})
    before = sorted(await keys_of(admin))
    await one.sweeper.sweep()
    assert sorted(await keys_of(admin)) == before
    assert caplog.text == ""
