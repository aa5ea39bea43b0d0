"""All rooms of a process, and those that nobody serves."""

import asyncio
import logging
from collections.abc import Callable

import pytest

from fortythieves.errors import Refused
from fortythieves.protocol import to_server
from fortythieves.protocol.to_client import Close
from fortythieves.protocol.to_server import Chat, Lock
from fortythieves_server.common.limits import Limits, Rate
from fortythieves_server.common.tasks import SLICE
from fortythieves_server.core import events
from fortythieves_server.core.room_list import GOOD_FOR
from fortythieves_server.process.embedded_redis import EmbeddedRedis
from fortythieves_server.rooms.catch_up import folded
from fortythieves_server.rooms.hub import Hub
from fortythieves_server.rooms.registry import CODE_LENGTH, LETTERS
from fortythieves_server.rooms.schedule import HOUR, Keep
from fortythieves_server.rooms.send_queue import SendQueue
from fortythieves_server.store.clock import Clock
from fortythieves_server.store.redis_errors import Newer
from fortythieves_server.store.room_logs import PAGE
from fortythieves_server.store.schema import PUBLIC
from tests.server.clients import Client, happened, now, process, seen_by_all, store_of, stored, until_each
from tests.server.stores import Admin, key, kill, until, until_it_is
from tests.server.tables import CODE, MINUTE, NOON, SECOND, Table, drawn, entered, lobby, over, racing


async def looks(admin: Admin) -> dict[str, int]:
    """When somebody has to look at each room."""
    return {code.decode(): int(at) for code, at in await admin.redis.zrange("ft:due", 0, -1, withscores=True)}


async def keys_of(admin: Admin, code: str = CODE) -> list[bytes]:
    return [name async for name in admin.redis.scan_iter(match=f"*{code}*")]


async def test_who_is_just_coming_is_not_taken_for_gone(one: Hub, admin: Admin) -> None:
    await store_of(admin, lobby(2))
    ann, bob = Client(one, "ann"), Client(one, "bob")
    await ann.join()
    assert ann.live is not None
    # While one commit is under way the next ones gather, and are decided together.
    chat = ann.do(Chat(1, "key", "hello"))
    await asyncio.gather(chat, bob.join(), ann.live.drop_dead_peers(lambda via: False))
    assert bob.seat == 2
    assert (await stored(admin)).people[2].here


async def test_a_long_log_is_read_in_slices_and_others_go_on_meanwhile(one: Hub, admin: Admin) -> None:
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


# An older process and a newer one


class Danced(events.Event, frozen=True, tag="danced"):
    """What a newer version may write into a room's log."""

    seat: int


async def dance(two: Hub, code: str) -> None:
    live = await two.registry.room(code)
    room = live.room
    await two.store.logs.commit(
        code, live.cached.epoch, room.n, room.at, room.race.number, [Danced(1)], {}, {"open": False}
    )


async def test_an_older_process_sends_its_people_on_when_a_newer_one_writes_what_it_cannot_read(
    one: Hub, two: Hub, admin: Admin
) -> None:
    await store_of(admin, lobby(2))
    ann = Client(one, "ann")
    await ann.join()
    await dance(two, CODE)
    assert await ann.until_closed() == Close.GOING_AWAY
    late = Client(one, "bob")
    with pytest.raises(Newer):
        await late.join()


async def test_rooms_of_a_newer_version_are_left_to_processes_that_can_read_them(
    one: Hub, two: Hub, admin: Admin, caplog: pytest.LogCaptureFixture
) -> None:
    await store_of(admin, lobby(1))
    await dance(two, CODE)
    await admin.redis.zadd("ft:due", {CODE: 1})
    before = sorted(await keys_of(admin))
    await one.sweeper.sweep()
    assert sorted(await keys_of(admin)) == before
    assert caplog.text == ""


# Tournaments


async def refused_at_the_door(client: Client, code: str, password: str = "") -> str:
    with pytest.raises(Refused) as refused:
        await client.join(code, password=password)
    return refused.value.code


