"""Winnable deals from a real pool, and large draws by the file process."""

import asyncio
from typing import Any

import pytest
from msgspec.structs import replace

from fortythieves.errors import Refused
from fortythieves.protocol import to_server
from fortythieves.protocol.to_server import ChangeSettings, Reveal, Start
from fortythieves.rules.ranking import Result
from fortythieves.rules.settings import Settings
from fortythieves.times import Ms
from fortythieves.tournament.plan import Plan
from fortythieves.tournament.rounds import Entrant, Round
from fortythieves_server.common.prices import NOBODY
from fortythieves_server.common.tasks import end
from fortythieves_server.core import events
from fortythieves_server.core.decide_tournament import changed
from fortythieves_server.core.tournament import Tournament, evolve
from fortythieves_server.rooms import file_process as module
from fortythieves_server.rooms.decision_inputs import DRAWS, LARGE, Rule, cleaned, compute_standings, decide_due
from fortythieves_server.rooms.file_process import FileProcess, Job
from fortythieves_server.rooms.room_service import RoomService
from fortythieves_server.store.redis_errors import StoreDown
from fortythieves_server.store.schema import of_pool
from fortythieves_server.store.winnable_pool import WinnablePool
from tests.refusals import refusal_of
from tests.server.clients import Client, ann_and_bob, happened, store_of, stored
from tests.server.stores import Admin, until_it_is
from tests.server.tables import CODE, MINUTE, Table, entered, lobby, nonce_of, started
from tests.server.winnable import GAME, NUMBERS, fill, ready

WINNABLE: Any = {"game": GAME, "deal": "winnable", "countdown": 3}


@pytest.fixture
async def pool(one: RoomService, two: RoomService) -> WinnablePool:
    one.store.pool.is_filled = two.store.pool.is_filled = True
    return one.store.pool


async def kept(admin: Admin) -> list[bytes]:
    return [entry for stars in (1, 2, 3) for entry in await admin.redis.lrange(of_pool(GAME, f"ready:{stars}"), 0, -1)]


async def until_settled(pool: WinnablePool) -> None:
    async def so() -> bool:
        return not await pool.unsettled(Ms(-1))

    await until_it_is(so)


async def test_without_a_filled_pool_winnable_deals_are_refused(one: RoomService) -> None:
    ann = Client(one, "ann")
    with pytest.raises(Refused, match="winnable"):
        await ann.create(**WINNABLE)
    await ann.create(game=GAME, auto_start=False)
    assert await ann.refused(ChangeSettings(1, {"deal": "winnable"})) == "bad-settings"


async def test_two_processes_claim_deals_for_one_start_once(
    one: RoomService, two: RoomService, admin: Admin, pool: WinnablePool
) -> None:
    await fill(pool, NUMBERS[:20])
    await store_of(admin, lobby(2, **WINNABLE, auto_start=True))
    ann, bob = await ann_and_bob(one, two)
    await asyncio.gather(ann.ready(), bob.ready(), ann.do(Start(1)))
    await ann.until(lambda: ann.race.get("starts_at"))
    await until_settled(two.store.pool)
    log = await admin.list("log")
    assert happened(log, "counted") == happened(log, "claimed") == 1
    assert await ready(pool) == 19


