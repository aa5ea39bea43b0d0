"""Checks pages: their markup by axe-core, and the texts of a test language, which are longer and have accents.

The main pages also pass in the dark; client/web/test/table/colours.test.js has the contrast of all colours.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT  # type: ignore[import-untyped]
from playwright.async_api import Page, ViewportSize

from fortythieves.rules.games import FAVOURITES, GAMES
from tests.e2e.player import Player

#: The faults that count.
BAD = {"serious", "critical"}
#: The rules that find none of these and take a quarter of the time.
SLIGHT = ("aria-allowed-role", "heading-order", "landmark-unique", "presentation-role-conflict", "region")
ALL = {"rules": {rule: {"enabled": False} for rule in SLIGHT}}

#: Wait for the end of colour transitions.
ARRIVE = "document.getAnimations().forEach((one) => one.effect.getComputedTiming().endTime < Infinity && one.finish())"

#: Only violations, and only of the open dialog, if any. `preload` would request each style sheet twice.
LOOK = """async ([some, cards]) => {
    const options = { ...some, resultTypes: ['violations'], preload: false }
    const within = document.querySelector('dialog[open]') ?? document
    return (await axe.run(cards ? within : { include: [within], exclude: ['.ft-card'] }, options)).violations
}"""
HAS_CARDS = "!document.querySelector('dialog[open]') && document.querySelector('.ft-card') !== null"
#: In the dark the page is the same but for its colours.
COLOURS_ONLY = {"runOnly": ["color-contrast"]}

#: The test language (client/web/catalogues.js), and errors of a page in it.
PSEUDO = "en-XA"
FOREIGN = (Path(__file__).parent / "foreign.js").read_text()
#: Names of games that no language translates.
OF_GAMES = [word for key, game in GAMES.items() if key not in FAVOURITES for word in re.findall("[A-Za-z]+", game.name)]
#: Typed names and list separators of browsers.
OWN_WORDS = ["Ann", "Bob", "bob", "Cleo", "Dan", "Eve", "Lee", "Club", "night", "Hello", "again", "and", *OF_GAMES]

#: As if the settings of the browser had changed.
SPEAK = """async (tag) => {
    document.cookie = `language=${tag}; path=/`
    dispatchEvent(new Event('languagechange'))
    while (document.documentElement.lang !== tag) await new Promise(requestAnimationFrame)
    await new Promise(requestAnimationFrame)
}"""

#: The table is laid out for another window in the frame after it has changed.
LAY_OUT = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


async def speak(page: Page, tag: str) -> None:
    await page.evaluate(SPEAK, tag)


class Inspector:
    def __init__(self) -> None:
        self.faults: list[str] = []
        #: Whether to look at cards: they have the same markup on all tables, and most elements of a page.
        self._cards = True

    async def look(self, name: str, *players: Player, whole: bool = False) -> None:
        """Check the page of each player in the language of the tests, and the markup of the first one.

        ``whole``: the main pages also pass in the dark, and on a phone that is turned.
        """
        first, *_ = players
        await first.page.evaluate(ARRIVE)
        # To read it takes as long as a whole look.
        if not await first.page.evaluate("'axe' in globalThis"):
            await first.page.evaluate(AXE_SCRIPT)
        self._note(f"{name}, {first.name}", await first.page.evaluate(LOOK, [ALL, self._cards]))
        if whole:
            await first.page.emulate_media(color_scheme="dark")
            await first.page.evaluate(ARRIVE)
            self._note(f"{name}, {first.name}, dark", await first.page.evaluate(LOOK, [COLOURS_ONLY, self._cards]))
            await first.page.emulate_media(color_scheme="light")
        self._cards = self._cards and not await first.page.evaluate(HAS_CARDS)
        for player in players:
            await self.look_abroad(name, player, turn=whole)

    async def look_abroad(self, name: str, player: Player, *, turn: bool = True) -> None:
        size = player.page.viewport_size
        assert size is not None
        await speak(player.page, PSEUDO)
        turned: ViewportSize = {"width": size["height"], "height": size["width"]}
        for seen in (size, turned) if turn and size["width"] < size["height"] else (size,):
            if seen is turned:
                await player.page.set_viewport_size(seen)
            await player.page.evaluate(LAY_OUT)
            faults = await player.page.evaluate(FOREIGN, OWN_WORDS)
            self.faults += [f"{name}, {player.name}, {seen['width']} px: {fault}" for fault in faults]
        await player.page.set_viewport_size(size)
        await speak(player.page, "en")

    def _note(self, name: str, violations: Sequence[Mapping[str, Any]]) -> None:
        for violation in violations:
            if violation["impact"] in BAD:
                where = ", ".join(str(node["target"][0]) for node in violation["nodes"])
                self.faults.append(f"{name}: {violation['id']} at {where}")
