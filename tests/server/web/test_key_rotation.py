"""Keys are rotated by one process, and all others follow."""

import asyncio
from pathlib import Path
from typing import Any

from aiohttp import ClientSession

from fortythieves.record import race_record
from fortythieves.record.proof import verify
from fortythieves.solver.day import day_of, earlier
from fortythieves.times import Ms
from fortythieves_server.app import Times, run_keys
from fortythieves_server.web import key_rotation
from fortythieves_server.web.guest_tokens import Guests
from fortythieves_server.web.key_rotation import ANNOUNCED, LINKS, PASSES_FOR, Key, Ring, Rings
from tests.integration.raw import guest
from tests.server.clients import store_of
from tests.server.stores import Admin, opened, until_it_is
from tests.server.tables import CODE, NOON, SERVER, over
from tests.serving import serving

#: So that no test waits for half a minute.
SOON = Times(look_at_keys=0.05, keys_announced=Ms(200))


async def told(address: str) -> dict[str, Any]:
    async with ClientSession() as session, session.get(f"{address}/api/key") as answer:
        found: dict[str, Any] = await answer.json()
        return found


async def test_after_a_rotation_all_processes_sign_with_the_new_key_and_old_signatures_are_good(
    url: str, admin: Admin, tmp_path: Path
) -> None:
    await store_of(admin, over(2))
    async with (
        serving(tmp_path / "one", redis=url, times=SOON) as one,
        serving(tmp_path / "two", redis=url, times=SOON) as two,
        ClientSession() as session,
    ):
        before = await told(one)

        async def record(address: str) -> dict[str, Any]:
            async with session.get(f"{address}/api/races/{CODE}/1") as answer:
                return race_record.read(await answer.read())

        old_record = await record(one)
        async with guest(one) as ann:
            old_pass = ann.token
        said = await run_keys(url, tmp_path, "all", SOON.keys_announced)
        assert any("30 more days" in line for line in said)

        async def rotated() -> bool:
            answers = [await told(address) for address in (one, two)]
            return answers[0] == answers[1] and answers[0]["key"] != before["key"]

        await until_it_is(rotated)
        after = await told(two)
        keys = {key["key"]: key["until"] for key in after["keys"]}
        assert keys[before["key"]] is not None and keys[after["key"]] is None
        promised_by = {SERVER.public_key().public_bytes_raw().hex(): None}
        assert [check for check in verify(old_record, keys | promised_by) if not check.ok] == []

        async def signed_anew() -> bool:
            return bool((await record(two))["key"] == after["key"])

        await until_it_is(signed_anew)
        for address in (one, two):
            async with guest(address, old_pass) as again:
                new_pass = again.token
            assert new_pass != old_pass
            async with guest(one, new_pass), guest(two, new_pass):
                pass

        async def forgotten() -> bool:
            ring = key_rotation.decode(await admin.redis.get("ft:key-ring:records"))
            return not ring[-1].secret

        await until_it_is(forgotten)


async def test_of_two_rotations_at_once_one_is_told_to_try_again_or_both_are_made(url: str, tmp_path: Path) -> None:
    await run_keys(url, tmp_path, None)
    done = await asyncio.gather(*(run_keys(url, tmp_path, "records") for _ in range(3)), return_exceptions=True)
    made = sum(isinstance(one, list) for one in done)
    assert made >= 1
    assert len(await run_keys(url, tmp_path, None)) == 1 + made


async def test_the_keys_of_a_server_that_has_its_own_redis_are_rotated_while_it_runs(tmp_path: Path) -> None:
    async with serving(tmp_path, hurry=False) as address:
        before = await told(address)
        said = await run_keys(None, tmp_path, "records")
        assert before["key"] in said[1]
    assert len(await run_keys(None, tmp_path, None)) == 2


FIRST: Ring = (Key(Ms(0), "aa" * 32, "11" * 32),)
USED = NOON + ANNOUNCED
SECOND: Ring = (Key(USED, "bb" * 32, "22" * 32), *FIRST)


async def test_the_keys_of_a_server_survive_in_an_emptied_redis(url: str, admin: Admin) -> None:
    async with opened(url, "one") as one, opened(url, "two") as two:
        rings, others = Rings(one), Rings(two)
        await rings.read()
        passes, records, first = rings.passes, rings.records, await one.keys.signing_key()
        await admin.redis.flushall()
        await rings.read()
        await others.read()
        assert (others.passes, others.records) == (rings.passes, rings.records) == (passes, records)
        assert await two.keys.signing_key() == first
    async with opened(url, "three") as three:
        assert await three.keys.signing_key() == first


async def test_the_chain_of_the_days_is_drawn_once_and_publishes_no_key_of_today_or_later(url: str) -> None:
    async with opened(url, "one") as one, opened(url, "two") as two:
        rings = Rings(one), Rings(two)
        for ring in rings:
            await ring.read()
        today = day_of(one.clock.now())
        assert {ring.key_of_day(today) for ring in rings} == {rings[0].key_of_day(today)}
        newest, key = rings[0].first_day_link
        assert newest == today - 1 and rings[0].key_of_day(newest) is None, "that day has no deal"
        assert earlier(rings[1].key_of_day(today) or b"", 1).hex() == key
        assert rings[0].key_of_day(today + LINKS) is None


def test_a_new_key_is_known_before_it_is_used() -> None:
    assert [key_rotation.current(SECOND, now).secret[:2] for now in (NOON, USED - Ms(1), USED)] == ["aa", "aa", "bb"]
    assert [key[:1] for key in key_rotation.accepted(SECOND, NOON)] == [b"\xbb", b"\xaa"]
    assert [key[:1] for key in key_rotation.accepted(SECOND, USED)] == [b"\xaa", b"\xbb"]


def test_all_keys_of_records_are_published_with_their_times() -> None:
    told = key_rotation.published_keys(SECOND, USED)
    assert told["key"] == "22" * 32
    assert told["keys"] == [
        {"key": "22" * 32, "since": USED, "until": None},
        {"key": "11" * 32, "since": 0, "until": USED},
    ]
    assert key_rotation.published_keys(SECOND, NOON)["key"] == "11" * 32


def test_an_old_key_of_records_keeps_only_its_public_part() -> None:
    assert key_rotation.records_trimmed(SECOND, USED) == SECOND
    newest, old = key_rotation.records_trimmed(SECOND, USED + ANNOUNCED)
    assert (newest, old) == (SECOND[0], Key(Ms(0), "", "11" * 32))


def test_guest_tokens_of_an_old_key_are_valid_for_thirty_days() -> None:
    old, new = Guests(b"a" * 32), Guests(b"a" * 32)
    guest, token = old.issue()
    for now, good in ((USED, True), (USED + PASSES_FOR - Ms(1), True), (USED + PASSES_FOR, False)):
        ring = (Key(USED, "bb" * 32), Key(Ms(0), (b"a" * 32).hex()))
        new.use(key_rotation.accepted(ring, now))
        fresh = new.issue()
        assert new.guest_of(fresh[1]) == fresh[0]
        try:
            assert new.guest_of(token) == guest
        except Exception as error:  # noqa: BLE001 - its text is checked below
            assert str(error) == "This guest pass is not from this server." and not good
        else:
            assert good
    assert len(key_rotation.passes_trimmed(SECOND, USED + PASSES_FOR)) == 1
