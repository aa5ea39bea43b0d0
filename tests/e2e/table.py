"""The card table on a page: visible and audible cards, and the points to touch."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from playwright.async_api import Locator, Page
from playwright.async_api import TimeoutError as PlaywrightTimeout

from fortythieves.rules.board import Board
from fortythieves.rules.cards import HIDDEN, Card, card_name, suit
from fortythieves.rules.move_notation import FOUNDATION, WASTE, Move

#: A limit for hanging tests, ms.
TIMEOUT = 60_000
#: Milliseconds between two looks at a table. With each frame, a move took a third more CPU time.
POLLING = 50

RANKS = ("ace", *map(str, range(2, 11)), "jack", "queen", "king")
SUITS = ("clubs", "spades", "hearts", "diamonds")


class Point(NamedTuple):
    """Where on the page, in CSS pixels."""

    x: float
    y: float


class Table:
    def __init__(self, page: Page) -> None:
        self.page = page

    async def expect(self, board: Board) -> None:
        columns = [" ".join(map(card_name, column)) for column in board.columns]
        try:
            await self.page.wait_for_function(
                "(those) => seen.agrees(those)", arg=[columns, labels_of(board)], polling=POLLING
            )
        except PlaywrightTimeout:
            assert await self.page.evaluate("seen.columns()") == columns
            said = await self.page.evaluate("seen.labels()")
            assert {pile: label for pile, label in said.items() if label not in labels_of(board)[pile]} == {}
            raise

    async def shows(self, board: Board) -> bool:
        columns = [" ".join(map(card_name, column)) for column in board.columns]
        return bool(await self.page.evaluate("(those) => seen.agrees(those)", [columns, labels_of(board)]))

    async def frame(self) -> None:
        """Wait until dragged cards are where the hand is: they follow it frame by frame."""
        await self.page.evaluate("() => new Promise(requestAnimationFrame)")

    async def picture(self) -> Sequence[str]:
        """Every card with its face and place, to compare two looks."""
        return list(await self.page.evaluate("seen.picture()"))

    async def shown(self) -> Sequence[str]:
        """Every card with its face, wherever it lies: equal on tables of different sizes."""
        return list(await self.page.evaluate("seen.shown()"))

    async def expect_shown(self, those: Sequence[str]) -> None:
        await self.page.wait_for_function("(those) => seen.shown().join() === those.join()", arg=those, polling=POLLING)

    async def faces(self) -> set[str]:
        """All faces that there are in the document, whether they can be seen or not."""
        return set(await self.shown()) - {card_name(HIDDEN)}

    async def way(self, move: Move) -> tuple[Point, Point]:
        names = [_pile(move.source), move.count, _pile(move.target)]
        start, end = await self.page.evaluate("(move) => seen.way(move)", names)
        return Point(*start), Point(*end)

    def pile(self, name: str) -> Locator:
        """The element of `column-3`, `waste`, `stock` or `foundation-H`."""
        return self.page.locator(f"[data-pile='{name}']")

    async def lifted(self) -> int:
        return await self.page.locator(".ft-lifted").count()


def _pile(number: int) -> str:
    return {WASTE: "waste", FOUNDATION: "foundation"}.get(number, f"column-{number}")


def spoken(card: Card) -> str:
    return f"{RANKS[card % 13]} of {SUITS[suit(card)]}"


def _some(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}" if count else "empty"


def labels_of(board: Board) -> Mapping[str, list[str]]:
    redeals = f", {_some(board.redeals_left, 'redeal')} left" if board.redeals_left else ""
    waste = f"Waste: {_some(len(board.waste), 'card')}"
    labels = {
        "stock": [f"Stock: {_some(board.stock_count, 'card')}{redeals}"],
        "waste": [f"{waste}, top {spoken(board.waste[-1])}" if board.waste else waste],
    }
    for index, name in enumerate(SUITS if board.game.foundations == "same-suit" else ()):  # otherwise tops may differ
        tops = [spoken(index * 13 + (board.base + height - 2) % 13) for height in board.foundations[index] if height]
        # Which of the two lies on the left is the table's own affair.
        both = {" and ".join(tops), " and ".join(reversed(tops))} if tops else {"empty"}
        labels[f"foundation-{'CSHD'[index]}"] = [f"Foundation of {name}: {text}" for text in sorted(both)]
    for number, column in enumerate(board.columns, 1):
        label = f"Column {number}: {_some(len(column), 'card')}"
        down = column.count(HIDDEN)
        if column:
            label += f", top {spoken(column[-1])}" + (f", {down} face down" if down else "")
        labels[f"column-{number}"] = [label]
    return labels
