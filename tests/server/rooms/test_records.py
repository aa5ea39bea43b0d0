"""Records, exports and cached files."""

import asyncio
import csv
import io
import json

import pytest

from fortythieves.errors import Refused, found
from fortythieves.protocol.to_server import GiveUp, Judge, Leave, Round
from fortythieves.record import race_record
from fortythieves.times import Ms
from fortythieves.tournament.audit import audit, par_of
from fortythieves.tournament.export import read
from fortythieves_server.core import decide
from fortythieves_server.process.embedded_redis import EmbeddedRedis
from fortythieves_server.rooms.file_process import FileProcess
from fortythieves_server.rooms.records import LEAST, Download, FileCache, RecordKey, Records
from fortythieves_server.rooms.room_service import RoomService
from fortythieves_server.store import room_logs
from tests.refusals import refusal_of
from tests.server.clients import Client, process, store_of
from tests.server.stores import Admin, key, pause
from tests.server.tables import CODE, MINUTE, NOON, SECOND, entered, in_round, over

SEED = bytes(range(32))


async def test_without_redis_cached_records_are_served(own_redis: EmbeddedRedis, file_process: FileProcess) -> None:
    async with Admin(own_redis.url) as admin, process(own_redis.url, "one") as service:
        await store_of(admin, over(2))
        records = Records(service.finished, RecordKey(SEED), file_process)
        first = await records.record(CODE, 1)
        resume = pause(own_redis)
        try:
            assert await records.record(CODE, 1) is first
        finally:
            resume()


async def test_a_reused_room_code_has_new_records(one: RoomService, admin: Admin, records: Records) -> None:
    await store_of(admin, over(2))
    old = await records.record(CODE, 1)
    await one.close()
    one.open()
    await admin.redis.flushall()
    await store_of(admin, over(1), ago=MINUTE)
    assert race_record.read(await records.record(CODE, 1))["racers"] != race_record.read(old)["racers"]