async def test_a_tournament_asks_whoever_is_new_for_its_password(one: Hub, two: Hub, admin: Admin) -> None:
    host, bob = Client(one, "host"), Client(two, "bob")
    code = await host.create({"entry": "password"}, "open sesame")
    assert await refused_at_the_door(bob, code) == "wrong-password"
    assert await refused_at_the_door(bob, code, "sesame") == "wrong-password"
    await bob.join(code, password="open sesame")
    assert (await stored(admin, code)).tournament is not None
    again = Client(one, "bob")
    await again.join(code)
    assert again.seat == bob.seat, "who has a seat is not asked again"
    assert not any(b"sesame" in entry for entry in await admin.list("log", code=code))


async def test_one_address_cannot_try_a_thousand_passwords_and_keeps_nobody_else_out(url: str) -> None:
    async with process(url, "guarded", limits=Limits()._replace(passwords=Rate(1, "hour", 5))) as guarded:
        host = Client(guarded, "host")
        code = await host.create({"entry": "password"}, "open sesame")
        tries = [await refused_at_the_door(Client(guarded, f"guest {n}"), code, f"{n}") for n in range(1000)]
        assert tries.count("wrong-password") == 5
        assert tries.count("too-fast") == 995
        assert await refused_at_the_door(Client(guarded, "eve"), code, "open sesame") == "too-fast", (
            "no way to guess on"
        )
        await Client(guarded, "bob", "192.0.2.2").join(code, password="open sesame")


async def test_whoever_knows_the_password_uses_up_no_tries(url: str) -> None:
    async with process(url, "guarded", limits=Limits()._replace(passwords=Rate(1, "hour", 2))) as guarded:
        code = await Client(guarded, "host").create({"entry": "password"}, "open sesame")
        for n in range(5):
            await Client(guarded, f"guest {n}").join(code, password="open sesame")


async def test_a_password_that_a_host_sets_later_is_asked_of_whoever_comes_then(
    one: Hub, two: Hub, admin: Admin
) -> None:
    host, bob, cleo = Client(one, "host"), Client(two, "bob"), Client(two, "cleo")
    code = await host.create({"entry": "open"})
    await bob.join(code)
    change = to_server.ChangePlan(2, {"entry": "password"}, "open sesame")
    assert await bob.refused(change) == "not-host"
    await host.do(change)
    await bob.until(lambda: bob.view["tournament"]["plan"]["entry"] == "password")
    assert await refused_at_the_door(cleo, code) == "wrong-password"
    again = Client(two, "bob")
    await again.join(code)
    assert again.seat == bob.seat, "who is in stays in"

    await host.do(to_server.ChangePlan(3, {}, "aha sesame"))
    await again.until(lambda: [deed[2] for deed in again.view["tournament"]["desk"]] == ["planned", "planned"])
    assert await refused_at_the_door(cleo, code, "open sesame") == "wrong-password"
    await cleo.join(code, password="aha sesame")
    assert "sesame" not in str([client.view for client in (host, again, cleo)])
    assert not any(b"sesame" in entry for entry in await admin.list("log", code=code))


async def test_hosts_set_no_more_passwords_than_can_be_hashed(url: str) -> None:
    async with process(url, "guarded", limits=Limits()._replace(hashes=Rate(1, "hour", 2))) as guarded:
        host, bob = Client(guarded, "host"), Client(guarded, "bob")
        await bob.join(await host.create({"entry": "open"}))
        change = to_server.ChangePlan(2, {"entry": "password"}, "open sesame")
        assert [await bob.refused(change) for _ in range(3)] == ["not-host"] * 3
        await host.do(change)
        await host.do(change)
        assert await host.refused(change) == "too-fast"
        await host.do(to_server.ChangePlan(2, {"pause": 90}))


