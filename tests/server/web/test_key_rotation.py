"""Keys are rotated by one process, and all others follow."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from aiohttp import ClientSession

from fortythieves.record import race_record
from fortythieves.record.proof import verify
from fortythieves.times import Ms
from fortythieves_server.app import Times, run_keys
from fortythieves_server.core import key_history
from tests.integration.raw import guest
from tests.server.clients import store_of
from tests.server.stores import Admin, until_it_is
from tests.server.tables import CODE, SERVER, over
from tests.serving import serving

#: So that no test waits for half a minute.
SOON = Times(look_at_keys=0.05, keys_announced=Ms(200))


@contextlib.asynccontextmanager
async def two_servers(url: str, folder: Path) -> AsyncIterator[tuple[str, str]]:
    async with (
        serving(folder / "one", redis=url, times=SOON) as one,
        serving(folder / "two", redis=url, times=SOON) as two,
    ):
        yield one, two


async def told(address: str) -> dict[str, Any]:
    async with ClientSession() as session, session.get(f"{address}/api/key") as answer:
        found: dict[str, Any] = await answer.json()
        return found


async def test_after_a_rotation_all_processes_sign_with_the_new_key_and_old_signatures_are_good(
    url: str, admin: Admin, tmp_path: Path
) -> None:
    await store_of(admin, over(2))
    async with two_servers(url, tmp_path) as (one, two), ClientSession() as session:
        before = await told(one)
        async with session.get(f"{one}/api/races/{CODE}/1") as answer:
            old_record = race_record.read(await answer.read())
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
            async with session.get(f"{two}/api/races/{CODE}/1") as answer:
                made = race_record.read(await answer.read())
                return bool(made["key"] == after["key"])

        await until_it_is(signed_anew)
        for address in (one, two):
            async with guest(address, old_pass) as again:
                new_pass = again.token
            assert new_pass != old_pass
            for other in (one, two):
                async with guest(other, new_pass):
                    pass

        async def forgotten() -> bool:
            ring = key_history.decode(await admin.redis.get("ft:key-ring:records"))
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
