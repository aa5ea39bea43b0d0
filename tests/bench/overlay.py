"""The CPU of the stream overlay while bots race."""

import asyncio
from collections.abc import Mapping
from typing import Any

from playwright.async_api import Browser, ViewportSize, async_playwright

from fortythieves_client.bot.levels import LEVELS
from fortythieves_client.client import Client
from tests.bench.figures import Found, Row, Run
from tests.bench.processes import cpu, program, redis
from tests.e2e import browser as chromium
from tests.e2e.conftest import FLAGS

SIZE: ViewportSize = {"width": 1920, "height": 1080}
SECONDS = 20.0
#: Two of each level. The host makes no move and would stop a frontier, so the boards are open.
BOTS = [level for level in LEVELS for _ in range(2)]
SETTINGS: Mapping[str, Any] = {
    "game": "forty-thieves",
    "watch": "open",
    "countdown": 3,
    "seats": len(BOTS) + 1,
    "auto_start": False,
}

#: The query of the address, and the elements that it shows.
KINDS: Mapping[str, tuple[str, str]] = {
    "lanes": ("lanes=20", ".overlay-lanes li"),
    "board": ("board=leader&width=1920", ".overlay-board .ft-card"),
}

ROWS = [
    Row("lanes", f"an overlay of lanes, 1080p, {len(BOTS)} bots race: of a core", "%", bar=5),
    Row("board", f"an overlay of the leader's board, 1080p, {len(BOTS)} bots race: of a core", "%", bar=5),
]


async def measure(run: Run) -> dict[str, Found]:
    found = {}
    async with (
        redis() as stored,
        program(stored.url, "--bots", "yes") as server,
        async_playwright() as playwright,
        Client(server.address) as host,
    ):
        browser = await playwright.chromium.launch(executable_path=chromium.find(), args=FLAGS)
        room = await host.create("Ann", **SETTINGS)
        for level in BOTS:
            await host.add_bot(level)
        await host.ready()
        await host.until(lambda: sum(bool(person.get("ready")) for person in room.people.values()) == 1 + len(BOTS))
        await host.start()
        await host.until(lambda: sum(one.moves > 0 for one in host.progress.values()) == len(BOTS))
        for kind, (search, shown) in KINDS.items():
            found[kind] = await _watch(browser, f"{server.address}/r/{room.code}/o?{search}", shown, run)
        await browser.close()
    return found


async def _watch(browser: Browser, address: str, shown: str, run: Run) -> Found:
    """Measure the CPU of the processes of pages, in per cent of a core."""
    session = await browser.new_browser_cdp_session()

    async def used() -> float:
        processes = (await session.send("SystemInfo.getProcessInfo"))["processInfo"]
        return sum(cpu(one["id"]) for one in processes if one["type"] == "renderer")

    context = await browser.new_context(viewport=SIZE)
    page = await context.new_page()
    await page.goto(address)
    await page.locator(shown).first.wait_for(state="attached")
    seconds = run.seconds(SECONDS)
    before = await used()
    await asyncio.sleep(seconds)
    spent = await used() - before
    await session.detach()
    await context.close()
    return Found([100 * spent / seconds])