@pytest.mark.parametrize("longest", [100, 200 * LEAST - 1], ids=["when it is made", "before its logs are read"])
async def test_a_record_that_is_too_large_is_refused(
    one: RoomService, admin: Admin, records: Records, longest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    await store_of(admin, over(2))
    monkeypatch.setattr("fortythieves_server.rooms.records.LONGEST", longest)
    if longest > 100:
        await admin.redis.rpush(key("moves", 1, 1), *[f"{n} draw" for n in range(200)])
        await one.finished.race(CODE, 1)
    else:
        assert await refusal_of(records.record(CODE, 1)) == "huge-record"
    reads = await admin.calls("lrange")
    assert await refusal_of(records.record(CODE, 1)) == "huge-record"
    assert await admin.calls("lrange") == reads


async def test_a_record_has_all_entries_of_long_logs(
    admin: Admin, records: Records, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room_logs, "WINDOW", 7)
    table = over(3)
    await store_of(admin, table)
    times = [(table.race.starts_at or Ms(0)) + Ms(n) for n in range(20)]
    await admin.redis.rpush(key("moves", 1, 1), *[f"{at} draw" for at in times])
    await admin.redis.rpush(key("moves", 1, 3), *[f"{at} W-F" for at in times[:14]])
    record = race_record.read(await records.record(CODE, 1))
    assert [(seat, [text for _, text in log]) for seat, log in record["logs"]] == [
        (1, ["draw"] * 20),
        (2, []),
        (3, ["W-F"] * 14),
    ]
    assert [at - record["logs"][0][1][0][0] for at, _ in record["logs"][0][1]] == [*range(20)]


SITE = "https://cards.example.org"


async def all_of(file: Download) -> bytes:
    return b"".join([file.body, *([] if file.more is None else [part async for part in file.more])])


async def played(service: RoomService, admin: Admin) -> Client:
    """A tournament of one round, which is over: one drew five cards, the other none."""
    await store_of(admin, in_round(2, {"rounds": 1, "name": "Club night"}), ago=MINUTE)
    ann, bob = Client(service, "guest 1"), Client(service, "guest 2")
    await ann.join()
    await bob.join()
    await ann.draw(5)
    await bob.draw(1)
    await bob.do(Leave(1))
    await ann.do(Leave(1))
    return ann


async def test_the_bundle_of_a_tournament_with_incidents_passes_the_audit(
    one: RoomService, admin: Admin, records: Records
) -> None:
    await store_of(admin, in_round(4, {"rounds": 2, "no_show": 30, "deadly": True}, game="lucas"), ago=20 * SECOND)
    host, ann, bob, cem = (Client(one, guest) for guest in ("host", "guest 1", "guest 2", "guest 3"))
    for client in (host, ann, bob, cem):
        await client.join()
    for client, draws in ((ann, 5), (bob, 2), (cem, 3)):
        await client.draw(draws)
    await ann.do(GiveUp(1))
    await host.do(Judge(1, bob.seat, True, "Two browsers."))
    await host.do(Round(2, "skip", "The network was down."))
    await host.do(Judge(3, bob.seat, False, "It was her sister."))
    file = read(await all_of(await records.tournament(CODE, ".bundle.json", SITE)))
    states = {row.seat: row.state for row in file.rounds[0].results}
    assert states == {2: "gave_up", 3: "disqualified", 4: "timed_out", 5: "did_not_start"}
    assert [finding for finding in audit(file) if not finding.ok] == []


async def test_par_breaks_ties_and_the_bundle_proves_it(one: RoomService, admin: Admin, records: Records) -> None:
    plan = {"rounds": 1, "tiebreaks": ["par"], "points": [1, 1]}
    await store_of(admin, in_round(2, plan, game="lucas"), ago=MINUTE)
    ann, bob = Client(one, "guest 1"), Client(one, "guest 2")
    for client in (ann, bob):
        await client.join()
        await client.draw(1)
    for client in (ann, bob):
        await client.do(Leave(1))
    live = await one.registry.room(CODE)
    assert await refusal_of(records.tournament(CODE, ".bundle.json", SITE)) == "too-fast"  # par is not known yet
    assert decide.next_due(live.room, {}) == live.room.at
    await one.sweeper.act(live)
    file = read(await all_of(await records.tournament(CODE, ".bundle.json", SITE)))
    record = race_record.read((file.records or {})[1])
    home, par = record["racers"][0]["home"], par_of(record)
    assert [row.tiebreaks for row in file.standings][:1] == [(home - par,)] != [(0,)]
    tournament = found(live.room.tournament, "unknown-room")
    assert [row.tiebreaks for row in tournament.standings] == [row.tiebreaks for row in file.standings]
    assert [finding for finding in audit(file) if not finding.ok] == []


def table_of(file: Download) -> list[list[str]]:
    assert file.content_type == "text/csv"
    return list(csv.reader(io.StringIO(file.body.decode("utf-8-sig"))))


async def test_results_are_exported_as_csv_and_as_json_with_links(
    one: RoomService, admin: Admin, records: Records
) -> None:
    await played(one, admin)
    titles, *rows = table_of(await records.tournament(CODE, ".csv", SITE))
    assert titles[0] == "place" and len(rows) == 2
    titles, *rows = table_of(await records.tournament(CODE, "-results.csv", SITE))
    assert [row[titles.index("name")] for row in rows] == ["Guest 1", "Guest 2"]
    plain = json.loads(await all_of(await records.tournament(CODE, ".json", SITE)))
    [done] = plain["rounds"]
    assert [(row["seat"], row["state"], row["moves"]) for row in done["results"]] == [
        (2, "gave_up", 5),
        (3, "gave_up", 1),
    ]
    assert done["results"][0]["record"] == f"{SITE}/api/races/{CODE}/1"
    assert plain["records"] is None


async def test_the_calendar_has_the_start_of_the_tournament(admin: Admin, records: Records) -> None:
    await store_of(admin, entered(2, {"starts_at": NOON + 60 * MINUTE, "name": "Club night"}))
    text = (await records.tournament(CODE, ".ics", SITE)).body.decode()
    assert "SUMMARY:Club night\r\n" in text and f"URL:{SITE}/r/{CODE}\r\n" in text


async def test_a_tournament_can_be_exported_before_its_start(admin: Admin, records: Records) -> None:
    await store_of(admin, entered(2))
    for kind in (".json", ".bundle.json", ".csv", "-results.csv", "-teams.csv", ".ics"):
        file = await records.tournament(CODE, kind, SITE)
        assert file.body and file.name == f"{CODE}{kind}"


class Maker:
    def __init__(self, size: int = 10_000) -> None:
        self.made = 0
        self.may = asyncio.Event()
        self.may.set()
        self._size = size

    async def __call__(self) -> bytes:
        self.made += 1
        await self.may.wait()
        return bytes(self._size)


async def test_concurrent_requests_share_one_file_even_if_some_are_cancelled() -> None:
    kept, make = FileCache(), Maker()
    make.may.clear()
    cancelled, *asked = (asyncio.create_task(kept.get("a", make)) for _ in range(10))
    await asyncio.sleep(0)
    cancelled.cancel()
    with pytest.raises(asyncio.CancelledError):
        await cancelled
    make.may.set()
    first, *others = await asyncio.gather(*asked)
    assert all(file is first for file in others) and await kept.get("a", make) is first and make.made == 1


async def test_the_least_recently_used_file_is_dropped_and_one_that_is_too_big_is_made() -> None:
    kept, make = FileCache(most=35_000), Maker()
    for name in ("a", "b", "c", "a", "d"):
        await kept.get(name, make)
    assert make.made == 4
    await kept.get("a", make)
    assert make.made == 4
    await kept.get("b", make)
    assert make.made == 5
    kept, make = FileCache(most=5_000), Maker()
    assert await kept.get("a", make) == bytes(10_000)
    await kept.get("a", make)
    assert make.made == 2


@pytest.mark.parametrize(("code", "times"), [("huge-record", 1), ("store-down", 2)])
async def test_only_permanent_refusals_are_cached(code: str, times: int) -> None:
    kept, asked = FileCache(), 0

    async def make() -> bytes:
        nonlocal asked
        asked += 1
        raise Refused(code)

    for _ in range(2):
        assert await refusal_of(kept.get("a", make)) == code
    assert asked == times
