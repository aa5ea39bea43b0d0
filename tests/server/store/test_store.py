"""The contract of the store, tested with a real Redis and its failures."""

import asyncio
import gc
import time
from collections import Counter
from collections.abc import Sequence
from functools import reduce
from pathlib import Path

import pytest

from fortythieves.times import Ms, ms_of
from fortythieves_server.core import events
from fortythieves_server.core.playthrough import NO_LOG, Progress, extended
from fortythieves_server.core.room_list import OF_ONE_ADDRESS, Listing
from fortythieves_server.process.embedded_redis import EmbeddedRedis
from fortythieves_server.store import notifications
from fortythieves_server.store.clock import Clock
from fortythieves_server.store.move_batches import Made, PendingMove, RaceRef
from fortythieves_server.store.redis_errors import RIGHTS, Behind, Closed, Lost, StoreDown
from fortythieves_server.store.room_logs import Head, Taken
from fortythieves_server.store.schema import PUBLIC, Notification
from fortythieves_server.store.store import Store
from tests.server.redises import LASTING, SERVERS, Node
from tests.server.stores import (
    ALWAYS,
    SECONDS,
    Admin,
    Log,
    Recorder,
    created,
    cutting,
    joined,
    key,
    kill,
    opened,
    pause,
    progress,
    until,
    until_there,
)
from tests.server.tables import CODE


@pytest.fixture
async def log(store: Store) -> Log:
    return await Log.create(store)


# Rooms


async def test_a_room_is_created_once(store: Store, log: Log) -> None:
    with pytest.raises(Taken):
        await store.logs.create(CODE, created())
    stored = await store.logs.read(CODE)
    assert stored is not None
    assert (stored.epoch.encode(), stored.length) == (log.epoch.encode(), 1)
    assert stored.entries == [(log.at, created())]


async def test_events_are_appended_in_order_with_the_time_of_the_store(store: Store, log: Log, admin: Admin) -> None:
    first = await log.commit(joined(1), joined(2))
    second = await log.commit(events.Away(1))
    stored = await store.logs.read(CODE, 1)
    assert stored is not None
    assert stored.entries == [(first, joined(1)), (first, joined(2)), (second, events.Away(1))]
    assert second <= await admin.now() < second + Ms(60_000)


async def test_of_many_commits_at_the_same_position_one_succeeds(store: Store, log: Log, two: Store) -> None:
    rivals = [log.by(store) for store in (store, two) for _ in range(20)]
    answers = await asyncio.gather(*(rival.commit(joined(1)) for rival in rivals), return_exceptions=True)
    assert Counter(type(answer) for answer in answers) == {int: 1, Behind: 39}


async def test_the_time_of_a_room_never_decreases(log: Log, admin: Admin) -> None:
    ahead = log.at + Ms(3_600_000)
    await admin.redis.hset(key("meta"), "last", ahead)  # as a Redis with a fast clock would have left it
    assert await log.commit(joined(1)) == ahead
    assert await log.move() == ahead


async def test_a_room_is_deleted_with_everything_in_it(store: Store, admin: Admin) -> None:
    log, other = await Log.create(store), await Log.create(store, "BCDFGH")
    for seat in (1, 2):
        await log.move(seat=seat)
    await log.move(race=2)
    await log.commit(joined(1))
    await store.directory.schedule({CODE: Ms(1), "BCDFGH": Ms(1)})
    await store.logs.delete(CODE, log.epoch, log.n, log.last, {1: [1, 2], 2: [1, 3]})
    assert await store.logs.read(CODE) is None
    assert not [name async for name in admin.redis.scan_iter(match=f"*{CODE}*")]
    assert await due(store, Ms(2)) == ["BCDFGH"]
    stored = await store.logs.read(other.code)
    assert stored is not None


# Moves


