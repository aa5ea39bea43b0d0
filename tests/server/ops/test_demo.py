"""The page on which visitors of a demo kill processes."""

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import NamedTuple

import pytest
import pytest_asyncio
from aiohttp import ClientSession, encode_basic_auth

from tests.server.programs import Program, started
from tests.server.redises import free_port
from tests.server.stores import until_it_is

TOKEN = "a-token-that-nobody-guesses"
#: The headers of a request that a proxy on this machine forwards for others.
FORWARDED = {"X-Forwarded-For": "198.51.100.7"}


class Page(NamedTuple):
    server: Program
    session: ClientSession

    async def read(self) -> str:
        async with self.session.get("/break") as answer:
            assert answer.status == 200
            return await answer.text()

    async def number(self, name: str) -> int:
        found = re.search(rf"<dt>{name}</dt><dd>([0-9,]+)</dd>", await self.read())
        assert found is not None
        return int(found[1].replace(",", ""))

    async def grows(self, name: str) -> None:
        before = await self.number(name)

        async def more() -> bool:
            return await self.number(name) > before + 20

        await until_it_is(more)

    async def press(self, kind: str, form: str | None = None, **headers: str) -> int:
        found = re.search('name="token" value="([0-9a-f]+)"', await self.read())
        assert found is not None
        sent = {"do": kind, "token": found[1] if form is None else form}
        async with self.session.post("/break", data=sent, headers=headers, allow_redirects=False) as answer:
            return answer.status


@pytest_asyncio.fixture
async def page(tmp_path: Path) -> AsyncIterator[Page]:
    port = free_port()
    async with (
        started(tmp_path, "--demo", str(port), "--ops-token", TOKEN, "--winnable", "0") as server,
        ClientSession(f"http://127.0.0.1:{port}") as session,
    ):
        yield Page(server, session)


async def only_this_machine_and_operators_get_the_page_and_no_other_site_can_press(page: Page) -> None:
    async with page.session.get("/break", headers=FORWARDED) as answer:
        assert answer.status == 401
    known = {"Authorization": encode_basic_auth("", TOKEN)}
    async with page.session.get("/break", headers=FORWARDED | known) as answer:
        assert answer.status == 200
    async with page.session.get("/break", headers={"Host": "evil.example"}) as answer:
        assert answer.status == 421
    assert await page.press("worker", Origin="https://evil.example") == 403
    assert await page.press("worker", form="0") == 403
    assert await page.press("parent") == 400
    assert await page.number("kills") == 0


@pytest.mark.long
async def test_visitors_kill_a_worker_and_the_database_while_bots_race_and_no_acknowledged_move_is_lost(
    page: Page,
) -> None:
    await only_this_machine_and_operators_get_the_page_and_no_other_site_can_press(page)
    await page.grows("acknowledged moves")
    for kills, kind in enumerate(("worker", "database"), 1):

        async def is_pressed(kind: str = kind) -> bool:
            return await page.press(kind) == 303

        workers = await page.server.workers()
        await until_it_is(is_pressed)
        assert await page.press("worker") == 429, "others wait"
        assert await page.number("kills") == kills
        if kind == "worker":

            async def is_gone(workers: set[int] = {*workers}) -> bool:  # noqa: B006
                return not workers <= {*await page.server.workers()}

            await until_it_is(is_gone)
        await page.grows("acknowledged moves")
    assert await page.number("reconnections") > 0
    assert await page.number("lost moves") == 0
    assert (await page.server.stop()).code == 0
