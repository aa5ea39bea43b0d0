"""A room that two processes serve on one Redis, with clients without sockets."""

import asyncio
import itertools
import time
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from fortythieves.protocol import to_client
from fortythieves.protocol.to_client import Close
from fortythieves.protocol.to_server import Chat, GiveUp, Join, Leave, Resume, StandAside
from fortythieves.rules.move_notation import DRAW
from fortythieves.times import Ms
from fortythieves_server.core import events
from fortythieves_server.core.decide_race_end import IDLE
from fortythieves_server.core.playthrough import extended
from fortythieves_server.process.embedded_redis import EmbeddedRedis
from fortythieves_server.rooms import broadcast, live_room, room_service
from fortythieves_server.rooms.cached_room import SLICE, folded, new_playthrough
from fortythieves_server.rooms.room_service import RoomService
from fortythieves_server.store import notifications
from fortythieves_server.store.room_logs import PAGE
from fortythieves_server.store.schema import row_of
from tests.refusals import refusal_of
from tests.server.clients import Client, ann_and_bob, happened, now, process, seen_by_all, store_of, stored, until_each
from tests.server.rooms.conftest import Pair, watching
from tests.server.stores import Admin, key, kill, until, until_it_is
from tests.server.tables import CODE, MINUTE, SECOND, counting, in_round, lobby, racing

#: With it the countdown at a table is as good as over.
NEARLY = 5 * SECOND - Ms(400)


async def in_a_race(one: RoomService, two: RoomService, admin: Admin, *, ago: Ms = MINUTE) -> tuple[Client, Client]:
    await store_of(admin, racing(2), ago=ago)
    return await ann_and_bob(one, two)


async def test_a_returning_racer_gets_the_number_of_spectators(one: RoomService, admin: Admin) -> None:
    await store_of(admin, racing(2))
    wanda = await watching(one, "wanda")
    assert wanda.live is not None
    wanda.live.peers.send_watchers(1)
    bob = await Client(one, "bob").join()
    await bob.until(lambda: bob.received(to_client.Watchers))
    assert bob.received(to_client.Watchers) == [to_client.Watchers(1)]


async def test_the_newest_connection_of_a_seat_wins_on_any_process(
    one: RoomService, two: RoomService, admin: Admin
) -> None:
    await store_of(admin, lobby(2))
    connections: list[Client] = []
    for service in (one, one, two, one):
        bob = await Client(service, "bob").join()
        for older in connections:
            assert await older.until_closed() == Close.TAKEN_OVER
        connections.append(bob)
    for older in connections[:-1]:
        await older.hang_up()
    newest = connections[-1]
    assert newest.person(2)["here"]
    await newest.do(Chat(1, "k", "still here"))
    await seen_by_all(admin, newest)


async def test_a_connection_that_has_gone_again_replaces_none(one: RoomService, two: RoomService, admin: Admin) -> None:
    await store_of(admin, lobby(2))
    bob = await Client(one, "bob").join()
    assert bob.live is not None
    async with bob.live.cached.lock:  # until the other device has come and gone
        await (await Client(two, "bob").join()).hang_up()
    await bob.live.catch_up()
    await one.sweeper.drop_dead_connections(bob.live, lambda via: True)
    await bob.until(lambda: bob.person(2)["here"])
    assert bob.closed is None


async def test_a_join_that_waited_replaces_no_later_one(
    one: RoomService, two: RoomService, admin: Admin, monkeypatch: pytest.MonkeyPatch
) -> None:
    await store_of(admin, lobby(2))
    code, earlier = CODE, Client(one, "bob")
    live = await one.registry.room(code)
    async with live.cached.lock:
        with monkeypatch.context() as a_second_ago:
            a_second_ago.setattr(room_service, "time", SimpleNamespace(monotonic=lambda: time.monotonic() - 1))
            join = asyncio.create_task(one.join(earlier.peer, "bob", Join(1, code, "Bob")))
            await until(lambda: live.arriving)
        later = await Client(two, "bob").join()
    await join
    assert await earlier.until_closed() == Close.TAKEN_OVER
    assert later.closed is None and later.person(2)["here"]


