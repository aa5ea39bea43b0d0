"""The deals of the day on a real Redis: searched, opened once, raced, and kept for the archive."""

import asyncio
import time
from functools import cache
from typing import Any

import pytest

from fortythieves.record.proof import verify
from fortythieves.record.race_record import read
from fortythieves.solver import day
from fortythieves.solver.day import DAY, begins_at, day_of, earlier, game_of, is_won
from fortythieves.times import Ms
from fortythieves_server.core import events
from fortythieves_server.rooms import days as module
from fortythieves_server.rooms.days import ARCHIVE, MOST, PATIENCE, Days
from fortythieves_server.rooms.records import Records
from fortythieves_server.rooms.room_service import RoomService
from fortythieves_server.store.room_logs import Full
from tests.refusals import refusal_of
from tests.server.rooms.test_heats import begin_try, race_try, visitor
from tests.server.stores import Admin

LAST, TODAY = 30_000, 20_000
KEY = bytes(range(32))


#: All tests search the same days.
won = cache(is_won)


def key_of(day: int) -> bytes:
    return earlier(KEY, LAST - day)


def days_of(service: RoomService) -> Days:
    return Days(service.store, service.registry, key_of)


async def prepare(days: Days) -> None:
    """Search as the filler does, until today and tomorrow are open."""
    while (search := await days.next_search()) is not None:
        assert search.game == game_of(search.day)[0]
        await days.searched(search, is_won=won(search.game, search.stars, search.secret))