async def test_deals_that_are_claimed_too_late_are_returned(
    one: RoomService, two: RoomService, admin: Admin, pool: WinnablePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    await fill(pool, NUMBERS[:33])
    await store_of(admin, lobby(2, **WINNABLE, auto_start=False))
    ann, again = await Client(one, "ann").join(), await Client(two, "ann").join()
    asked, dealt = asyncio.Event(), asyncio.Event()
    claim = two.store.pool.claim

    async def late(*arguments: Any) -> Any:
        asked.set()
        await dealt.wait()
        return await claim(*arguments)

    monkeypatch.setattr(two.store.pool, "claim", late)
    too_late = asyncio.create_task(again.do(Start(1)))
    await asked.wait()
    await ann.do(Start(1))
    await until_settled(pool)
    dealt.set()
    await too_late
    await until_settled(pool)
    assert await ready(pool) == 32
    assert happened(await admin.list("log"), "claimed") == 1


async def test_a_race_that_waits_for_deals_starts_automatically(
    one: RoomService, two: RoomService, admin: Admin, pool: WinnablePool
) -> None:
    await fill(pool, NUMBERS[:15])
    await store_of(admin, lobby(2, **WINNABLE, auto_start=True))
    ann, bob = await ann_and_bob(one, two)
    assert await ann.refused(Start(1)) == "winnable-preparing"
    await asyncio.gather(ann.ready(), bob.ready())
    assert not ann.race.get("starts_at")
    await fill(pool, NUMBERS[15:17])
    await ann.until(lambda: ann.race.get("starts_at"))
    await until_settled(pool)
    assert await ready(pool) == 16


async def test_the_quota_of_winnable_races_is_per_address(
    one: RoomService, two: RoomService, pool: WinnablePool
) -> None:
    await fill(pool, NUMBERS[:20])
    one.store.pool.quota = two.store.pool.quota = 1
    ann, again, bob = Client(one, "ann"), Client(one, "ann again"), Client(two, "bob", "192.0.2.2")
    for client in (ann, again, bob):
        await client.create(**WINNABLE, auto_start=False)
    await ann.do(Start(1))
    await until_settled(pool)
    assert await again.refused(Start(1)) == "winnable-quota"
    assert await ready(pool) == 19
    await bob.do(Start(1))
    await bob.until(lambda: bob.race.get("starts_at"))


async def test_the_claim_of_a_dead_process_is_used_by_another_one(
    one: RoomService, two: RoomService, admin: Admin, pool: WinnablePool
) -> None:
    await fill(pool, NUMBERS[:20])
    await pool.claim(f"{CODE}/1", GAME, 0, "")
    await store_of(admin, lobby(2, **WINNABLE, auto_start=False))
    ann, _ = await ann_and_bob(one, two)
    await ann.do(Start(1))
    await until_settled(pool)
    assert await ready(pool) == 19


@pytest.mark.parametrize("owner", [f"{CODE}/1", "BCDFGH/1", "what/is this"], ids=["waits", "no room", "no race"])
async def test_unused_claimed_deals_are_thrown_away(
    one: RoomService, admin: Admin, pool: WinnablePool, owner: str
) -> None:
    await fill(pool, NUMBERS[:20])
    await pool.claim(owner, GAME, 0, "")
    await store_of(admin, lobby(2, **WINNABLE, auto_start=False))
    await one.sweeper.settle_claims(Ms(60_000))
    assert await pool.unsettled(Ms(-1)), "they may be in a commit on its way"
    await one.sweeper.settle_claims(Ms(-1))
    assert await pool.unsettled(Ms(-1)) == []
    assert await ready(pool) == 4


async def test_deals_are_returned_after_a_crash_that_followed_the_choice(
    one: RoomService, two: RoomService, admin: Admin, pool: WinnablePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def dies(*_: object) -> None:
        raise StoreDown("away")

    await fill(pool, NUMBERS[:20])
    monkeypatch.setattr(pool, "settle", dies)
    ann = Client(one, "ann")
    code = await ann.create(**WINNABLE, auto_start=False)
    await ann.do(Start(1))
    await ann.draw(1)
    assert await ready(pool) == 4
    await two.sweeper.settle_claims(Ms(-1))
    assert await ready(pool) == 19
    secret = (await stored(admin, code)).race.secret
    assert not [entry for entry in await kept(admin) if entry.startswith(secret.encode())]


async def test_the_sweep_keeps_claims_of_a_running_countdown(
    one: RoomService, admin: Admin, pool: WinnablePool
) -> None:
    await fill(pool, NUMBERS[:20])
    await pool.claim(f"{CODE}/1", GAME, 0, "")
    table = started(2, **WINNABLE)
    table.do(1, Start(1))
    await store_of(admin, table, ago=-MINUTE)  # However slow the machine is, the countdown does not end.
    await one.sweeper.settle_claims(Ms(-1))
    assert len(await pool.unsettled(Ms(-1))) == 1
    assert await ready(pool) == 4


async def test_a_race_starts_although_the_pool_was_lost(
    one: RoomService, two: RoomService, admin: Admin, pool: WinnablePool
) -> None:
    await fill(pool, NUMBERS[:20])
    await store_of(admin, started(2, **WINNABLE, auto_start=False))
    ann, bob = await ann_and_bob(one, two)
    await ann.do(Start(1))
    for name in await admin.redis.keys("*pool*"):
        await admin.redis.delete(name)
    await asyncio.gather(*(client.do(Reveal(1, nonce_of(client.seat))) for client in (ann, bob)))
    await ann.draw(1)
    assert (await stored(admin)).race.chosen is not None


def due_to_be_drawn(entrants: int, form: str = "swiss") -> Table:
    table = entered(entrants, {"format": form})
    table.do(1, to_server.Round(1, "start"))
    return table


def drawn(table: Table) -> events.Drawn | None:
    return next((event for _, event in reversed(table.log) if isinstance(event, events.Drawn)), None)


async def decide_here(table: Table, file_process: FileProcess) -> events.Drawn:
    async def decide(rule: Rule) -> None:
        table.ask(rule)

    await decide_due(decide, file_process)
    found = drawn(table)
    assert found is not None
    return found


async def test_a_large_draw_is_made_by_the_process_for_files(file_process: FileProcess) -> None:
    round_1 = await decide_here(due_to_be_drawn(LARGE), file_process)
    assert file_process.process is not None
    racing = [seat for pair in round_1.pairs for seat in pair]
    assert sorted([*racing, *round_1.byes]) == list(range(2, LARGE + 2))
    assert len(round_1.byes) == 1


@pytest.mark.parametrize(("entrants", "form"), [(LARGE - 1, "swiss"), (LARGE, "points"), (LARGE, "knockout")])
async def test_a_quick_draw_is_made_in_this_process(entrants: int, form: str, file_process: FileProcess) -> None:
    await decide_here(due_to_be_drawn(entrants, form), file_process)
    assert file_process.process is None


@pytest.mark.parametrize("leaving", [1, DRAWS + 1])
async def test_an_entrant_who_leaves_during_the_draw_is_not_drawn(leaving: int, file_process: FileProcess) -> None:
    """Entrants who leave during each draw cannot put it off: the last one who left counts as a no-show."""
    table = due_to_be_drawn(LARGE + 10)
    left: list[int] = []

    async def decide(rule: Rule) -> None:
        try:
            table.ask(rule)
        finally:
            if drawn(table) is None and len(left) < leaving:
                left.append(2 + len(left))
                table.do(left[-1], to_server.Leave(1))

    await decide_due(decide, file_process)
    round_1 = drawn(table)
    assert round_1 is not None
    assert {*left} & {*round_1.seats, *round_1.byes} == {*left[DRAWS - 1 :]}


async def test_a_large_draw_waits_for_a_busy_process_and_is_never_made_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WAITING", 1)
    file_process = FileProcess()
    busy = asyncio.Event()

    async def long() -> Job:
        busy.set()
        return await asyncio.Future()

    working = [asyncio.create_task(file_process.do(long)) for _ in range(2)]  # one waits
    await busy.wait()
    table = due_to_be_drawn(LARGE)
    assert await refusal_of(decide_here(table, file_process)) == "too-fast"
    await end(working)
    assert (file_process.process, drawn(table)) == (None, None)


#: With an entry list of a thousand, their teams, and all groups that are kept apart.
FULL: dict[str, Any] = {
    "listed": [f"क\u093cष{n:04}" for n in range(1000)],
    "listed_teams": [f"é\u0323{n % 50:02}" for n in range(1000)],
    "apart": [[f"ŵ\u0323{n:02}/{k:02}" for k in range(50)] for n in range(100)],
}


async def test_the_texts_of_a_long_plan_are_cleaned_by_another_process(file_process: FileProcess) -> None:
    short = {"name": " Club\u200b night ", "apart": [["A\u200bnn", "Bob"]]}
    assert await cleaned(short, file_process, NOBODY) == {"name": "Club night", "apart": [["Ann", "Bob"]]}
    before, full = file_process.process, await cleaned(FULL, file_process, NOBODY)
    assert before is None and file_process.process is not None
    assert Plan().changed(full) == changed(Plan(), FULL)
    with pytest.raises(Refused, match="क\u093cष0007 is on the list twice") as refused:
        await cleaned({"listed": [*FULL["listed"][1:], "क\u093cष0007\u200b"]}, file_process, NOBODY)
    assert refused.value.code == "bad-plan"


def with_results(entrants: int, rounds: int) -> Tournament:
    race = {seat: Result("timed_out", Ms(seat), seat % 50, seat, Ms(seat)) for seat in range(1, entrants + 1)}
    held = {n: Round(n, (*race,), races=(race,)) for n in range(1, rounds + 1)}
    plan = Plan(rounds=rounds, team_size=2)
    known = {seat: Entrant(f"N{seat}", team=f"T{seat % 7}", board=seat) for seat in race}
    return Tournament(plan, Settings(), entrants=known, rounds=held)


async def test_large_standings_are_computed_by_another_process_and_kept(file_process: FileProcess) -> None:
    small, large = with_results(20, 2), with_results(300, 10)
    await compute_standings(small, file_process)
    before = file_process.process
    await compute_standings(large, file_process)
    assert before is None and file_process.process is not None
    right = replace(large)
    assert right.lacks_standings and not large.lacks_standings
    assert (large.standings, large.teams, large.course) == (right.standings, right.teams, right.course)
    paused = evolve(large, Ms(1), events.Paused(True, 1))
    assert paused.standings is large.standings
    assert evolve(large, Ms(1), events.Withdrawn(1, "left")).lacks_standings
