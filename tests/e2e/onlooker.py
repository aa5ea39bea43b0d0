"""A spectator of a race or a replay, through the page."""

import re

from playwright.async_api import Locator, Page, expect

from fortythieves.rules.board import Board
from tests.e2e.player import Player


class Onlooker(Player):
    """No seat: the large board is on the table of a player."""

    def __init__(self, page: Page, name: str = "Eve") -> None:
        super().__init__(page, name)

    def board_of(self, seat: int) -> Locator:
        """The board of a racer, where it is shown."""
        return self.page.locator(f"[data-tile='{seat}']")

    async def sees(self, *seats: int) -> None:
        """These boards are shown, and no others."""
        tiles = self.page.locator("[data-tile]")
        await expect(tiles).to_have_count(len(seats))
        for tile, seat in zip(await tiles.all(), seats, strict=True):
            await expect(tile).to_have_attribute("data-tile", str(seat))

    async def press(self, *keys: str) -> None:
        for key in keys:
            await self.page.keyboard.press(key)

    async def expect_board(self, board: Board) -> None:
        await self.table.expect(board)

    # while it runs

    @property
    def shown(self) -> Locator:
        """How far the boards are shown, and why no further."""
        return self.page.locator("[data-part=shown]")

    @property
    def labels_of_lines(self) -> Locator:
        """The labels in the chart of a race that is on."""
        return self.page.locator("[data-part=live-chart] .chart-label")

    @property
    def feed(self) -> Locator:
        """The events during watching."""
        return self.page.locator("[data-part=feed]")

    async def say_by_name(self, text: str) -> None:
        """In the chat of the watchers, for which one needs a name."""
        await self.button("Chat").click()
        await self.page.get_by_label("Your name").fill(self.name)
        await self.button("Save").click()
        await expect(self.page.get_by_label("Your name")).to_be_hidden()
        await self.say(text)

    # when it is over

    @property
    def place(self) -> Locator:
        """Where the replay is."""
        return self.page.locator(".transport-place b")

    @property
    def slider(self) -> Locator:
        return self.page.locator(".scrub")

    @property
    def result(self) -> Locator:
        return self.page.locator("[data-part=result]")

    async def verify(self) -> dict[str, str]:
        """Let the page verify the record. Returns each result, with "no: " before a failure."""
        async with self.page.expect_worker():
            await self.button("Verify").click()
        await expect(self.page.locator(".verify .proof-result")).to_have_text(re.compile("Everything|wrong"))
        checks = await self.page.locator(".checks li").all()
        return {
            str(await one.get_attribute("data-check")): ("" if await one.get_attribute("data-ok") == "true" else "no: ")
            + await one.locator(".checks-reason").inner_text()
            for one in checks
        }
