"""Due rooms act, and unused rooms are dropped or deleted."""

import asyncio
import logging
from collections.abc import Callable

import pytest

from fortythieves.errors import Refused
from fortythieves.protocol import to_server
from fortythieves.protocol.to_client import Close
from fortythieves.protocol.to_server import Chat
from fortythieves.times import Ms
from fortythieves_server.core import events
from fortythieves_server.process.embedded_redis import EmbeddedRedis
from fortythieves_server.rooms.live_room import HOUR, Keep
from fortythieves_server.rooms.room_service import RoomService
from fortythieves_server.store.schema import of_room
from tests.server.clients import KEEP, Client, Later, happened, now, process, seen_by_all, store_of, stored, until_each
from tests.server.rooms.conftest import Pair
from tests.server.stores import Admin, key, keys_of, kill, looks, until, until_it_is
from tests.server.tables import CODE, MINUTE, NOON, SECOND, Table, drawn, entered, lobby, over, racing

#: The clock of a process is wrong by at most half a round trip to Redis, which on a busy machine takes long.
CLOCK_ERROR = SECOND


async def sweep_due(service: RoomService, admin: Admin, code: str = CODE) -> None:
    await admin.redis.zadd("ft:due", {code: 1})
    await service.sweeper.sweep()


async def test_a_joining_player_is_not_marked_as_away(one: RoomService, admin: Admin) -> None:
    await store_of(admin, lobby(2))
    ann, bob = Client(one, "ann"), Client(one, "bob")
    await ann.join()
    assert ann.live is not None
    # While one commit is under way the next ones gather, and are decided together.
    chat = ann.do(Chat(1, "key", "hello"))
    await asyncio.gather(chat, bob.join(), one.sweeper.drop_dead_connections(ann.live, lambda via: False))
    assert bob.seat == 2
    assert (await stored(admin)).people[2].here


async def test_a_round_starts_on_time_after_a_crash(one: RoomService, admin: Admin) -> None:
    table = drawn(2, {"starts_at": NOON + MINUTE}, countdown=3)
    table.log.append((table.now, events.Here(2, "dead/1")))
    await store_of(admin, table, ago=11 * SECOND)
    await sweep_due(one, admin)
    ann = await Client(one, "guest 1").join()
    starts_at = ann.view["tournament"]["next_at"]
    await ann.until(lambda: ann.race.get("starts_at"))
    assert 0 <= ann.race["starts_at"] - starts_at < SECOND
    await ann.until(lambda: ann.entries is not None)


async def test_a_room_is_kept_until_its_tournament_begins(one: RoomService, admin: Admin) -> None:
    table = entered(2, {"starts_at": NOON + 100 * HOUR})
    table.hang_up(1, 2, 3)
    await store_of(admin, table, ago=90 * HOUR)
    live = await one.registry.room(CODE)
    assert live.expires_at > await now(admin) + 10 * HOUR
    assert live.next_check < await now(admin) + 11 * HOUR


async def test_a_planned_start_keeps_a_room_for_two_weeks_after_its_host_was_there(
    one: RoomService, admin: Admin
) -> None:
    table = entered(2, {"starts_at": NOON + 365 * 24 * HOUR})
    table.hang_up(1, 2)
    last = table.now
    table.wait(13 * 24 * HOUR)
    table.hang_up(3)
    await store_of(admin, table, ago=Ms(0))
    live = await one.registry.room(CODE)
    assert live.expires_at - (await stored(admin)).at == (last - table.now) + 14 * 24 * HOUR + KEEP.unplayed


async def test_a_room_with_nothing_due_is_checked_hourly_and_a_missing_one_once(one: RoomService, admin: Admin) -> None:
    ann = Client(one, "ann")
    code = await ann.create()
    await sweep_due(one, admin, code)
    assert HOUR - MINUTE < (await looks(admin))[code] - await now(admin) <= HOUR + CLOCK_ERROR
    await sweep_due(one, admin)
    assert CODE not in await looks(admin)


