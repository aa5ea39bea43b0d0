"""A player who uses the page."""

import re
from collections.abc import Sequence

from playwright.async_api import Locator, Page, expect

from fortythieves.rules.board import Board
from fortythieves.rules.move_notation import parse_move
from tests.e2e.hands import Clicks, Hand
from tests.e2e.prepared import board_of
from tests.e2e.table import TIMEOUT, Table

expect.set_options(timeout=TIMEOUT)


class Player:
    def __init__(self, page: Page, name: str, hand: Hand | None = None) -> None:
        self.page = page
        self.name = name
        self.hand = hand or Clicks()
        self.table = Table(page)
        #: The expected board, by the rules in Python.
        self.board: Board | None = None

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def at(self, page: str) -> Locator:
        return self.page.locator(f"[data-page={page}]")

    # on the front page and at the door

    async def create(self, game: str = "lucas", *, public: bool = False) -> str:
        await self.page.get_by_label("Your name").fill(self.name)
        await self.page.locator(f"[data-game={game}]").click()
        if public:
            await self.page.locator(".switch", has_text="Public").click()
        await self.button("Create race").click()
        return await self.code()

    async def code(self) -> str:
        return await self.page.locator("[data-part=code]").inner_text()

    async def type_code(self, text: str) -> None:
        await self.page.get_by_label("Room code or link").fill(text)
        await self.button("Join").click()

    async def enter(self) -> None:
        await self.page.get_by_label("Your name").fill(self.name)
        await self.button("Join").click()

    async def join(self, code: str) -> None:
        await self.page.goto(f"/r/{code}")
        await self.enter()
        await expect(self.at("room")).to_be_visible()

    # in the room

    def person(self, name: str) -> Locator:
        return self.page.locator(".person", has=self.page.locator(".person-name", has_text=re.compile(f"^{name}$")))

    async def change(self, **fields: str) -> None:
        """As the host, change rules: `deal_number="32001"`, `undo="free"`."""
        await self.button("Change").click()
        dialog = self.page.get_by_role("dialog")
        await dialog.evaluate("(dialog) => (dialog.querySelector('details').open = true)")
        for name, value in fields.items():
            field = dialog.get_by_label(name.replace("_", " ").capitalize(), exact=True)
            if await field.evaluate("(field) => field.tagName") == "SELECT":
                await field.select_option(value)
            else:
                await field.fill(value)
        await dialog.get_by_role("button", name="Save").click()
        await expect(dialog).to_be_hidden()

    async def say(self, text: str) -> None:
        await self.page.get_by_label("Message").fill(text)
        await self.page.get_by_label("Message").press("Enter")

    async def be_ready(self) -> None:
        await self.button("I’m ready").click()

    async def start(self) -> None:
        await self.page.get_by_role("button", name=re.compile("^Start (race|now)$")).click()

    async def leave(self) -> None:
        await self.button("Leave").click()
        await self.page.locator(".ask").get_by_role("button", name="Leave").click()
        await expect(self.at("front")).to_be_visible()

    async def is_told(self, text: str) -> None:
        """This is to be read on the page, or was, if only for a moment."""
        await self.page.wait_for_function(
            "(text) => [...seen.passed].some((passed) => passed.includes(text))", arg=text, polling=100
        )

    async def fits(self) -> None:
        """The page is as wide as the screen, which `innerWidth` does not tell: a phone shows all of a wider page."""
        width, screen = await self.page.evaluate(
            "(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])(document.documentElement)"
        )
        assert width == screen

    async def press_when(self, selector: str, *codes: str) -> None:
        keys = [[code.removeprefix("Digit").removeprefix("Key").lower(), code] for code in codes]
        await self.page.evaluate("([selector, keys]) => seen.pressWhen(selector, keys)", [selector, keys])

    # in the race

    async def cards_are_dealt(self) -> None:
        await expect(
            self.page.locator("[data-page=race][data-phase=racing] [data-table]:not(.ft-still)")
        ).to_be_visible()

    async def deal(self, key: str, number: int, moves: Sequence[str] = ()) -> None:
        await self.cards_are_dealt()
        self.board = board_of(key, moves, number)
        await self.table.expect(self.board)

    async def play(self, *moves: str) -> None:
        """Make moves, and compare the table with the rules after each."""
        for text in moves:
            if text == "undo":
                await self.hand.undo(self.table)
            else:
                await self.hand.play(self.table, parse_move(text))
            await self.has_played(text)

    async def has_played(self, *moves: str) -> None:
        assert self.board is not None
        for text in moves:
            if text == "undo":
                self.board.undo()
            else:
                self.board.play(parse_move(text))
        await self.table.expect(self.board)

    async def moves_are_kept(self) -> None:
        """Wait until the server has all moves, because leaving the page would lose those in flight."""
        await expect(self.page.locator(".line[data-line=open]")).to_be_attached()
        await self.page.wait_for_function("() => seen.unanswered === 0")

    def lane(self, seat: int) -> Locator:
        """The lane of a racer; narrow and wide screens have different lists."""
        return self.page.locator(f".lane[data-lane='{seat}']").filter(visible=True)

    @property
    def status(self) -> Locator:
        return self.page.locator("[data-part=status]")

    async def give_up(self) -> None:
        await self.button("Give up").click()
        await self.page.locator(".ask").get_by_role("button", name="Give up").click()
        await expect(self.status).to_contain_text("You gave up.")

    # after it

    async def results(self) -> Sequence[Sequence[str]]:
        """The table of results: place, name, result, time, home, moves."""
        await expect(self.at("end")).to_be_visible()
        rows = await self.page.locator(".results tbody tr").all()
        return [[text.strip() for text in await row.locator("td, th").all_inner_texts()] for row in rows]

    async def fingerprint(self) -> str:
        """The promise of the deal before the race."""
        return await self.page.locator(".numbers dd").first.inner_text()


class Onlooker(Player):
    """No seat: the large board is on the table of a player."""

    def __init__(self, page: Page, name: str = "Eve") -> None:
        super().__init__(page, name)

    def board_of(self, seat: int) -> Locator:
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
        return self.page.locator("[data-part=shown]")

    @property
    def labels_of_lines(self) -> Locator:
        return self.page.locator("[data-part=live-chart] .chart-label")

    @property
    def feed(self) -> Locator:
        return self.page.locator("[data-part=feed]")

    async def say_by_name(self, text: str) -> None:
        await self.button("Chat").click()
        await self.page.get_by_label("Your name").fill(self.name)
        await self.button("Save").click()
        await expect(self.page.get_by_label("Your name")).to_be_hidden()
        await self.say(text)

    # when it is over

    @property
    def place(self) -> Locator:
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