async def test_a_plan_that_does_not_work_opens_no_room(one: Hub, admin: Admin) -> None:
    for plan in ({"rounds": 0}, {"starts_at": 1}, {"entry": "password"}, {"ladder": [{"game": "spider"}]}):
        with pytest.raises(Refused) as refused:
            await Client(one, "host").create(plan)
        assert refused.value.code == "bad-plan", plan
    assert await keys_of(admin, "{") == []


async def test_a_round_begins_on_time_though_its_server_died(one: Hub, admin: Admin) -> None:
    table = drawn(2, {"starts_at": NOON + MINUTE}, countdown=3)
    table.log.append((table.now, events.Here(2, "dead/1")))
    await store_of(admin, table, ago=11 * SECOND)
    await admin.redis.zadd("ft:due", {CODE: 0})
    await one.sweeper.sweep()
    ann = Client(one, "guest 1")
    await ann.join()
    starts_at = ann.view["tournament"]["next_at"]
    await ann.until(lambda: ann.race.get("starts_at"))
    assert 0 <= ann.race["starts_at"] - starts_at < SECOND
    await ann.until(lambda: ann.entries is not None)


async def test_a_room_is_kept_until_its_tournament_begins(one: Hub, admin: Admin) -> None:
    table = entered(2, {"starts_at": NOON + 100 * HOUR})
    for seat in (1, 2, 3):
        table.hang_up(seat)
    await store_of(admin, table, ago=90 * HOUR)
    live = await one.registry.room(CODE)
    assert live.schedule.expires_at > await now(admin) + 10 * HOUR
    assert live.schedule.next_look < await now(admin) + 11 * HOUR


# Opening and finding rooms


async def test_a_room_has_a_code_that_can_be_told_over_the_telephone(one: Hub) -> None:
    ann = Client(one, "ann")
    code = await ann.create()
    assert len(code) == CODE_LENGTH and set(code) <= set(LETTERS)
    assert ann.seat == 1


async def test_whoever_cannot_sit_down_leaves_no_room_behind(one: Hub, admin: Admin) -> None:
    for request in (to_server.Create(1, " ", {}), to_server.Create(1, "Ann", {"game": "spider"})):
        with pytest.raises(Refused):
            await one.create(one.peer(SendQueue()), "ann", request)
    assert [name async for name in admin.redis.scan_iter(match="ft:{*")] == []
    assert await looks(admin) == {}


async def test_a_code_is_read_as_people_type_it(one: Hub, two: Hub) -> None:
    ann, bob = Client(one, "ann"), Client(two, "bob")
    code = await ann.create()
    await bob.join(f"  {code.lower()} ")
    assert bob.seat == 2


@pytest.mark.parametrize("code", ["", "KQXWV", "KQXWVDD", "KQXWVA", "KQX WV", "ΑΒΓΔΕΖ", "*" * 6, "KQXWVD", "x" * 64])
async def test_a_room_that_is_not_there_is_not_found(one: Hub, admin: Admin, code: str) -> None:
    with pytest.raises(Refused) as refused:
        await Client(one, "ann").join(code)
    assert refused.value.code == "unknown-room"
    assert await keys_of(admin) == []


async def test_a_room_that_two_come_to_at_once_is_read_once(one: Hub, admin: Admin) -> None:
    await store_of(admin, lobby(2))
    before = await admin.calls("lrange")
    ann, bob, cem = (Client(one, guest) for guest in ("ann", "bob", "cem"))
    await asyncio.gather(ann.join(), bob.join(), cem.join())
    assert await admin.calls("lrange") - before == 1
    assert ann.live is bob.live is cem.live
    await seen_by_all(admin, ann, bob, cem)


async def test_no_two_lines_have_the_same_name(one: Hub, two: Hub) -> None:
    lines = [hub.peer(SendQueue()).via for hub in (one, two) for _ in range(3)]
    assert len(set(lines)) == 6 and lines[0].startswith("one/") and lines[-1].startswith("two/")


async def test_a_room_is_looked_after_although_its_process_dies_at_once(one: Hub, two: Hub, admin: Admin) -> None:
    ann = Client(one, "ann")
    code = await ann.create()
    assert 0 < (await looks(admin))[code] - await now(admin) <= HOUR