async def test_moves_are_appended_and_the_last_one_sets_the_progress(store: Store, log: Log) -> None:
    first = await log.move("draw")
    second = await log.move("W-F", after=Progress(2, 1, Ms(0), 63, 1, "", Ms(0)))
    third = await log.move("draw", after=Progress(3, 1, second, 62, 2, "", Ms(0)))
    await log.move("3-F", seat=2, after=Progress(1, 104, Ms(0), 0, 64, "solved", Ms(0)))
    assert await store.logs.moves(CODE, 1, 1) == [(first, "draw"), (second, "W-F"), (third, "draw")]
    assert await store.logs.moves(CODE, 1, 1, 2) == [(third, "draw")]
    rows = await store.logs.progress(CODE, 1)
    log_hash = reduce(lambda known, entry: extended(known, *entry), await store.logs.moves(CODE, 1, 1), NO_LOG)
    assert rows[1] == Progress(3, 1, second, 62, 2, "", third, log_hash)
    assert await store.logs.seat_log(CODE, 1, 1, 2) == ([(third, "draw")], log_hash)
    assert await store.logs.seat_log(CODE, 1, 3, 0) == ([], NO_LOG)
    assert rows[2].outcome == "solved" and rows[2].reached_at == rows[2].at
    assert await store.logs.progress(CODE, 2) == {}


async def test_the_heads_of_many_rooms_are_read_together(store: Store, log: Log, admin: Admin) -> None:
    await log.commit(joined(1))
    assert await store.logs.heads([(CODE, 1)]) == [Head(log.epoch, 2, 0)]
    for seat in (1, 1, 2):
        await log.move("draw", seat=seat)
    await admin.redis.set(key("meta", code="BROKEN"), "not a room")
    found = await store.logs.heads([("NOBODY", 1), (CODE, 1), ("BROKEN", 1), (CODE, 2)])
    assert found == [None, Head(log.epoch, 2, 3), None, Head(log.epoch, 2, 0)]
    assert await store.logs.heads([]) == []


async def test_each_process_learns_the_spectators_of_all_processes(store: Store, two: Store) -> None:
    await store.directory.watched({CODE: 2, "OTHERS": 1})
    assert await two.directory.watched({CODE: 3}) == {CODE: {"one": 2, "two": 3}}
    assert await store.directory.watched({CODE: 0, "OTHERS": 1}) == {CODE: {"two": 3}, "OTHERS": {"one": 1}}
    assert await two.directory.watched({CODE: 3}) == {CODE: {"two": 3}}
    assert await two.directory.watched({}) == {}


async def test_the_same_move_of_two_processes_is_stored_once_and_another_one_is_behind(log: Log, two: Store) -> None:
    theirs, others = log.by(two), log.by(two)
    assert await log.move("draw") == await theirs.move("draw")
    assert len(await two.logs.moves(CODE, 1, 1)) == 1
    with pytest.raises(Behind):
        await others.move("3-7")
    await log.move("3-7")
    with pytest.raises(Behind):
        await theirs.move("draw")


async def test_a_move_outside_of_the_time_of_its_race_is_refused(store: Store, log: Log) -> None:
    now = log.at
    for window, code in (((now + Ms(60_000), now + Ms(90_000)), "not-started"), ((Ms(0), now), "over")):
        with pytest.raises(Closed) as closed:
            await log.move(window=window)
        assert closed.value.code == code
    assert await store.logs.moves(CODE, 1, 1) == []


async def test_a_sealed_log_takes_no_more_moves_in_its_race(log: Log, two: Store) -> None:
    again = log.by(two)
    at = await log.move()
    await log.commit(events.Finished(1, "gave_up", log.at, 0, 1, log.at), sealed={1: 1})
    assert await again.move() == at, "a repeated move gets the same answer"
    with pytest.raises(Closed) as closed:
        await log.move()
    assert closed.value.code == "finished"
    await log.move(seat=2)
    await log.move(race=2)


async def test_a_log_is_sealed_only_at_the_expected_length(log: Log, two: Store) -> None:
    await log.move()
    await log.by(two).move("W-F")
    with pytest.raises(Behind):
        await log.commit(events.Finished(1, "timed_out", log.at, 0, 1, log.at), sealed={1: 1, 2: 0})
    with pytest.raises(Behind):
        await log.commit(events.Finished(2, "timed_out", log.at, 0, 1, log.at), sealed={2: 1})
    await log.commit(events.Finished(1, "timed_out", log.at, 0, 2, log.at), sealed={1: 2, 2: 0})


