"""Records are made from what is stored, when somebody asks, and only of races that are over."""

from collections.abc import AsyncIterator

import pytest
from msgspec.structs import replace

from fortythieves.errors import Refused
from fortythieves.proof import verify
from fortythieves.to_server import Leave
from fortythieves_server.embedded import EmbeddedRedis
from fortythieves_server.hub import Hub
from fortythieves_server.records import KEPT, Records
from tests.server.clients import Client, process, store_of
from tests.server.stores import Admin, pause
from tests.server.tables import CODE, MINUTE, over, racing

SEED = bytes(range(32))


@pytest.fixture
async def hub(url: str) -> AsyncIterator[Hub]:
    async with process(url, "one") as hub:
        yield hub


async def refusal(records: Records, code: str, number: int) -> str:
    with pytest.raises(Refused) as refused:
        await records.of(code, number)
    return refused.value.code


def code_of(k: int) -> str:
    return "BCDFG" + "BCDFGHJKLMNPQRSTVWXZ"[k]


async def test_the_record_of_a_race_that_was_played_is_true(hub: Hub, admin: Admin) -> None:
    await store_of(admin, racing(1), ago=MINUTE)
    ann = Client(hub, "ann")
    await ann.join()
    await ann.draw(5)
    records = Records(hub, hub.store, SEED)
    assert await refusal(records, CODE, 1) == "not-over-yet"
    await ann.do(Leave(1))
    one = await records.of(CODE, 1)
    assert [check for check in verify(one, bytes.fromhex(records.public_key)) if not check.ok] == []
    assert [[seat, len(log)] for seat, log in one["logs"]] == [[1, 5]]


async def test_a_race_that_never_was_has_no_record(hub: Hub, admin: Admin) -> None:
    await store_of(admin, over(2))
    records = Records(hub, hub.store, SEED)
    assert await refusal(records, CODE, 2) == "unknown-race"
    assert await refusal(records, "BCDFGH", 1) == "unknown-race"
    assert await refusal(records, "nonsense", 1) == "unknown-race"


async def test_a_record_is_made_once_for_all_who_ask(hub: Hub, admin: Admin) -> None:
    await store_of(admin, over(2))
    records = Records(hub, hub.store, SEED)
    first = await records.of(CODE, 1)
    reads = await admin.calls("lrange")
    assert await records.of(CODE, 1) is first
    assert await admin.calls("lrange") == reads


async def test_only_the_last_records_are_kept_in_memory(hub: Hub, admin: Admin) -> None:
    records = Records(hub, hub.store, SEED)
    made = []
    for k in range(KEPT + 1):
        table = over(1)
        table.room = replace(table.room, code=code_of(k))
        await store_of(admin, table)
        made.append(await records.of(code_of(k), 1))
    assert await records.of(code_of(KEPT), 1) is made[KEPT]
    again = await records.of(code_of(0), 1)
    assert again is not made[0] and again == made[0]


async def test_without_its_store_the_server_says_so(own_redis: EmbeddedRedis) -> None:
    async with Admin(own_redis.url) as admin, process(own_redis.url, "one") as hub:
        await store_of(admin, over(2))
        records = Records(hub, hub.store, SEED)
        resume = pause(own_redis)
        try:
            assert await refusal(records, CODE, 1) == "store-down"
        finally:
            resume()


async def test_without_its_store_the_server_still_has_the_records_that_it_has_made(own_redis: EmbeddedRedis) -> None:
    async with Admin(own_redis.url) as admin, process(own_redis.url, "one") as hub:
        await store_of(admin, over(2))
        records = Records(hub, hub.store, SEED)
        first = await records.of(CODE, 1)
        resume = pause(own_redis)
        try:
            assert await records.of(CODE, 1) is first
        finally:
            resume()


async def test_a_room_of_a_forgotten_code_has_records_of_its_own(hub: Hub, admin: Admin) -> None:
    records = Records(hub, hub.store, SEED)
    await store_of(admin, over(2))
    old = await records.of(CODE, 1)
    await hub.close()
    await hub.open()
    await admin.redis.flushall()
    await store_of(admin, over(1), ago=MINUTE)
    assert (await records.of(CODE, 1))["racers"] != old["racers"]


async def test_a_record_that_nobody_could_read_is_not_made(
    hub: Hub, admin: Admin, monkeypatch: pytest.MonkeyPatch
) -> None:
    await store_of(admin, over(2))
    monkeypatch.setattr("fortythieves_server.records.LONGEST", 100)
    records = Records(hub, hub.store, SEED)
    assert await refusal(records, CODE, 1) == "huge-record"
    reads = await admin.calls("lrange")
    assert await refusal(records, CODE, 1) == "huge-record"
    assert await admin.calls("lrange") == reads
