"""The page without a network: practice works, and a new release replaces the old one."""

import json
import re
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest_asyncio
from playwright.async_api import Page, expect

from tests.e2e.conftest import Visit, Witness
from tests.e2e.hands import Keys
from tests.e2e.player import Player
from tests.e2e.prepared import WINS, board_of
from tests.e2e.server import ROOT, Server, release_again

PACKAGE = "fortythieves_server"
WIN = WINS["number-ten"]

#: All that may be kept: nothing of any room.
SHELL = re.compile(r"/|/practice|/assets/[\w-]+\.(js|css)")

#: The paths of stored files.
KEPT = """async () => {
    const caches_ = await Promise.all((await caches.keys()).map((name) => caches.open(name)))
    const kept = (await Promise.all(caches_.map((cache) => cache.keys()))).flat()
    return kept.map(({ url }) => new URL(url).pathname)
}"""

#: Waits until a worker answers that keeps the release with this script, and no other.
IS_KEPT = f"""async (script) => {{
    const ofScripts = async () => (await ({KEPT})()).filter((path) => /index.*js$/.test(path))
    const isActive = async () => (await navigator.serviceWorker.ready).active.state === 'activated'
    const isKept = async () => (await isActive()) && (await ofScripts()).join() === script
    while (!(await isKept())) await new Promise((done) => setTimeout(done, 20))
}}"""


@pytest_asyncio.fixture(loop_scope="session")
async def server(tmp_path: Path, witness: Witness) -> AsyncIterator[Server]:
    packages = tmp_path / "packages"
    shutil.copytree(ROOT / "server" / PACKAGE, packages / PACKAGE, ignore=shutil.ignore_patterns("__pycache__"))
    server = Server(tmp_path, packages=packages)
    server.start()
    # The error of a browser without a server.
    witness.forgive("ERR_|WebSocket|Failed to load resource")
    yield server
    server.stop()


async def says_offline(page: Page) -> None:
    """The page reports that there is no network.

    After a navigation that a worker answers, Chromium (150) forgets that it is offline, so the test repeats it.
    """
    session = await page.context.new_cdp_session(page)
    nothing = {"offline": True, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    await session.send("Network.emulateNetworkConditions", nothing)
    await expect(page.get_by_text("You are offline.")).to_be_visible()
    await session.detach()


async def scripts(page: Page) -> list[str]:
    return list(
        await page.evaluate("[...document.querySelectorAll('script[src]')].map(({ src }) => new URL(src).pathname)")
    )


async def test_a_numbered_deal_is_playable_offline_and_the_server_updates_it(
    server: Server, tmp_path: Path, visit: Visit
) -> None:
    page = await visit("/", base_url=server.address, service_workers="allow")
    ann = Player(page, "Ann", Keys())
    (old,) = await scripts(page)
    await page.evaluate(IS_KEPT, old)
    kept = await page.evaluate(KEPT)
    assert {"/", "/practice"} < set(kept)
    assert [path for path in kept if not SHELL.fullmatch(path)] == []
    languages = {found[1] for path in kept if (found := re.match("/assets/(en|hi|ro)-", path))}
    assert languages == {"en"}, "the texts of the language in use, and of no other"

    await page.context.set_offline(True)
    await page.reload()
    await says_offline(page)
    await ann.button("Choose a deal").click()
    await page.get_by_label("Game", exact=True).select_option("number-ten")
    await page.get_by_label("Deal number").fill(str(WIN["number"]))
    await ann.button("Deal").click()
    await expect(ann.button("Race a friend")).to_be_disabled()
    ann.board = board_of("number-ten")
    await ann.table.expect(ann.board)
    await ann.play(*WIN["moves"][:6], "undo", *WIN["moves"][5:8])
    await expect(ann.status).to_contain_text("8 moves")
    await ann.button("Undo").click()
    await expect(ann.status).to_contain_text("7 moves")
    await page.reload()
    await ann.button("Redo").click()
    await ann.table.expect(ann.board)
    await expect(ann.status).to_contain_text("8 moves")
    await ann.button("Restart").click()
    await expect(ann.status).to_contain_text("0 moves")
    await page.reload()
    await expect(ann.status).to_contain_text("0 moves")
    # The address of a room opens and explains that the room needs a network.
    await page.goto("/r/KQXWVD")
    await says_offline(page)

    await page.context.set_offline(False)
    server.stop()
    new = release_again(tmp_path / "packages" / PACKAGE / "client")
    await page.goto("/practice")
    await expect(ann.button("Deal")).to_be_visible()
    assert await scripts(page) == [old]
    server.start()
    await page.goto("/")
    await expect(ann.button("Create race")).to_be_visible()
    assert await scripts(page) == [new]
    await page.evaluate(IS_KEPT, new)
    # It is the new one that is there without a server now.
    await page.context.set_offline(True)
    await page.reload()
    await says_offline(page)
    assert await scripts(page) == [new]


#: How large a picture really is: "192x192".
SIZE = """async (url) => {
    const image = Object.assign(new Image(), { src: url })
    await image.decode()
    return `${image.naturalWidth}x${image.naturalHeight}`
}"""


async def test_the_page_is_installable(visit: Visit) -> None:
    page = await visit("/", locale="ro")
    session = await page.context.new_cdp_session(page)
    read: dict[str, Any] = await session.send("Page.getAppManifest")
    assert read["errors"] == []
    manifest = read["manifest"]
    assert (manifest["display"], manifest["startUrl"]) == ("kStandalone", page.url)
    sizes = {icon["url"]: icon["sizes"] for icon in manifest["icons"]}
    assert {"192x192", "512x512"} <= set(sizes.values())
    assert {url: await page.evaluate(SIZE, url) for url in sizes} == sizes
    data = json.loads(read["data"])
    assert any(icon.get("purpose") == "maskable" for icon in data["icons"])
    assert data["lang"] == "ro" and "prietenii" in data["description"]
