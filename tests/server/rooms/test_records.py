"""Records are made from what is stored, when somebody asks, and only of races that are over."""

from collections.abc import AsyncIterator

import pytest

from fortythieves.protocol.to_server import Leave
from fortythieves.record import race_record
from fortythieves.record.proof import verify
from fortythieves.times import Ms
from fortythieves_server.process.embedded_redis import EmbeddedRedis
from fortythieves_server.rooms.file_process import FileProcess
from fortythieves_server.rooms.records import LEAST, RecordKey, Records
from fortythieves_server.rooms.room_service import RoomService
from tests.refusals import refusal_of
from tests.server.clients import Client, process, store_of
from tests.server.stores import Admin, key, pause
from tests.server.tables import CODE, MINUTE, over, racing

SEED = bytes(range(32))


@pytest.fixture
async def file_process() -> AsyncIterator[FileProcess]:
    file_process = FileProcess()
    yield file_process
    await file_process.close()


def code_of(k: int) -> str:
    return "BCDFG" + "BCDFGHJKLMNPQRSTVWXZ"[k]


async def test_the_record_of_a_race_can_be_verified(one: RoomService, admin: Admin, file_process: FileProcess) -> None:
    await store_of(admin, racing(1), ago=MINUTE)
    ann = await Client(one, "ann").join()
    await ann.draw(5)
    records = Records(one.finished, RecordKey(SEED), file_process)
    assert await refusal_of(records.packed(CODE, 1)) == "not-over-yet"
    await ann.do(Leave(1))
    record = race_record.read(await records.packed(CODE, 1))
    assert [check for check in verify(record, bytes.fromhex(records.public_key)) if not check.ok] == []
    assert [[seat, len(log)] for seat, log in record["logs"]] == [[1, 5]]


async def test_an_unknown_race_has_no_record(one: RoomService, admin: Admin, file_process: FileProcess) -> None:
    await store_of(admin, over(2))
    records = Records(one.finished, RecordKey(SEED), file_process)
    assert await refusal_of(records.packed(CODE, 2)) == "unknown-race"
    assert await refusal_of(records.packed("BCDFGH", 1)) == "unknown-race"
    assert await refusal_of(records.packed("nonsense", 1)) == "unknown-race"


async def test_a_record_is_made_once(one: RoomService, admin: Admin, file_process: FileProcess) -> None:
    await store_of(admin, over(2))
    records = Records(one.finished, RecordKey(SEED), file_process)
    first = await records.packed(CODE, 1)
    reads = await admin.calls("lrange")
    assert await records.packed(CODE, 1) is first
    assert await admin.calls("lrange") == reads


async def test_without_redis_a_record_is_refused(own_redis: EmbeddedRedis, file_process: FileProcess) -> None:
    async with Admin(own_redis.url) as admin, process(own_redis.url, "one") as hub:
        await store_of(admin, over(2))
        records = Records(hub.finished, RecordKey(SEED), file_process)
        resume = pause(own_redis)
        try:
            assert await refusal_of(records.packed(CODE, 1)) == "store-down"
        finally:
            resume()


async def test_without_redis_cached_records_are_served(own_redis: EmbeddedRedis, file_process: FileProcess) -> None:
    async with Admin(own_redis.url) as admin, process(own_redis.url, "one") as hub:
        await store_of(admin, over(2))
        records = Records(hub.finished, RecordKey(SEED), file_process)
        first = await records.packed(CODE, 1)
        resume = pause(own_redis)
        try:
            assert await records.packed(CODE, 1) is first
        finally:
            resume()


async def test_a_reused_room_code_has_new_records(one: RoomService, admin: Admin, file_process: FileProcess) -> None:
    records = Records(one.finished, RecordKey(SEED), file_process)
    await store_of(admin, over(2))
    old = await records.packed(CODE, 1)
    await one.close()
    one.open()
    await admin.redis.flushall()
    await store_of(admin, over(1), ago=MINUTE)
    assert race_record.read(await records.packed(CODE, 1))["racers"] != race_record.read(old)["racers"]


async def test_a_record_that_is_too_large_is_refused(one: RoomService, admin: Admin, file_process: FileProcess) -> None:
    await store_of(admin, over(2))
    records = Records(one.finished, RecordKey(SEED), file_process, longest=100)
    assert await refusal_of(records.packed(CODE, 1)) == "huge-record"
    reads = await admin.calls("lrange")
    assert await refusal_of(records.packed(CODE, 1)) == "huge-record"
    assert await admin.calls("lrange") == reads


async def test_a_huge_record_is_refused_before_its_logs_are_read(
    one: RoomService, admin: Admin, file_process: FileProcess
) -> None:
    await store_of(admin, over(2))
    await admin.redis.rpush(key("moves", 1, 1), *[f"{n} draw" for n in range(200)])
    await one.finished.race(CODE, 1)
    records = Records(one.finished, RecordKey(SEED), file_process, longest=200 * LEAST - 1)
    reads = await admin.calls("lrange")
    assert await refusal_of(records.packed(CODE, 1)) == "huge-record"
    assert await admin.calls("lrange") == reads


async def test_a_record_has_all_entries_of_long_logs(url: str, admin: Admin, file_process: FileProcess) -> None:
    table = over(3)
    await store_of(admin, table)
    times = [(table.race.starts_at or Ms(0)) + Ms(n) for n in range(20)]
    await admin.redis.rpush(key("moves", 1, 1), *[f"{at} draw" for at in times])
    await admin.redis.rpush(key("moves", 1, 3), *[f"{at} W-F" for at in times[:14]])
    async with process(url, "one", window=7) as hub:
        one = race_record.read(await Records(hub.finished, RecordKey(SEED), file_process).packed(CODE, 1))
    assert [(seat, [text for _, text in log]) for seat, log in one["logs"]] == [
        (1, ["draw"] * 20),
        (2, []),
        (3, ["W-F"] * 14),
    ]
    assert [at - one["logs"][0][1][0][0] for at, _ in one["logs"][0][1]] == [*range(20)]
