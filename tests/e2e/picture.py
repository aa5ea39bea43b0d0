"""Takes the picture at the top of the README, of a race that is run for it: `python -m tests.e2e.picture`.

Two people and three house bots play for two minutes, for the clock in the picture to be right. Then the two
open their pages, one on a desktop and one on a phone, and the browser that shows them lays out both in one picture.
"""

import asyncio
import base64
import tempfile
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, Page, async_playwright

from fortythieves_client.bot.levels import LEVELS
from fortythieves_client.client import Client
from tests.e2e import browser as chromium
from tests.e2e.conftest import DESKTOP, FLAGS, PHONE
from tests.e2e.prepared import WINS, Seat, play
from tests.e2e.server import Server

ROOT = Path(__file__).parents[2]
PICTURE = ROOT / "docs" / "race.png"

#: A game with long columns and cards face down; Ann has played so much of a win of it that every pile has its part.
GAME = "rank-and-file"
ANNS_MOVES, BENS_MOVES = 70, 45
#: For so long the house bots play.
SECONDS = 105

#: The size of the two screens in the picture, so that nothing is scaled twice.
SCREENS = {
    "desktop": DESKTOP | {"viewport": {"width": 1040, "height": 540}, "device_scale_factor": 2},
    "phone": PHONE | {"viewport": {"width": 360, "height": 646}, "device_scale_factor": 2},
}

#: Two screens with shadows on a transparent ground, for light and dark pages. A quarter of the shades is enough and
#: takes half the space.
LAYOUT = """
<!doctype html>
<style>
  body { margin: 0; display: flex; gap: 20px; padding: 8px 12px 14px; align-items: center; width: fit-content }
  div { overflow: hidden; box-shadow: 0 2px 8px rgb(0 0 0 / 40%) }
  img { display: block; height: 540px; filter: url(#fewer) }
  .desktop { border-radius: 10px }
  .phone { border-radius: 26px; border: 7px solid #1b1d1f }
  svg { position: absolute }
</style>
<svg width="0" height="0"><filter id="fewer" color-interpolation-filters="sRGB"><feComponentTransfer>
  <feFuncR type="discrete" tableValues="{shades}"/>
  <feFuncG type="discrete" tableValues="{shades}"/>
  <feFuncB type="discrete" tableValues="{shades}"/>
</feComponentTransfer></filter></svg>
""".replace("{shades}", " ".join(f"{shade / 63:.3f}" for shade in range(64)))


async def race(address: str) -> list[Seat]:
    """A running race and the seats of its two players."""
    win = WINS[GAME]
    async with Client(address) as ann, Client(address) as ben:
        room = await ann.create("Ann", game=GAME, deal=str(win["number"]), countdown=3, auto_start=False)
        await ben.join("Ben", room.code)
        for level in LEVELS:
            await ann.add_bot(level)
        await asyncio.gather(ann.ready(), ben.ready())
        await ann.until(lambda: sum(bool(person.get("ready")) for person in room.people.values()) == 2 + len(LEVELS))
        await ann.start()
        await asyncio.sleep(SECONDS)
        await asyncio.gather(play(ann, win["moves"][:ANNS_MOVES]), play(ben, win["moves"][:BENS_MOVES]))
        return [Seat(room.code, client.token or "", name) for client, name in ((ann, "Ann"), (ben, "Ben"))]


async def screen(browser: Browser, address: str, seat: Seat, options: dict[str, Any]) -> Page:
    context = await browser.new_context(base_url=address, **options)
    await seat.put_into(context)
    page = await context.new_page()
    await page.goto(f"/r/{seat.code}")
    await page.locator("[data-page=race][data-phase=racing] [data-table]:not(.ft-still)").wait_for()
    return page


async def picture(browser: Browser, screens: dict[str, Page]) -> bytes:
    shots = {name: base64.b64encode(await screen.screenshot()).decode() for name, screen in screens.items()}
    page = await browser.new_page(viewport={"width": 1600, "height": 800}, device_scale_factor=1.25)
    await page.set_content(
        LAYOUT
        + "".join(f'<div class="{name}"><img src="data:image/png;base64,{shot}"></div>' for name, shot in shots.items())
    )
    return await page.locator("body").screenshot(omit_background=True)


async def main() -> None:
    with tempfile.TemporaryDirectory() as home:
        server = Server(Path(home))
        server.start()
        try:
            seats = await race(server.address)
            async with async_playwright() as playwright:
                browser = await playwright.chromium.launch(executable_path=chromium.find(), args=FLAGS)
                screens = {
                    name: await screen(browser, server.address, seat, options)
                    for (name, options), seat in zip(SCREENS.items(), seats, strict=True)
                }
                # A moment for the clocks to be set and for the others' progress to come.
                await asyncio.sleep(2)
                # And Ann has just taken up a card: where it may go is lit.
                await screens["desktop"].locator("[data-pile=column-6]").click()
                taken = await picture(browser, screens)
                await browser.close()
        finally:
            server.stop()
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_bytes(taken)
    print(f"{PICTURE.relative_to(ROOT)}: {len(taken) / 1000:.0f} KB")


if __name__ == "__main__":
    asyncio.run(main())