async def test_an_earlier_check_replaces_a_later_one(one: RoomService, two: RoomService, admin: Admin) -> None:
    await store_of(admin, racing(2), ago=MINUTE)
    bob = await Client(two, "bob").join()
    await one.sweeper.sweep()
    await two.sweeper.sweep()
    ends_at = (await stored(admin)).race.ends_at
    assert await looks(admin) == {CODE: ends_at}
    await bob.do(to_server.GiveUp(1))
    await one.sweeper.sweep()
    await two.sweeper.sweep()
    gave_up_at = (await stored(admin)).race.racers[2].gave_up_at or Ms(0)
    assert await looks(admin) == {CODE: gave_up_at + 10 * SECOND}


async def test_a_check_by_another_process_is_scheduled_anew(one: RoomService, two: RoomService, admin: Admin) -> None:
    await store_of(admin, racing(2, time_limit=7200), ago=MINUTE)
    bob = await Client(two, "bob").join()
    clock = two.clock
    two.sweeper.clock = Later(clock, -HOUR - MINUTE)  # As if it had swept an hour ago.
    await two.sweeper.sweep()
    two.sweeper.clock = clock
    await one.sweeper.sweep()
    assert (await looks(admin))[CODE] > await now(admin) + 20 * SECOND, "it is put off"
    await bob.do(to_server.GiveUp(1))
    await two.sweeper.sweep()
    gave_up_at = (await stored(admin)).race.racers[2].gave_up_at or Ms(0)
    assert await looks(admin) == {CODE: gave_up_at + 10 * SECOND}


async def test_an_unreadable_room_does_not_stop_the_sweep(
    one: RoomService, admin: Admin, caplog: pytest.LogCaptureFixture
) -> None:
    await store_of(admin, racing(2), ago=21 * MINUTE)
    await admin.redis.hset(key("meta", code="BBBBBB"), "epoch", "x")
    await admin.redis.rpush(key("log", code="BBBBBB"), "1 x nonsense")
    await admin.redis.zadd("ft:due", {"BBBBBB": 1, CODE: 2})
    with caplog.at_level(logging.CRITICAL, "fortythieves_server.rooms.sweeper"):
        await one.sweeper.sweep()
    room = await stored(admin)
    assert room.race.over_at == room.race.ends_at
    assert not any(person.here for person in room.people.values()), "their processes are dead"
    assert (await looks(admin))["BBBBBB"] > await now(admin)


@pytest.mark.parametrize(("start", "kept"), [(lobby, 24 * HOUR), (over, 7 * 24 * HOUR)], ids=["unplayed", "played"])
async def test_an_idle_room_is_deleted_completely_when_it_expires(
    one: RoomService, two: RoomService, admin: Admin, start: Callable[[], Table], kept: Ms
) -> None:
    table = deserted(start())
    await store_of(admin, table, ago=kept - MINUTE)
    await sweep_due(one, admin)
    assert await looks(admin) == {CODE: (await stored(admin)).at + kept}
    await admin.redis.flushall()
    await store_of(admin, table, ago=kept + MINUTE)
    if table.race.starts_at is not None:
        await admin.store_draw(await now(admin))
    await sweep_due(two, admin)
    assert await keys_of(admin) == [] and await looks(admin) == {}
    with pytest.raises(Refused):
        await Client(two, "ann").join()


def deserted(table: Table) -> Table:
    """The table after all players were away until they lost their seats."""
    table.hang_up(*table.room.people)
    table.after(10 * MINUTE)
    return table


async def test_a_room_with_people_or_a_running_race_never_expires(url: str, admin: Admin) -> None:
    async with process(url, "one", Keep(unplayed=Ms(0), played=Ms(0))) as service:
        ann = Client(service, "ann")
        code = await ann.create()
        await sweep_due(service, admin, code)
        assert (await looks(admin))[code] > await now(admin) + MINUTE
        await ann.do(Chat(1, "k", "still here"))
        await ann.hang_up()
        await admin.redis.zadd("ft:due", {code: 1})
        service.sweeper.clock = Later(service.clock, SECOND)
        await service.sweeper.sweep()
        assert await keys_of(admin, code) == []
    await store_of(admin, racing(2), ago=MINUTE)
    async with process(url, "one", Keep(unplayed=Ms(0), played=Ms(0))) as service:
        await sweep_due(service, admin)
    assert (await stored(admin)).race.on


