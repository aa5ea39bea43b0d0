"""What can be taken home of a tournament is what happened in it."""

import csv
import io
import json
from collections.abc import AsyncIterator

import pytest

from fortythieves.protocol.to_server import GiveUp, Judge, Leave, Round
from fortythieves.tournament.audit import audit
from fortythieves.tournament.export import read
from fortythieves_server.rooms.file_process import FileProcess
from fortythieves_server.rooms.records import Download, Exports, RecordKey, Records
from fortythieves_server.rooms.room_service import RoomService
from tests.refusals import refusal_of
from tests.server.clients import Client, store_of
from tests.server.stores import Admin
from tests.server.tables import CODE, MINUTE, NOON, SECOND, entered, in_round, lobby

SITE = "https://cards.example.org"


@pytest.fixture
async def exports(one: RoomService) -> AsyncIterator[Exports]:
    file_process = FileProcess()
    yield Exports(Records(one.finished, RecordKey(bytes(range(32))), file_process), file_process)
    await file_process.close()


async def all_of(file: Download) -> bytes:
    """What is downloaded, whether it was there or is made on the way."""
    return b"".join([file.body, *([] if file.more is None else [part async for part in file.more])])


async def played(hub: RoomService, admin: Admin) -> Client:
    """A tournament of one round, which is over: one drew five cards, the other none."""
    await store_of(admin, in_round(2, {"rounds": 1, "name": "Club night"}), ago=MINUTE)
    ann, bob = Client(hub, "guest 1"), Client(hub, "guest 2")
    await ann.join()
    await bob.join()
    await ann.draw(5)
    await bob.draw(1)
    await bob.do(Leave(1))
    await ann.do(Leave(1))
    return ann


async def test_the_bundle_proves_the_standings(one: RoomService, admin: Admin, exports: Exports) -> None:
    await played(one, admin)
    file = read(await all_of(await exports.of(CODE, ".bundle.json", SITE)))
    assert file.records is not None and set(file.records) == {1}
    findings = audit(file)
    assert findings and [finding for finding in findings if not finding.ok] == []


async def test_the_bundle_of_a_tournament_with_incidents_passes_the_audit(
    one: RoomService, admin: Admin, exports: Exports
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
    file = read(await all_of(await exports.of(CODE, ".bundle.json", SITE)))
    states = {row.seat: row.state for row in file.rounds[0].results}
    assert states == {2: "gave_up", 3: "disqualified", 4: "timed_out", 5: "did_not_start"}
    assert [finding for finding in audit(file) if not finding.ok] == []


async def test_the_export_links_to_the_record_of_each_result(one: RoomService, admin: Admin, exports: Exports) -> None:
    await played(one, admin)
    plain = json.loads(await all_of(await exports.of(CODE, ".json", SITE)))
    [done] = plain["rounds"]
    assert [(row["seat"], row["state"], row["moves"]) for row in done["results"]] == [
        (2, "gave_up", 5),
        (3, "gave_up", 1),
    ]
    assert done["results"][0]["record"] == f"{SITE}/api/races/{CODE}/1"
    assert plain["records"] is None


def table_of(file: Download) -> list[list[str]]:
    assert file.content_type == "text/csv"
    return list(csv.reader(io.StringIO(file.body.decode("utf-8-sig"))))


async def test_standings_and_results_are_exported_as_csv(one: RoomService, admin: Admin, exports: Exports) -> None:
    await played(one, admin)
    titles, *rows = table_of(await exports.of(CODE, ".csv", SITE))
    assert titles[0] == "place" and len(rows) == 2
    titles, *rows = table_of(await exports.of(CODE, "-results.csv", SITE))
    assert [row[titles.index("name")] for row in rows] == ["Guest 1", "Guest 2"]


async def test_the_calendar_has_the_start_of_the_tournament(one: RoomService, admin: Admin, exports: Exports) -> None:
    await store_of(admin, entered(2, {"starts_at": NOON + 60 * MINUTE, "name": "Club night"}))
    text = (await exports.of(CODE, ".ics", SITE)).body.decode()
    assert "SUMMARY:Club night\r\n" in text and f"URL:{SITE}/r/{CODE}\r\n" in text


@pytest.mark.parametrize("kind", [".json", ".bundle.json", ".csv", "-results.csv", "-teams.csv", ".ics"])
async def test_a_tournament_can_be_exported_before_its_start(
    one: RoomService, admin: Admin, exports: Exports, kind: str
) -> None:
    await store_of(admin, entered(2))
    file = await exports.of(CODE, kind, SITE)
    assert file.body and file.name == f"{CODE}{kind}"


async def test_only_tournaments_have_exports(one: RoomService, admin: Admin, exports: Exports) -> None:
    await store_of(admin, lobby(2))
    for code, why in ((CODE, "unknown-room"), ("BCDFGH", "unknown-room")):
        assert await refusal_of(exports.of(code, ".json", SITE)) == why
