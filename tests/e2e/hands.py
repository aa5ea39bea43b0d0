"""The ways to make a move: mouse, finger and keyboard."""

import time
from itertools import cycle
from typing import Protocol

from playwright.async_api import CDPSession

from fortythieves.rules.move_notation import DRAW, FOUNDATION, REDEAL, WASTE, Move
from tests.e2e.table import Point, Table


class Hand(Protocol):
    async def play(self, table: Table, move: Move) -> None:
        """Make the move on the table, without waiting for anything to come of it."""

    async def undo(self, table: Table) -> None: ...


class _Pointer:
    async def play(self, table: Table, move: Move) -> None:
        if move in (DRAW, REDEAL):
            await table.page.wait_for_function("() => seen.mayDraw()")
            await self.stock(table)
        else:
            await self.bring(table, move, *await table.way(move))

    async def bring(self, table: Table, move: Move, start: Point, end: Point) -> None:
        await self.touch(table, start)
        await self.touch(table, end)

    async def touch(self, table: Table, point: Point) -> None:
        raise NotImplementedError

    async def stock(self, table: Table) -> None:
        raise NotImplementedError

    async def undo(self, table: Table) -> None:
        raise NotImplementedError


class Clicks(_Pointer):
    async def touch(self, table: Table, point: Point) -> None:
        await table.page.mouse.click(*point)

    async def stock(self, table: Table) -> None:
        await table.pile("stock").click()

    async def undo(self, table: Table) -> None:
        await table.page.get_by_role("button", name="Undo", exact=True).click()


class DoubleClicks(Clicks):
    async def bring(self, table: Table, move: Move, start: Point, end: Point) -> None:
        if move.target == FOUNDATION:
            await table.page.mouse.dblclick(*start)
        else:
            await super().bring(table, move, start, end)


class Drags(Clicks):
    async def bring(self, table: Table, move: Move, start: Point, end: Point) -> None:
        await self.grab(table, start)
        await self.carry(table, end)
        await self.let_go(table)

    async def grab(self, table: Table, start: Point) -> None:
        await table.page.mouse.move(*start)
        await table.page.mouse.down()

    async def carry(self, table: Table, end: Point) -> None:
        await table.page.mouse.move(*end, steps=3)
        await table.frame()

    async def let_go(self, table: Table) -> None:
        await table.page.mouse.up()


class Taps(_Pointer):
    async def touch(self, table: Table, point: Point) -> None:
        await table.page.touchscreen.tap(*point)

    async def stock(self, table: Table) -> None:
        await table.pile("stock").tap()

    async def undo(self, table: Table) -> None:
        await table.page.get_by_role("button", name="Undo", exact=True).tap()


class _Touches(Taps):
    """A finger. Playwright can only tap; the browser's own protocol can more."""

    _session: CDPSession | None = None

    async def _send(self, table: Table, what: str, *points: Point, at: float | None = None) -> None:
        """``at``: the time in seconds since the epoch; the default is now."""
        if self._session is None:
            self._session = await table.page.context.new_cdp_session(table.page)
        touches = [{"x": point.x, "y": point.y} for point in points]
        when = {} if at is None else {"timestamp": at}
        await self._session.send("Input.dispatchTouchEvent", {"type": what, "touchPoints": touches, **when})


class DoubleTaps(_Touches):
    """A finger that sends cards home with a double tap, which is as quick on a busy machine as on any."""

    async def bring(self, table: Table, move: Move, start: Point, end: Point) -> None:
        if move.target != FOUNDATION:
            await super().bring(table, move, start, end)
            return
        began = time.time() - 0.3
        for tap in (began, began + 0.2):
            await self._send(table, "touchStart", start, at=tap)
            await self._send(table, "touchEnd", at=tap + 0.1)


class TouchDrags(_Touches):
    async def bring(self, table: Table, move: Move, start: Point, end: Point) -> None:
        await self.grab(table, start)
        await self.carry(table, Point((start.x + end.x) / 2, (start.y + end.y) / 2))
        await self.carry(table, end)
        await self.let_go(table)

    async def grab(self, table: Table, start: Point) -> None:
        await self._send(table, "touchStart", start)

    async def carry(self, table: Table, end: Point) -> None:
        await self._send(table, "touchMove", end)
        await table.frame()

    async def let_go(self, table: Table) -> None:
        await self._send(table, "touchEnd")

    async def put_down_another(self, table: Table, first: Point, second: Point) -> None:
        await self._send(table, "touchStart", first, second)

    async def cancel(self, table: Table) -> None:
        await self._send(table, "touchCancel")


class Keys:
    """A keyboard: digits are columns, W is the waste, F sends home, space draws."""

    async def play(self, table: Table, move: Move) -> None:
        press = table.page.keyboard.press
        if move in (DRAW, REDEAL):
            await press("Space")
            return
        await press(self._key(move.source))
        # A column's whole sequence is lifted first; each arrow down puts a card of it back.
        for _ in range(await table.lifted() - move.count):
            await press("ArrowDown")
        await press("f" if move.target == FOUNDATION else self._key(move.target))

    async def undo(self, table: Table) -> None:
        await table.page.keyboard.press("u")

    def _key(self, pile: int) -> str:
        if pile == WASTE:
            return "w"
        return f"Digit{pile % 10}" if pile <= 10 else f"Shift+Digit{pile - 10}"


class InTurns:
    def __init__(self, *hands: Hand) -> None:
        self._hands = cycle(hands)

    async def play(self, table: Table, move: Move) -> None:
        await next(self._hands).play(table, move)

    async def undo(self, table: Table) -> None:
        await next(self._hands).undo(table)