async def test_a_guest_who_joins_prevents_the_deletion(one: RoomService, two: RoomService, admin: Admin) -> None:
    await store_of(admin, lobby(2), ago=25 * HOUR)
    live = await one.registry.room(CODE)
    seen = live.room
    dan = await Client(two, "dan").join()
    live.cached.room = seen  # as the sweep saw it, a moment ago
    await one.sweeper.forget(CODE, live)
    await dan.do(Chat(1, "k", "hi"))
    await seen_by_all(admin, dan)


async def test_an_unused_room_is_dropped_and_loaded_later(url: str, two: RoomService, admin: Admin) -> None:
    async with process(url, "one", linger=-1.0) as one:
        ann, bob = Client(one, "ann"), Client(two, "bob")
        code = await ann.create()
        await ann.hang_up()
        assert code in one.registry
        await one.sweeper.drop_unused()
        assert code not in one.registry
        await until_it_is(lambda: _nobody_listens(admin, code))
        await bob.join(code)
        again = await Client(one, "ann").join(code)
        await bob.do(Chat(1, "k", "hi"))
        await seen_by_all(admin, bob, again, code=code)


async def _nobody_listens(admin: Admin, code: str) -> bool:
    return not await admin.redis.pubsub_channels(key("notify", code=code))


async def test_an_unused_room_stays_in_memory_for_a_while(one: RoomService) -> None:
    ann = Client(one, "ann")
    code = await ann.create()
    live = ann.live
    await ann.hang_up()
    await one.sweeper.drop_unused()
    again = await Client(one, "ann").join(code)
    assert again.live is live


async def test_a_room_is_not_dropped_while_a_guest_joins(own_redis: EmbeddedRedis) -> None:
    async with process(own_redis.url, "one", linger=-1.0) as one, Admin(own_redis.url) as admin:
        await store_of(admin, lobby(2))
        await one.registry.room(CODE)
        kill(own_redis)
        ann = Client(one, "ann")
        joining = asyncio.create_task(ann.join())
        await asyncio.sleep(0)
        await one.sweeper.drop_unused()
        await joining
        await ann.do(Chat(1, "k", "hi"))
        await ann.until(lambda: ann.view["chat"])


async def test_people_of_a_living_process_are_here(
    players: Pair, one: RoomService, two: RoomService, admin: Admin
) -> None:
    ann, bob = players
    for service in (one, two, one):
        await service.sweeper.check_presence()
    await seen_by_all(admin, ann, bob)
    assert ann.person(1)["here"] and ann.person(2)["here"]
    assert happened(await admin.list("log"), "away") == 0


async def test_an_unchanged_room_is_not_read(one: RoomService, admin: Admin) -> None:
    await store_of(admin, lobby(1))
    await Client(one, "ann").join()
    before = await admin.calls("lrange")
    await one.sweeper.check_presence()
    assert await admin.calls("lrange") == before
    await admin.redis.hset(key("meta"), "moves:1", 1)
    await one.sweeper.check_presence()
    assert await admin.calls("lrange") == before + 1


async def test_a_room_whose_commit_waits_holds_up_no_other(one: RoomService, admin: Admin) -> None:
    ann = Client(one, "ann")
    code = await ann.create()
    await store_of(admin, lobby(2))
    bob = await Client(one, "bob").join()
    assert ann.live is not None
    async with ann.live.cached.lock, asyncio.timeout(10):
        await admin.redis.hset(of_room(code, "meta"), "moves:1", 1)
        await admin.redis.rpush(key("log"), b"%d x " % await now(admin) + events.encode(events.Chatted(2, "k", "hi")))
        await one.sweeper.check_presence()
        await sweep_due(one, admin, code)
        await bob.until(lambda: bob.view["chat"])


async def test_a_process_that_was_stopped_marks_its_people_as_here(
    players: Pair, one: RoomService, two: RoomService, admin: Admin
) -> None:
    ann, bob = players
    await ann.until(lambda: ann.n == bob.n)
    await admin.redis.delete("ft:process:two")
    await one.sweeper.check_presence()
    await until_each((ann, bob), lambda client: not client.person(2)["here"])
    await two.store.processes.heartbeat()
    await two.sweeper.check_presence()
    await until_each((ann, bob), lambda client: client.person(2)["here"])
    assert bob.closed is None
    await bob.do(Chat(1, "k", "I was never gone"))