@pytest.fixture(autouse=True)
def _it_is_noon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Days begin twelve hours ago, so that none ends during a test."""
    since = Ms(int(time.time() * 1000)) - Ms(int(DAY) // 2) - begins_at(TODAY)
    monkeypatch.setattr(module, "day_of", lambda at: day_of(at - since))
    for place in (module, day):
        monkeypatch.setattr(place, "begins_at", lambda number: begins_at(number) + since)


def later(monkeypatch: pytest.MonkeyPatch, days: int) -> None:
    """Let some days pass. Rooms go on by the clock of Redis."""
    monkeypatch.setattr(module, "day_of", lambda at: TODAY + days)


async def close(service: RoomService, code: str) -> None:
    """End a day, as the clock does."""
    live = await service.registry.room(code)
    await live.decide(lambda *_: [events.ChallengeClosed()])


async def today(days: Days) -> dict[str, Any]:
    found = await days.today()
    assert found is not None
    return found


async def test_today_and_tomorrow_are_prepared_and_both_processes_know_the_same_rooms(
    one: RoomService, two: RoomService
) -> None:
    here, there = days_of(one), days_of(two)
    assert await here.today() is None
    await asyncio.gather(prepare(here), prepare(there))
    again = days_of(two)
    assert await today(again) == await today(days_of(one))
    assert [found["day"] for found in await again.archive()] == [TODAY + 1, TODAY]
    assert "key" not in str(await again.archive())
    room = (await one.registry.room((await today(again))["code"])).room
    assert room.challenge is not None and room.settings.game == (await today(again))["game"]


async def test_what_another_process_has_found_about_an_earlier_deal_or_after_it_changes_nothing(
    one: RoomService, two: RoomService
) -> None:
    here, there = days_of(one), days_of(two)
    first, same = await here.next_search(), await there.next_search()
    assert first is not None and first == same and first.counter == 0
    await here.searched(first, is_won=False)
    await there.searched(first, is_won=False)
    second = await here.next_search()
    assert second is not None and (second.day, second.counter) == (TODAY, 1)
    await there.searched(first, is_won=True)  # its row is that of two seconds ago
    assert await days_of(two).next_search() == second
    await here.searched(second, is_won=True)
    await there.searched(second, is_won=False)
    await there.searched(first, is_won=False)
    await days_of(two).next_search()
    room = (await one.registry.room((await today(days_of(one)))["code"])).room
    assert room.race.day is not None and room.race.day.counter == 1


async def test_a_guest_races_the_deal_of_the_day_and_gets_its_record_when_the_day_is_over(
    one: RoomService, two: RoomService, records: Records, monkeypatch: pytest.MonkeyPatch
) -> None:
    days = days_of(one)
    await prepare(days)
    code = (await today(days))["code"]
    cem = await visitor(two, "cem", code)
    own = await begin_try(cem)
    await race_try(one, "cem", own.code, draws=2)
    await cem.until(lambda: "best" in cem.view["challenge"])
    assert await refusal_of(records.record(own.code, 1, guest="cem")) == "not-over-yet"
    await close(one, code)
    record = read(await records.record(own.code, 1))
    number = TODAY
    assert all(check.ok for check in verify(record, None, {number - 5: key_of(number - 5).hex()}))
    now = one.clock.now()
    monkeypatch.setattr(module, "day_of", lambda at: number + (at >= now))
    await days.next_search()
    assert "key" not in str(await days.archive())  # its last tries are reported first
    later(monkeypatch, 1)
    await days.next_search()
    [_, yesterday] = await days_of(two).archive()
    assert yesterday["key"] == key_of(number).hex() == record["day"]["key"]
    assert (yesterday["summary"].finished, yesterday["summary"].winner[0]) == (1, "Cem")


async def test_the_room_of_a_day_is_deleted_a_day_after_its_end_and_an_old_day_is_forgotten(
    one: RoomService, admin: Admin, monkeypatch: pytest.MonkeyPatch
) -> None:
    days = days_of(one)
    await prepare(days)
    live = await one.registry.room((await today(days))["code"])
    assert live.room.challenge is not None
    assert live.expires_at == live.room.challenge.opened.closes_at + DAY
    await one.registry.drop(live)
    await admin.redis.delete(*await admin.redis.keys(f"*{live.room.code}*"))
    later(monkeypatch, 1)
    await days.next_search()
    assert {found["day"]: found.get("summary") for found in await days.archive()}[TODAY] == module.Summary()
    monkeypatch.setattr(module, "ARCHIVE", 1)
    later(monkeypatch, 2)
    await days_of(one).next_search()
    assert [found["day"] for found in await days_of(one).archive()] == [TODAY + 1]
    assert ARCHIVE == 30


async def test_a_clock_that_is_a_year_ahead_for_a_moment_publishes_no_key_and_no_day_is_forgotten(
    one: RoomService, monkeypatch: pytest.MonkeyPatch
) -> None:
    days = days_of(one)
    await prepare(days)
    with monkeypatch.context() as ahead:
        later(ahead, 365)
        await prepare(days)
        assert "key" not in str(await days.archive())
    assert [found["day"] for found in await days_of(one).archive()] == [TODAY + 1, TODAY]


async def test_a_day_whose_room_an_operator_has_closed_is_over(
    one: RoomService, monkeypatch: pytest.MonkeyPatch
) -> None:
    days = days_of(one)
    await prepare(days)
    await one.close_room((await today(days))["code"], "")
    later(monkeypatch, 1)
    await days.next_search()
    assert (await days_of(one).archive())[1]["summary"] == module.Summary()


async def test_a_full_server_opens_the_days_later_and_says_so_once(
    one: RoomService, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def full(*_: object) -> None:
        raise Full

    days = days_of(one)
    with monkeypatch.context() as limited:
        limited.setattr(one.store.logs, "create", full)
        await prepare(days)
        await prepare(days)
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert await days.next_search() is None and await days.today() is None
    assert await days_of(one).next_search() is None and await days_of(one).today() is not None


async def test_a_day_without_a_deal_that_is_won_in_time_has_none_that_is_promised(
    one: RoomService, monkeypatch: pytest.MonkeyPatch
) -> None:
    days = days_of(one)
    for _ in range(MOST):
        search = await days.next_search()
        assert search is not None
        await days.searched(search, is_won=False)
    assert await days.next_search() is not None  # tomorrow's
    assert (await today(days_of(one)))["stars"] == 0
    monkeypatch.setattr(module, "PATIENCE", -2 * int(DAY) * Ms(1))
    assert await days.next_search() is None
    assert [found["stars"] for found in await days_of(one).archive()] == [0, 0]
    assert Ms(0) < PATIENCE < DAY


async def test_a_chain_without_keys_has_no_days_and_operators_are_told_once(
    one: RoomService, caplog: pytest.LogCaptureFixture
) -> None:
    days = Days(one.store, one.registry, lambda number: None)
    for _ in range(2):
        assert await days.next_search() is None and await days.today() is None
    assert [record.levelname for record in caplog.records] == ["ERROR"]