# Rooms that nobody serves


async def test_a_race_whose_processes_have_died_is_ended_by_another_one(one: Hub, admin: Admin) -> None:
    table = racing(2)
    await store_of(admin, table, ago=21 * MINUTE)
    await admin.redis.zadd("ft:due", {CODE: await now(admin)})
    await one.sweeper.sweep()
    room = await stored(admin)
    assert room.race.over_at == room.race.ends_at
    assert not any(person.here for person in room.people.values()), "their processes are dead"


async def test_a_room_is_looked_at_again_when_something_is_due(one: Hub, admin: Admin) -> None:
    await store_of(admin, racing(2), ago=MINUTE)
    await admin.redis.zadd("ft:due", {CODE: 1})
    await one.sweeper.sweep()
    room = await stored(admin)
    assert await looks(admin) == {CODE: room.race.ends_at}


async def test_a_room_without_anything_due_is_looked_at_all_the_same(one: Hub, admin: Admin) -> None:
    ann = Client(one, "ann")
    code = await ann.create()
    await admin.redis.zadd("ft:due", {code: 1})
    await one.sweeper.sweep()
    assert HOUR - MINUTE < (await looks(admin))[code] - await now(admin) <= HOUR


async def test_what_is_due_sooner_than_was_thought_is_written_down(one: Hub, two: Hub, admin: Admin) -> None:
    await store_of(admin, racing(2), ago=MINUTE)
    bob = Client(two, "bob")
    await bob.join()
    await one.sweeper.sweep()
    await two.sweeper.sweep()
    ends_at = (await stored(admin)).race.ends_at
    assert await looks(admin) == {CODE: ends_at}
    await bob.do(to_server.GiveUp(1))
    await one.sweeper.sweep()
    await two.sweeper.sweep()
    gave_up_at = (await stored(admin)).race.racers[2].gave_up_at or 0
    assert await looks(admin) == {CODE: gave_up_at + 10 * SECOND}


async def test_a_look_that_another_process_has_taken_is_written_down_anew(one: Hub, two: Hub, admin: Admin) -> None:
    await store_of(admin, racing(2, time_limit=7200), ago=MINUTE)
    bob = Client(two, "bob")
    await bob.join()
    clock = two.clock
    two.sweeper.clock = Later(clock, -HOUR - MINUTE)  # As if it had swept an hour ago.
    await two.sweeper.sweep()
    two.sweeper.clock = clock
    await one.sweeper.sweep()
    assert (await looks(admin))[CODE] > await now(admin) + 20 * SECOND, "it is put off"
    await bob.do(to_server.GiveUp(1))
    await two.sweeper.sweep()
    gave_up_at = (await stored(admin)).race.racers[2].gave_up_at or 0
    assert await looks(admin) == {CODE: gave_up_at + 10 * SECOND}


async def test_a_room_that_is_due_and_not_there_is_not_looked_at_again(one: Hub, admin: Admin) -> None:
    await admin.redis.zadd("ft:due", {CODE: 1})
    await one.sweeper.sweep()
    assert await looks(admin) == {}


async def test_a_room_that_cannot_be_read_does_not_keep_others_from_being_looked_at(
    one: Hub, admin: Admin, caplog: pytest.LogCaptureFixture
) -> None:
    await store_of(admin, racing(2), ago=21 * MINUTE)
    await admin.redis.hset(key("meta", code="BBBBBB"), "epoch", "x")
    await admin.redis.rpush(key("log", code="BBBBBB"), "1 x nonsense")
    await admin.redis.zadd("ft:due", {"BBBBBB": 1, CODE: 2})
    with caplog.at_level(logging.CRITICAL, "fortythieves_server.rooms.sweeper"):
        await one.sweeper.sweep()
    assert (await stored(admin)).race.over_at is not None
    assert (await looks(admin))["BBBBBB"] > await now(admin)


# How long a room is kept