async def test_waiting_moves_share_a_few_pipelines_and_fsyncs(own_redis: EmbeddedRedis) -> None:
    async with opened(own_redis.url) as store, Admin(own_redis.url) as admin:
        log = await Log.create(store)
        before = await _reads(admin)
        go_on = pause(own_redis)
        moves = asyncio.gather(*(log.move(seat=seat) for seat in range(1, 1001)))
        await asyncio.sleep(0)
        go_on()
        await moves
        assert await admin.calls("evalsha") <= 10
        assert await _reads(admin) - before < 200


@pytest.mark.usefixtures("no_heartbeats")  # redis-py makes a cycle for each
async def test_a_move_leaves_no_work_for_the_garbage_collector(log: Log) -> None:
    await log.move()
    gc.collect()
    gc.disable()
    try:
        for _ in range(100):
            await asyncio.gather(*(log.move(seat=seat) for seat in range(1, 4)))
        assert gc.collect() < 100, "with a cycle in each move it would be thousands"
    finally:
        gc.enable()


async def test_a_room_that_fails_with_its_answers_does_not_affect_others(
    store: Store, log: Log, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(moves: Sequence[PendingMove], answers: Sequence[Made | Exception]) -> None:
        raise ValueError("trouble")

    where = RaceRef.of(CODE, log.epoch, log.n, log.at, 1, *ALWAYS, fail)
    store.moves.put(where, PendingMove(1, 0, NO_LOG, "draw", progress(1)), log.at)
    for seat in (2, 3):
        await log.move(seat=seat)
    assert "trouble" in caplog.text


async def _reads(admin: Admin) -> int:
    """How often Redis has read from a connection. After each read it runs the commands, syncs and answers."""
    return int((await admin.redis.info("stats"))["total_reads_processed"])


# Lost data


@pytest.mark.parametrize("cut", ["trimmed", "deleted", "regrown"])
@pytest.mark.parametrize("what", ["room", "moves"])
async def test_a_shortened_log_is_noticed(log: Log, two: Store, admin: Admin, what: str, cut: str) -> None:
    async def append(log: Log) -> Ms:
        return await (log.commit(joined(1)) if what == "room" else log.move())

    name = key("log") if what == "room" else key("moves", 1, 1)
    await append(log)
    before, row = log.by(two), await admin.redis.hget(key("progress", 1), 1)
    await append(log)
    if cut == "deleted":
        await admin.redis.delete(name)
    else:
        await admin.redis.rpop(name)
        if row is not None:
            await admin.redis.hset(key("progress", 1), 1, row)
    if cut == "regrown":
        await append(before)  # perhaps within the same millisecond
    with pytest.raises(Lost):
        await append(log)


async def test_no_log_of_moves_begins_in_a_redis_that_lacks_their_race(log: Log, admin: Admin) -> None:
    await log.commit(joined(1))
    await admin.redis.rpop(key("log"))
    with pytest.raises(Lost):
        await log.move()
    assert await admin.list("moves", 1, 1) == []


async def test_commits_to_a_deleted_room_are_lost(store: Store, log: Log, admin: Admin) -> None:
    await admin.redis.flushall()
    assert await store.logs.read(CODE) is None
    for lost in (log.commit(joined(1)), log.move()):
        with pytest.raises(Lost):
            await lost
    again = await Log.create(store)
    with pytest.raises(Lost):
        await log.commit(joined(1))
    with pytest.raises(Lost):
        await store.logs.delete(CODE, log.epoch, log.n, log.last, {})
    await again.commit(joined(1))


async def test_a_room_gets_one_new_epoch_that_every_process_notices(store: Store, log: Log, two: Store) -> None:
    theirs = log.by(two)
    assert not await store.logs.renew(CODE, log.epoch, log.n, log.last, 1, {}), "nothing is lost"
    assert await store.logs.renew(CODE, log.epoch, log.n + 1, log.last, 1, {})
    stored = await store.logs.read(CODE)
    assert stored is not None and stored.epoch != log.epoch
    assert await two.logs.renew(CODE, theirs.epoch, theirs.n, theirs.last, 1, {})
    again = await store.logs.read(CODE)
    assert again == stored
    for lost in (commit for stale in (log, theirs) for commit in (stale.commit(joined(1)), stale.move())):
        with pytest.raises(Lost):
            await lost


# Failures of Redis


def texts(k: int) -> str:
    return ("draw", "W-F", "3-7", "undo")[k % 4]


async def play(log: Log, seat: int, moves: int, acknowledged: list[tuple[int, Ms, str]]) -> None:
    for k in range(moves):
        at = await log.move(texts(k), seat=seat)
        acknowledged.append((seat, at, texts(k)))


async def assert_stored(store: Store, seats: int, acknowledged: list[tuple[int, Ms, str]]) -> None:
    for seat in range(1, seats + 1):
        mine = [(at, text) for owner, at, text in acknowledged if owner == seat]
        assert await store.logs.moves(CODE, 1, seat) == mine


async def test_a_commit_without_an_answer_is_stored_once(own_redis: EmbeddedRedis, tmp_path: Path) -> None:
    async with cutting(own_redis.url, tmp_path) as cutter, opened(cutter.url) as store, Admin(own_redis.url) as admin:
        cutter.cuts = 1
        log = await Log.create(store)
        cutter.cuts = 2
        await log.commit(joined(1), joined(2))
        cutter.cuts = 1
        await asyncio.gather(log.move("draw", seat=1), log.move("draw", seat=2))
        cutter.cuts = 1
        await log.move("draw", seat=1)
        cutter.cuts = 1
        assert await store.logs.renew(CODE, log.epoch, log.n + 1, log.last, 1, {})
        stored = await store.logs.read(CODE)
        assert stored is not None
        assert [event for _, event in stored.entries] == [created(), joined(1), joined(2)]
        assert [len(await admin.list("moves", 1, seat)) for seat in (1, 2)] == [2, 1]
        cutter.cuts = 1
        await store.logs.delete(CODE, stored.epoch, log.n, log.last, {1: [1, 2]})
        assert cutter.cuts == 0


async def test_no_commit_is_lost_or_doubled_when_connections_break(store: Store, log: Log, admin: Admin) -> None:
    acknowledged: list[tuple[int, Ms, str]] = []
    players = [asyncio.create_task(play(log, seat, 12, acknowledged)) for seat in range(1, 31)]

    async def chat() -> None:
        for k in range(30):
            await log.commit(events.Chatted(1, f"{k}", "hi"))

    chatter = asyncio.create_task(chat())
    for k in range(1, 9):
        await until_there(acknowledged, 40 * k)
        await admin.kill("normal")
    await asyncio.gather(*players, chatter)
    await assert_stored(store, 30, acknowledged)
    stored = await store.logs.read(CODE, 1)
    assert stored is not None
    assert [event for _, event in stored.entries] == [events.Chatted(1, f"{k}", "hi") for k in range(30)]


@pytest.mark.usefixtures("no_heartbeats")
async def test_acknowledged_moves_survive_the_death_of_redis(own_redis: EmbeddedRedis) -> None:
    async with opened(own_redis.url) as store:
        recorder = Recorder(store)
        log = await Log.create(store)
        await store.notifications.subscribe(CODE)
        acknowledged: list[tuple[int, Ms, str]] = []
        players = [asyncio.create_task(play(log, seat, 10, acknowledged)) for seat in range(1, 201)]
        await until_there(acknowledged, 100)
        kill(own_redis)
        async with asyncio.timeout(SECONDS):
            await asyncio.gather(*players)
        assert len(acknowledged) == 2000
        await assert_stored(store, 200, acknowledged)
        assert recorder.ups == [False, True]
        await until_there(recorder.gaps, 1)


@pytest.mark.parametrize("server", SERVERS, ids=str)
@pytest.mark.parametrize(
    ("hurt", "heal"),
    [
        (("REPLICAOF", "127.0.0.1", "1"), ("REPLICAOF", "NO", "ONE")),
        (("CONFIG", "SET", "min-replicas-to-write", "1"), ("CONFIG", "SET", "min-replicas-to-write", "0")),
        (("CONFIG", "SET", "maxmemory", "1"), ("CONFIG", "SET", "maxmemory", "0")),
    ],
    ids=["a replica", "no replica", "no memory"],
)
async def test_commits_wait_while_redis_refuses_them_for_now(
    tmp_path: Path, server: Path, hurt: tuple[str, ...], heal: tuple[str, ...]
) -> None:
    async with EmbeddedRedis(tmp_path, server) as redis, opened(redis.url) as store, Admin(redis.url) as admin:
        recorder = Recorder(store)
        log = await Log.create(store)
        await admin.redis.execute_command(*hurt)
        waiting = asyncio.gather(log.commit(joined(1)), log.move())
        await until(lambda: recorder.ups == [False])
        assert not waiting.done()
        await admin.redis.execute_command(*heal)
        await waiting
        await until(lambda: recorder.ups == [False, True])
        assert len(await admin.list("log")) == 2 and len(await admin.list("moves", 1, 1)) == 1


@pytest.mark.parametrize("server", SERVERS, ids=str)
async def test_scripts_are_loaded_after_redis_has_lost_them(tmp_path: Path, server: Path) -> None:
    async with EmbeddedRedis(tmp_path, server) as redis, opened(redis.url) as store, Admin(redis.url) as admin:
        log = await Log.create(store)
        for _ in range(2):
            await admin.redis.script_flush()
            await asyncio.gather(log.commit(joined(1)), *(log.move(seat=seat) for seat in range(1, 20)))
        assert len(await admin.list("log")) == 3


async def test_a_move_that_cannot_be_encoded_or_stored_fails_alone(log: Log, admin: Admin) -> None:
    with pytest.raises(UnicodeEncodeError):
        await log.move("\ud800")
    await admin.redis.set(key("moves", 1, 2), "not a list")
    bad, good = await asyncio.gather(log.move(seat=2), log.move(seat=1), return_exceptions=True)
    assert isinstance(bad, Lost)
    assert isinstance(good, Ms)


async def test_a_commit_that_nobody_wants_any_more_when_redis_returns_is_not_made(
    own_redis: EmbeddedRedis, tmp_path: Path
) -> None:
    async with opened(own_redis.url) as store, Admin(own_redis.url) as admin:
        recorder, log = Recorder(store), await Log.create(store)
        await admin.redis.replicaof("127.0.0.1", "1")
        waiting = asyncio.create_task(log.commit(joined(1), is_wanted=lambda: not recorder.ups))
        await until(lambda: recorder.ups == [False])
        await admin.redis.replicaof("NO", "ONE")
        with pytest.raises(Behind):
            await waiting
        await log.commit(joined(2))


async def test_cancelling_the_caller_does_not_stop_the_commit(store: Store, log: Log) -> None:
    moving = asyncio.create_task(log.move())
    await asyncio.sleep(0)
    moving.cancel()
    await log.move(seat=2)
    assert len(await store.logs.moves(CODE, 1, 1)) == 1


async def test_without_redis_reads_and_subscriptions_raise_store_down(
    own_redis: EmbeddedRedis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notifications, "SUBSCRIBE_WITHIN", 0.05)  # However long: Redis is gone.
    async with opened(own_redis.url) as store:
        await own_redis.stop()
        for work in (store.logs.read(CODE), store.directory.due(Ms(0)), store.notifications.subscribe(CODE)):
            with pytest.raises(StoreDown):
                await work


async def test_waiting_commits_fail_when_the_store_is_closed(own_redis: EmbeddedRedis) -> None:
    async with opened(own_redis.url) as store:
        log = await Log.create(store)
        await own_redis.stop()
        moving = asyncio.create_task(log.move())
        await until(lambda: not store.up)
    with pytest.raises(StoreDown):
        await moving
    with pytest.raises(StoreDown):
        await log.move(seat=2)


@pytest.mark.usefixtures("no_heartbeats")
async def test_a_broken_idle_connection_is_replaced_without_a_report(store: Store, admin: Admin) -> None:
    recorder = Recorder(store)
    log = await Log.create(store)
    for _ in range(3):
        await admin.kill("normal")
        await log.move()
        assert await store.logs.read(CODE) is not None
    assert recorder.ups == []


# Notifications


async def heard(store: Store, two: Store) -> tuple[Log, Recorder]:
    """A room of one store, and everything that another one hears of it."""
    recorder, log = Recorder(two), await Log.create(store)
    await two.notifications.subscribe(CODE)
    return log, recorder


async def test_a_commit_notifies_other_processes_and_not_its_sender(store: Store, two: Store) -> None:
    sender, (log, other) = Recorder(store), await heard(store, two)
    await store.notifications.subscribe(CODE)
    await log.commit(joined(1))
    at = await log.move(after=Progress(1, 9, Ms(0), 63, 1, "stuck", Ms(0)))
    await until_there(other.notifications, 2)
    assert other.notifications == [
        Notification(CODE, None, None, None),
        Notification(CODE, 1, 1, Progress(1, 9, at, 63, 1, "stuck", at, extended(NO_LOG, at, "draw"))),
    ]
    assert sender.notifications == []


async def test_only_subscribed_rooms_notify_a_process(store: Store, two: Store) -> None:
    (log, other), silent = await heard(store, two), await Log.create(store, "BCDFGH")
    await silent.commit(joined(1))
    await log.commit(joined(1))
    await until_there(other.notifications, 1)
    await two.notifications.unsubscribe(CODE)
    await two.notifications.subscribe("BCDFGH")
    await log.commit(joined(2))
    await silent.commit(joined(2))
    await until_there(other.notifications, 2)
    assert [notification.code for notification in other.notifications] == [CODE, "BCDFGH"]


async def test_no_notification_is_missed_after_a_subscription(store: Store, two: Store) -> None:
    other = Recorder(two)
    codes = [f"BCDF{a}{b}" for a in "GHJKL" for b in "MNPQR"]
    logs = [await Log.create(store, code) for code in codes]
    for log in logs:
        await two.notifications.subscribe(log.code)
        await log.commit(joined(1))
    await until_there(other.notifications, len(logs))


async def test_a_broken_connection_reports_a_gap_and_reconnects(store: Store, two: Store, admin: Admin) -> None:
    log, other = await heard(store, two)
    for count in (1, 2):
        await admin.kill("pubsub")
        await until_there(other.gaps, count)
        await log.commit(joined(count))
        await until_there(other.notifications, count)


async def test_a_process_can_subscribe_during_a_broken_connection(store: Store, two: Store, admin: Admin) -> None:
    other = Recorder(two)
    log = await Log.create(store)
    await admin.kill("pubsub")
    await two.notifications.subscribe(CODE)
    await log.commit(joined(1))
    await until_there(other.notifications, 1)


async def test_an_unreadable_notification_is_logged_and_ignored(
    store: Store, two: Store, admin: Admin, caplog: pytest.LogCaptureFixture
) -> None:
    log, other = await heard(store, two)
    await admin.publish(key("notify"), "nonsense")
    await admin.publish(key("notify"), "x move 1 1 nonsense")
    await log.commit(joined(1))
    await until_there(other.notifications, 1)
    await until(lambda: "unreadable notification" in caplog.text)


# Processes and the directory


async def test_a_process_is_alive_until_it_stops_or_its_key_expires(store: Store, url: str, admin: Admin) -> None:
    async with opened(url, "two"):
        assert await store.processes.alive(["one", "two", "three"]) == {"one", "two"}
        assert await admin.redis.pttl("ft:process:two") > 0
    assert await store.processes.alive(["one", "two"]) == {"one"}
    assert await store.processes.alive([]) == frozenset()


async def due(store: Store, now: Ms, limit: int = 100) -> list[str]:
    return [code for code, _ in await store.directory.due(now, limit)]


async def test_rooms_are_due_in_the_order_of_their_times(store: Store) -> None:
    await store.directory.schedule({"A": Ms(300), "B": Ms(100), "C": Ms(200)})
    assert await due(store, Ms(250)) == ["B", "C"]
    assert await due(store, Ms(300), limit=1) == ["B"]
    await store.directory.schedule({"B": Ms(400)})
    assert await due(store, Ms(300)) == ["C", "A"]
    assert await store.directory.due(Ms(300)) == [("C", Ms(200)), ("A", Ms(300))]
    await store.directory.unschedule("C")
    assert await due(store, Ms(300)) == ["A"]
    await store.directory.unschedule("B")
    await store.directory.schedule({"A": Ms(400), "B": Ms(100)}, sooner=True)
    assert await due(store, Ms(300)) == ["B", "A"], "a check can be scheduled sooner, but not later"
    await store.directory.schedule({"A": Ms(50)}, sooner=True)
    assert await due(store, Ms(300)) == ["A", "B"]


def listed(code: str, active_at: int, until: int = 2000, address: str = "") -> Listing:
    return Listing(code, address or f"of {code}".replace(" ", ""), Ms(active_at), Ms(until), {"code": code})


async def shown_at(store: Store, now: Ms, limit: int = 50) -> list[str]:
    return [room["code"] for room in await store.directory.public(now, limit)]


async def test_public_rooms_are_listed_by_activity_until_they_expire(store: Store) -> None:
    rows = [listed(CODE, 10), listed("BCDFGH", 30), listed("XXXXXX", 20, 1500)]
    await store.directory.publish(rows, Ms(999))
    assert await shown_at(store, Ms(999)) == ["BCDFGH", "XXXXXX", CODE]
    assert await shown_at(store, Ms(999), limit=2) == ["BCDFGH", "XXXXXX"]
    assert await shown_at(store, Ms(1500)) == ["BCDFGH", CODE]
    await store.directory.publish([listed("BCDFGH", 50, 0)], Ms(1500))
    assert await shown_at(store, Ms(1500)) == [CODE]


async def test_only_the_latest_rooms_of_an_address_are_listed(store: Store) -> None:
    codes = [letter * 6 for letter in "BCDFGHJKLM"]
    await store.directory.publish([listed(CODE, 1, address="other")], Ms(999))
    await store.directory.publish([listed(code, 100 + k, address="one") for k, code in enumerate(codes)], Ms(999))
    assert await shown_at(store, Ms(999)) == [*reversed(codes[-OF_ONE_ADDRESS:]), CODE]
    await store.directory.publish([listed(codes[-1], 130, 0, "one"), listed(codes[0], 100, address="one")], Ms(999))
    assert await shown_at(store, Ms(999)) == [codes[-2], codes[-3], codes[0], CODE]


async def test_unlisted_rooms_take_no_memory_in_redis(store: Store, admin: Admin) -> None:
    await store.directory.publish([listed(f"{k:06}", k, 1500, f"address{k}") for k in range(200)], Ms(999))
    await store.directory.publish([listed("BCDFGH", 500, 0)], Ms(999))
    while await admin.redis.zcard(PUBLIC[1]):
        await store.directory.public(Ms(1500))
    assert not await admin.redis.exists(*PUBLIC)


async def test_the_clock_shows_the_time_of_redis(store: Store, log: Log, admin: Admin) -> None:
    began = time.monotonic()
    await store.processes.heartbeat()
    # The error is at most half of the round trip, and times are rounded down to milliseconds.
    wrong = ms_of((time.monotonic() - began) / 2) + Ms(1)
    assert log.at - wrong <= store.clock.now() <= await admin.now() + wrong


@pytest.mark.parametrize("options", [{"appendonly": "no"}, {"appendfsync": "everysec"}, {}])
async def test_a_redis_that_may_lose_acknowledged_moves_is_warned_of(
    tmp_path: Path, options: dict[str, object], caplog: pytest.LogCaptureFixture
) -> None:
    async with Node(tmp_path, {**LASTING, **options}) as node, opened(f"redis://127.0.0.1:{node.port}"):
        warnings = [record.getMessage() for record in caplog.records if "lose" in record.getMessage()]
    assert [name in line for line in warnings for name in options] == [True] * len(options)


async def test_a_store_names_each_command_that_its_user_may_not_run(own_redis: EmbeddedRedis) -> None:
    """Otherwise every room, every move or every notification would fail later."""
    async with Admin(own_redis.url) as admin:
        for refused in ("eval", "evalsha", "subscribe", "publish", "zadd", "sismember", "pubsub|numsub"):
            await admin.redis.execute_command("ACL", "SETUSER", "default", f"-{refused}")
            with pytest.raises(StoreDown) as down:
                await Store(own_redis.url, "one", Clock()).open()
            assert refused.replace("|", " ") in down.value.reason.lower()
            await admin.redis.execute_command("ACL", "SETUSER", "default", f"+{refused}")
        await admin.redis.execute_command("ACL", "SETUSER", "default", "resetchannels")
        with pytest.raises(StoreDown) as down:
            await Store(own_redis.url, "one", Clock()).open()
        assert "PUBLISH on the channels ft:*" in down.value.reason and RIGHTS in down.value.reason
        await admin.redis.execute_command("ACL", "SETUSER", "default", "resetkeys", "-@all", *RIGHTS.split()[3:])
    async with opened(own_redis.url) as store:
        await Log.create(store)