async def test_a_stall_during_a_decision_leaves_the_seat_to_the_later_connection(
    players: Pair, two: RoomService, monkeypatch: pytest.MonkeyPatch
) -> None:
    readings = itertools.count()  # seconds: it seems that the process stood still between two readings of its clock
    monkeypatch.setattr(room_service, "time", SimpleNamespace(monotonic=lambda: float(next(readings))))
    again = await Client(two, "ann").join()
    assert await players[0].until_closed() == Close.TAKEN_OVER
    assert again.closed is None and again.person(1)["here"]


async def test_a_new_player_in_a_crowd_gets_the_current_state(
    one: RoomService, admin: Admin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broadcast, "CROWD", 0)  # From this size on, a view is encoded once for all.
    ann, bob = await in_a_race(one, one, admin)
    for k in range(1, 4):
        await ann.draw(1)
        await ann.do(Chat(k, f"k{k}", f"hello {k}"))
        for _ in range(2):
            bob = await Client(one, "bob").join()
            await until_each([bob], lambda bob: 1 in bob.progress)
            assert len(bob.view["chat"]) == k
            assert bob.progress[1][0] == k
    await seen_by_all(admin, ann, bob)


async def test_a_cancelled_command_does_not_affect_others(
    one: RoomService, admin: Admin, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = await in_a_race(one, one, admin)
    store, commits = one.store, list[int]()
    commit = store.logs.commit

    async def with_one_who_leaves(*arguments: Any) -> tuple[Ms, str]:
        commits.append(len(commits))
        if len(commits) == 2:  # The commands that arrived during the first commit.
            waiting[-1].cancel()
            await asyncio.sleep(0)
        return await commit(*arguments)

    monkeypatch.setattr(store.logs, "commit", with_one_who_leaves)
    waiting = [
        asyncio.create_task(client.do(Chat(k, f"k{k}", f"hello {k}"))) for k, client in enumerate((ann, bob, ann))
    ]
    first, second, third = await asyncio.gather(*waiting, return_exceptions=True)
    assert first is second is None
    assert isinstance(third, asyncio.CancelledError)
    await ann.until(lambda: len(ann.view["chat"]) == 3)


@pytest.mark.parametrize(("longest", "sizes"), [(60.0, [1, 2]), (0.0, [1, 1, 1])])
async def test_few_commands_are_decided_together_if_that_takes_long(
    one: RoomService, admin: Admin, monkeypatch: pytest.MonkeyPatch, longest: float, sizes: list[int]
) -> None:
    await store_of(admin, lobby(3))
    people = [await Client(one, guest).join() for guest in ("ann", "bob", "cem")]
    monkeypatch.setattr(live_room, "LONGEST", longest)
    commit, committed = one.store.logs.commit, list[int]()

    async def counted(*arguments: Any) -> tuple[Ms, str]:
        committed.append(len(arguments[6]))
        return await commit(*arguments)

    monkeypatch.setattr(one.store.logs, "commit", counted)
    await asyncio.gather(*(person.do(Chat(1, "key", "hello")) for person in people))
    assert committed == sizes


async def test_a_refused_move_has_a_reason(racers: Pair, admin: Admin) -> None:
    ann, _ = racers
    await ann.draw(1)
    refusals: dict[str, tuple[str, dict[str, int | str]]] = {
        "redeal": ("illegal-move", {"move": "redeal", "reason": "stock-not-empty"}),
        "hop": ("bad-move", {"move": "'hop'"}),
        "undo": ("undo-turned", {}),
    }
    for text, (code, parameters) in refusals.items():
        await ann.move(text, 1)
        said = await refusal(ann)
        assert said == to_client.Unmoved(1, 1, 1, code, said.message, parameters)
    for n in (0, 3):
        await ann.move("W-F", n)
        message = f"Your board is at move 1, not at {n}."
        assert await refusal(ann) == to_client.Unmoved(1, n, 1, "out-of-turn", message, {"at": 1, "n": n})
    assert len(await admin.list("moves", 1, 1)) == 1


async def refusal(client: Client) -> to_client.Unmoved:
    """The refusal of the move just made, once it is there; it is forgotten then."""
    await client.until(lambda: client.received(to_client.Unmoved))
    [refused] = client.received(to_client.Unmoved)
    client.messages.remove(refused)
    return refused


async def test_a_move_on_an_outdated_board_is_decided_anew_in_its_turn(
    one: RoomService, two: RoomService, admin: Admin
) -> None:
    await store_of(admin, racing(2, undo="free"), ago=MINUTE)
    old, _ = await ann_and_bob(one, two)
    await old.draw(1)
    new = await Client(two, "ann").join()
    await new.until_moved(1)
    for client in (new, old):  # Now both processes know the board, so neither has to read it.
        await client.move("draw", 0)
    await asyncio.gather(old.move("draw", 1), old.move("undo", 2), new.move("undo", 1))
    for client in (old, new):
        assert client.live is not None
        async with client.live.cached.seat_log(1).acquired():
            pass  # All moves are answered, though the old connection may be closed before it gets its answer.
    log = [entry.split(b" ")[1] for entry in await admin.list("moves", 1, 1)]
    assert log[:2] in ([b"draw", b"draw"], [b"draw", b"undo"])
    assert log[2:] in ([], [b"undo"])
    await new.until(lambda: len(new.entries or ()) == len(log))
    await new.draw(1)


async def test_a_move_of_an_old_connection_is_sent_to_the_newest(racers: Pair, two: RoomService) -> None:
    old, _ = racers
    new = await Client(two, "ann").join()
    await new.until(lambda: new.entries == [])
    await old.move("draw", 0)
    await new.until(lambda: new.entries)
    await new.draw(1)
    assert [moved.n for moved in new.received(to_client.Moved)] == [1, 2]


async def test_a_late_racer_gets_the_board_immediately(one: RoomService, two: RoomService, admin: Admin) -> None:
    await store_of(admin, racing(2, late="join"), ago=MINUTE)
    ann, _ = await ann_and_bob(one, two)
    cem = await Client(two, "cem").join()
    await ann.until(lambda: ann.racer(3))
    await cem.until(lambda: cem.entries == [])
    assert cem.start == ann.start
    await cem.draw(1)


@pytest.mark.parametrize("known", [4, 7])
async def test_a_returning_racer_gets_exactly_the_missed_moves(racers: Pair, two: RoomService, known: int) -> None:
    ann, _ = racers
    await ann.draw(7)
    await ann.until_moved(7)
    again = Client(two, "ann")
    again.entries = list((ann.entries or [])[:known])
    await again.join(resume=Resume(ann.epoch, 1, known))
    await again.until(lambda: again.entries == ann.entries)
    await again.until(lambda: again.progress.get(1) == (7, 0, 57))
    await again.draw(1)
    assert again.received(to_client.OwnBoard) == []
    assert [moved.n for moved in again.received(to_client.Moved)] == [*range(known + 1, 9)]


@pytest.mark.parametrize(
    "resume",
    [None, Resume("another", 1, 1), Resume("before", 2, 1), Resume("before", 1, 9), Resume("before", 1, 0)],
    ids=["nothing known", "another epoch", "another race", "more than there is", "nothing confirmed"],
)
async def test_a_client_with_another_state_gets_the_whole_board(
    racers: Pair, two: RoomService, resume: Resume | None
) -> None:
    ann, _ = racers
    await ann.draw(3)
    again = await Client(two, "ann").join(resume=resume)
    await again.until(lambda: again.entries is not None)
    assert again.entries == ann.entries and again.start == ann.start
    assert again.received(to_client.Moved) == []


async def test_a_client_that_missed_many_moves_gets_the_whole_board(
    racers: Pair, two: RoomService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fortythieves_server.rooms.seats.RESUME_MOVES", 10)
    ann, _ = racers
    await ann.draw(12)
    for missed, boards in ((10, 0), (11, 1)):
        again = Client(two, "ann")
        again.entries = (ann.entries or [])[: 12 - missed]
        await again.join(resume=Resume(ann.epoch, 1, 12 - missed))
        await again.until_moved(12)
        assert len(again.received(to_client.OwnBoard)) == boards


async def test_racers_get_their_boards_after_the_race(one: RoomService, two: RoomService, admin: Admin) -> None:
    table = racing(2)
    table.moves(1, to=1)
    table.run_out()
    await store_of(admin, table, ago=MINUTE)
    at = await now(admin) - 2 * MINUTE
    await admin.store_draw(at)
    ann, bob = await ann_and_bob(one, two)
    await until_each((ann, bob), lambda client: client.entries is not None)
    assert ann.entries is not None and len(ann.entries) == 1 and bob.entries == []
    assert bob.race["secret"] == table.race.secret


async def test_two_processes_end_a_race_once(one: RoomService, two: RoomService, admin: Admin) -> None:
    ann, bob = await in_a_race(one, two, admin, ago=20 * MINUTE - Ms(300))
    await until_each((ann, bob), lambda client: client.race.get("over_at"))
    await seen_by_all(admin, ann, bob)
    assert happened(await admin.list("log"), "finished") == 2
    assert ann.racer(1)["state"] == "did_not_start"


async def test_idle_racers_stand_aside_for_spectators(one: RoomService, admin: Admin) -> None:
    table = racing(2)
    for seat in (1, 2):
        table.do(seat, StandAside(1, True))
    await store_of(admin, table, ago=IDLE)
    wanda = await watching(one, "wanda")
    await wanda.until(lambda: all(wanda.racer(seat).get("gave_up_at") for seat in (1, 2)))


async def test_a_blind_round_hides_the_progress_of_others(one: RoomService, two: RoomService, admin: Admin) -> None:
    await store_of(admin, in_round(3, {"blind": True, "rounds": 1}, watch="open"), ago=MINUTE)
    ann, bob, cem = Client(one, "guest 1"), Client(two, "guest 2"), Client(one, "guest 3")
    for client in (ann, bob, cem):
        await client.join()
    wanda = await watching(one, "wanda")
    await ann.draw(3)
    await bob.draw(1)
    await cem.do(GiveUp(1))
    await cem.do(Leave(1))
    await until_each([ann, bob, wanda], lambda client: client.racer(4).get("state") == "done")
    for client in (ann, bob, wanda):
        assert set(client.racer(4)) == {"name", "state"}, "not how many cards he had, and not that he gave up"
        assert not client.progress
    assert not wanda.received(to_client.Shown) and wanda.received(to_client.Gallery)[-1].start is None
    for client in (ann, bob):
        await client.do(Leave(1))
    await wanda.until(lambda: wanda.view["tournament"]["phase"] == "over")
    results = wanda.view["tournament"]["rounds"]["1"]["results"]
    assert {seat: row[1] for seat, row in results.items()} == {"2": "gave_up", "3": "gave_up", "4": "gave_up"}


async def test_notifications_lost_with_a_connection_are_recovered(racers: Pair, admin: Admin) -> None:
    ann, bob = racers
    for k in range(3):
        await admin.kill("pubsub")
        await ann.do(Chat(1, f"{k}", "hi"))
        await ann.draw(1)
        row = (k + 1, 0, 63 - k)
        await until_each([bob], partial(_caught_up, row))
    await seen_by_all(admin, ann, bob)


def _caught_up(row: tuple[int, int, int], bob: Client) -> bool:
    return len(bob.view["chat"]) == row[0] and bob.progress.get(1) == row


async def test_silently_lost_notifications_are_found_by_the_presence_check(
    racers: Pair, one: RoomService, admin: Admin
) -> None:
    ann, bob = racers
    at = await now(admin)
    await admin.redis.rpush(key("log"), b"%d x " % at + events.encode(events.Chatted(2, "k", "hi")))
    await admin.redis.hset(key("progress", 1), "2", f"3 1 {at} 60 4 - {at} ab12")
    await admin.redis.hincrby(key("meta"), "moves:1", 3)
    await ann.draw(1)  # the last entry of the room is one that this process knows
    await one.sweeper.check_presence()
    await ann.until(lambda: ann.view["chat"] and ann.progress.get(2) == (3, 1, 60))
    assert bob.view["chat"] == {}


async def test_clients_are_told_that_redis_has_lost_data(racers: Pair, admin: Admin) -> None:
    ann, bob = racers
    await ann.draw(3)
    await ann.do(Chat(1, "k", "remember this"))
    await bob.until(lambda: bob.view["chat"])
    await admin.redis.rpop(key("log"))
    await admin.redis.rpop(key("moves", 1, 1))
    await bob.do(Chat(1, "k", "hello?"))
    await until_each((ann, bob), lambda client: "data-lost" in client.notices())
    await seen_by_all(admin, ann, bob)
    assert [line["text"] for line in ann.view["chat"].values()] == ["hello?"]
    assert ann.epoch == bob.epoch != "before"
    await ann.until_moved(2)
    await ann.draw(1)
    assert [client.notices() for client in (ann, bob)] == [["data-lost"]] * 2


async def test_clients_are_told_that_a_move_log_was_cut(racers: Pair, admin: Admin) -> None:
    ann, _ = racers
    await ann.draw(3)
    await admin.redis.rpop(key("moves", 1, 1))
    await ann.move("draw", 3)
    await ann.until(lambda: ann.notices() == ["data-lost"] and ann.entries is not None and len(ann.entries) == 2)
    assert (await refusal(ann)).code == "store-down"
    await ann.draw(1)


async def test_two_returning_guests_that_know_more_than_redis_show_a_loss(one: RoomService, admin: Admin) -> None:
    """As after a restart with older data, which no process can notice."""
    table = racing(3)
    await store_of(admin, table)
    told = Resume("before", 1, 2, table.room.n)
    ann = await Client(one, "ann").join(resume=told)
    assert (ann.notices(), ann.epoch) == (["data-lost"], "before"), "it may be mistaken, or lie"
    ann = await Client(one, "ann").join(resume=told)
    dan = await Client(one, "dan").join()
    await dan.hang_up()
    dan = await Client(one, "dan").join(resume=Resume("before", 1, 0, 99))
    bob = await Client(one, "bob").join(resume=Resume("before", 1, 0, table.room.n))
    assert (dan.notices(), bob.notices(), bob.epoch) == (["data-lost"], [], "before"), "neither twice nor by a stranger"
    cem = await Client(one, "cem").join(resume=told)
    await until_each((ann, bob, cem), lambda client: client.epoch != "before")
    dan = await Client(one, "dan").join(resume=Resume("before", 1, 0, 0))
    assert [client.notices() for client in (bob, cem, dan)] == [["data-lost"]] * 3
    await ann.draw(1)


async def test_no_board_is_made_of_two_logs(racers: Pair, one: RoomService, admin: Admin) -> None:
    """As after two failovers: the log of the new master differs from an entry on that Ann was shown, and is longer."""
    ann, _ = racers
    await ann.draw(3)
    assert ann.live is not None
    other, at = new_playthrough(ann.live.room.race), await now(admin)
    texts = "draw", next(str(move) for move in other.board.legal_moves if move != DRAW), "draw", "draw"
    for text in texts:
        other.play(text)
        progress = other.confirm(at, extended(other.log_hash, at, text))
    await admin.redis.delete(key("moves", 1, 1))
    await admin.redis.rpush(key("moves", 1, 1), *(f"{at} {text}" for text in texts))
    await admin.redis.hset(key("progress", 1), "1", f"{row_of(progress)} {at} {other.log_hash}")
    await admin.redis.hset(key("meta"), "moves:1", len(texts))
    await one.sweeper.check_presence()
    await ann.until(lambda: ann.notices() == ["data-lost"] and ann.entries == other.entries)
    await ann.draw(1)
    assert [entry.split()[1].decode() for entry in await admin.list("moves", 1, 1)] == [*texts, "draw"]
    await seen_by_all(admin, *racers)


async def test_a_board_that_has_become_shorter_is_not_shown_without_a_word(
    one: RoomService, two: RoomService, admin: Admin
) -> None:
    ann, bob = await in_a_race(one, two, admin)
    await ann.draw(2)
    row = await admin.redis.hget(key("progress", 1), "1")
    await ann.draw(1)
    await bob.until(lambda: 1 in bob.progress and bob.progress[1][0] == 3)
    await admin.redis.rpop(key("moves", 1, 1))
    await admin.redis.hset(key("progress", 1), "1", row)
    again = await Client(two, "ann").join()
    await again.until(lambda: again.entries is not None and len(again.entries) == 2)
    assert again.notices() == ["data-lost"]


@pytest.mark.parametrize("what", ["moves:1:1", "progress:1", "head"])
async def test_contradictory_logs_do_not_stop_a_race_from_ending(racers: Pair, admin: Admin, what: str) -> None:
    ann, bob = racers
    await ann.draw(3)
    if what == "head":
        await admin.redis.lset(key("moves", 1, 1), 0, b"%d redeal" % await now(admin))
        await admin.redis.delete(key("progress", 1))
    else:
        await admin.redis.delete(key(*what.split(":")))
    await ann.do(Leave(1))
    await bob.do(Leave(1))
    room = await stored(admin)
    assert room.race.over_at is not None
    assert {racer.state for racer in room.race.racers.values()} == {"gave_up"}


async def test_a_connection_that_closed_while_it_joined_takes_no_seat(players: Pair, one: RoomService) -> None:
    ann, _ = players
    late = Client(one, "ann")
    late.peer.send_queue.close(1000, "")
    assert await refusal_of(late.join()) == "not-in-room"
    assert ann.closed is None
    await ann.do(Chat(1, "k", "still here"))


async def test_of_two_connections_that_join_together_one_is_told_that_it_was_replaced(one: RoomService) -> None:
    code = await Client(one, "ann").create()
    clients = [Client(one, "bob") for _ in range(2)]
    live = await one.registry.room(code)
    async with live.cached.lock:  # until both wait, so that they are decided together
        joins = [asyncio.create_task(one.join(client.peer, "bob", Join(1, code, "Bob"))) for client in clients]
        await until(lambda: len(live.arriving) == 2)
    await asyncio.gather(*joins)
    assert await clients[0].until_closed() == Close.TAKEN_OVER
    assert clients[1].seat == 2


async def test_a_join_whose_seat_was_lost_meanwhile_is_refused(
    one: RoomService, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = await Client(one, "ann").create()
    bob, live = Client(one, "bob"), await one.registry.room(code)

    async def decide_nothing(*_: object) -> None:
        """As if data was lost right after the commit."""

    monkeypatch.setattr(live, "decide", decide_nothing)
    assert await refusal_of(one.join(bob.peer, "bob", Join(1, code, "Bob"))) == "store-down"


async def test_a_lost_room_disconnects_its_clients(players: Pair, two: RoomService, admin: Admin) -> None:
    ann, bob = players
    await admin.redis.flushall()
    assert await ann.refused(Chat(1, "k", "hi")) == "unknown-room"
    assert await ann.until_closed() == Close.ROOM_GONE
    await two.sweeper.check_presence()
    assert await bob.until_closed() == Close.ROOM_GONE


async def test_a_lost_seat_disconnects_its_player(one: RoomService, two: RoomService, admin: Admin) -> None:
    ann = Client(one, "ann")
    code = await ann.create()
    bob = await Client(one, "bob").join(code)
    await admin.redis.ltrim(key("log", code=code), 0, 1)  # back to before Bob
    cem = await Client(two, "cem").join(code)
    assert cem.seat == bob.seat == 2
    await one.sweeper.check_presence()
    assert await bob.until_closed() == Close.ROOM_GONE
    await ann.until(lambda: ann.person(2)["name"] == "Cem")
    await ann.do(Chat(1, "k", "hi"))
    await seen_by_all(admin, ann, cem, code=code)


async def test_requests_wait_while_redis_is_away(own_redis: EmbeddedRedis) -> None:
    async with process(own_redis.url, "one") as service, Admin(own_redis.url) as admin:
        await store_of(admin, racing(2), ago=MINUTE)
        ann, bob = Client(service, "ann"), Client(service, "bob")
        await ann.join()
        kill(own_redis)
        await asyncio.gather(ann.do(Chat(1, "k", "hi")), ann.move("draw", 0), bob.join())
        await bob.until(lambda: bob.progress.get(1) == (1, 0, 63))
        # As soon as notifications arrive, the room reads its log. It cannot do that without Redis.
        await until_it_is(service.store.readiness_probe.returns)
        await ann.do(Chat(2, "again", "still here"))
        kill(own_redis)
        await bob.hang_up()
        await ann.until(lambda: not ann.person(2)["here"])
        await ann.until(lambda: ann.notices() == ["store-down", "store-back"] * 2)
    async with Admin(own_redis.url) as after:
        assert happened(await after.list("log"), "chatted") == 2 and len(await after.list("moves", 1, 1)) == 1


async def test_boards_are_sent_as_soon_as_redis_is_back(own_redis: EmbeddedRedis) -> None:
    async with process(own_redis.url, "one") as service, Admin(own_redis.url) as admin:
        await store_of(admin, counting(2), ago=NEARLY)
        # A racer has moved by another process with a clock that is ahead.
        at = await now(admin)
        await admin.store_draw(at)
        ann, bob = await ann_and_bob(service, service)
        kill(own_redis)
        await until_each((ann, bob), lambda client: client.entries is not None)
        assert ann.entries is not None and len(ann.entries) == 1
        await bob.draw(1)


async def test_whoever_enters_at_a_process_without_notifications_sees_no_less_than_elsewhere(
    own_redis: EmbeddedRedis,
) -> None:
    url = own_redis.url
    async with process(url, "one") as one, process(url, "two") as two, Admin(url) as admin:
        await store_of(admin, racing(2))
        ann, _ = await ann_and_bob(one, two)
        await admin.redis.execute_command("ACL", "SETUSER", "default", "-subscribe")
        await admin.kill("pubsub")
        await until(lambda: not two.store.notifications.hears(CODE))
        await ann.draw(2)
        eve = await watching(two, "eve")
        await eve.until(lambda: eve.progress)
        assert eve.progress[1] == (2, 0, 62)


async def test_joining_is_refused_while_redis_is_away(
    own_redis: EmbeddedRedis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notifications, "SUBSCRIBE_WITHIN", 0.05)  # However long: Redis is gone.
    async with process(own_redis.url, "one") as service:
        async with Admin(own_redis.url) as admin:
            await store_of(admin, lobby(2))
        await own_redis.stop()
        assert await refusal_of(Client(service, "ann").join(CODE)) == "store-down"


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