@pytest.mark.parametrize(
    ("start", "kept"),
    [(lobby, 24 * HOUR), (over, 7 * 24 * HOUR)],
    ids=["unplayed", "played"],
)
async def test_an_idle_room_is_forgotten_with_everything_in_it(
    one: Hub, admin: Admin, start: Callable[[], Table], kept: int
) -> None:
    table = deserted(start())
    await store_of(admin, table, ago=kept + MINUTE)
    if table.race.starts_at is not None:
        await admin.redis.rpush(key("moves", 1, 1), f"{await now(admin)} draw")
        await admin.redis.hset(key("progress", 1), "1", f"1 0 {NOON} 63 - {NOON}")
    await admin.redis.zadd("ft:due", {CODE: 1})
    await one.sweeper.sweep()
    assert await keys_of(admin) == [] and await looks(admin) == {}
    assert (await admin.redis.pubsub_channels("*{KQXWVD}*")) == []
    with pytest.raises(Refused):
        await Client(one, "ann").join()


@pytest.mark.parametrize(("start", "kept"), [(lobby, 24 * HOUR), (over, 7 * 24 * HOUR)], ids=["unplayed", "played"])
async def test_an_idle_room_is_kept_until_it_is_time(
    one: Hub, admin: Admin, start: Callable[[], Table], kept: int
) -> None:
    await store_of(admin, deserted(start()), ago=kept - MINUTE // 2)
    await admin.redis.zadd("ft:due", {CODE: 1})
    await one.sweeper.sweep()
    assert await looks(admin) == {CODE: (await stored(admin)).at + kept}


def deserted(table: Table) -> Table:
    """The table after everybody has gone for so long that the seats are free."""
    for seat in list(table.room.people):
        table.hang_up(seat)
    table.wait(10 * MINUTE)
    table.settle()
    return table


async def _past(admin: Admin, at: int) -> bool:
    return await now(admin) > at


async def test_a_room_with_somebody_in_it_is_kept_however_idle(url: str, admin: Admin) -> None:
    async with process(url, "one", Keep(unplayed=0, played=0)) as hub:
        ann = Client(hub, "ann")
        code = await ann.create()
        await admin.redis.zadd("ft:due", {code: 1})
        await hub.sweeper.sweep()
        assert (await looks(admin))[code] > await now(admin) + MINUTE
        await ann.do(Chat(1, "k", "still here"))
        await ann.hang_up()
        await admin.redis.zadd("ft:due", {code: 1})
        await until_it_is(lambda: _past(admin, ann.live.room.at if ann.live else 0))
        await hub.sweeper.sweep()
        assert await keys_of(admin, code) == []


async def test_a_race_that_is_on_is_kept_until_it_is_over(url: str, admin: Admin) -> None:
    await store_of(admin, racing(2), ago=MINUTE)
    await admin.redis.zadd("ft:due", {CODE: 1})
    async with process(url, "one", Keep(unplayed=0, played=0)) as hub:
        await hub.sweeper.sweep()
    assert (await stored(admin)).race.on


async def test_whoever_comes_in_while_a_room_is_forgotten_keeps_it(one: Hub, two: Hub, admin: Admin) -> None:
    await store_of(admin, lobby(2), ago=25 * HOUR)
    live = await one.registry.room(CODE)
    seen = live.room
    dan = Client(two, "dan")
    await dan.join()
    live.cached.room = seen  # as the sweep saw it, a moment ago
    await one.sweeper.forget(CODE, live)
    await dan.do(Chat(1, "k", "hi"))
    await seen_by_all(admin, dan)


async def test_a_room_that_nobody_is_connected_to_is_let_go_and_found_again(url: str, two: Hub, admin: Admin) -> None:
    async with process(url, "one", linger=-1.0) as one:
        ann, bob = Client(one, "ann"), Client(two, "bob")
        code = await ann.create()
        await ann.hang_up()
        assert one.sweeper.keeps(code)
        await one.sweeper.let_go()
        assert not one.sweeper.keeps(code)
        await until_it_is(lambda: _nobody_listens(admin, code))
        await bob.join(code)
        again = Client(one, "ann")
        await again.join(code)
        await bob.do(Chat(1, "k", "hi"))
        await seen_by_all(admin, bob, again, code=code)


async def _nobody_listens(admin: Admin, code: str) -> bool:
    return not await admin.redis.pubsub_channels(key("nudge", code=code))


async def test_a_room_lingers_for_who_comes_back(one: Hub, admin: Admin) -> None:
    ann = Client(one, "ann")
    code = await ann.create()
    live = ann.live
    await ann.hang_up()
    await one.sweeper.let_go()
    again = Client(one, "ann")
    await again.join(code)
    assert again.live is live


async def test_a_room_is_not_let_go_while_somebody_comes_in(own_redis: EmbeddedRedis) -> None:
    async with process(own_redis.url, "one", linger=-1.0) as one, Admin(own_redis.url) as admin:
        await store_of(admin, lobby(2))
        await one.registry.room(CODE)
        kill(own_redis)
        ann = Client(one, "ann")
        joining = asyncio.create_task(ann.join())
        await asyncio.sleep(0)
        await one.sweeper.let_go()
        await joining
        await ann.do(Chat(1, "k", "hi"))
        await ann.until(lambda: ann.view["chat"])


# Processes that die, stand still and come back


async def test_whose_process_has_died_is_away(one: Hub, admin: Admin) -> None:
    await store_of(admin, lobby(2))
    ann = Client(one, "ann")
    await ann.join()
    assert ann.person(2)["here"]
    await one.sweeper.check_presence()
    await ann.until(lambda: not ann.person(2)["here"])
    assert ann.person(1)["here"]


async def test_whose_process_is_alive_is_here(one: Hub, two: Hub, admin: Admin) -> None:
    await store_of(admin, lobby(2))
    ann, bob = Client(one, "ann"), Client(two, "bob")
    await ann.join()
    await bob.join()
    for hub in (one, two, one):
        await hub.sweeper.check_presence()
    await seen_by_all(admin, ann, bob)
    assert ann.person(1)["here"] and ann.person(2)["here"]
    assert happened(await admin.list("log"), "away") == 0


async def test_a_room_in_which_nothing_happened_is_not_read_again(one: Hub, admin: Admin) -> None:
    async def read() -> int:
        return int((await admin.redis.info("commandstats"))["cmdstat_lrange"]["calls"])

    await store_of(admin, lobby(1))
    ann = Client(one, "ann")
    await ann.join()
    before = await read()
    await one.sweeper.check_presence()
    assert await read() == before
    await admin.redis.hset(key("meta"), "last", await admin.now() + 1)
    await one.sweeper.check_presence()
    assert await read() == before + 1


async def test_a_process_that_stood_still_for_long_brings_its_people_back(one: Hub, two: Hub, admin: Admin) -> None:
    await store_of(admin, lobby(2))
    ann, bob = Client(one, "ann"), Client(two, "bob")
    await ann.join()
    await bob.join()
    await ann.until(lambda: ann.n == bob.n)
    await admin.redis.delete("ft:process:two")
    await one.sweeper.check_presence()
    await until_each((ann, bob), lambda client: not client.person(2)["here"])
    await two.store.processes.heartbeat()
    await two.sweeper.check_presence()
    await until_each((ann, bob), lambda client: client.person(2)["here"])
    assert bob.closed is None
    await bob.do(Chat(1, "k", "I was never gone"))


async def test_whoever_comes_by_a_process_that_has_just_begun_is_not_taken_for_dead(
    one: Hub, two: Hub, admin: Admin
) -> None:
    await store_of(admin, lobby(2))
    ann = Client(one, "ann")
    await ann.join()
    assert ann.live is not None
    alive = await one.sweeper.alive([ann.live])
    bob = Client(two, "bob")
    await bob.join()
    await ann.live.drop_dead_peers(alive)
    await seen_by_all(admin, ann, bob)
    assert bob.person(2)["here"]


async def test_a_line_of_ones_own_that_was_never_hung_up_is_dropped(one: Hub, admin: Admin) -> None:
    table = lobby(2)
    table.happen(events.Here(2, "one/1000"))  # Bob came by this process; that he went could not be said.
    await store_of(admin, table)
    ann = Client(one, "ann")
    await ann.join()
    assert ann.person(2)["here"]
    await one.sweeper.check_presence()
    await ann.until(lambda: not ann.person(2)["here"])


async def test_people_of_a_process_that_said_goodbye_find_their_seats_on_another(url: str, admin: Admin) -> None:
    async with process(url, "two") as two:
        async with process(url, "one") as one:
            ann = Client(one, "ann")
            code = await ann.create()
            bob = Client(two, "bob")
            await bob.join(code)
        assert await ann.until_closed() == Close.GOING_AWAY
        await two.sweeper.check_presence()
        await bob.until(lambda: not bob.person(1)["here"])
        again = Client(two, "ann")
        await again.join(code)
        assert again.seat == 1 and again.view["host"] == 1


# The front page


async def test_public_rooms_are_listed_while_they_can_be_joined(one: Hub, two: Hub, admin: Admin) -> None:
    ann, bob = Client(one, "ann"), Client(one, "bob")
    code = await ann.create(public=True)
    await bob.create()
    await one.sweeper.sweep()
    assert [room["code"] for room in await two.front_page.rooms()] == [code]
    await ann.do(Lock(1, True))
    assert [room["code"] for room in await two.front_page.rooms()] == [code], "asked of the store once a second at most"
    assert await one.front_page.rooms() == []
    await one.sweeper.sweep()
    assert await admin.redis.zcard(PUBLIC[1]) == 0


class Later(Clock):
    """The clock of a process, some time later (ms)."""

    def __init__(self, clock: Clock, ms: int) -> None:
        super().__init__()
        self._clock = clock
        self._ms = ms

    def now(self) -> int:
        return self._clock.now() + self._ms


async def watch(client: Client, code: str) -> None:
    await client.hub.watch(client.peer, client.guest, to_server.Watch(1, code, client.guest.title()))


async def front(hub: Hub) -> list[str]:
    """What the front page lists, now."""
    return [room["code"] for room in await hub.front_page.read()]


async def test_a_room_that_everybody_has_left_is_listed_no_more_at_any_process(one: Hub, two: Hub) -> None:
    ann, bob = Client(one, "ann"), Client(two, "bob")
    code = await ann.create(public=True)
    await bob.join(code)
    for leaver, listed in ((ann, [code]), (bob, [])):
        await leaver.hang_up()
        for hub in (one, two):
            await hub.sweeper.check_presence()
            await hub.sweeper.sweep()
        assert await front(one) == await front(two) == listed


async def test_what_a_process_has_listed_goes_when_it_dies(one: Hub, two: Hub) -> None:
    code = await Client(one, "ann").create(public=True)
    await one.sweeper.sweep()
    assert await front(two) == [code]
    two.front_page.clock = Later(two.clock, GOOD_FOR)
    assert await front(two) == []


async def test_a_race_stays_on_the_list_as_long_as_somebody_is_in_it(one: Hub, two: Hub) -> None:
    code = await Client(one, "ann").create(public=True)
    await one.sweeper.sweep()
    for hub in (one, two):
        hub.front_page.clock = Later(hub.clock, GOOD_FOR)
    await one.sweeper.check_presence()
    assert await front(two) == [code]


async def test_a_tournament_that_is_announced_is_listed_while_nobody_serves_it(one: Hub, two: Hub) -> None:
    ann = Client(one, "ann")
    start = one.clock.now() + 20 * HOUR
    code = await ann.create({"name": "Club night", "starts_at": start}, public=True)
    await ann.hang_up()
    await one.sweeper.sweep()
    assert await front(two) == [code]
    two.front_page.clock = Later(two.clock, 20 * HOUR)
    assert await front(two) == []


async def test_what_an_operator_does_to_a_room_that_nobody_serves_is_so_at_once(one: Hub, two: Hub) -> None:
    ann = Client(one, "ann")
    code = await ann.create({"name": "Club night", "starts_at": one.clock.now() + 20 * HOUR}, public=True)
    await ann.hang_up()
    await one.sweeper.sweep()
    await two.unlist(code, unlisted=True)
    assert await front(one) == []
    await two.unlist(code, unlisted=False)
    assert await front(one) == [code]
    await two.close_room(code, "")
    assert await front(one) == []


async def test_a_room_that_is_closed_is_gone_for_everybody_at_every_process(one: Hub, two: Hub, url: str) -> None:
    ann, bob, wanda = Client(one, "ann"), Client(two, "bob"), Client(two, "wanda")
    code = await ann.create(public=True)
    await bob.join(code)
    await watch(wanda, code)
    await two.close_room(code, "Names.")
    for client in (ann, bob, wanda):
        assert await client.until_closed() == Close.ROOM_GONE
        assert client.closed is not None and client.closed[1] == "An operator has closed this room: Names."
    async with process(url, "three") as three:
        for hub in (one, two, three):
            for comes in (
                Client(hub, "carl").join(code),
                watch(Client(hub, "carl"), code),
                Client(hub, "ann").join(code),
            ):
                with pytest.raises(Refused) as refused:
                    await comes
                assert refused.value.code == "unknown-room"
            with pytest.raises(Refused) as refused:
                await hub.finished_race(code, 1)
            assert refused.value.code == "unknown-race"


async def test_a_room_that_is_closed_is_forgotten_in_its_time(one: Hub, admin: Admin, url: str) -> None:
    code = await Client(one, "ann").create()
    await one.close_room(code, "")
    room = (await one.registry.stored_room(code)).room
    assert room.closed and not any(person.here for person in room.people.values())
    async with process(url, "two", Keep(unplayed=0, played=0)) as two:
        await two.sweeper.look_at(code, two.clock.now() + HOUR)
    assert await keys_of(admin, code) == []


# Redis, and the end


async def test_everybody_is_told_that_redis_is_away_and_back(own_redis: EmbeddedRedis) -> None:
    async with process(own_redis.url, "one") as hub:
        ann, bob = Client(hub, "ann"), Client(hub, "bob")
        await ann.create()
        await bob.create()
        kill(own_redis)
        await ann.do(Chat(1, "k", "hi"))
        await until_each((ann, bob), lambda client: client.notices() == ["store-down", "store-back"])


async def test_a_hub_sweeps_by_itself_until_it_is_closed(url: str, admin: Admin) -> None:
    await store_of(admin, lobby(2))
    async with process(url, "one") as hub:
        hub.open(sweep_every=0.01, check_every=0.01)
        ann = Client(hub, "ann")
        await ann.join()
        await ann.until(lambda: not ann.person(2)["here"])
        await until_it_is(lambda: _is_due(admin))
    before = await admin.calls("zrangebyscore")
    assert await admin.calls("zrangebyscore") == before


async def _is_due(admin: Admin) -> bool:
    return CODE in await looks(admin)


async def test_a_sweep_that_fails_is_tried_again(own_redis: EmbeddedRedis, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "fortythieves_server.rooms.sweeper")
    async with process(own_redis.url, "one") as hub:
        hub.open(sweep_every=0.01)
        kill(own_redis)
        await until(lambda: "postponed" in caplog.text)
        ann = Client(hub, "ann")
        code = await ann.create()
        async with Admin(own_redis.url) as admin:
            await admin.redis.zadd("ft:due", {"BBBBBB": 1})
            await until_it_is(lambda: _listed(admin, code))
            await until_it_is(lambda: _looked_at(admin, "BBBBBB"))


async def _looked_at(admin: Admin, code: str) -> bool:
    return not await _listed(admin, code)


async def _listed(admin: Admin, code: str) -> bool:
    return code in await looks(admin)