async def test_people_of_a_new_process_are_not_marked_as_away(one: RoomService, two: RoomService, admin: Admin) -> None:
    await store_of(admin, lobby(2))
    ann = await Client(one, "ann").join()
    assert ann.live is not None
    alive = await one.sweeper.alive([ann.live])
    bob = await Client(two, "bob").join()
    await one.sweeper.drop_dead_connections(ann.live, alive)
    await seen_by_all(admin, ann, bob)
    assert bob.person(2)["here"]


async def test_a_dead_connection_of_this_process_is_dropped(one: RoomService, admin: Admin) -> None:
    table = lobby(2)
    table.happen(events.Here(2, "one/1000"))  # Bob came by this process; his disconnection could not be stored.
    await store_of(admin, table)
    ann = await Client(one, "ann").join()
    assert ann.person(2)["here"]
    await one.sweeper.check_presence()
    await ann.until(lambda: not ann.person(2)["here"])


async def test_people_of_a_stopped_process_keep_their_seats(url: str) -> None:
    async with process(url, "two") as two:
        async with process(url, "one") as one:
            ann = Client(one, "ann")
            code = await ann.create()
            bob = await Client(two, "bob").join(code)
        assert await ann.until_closed() == Close.GOING_AWAY
        await two.sweeper.check_presence()
        await bob.until(lambda: not bob.person(1)["here"])
        again = await Client(two, "ann").join(code)
        assert again.seat == 1 and again.view["host"] == 1


async def test_a_closed_room_is_deleted_when_it_expires(one: RoomService, admin: Admin, url: str) -> None:
    code = await Client(one, "ann").create(plan={"starts_at": (await now(admin)) + 300 * 24 * HOUR})
    await one.close_room(code, "")
    live = await one.registry.stored_room(code)
    room = live.room
    assert live.expires_at == room.at + KEEP.unplayed, "whatever was planned"
    assert room.closed and not any(person.here for person in room.people.values())
    async with process(url, "two", Keep(unplayed=Ms(0), played=Ms(0))) as two:
        await two.sweeper.check_room(code, two.clock.now() + HOUR)
    assert await keys_of(admin, code) == []


async def is_scheduled(admin: Admin, code: str, expected: bool = True) -> bool:
    return (code in await looks(admin)) == expected


async def test_sweeps_run_until_the_service_is_closed(url: str, admin: Admin) -> None:
    await store_of(admin, lobby(2))
    async with process(url, "one") as service:
        service.open(sweep_every=0.01, check_every=0.01)
        ann = await Client(service, "ann").join()
        await ann.until(lambda: not ann.person(2)["here"])
        await until_it_is(lambda: is_scheduled(admin, CODE))
    before = await admin.calls("zrangebyscore")
    assert await admin.calls("zrangebyscore") == before


async def test_a_failed_sweep_is_repeated(own_redis: EmbeddedRedis, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "fortythieves_server.rooms.sweeper")
    async with process(own_redis.url, "one") as service:
        service.open(sweep_every=0.01)
        kill(own_redis)
        await until(lambda: "postponed" in caplog.text)
        ann = Client(service, "ann")
        code = await ann.create()
        async with Admin(own_redis.url) as admin:
            await admin.redis.zadd("ft:due", {"BBBBBB": 1})
            await until_it_is(lambda: is_scheduled(admin, code))
            await until_it_is(lambda: is_scheduled(admin, "BBBBBB", expected=False))


async def _is_gone(service: RoomService, code: str) -> bool:
    await service.sweeper.drop_unused()
    return code not in service.registry


async def test_a_room_of_another_process_is_checked_late_and_dropped_when_empty(url: str, admin: Admin) -> None:
    await store_of(admin, lobby(2))
    async with process(url, "one", is_here=lambda code: False) as one:
        ann = Client(one, "ann")
        code = await ann.create()
        await ann.hang_up()
        await until_it_is(lambda: _is_gone(one, code))
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
