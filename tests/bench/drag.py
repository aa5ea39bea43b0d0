"""Dragged cards on a slow machine: late frames, and the CPU time of a frame."""

import asyncio
import contextlib
import math
import time
from collections.abc import AsyncIterator, Iterable, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

from playwright.async_api import Browser, CDPSession, Page

from fortythieves.rules.move_notation import parse_move
from tests.bench.figures import Found, Row, Run
from tests.bench.games import WINS
from tests.bench.trace import CATEGORIES, COMPOSITOR, MAIN, Trace, cpu
from tests.e2e.conftest import DESKTOP, IN_EVERY_PAGE, KNOWN, PHONE
from tests.e2e.player import Player
from tests.e2e.prepared import Seat, alone
from tests.e2e.table import Point

SLOWER = 4
ROUNDS = 3
#: The interval of a screen, s.
MOVES, APART = 120, 0.016
#: Seconds until earlier work of the page has ended.
REST = 0.5
#: More than one and a half frames, ms.
LATE = 25
#: A position with cards in all places; the next move takes one from a column.
GAME, PLAYED = "forty-thieves", 41

#: The tests do not paint all pixels of a phone; this benchmark does.
SHARP_PHONE: Mapping[str, Any] = {**PHONE, "device_scale_factor": 3}
_MOTION = {"reduced_motion": "no-preference"}
SCREENS: Mapping[str, Mapping[str, Any]] = {
    "desktop": {**DESKTOP, **_MOTION},
    "phone": {**SHARP_PHONE, **_MOTION, "viewport": {"width": 390, "height": 844}},
}

BARE = "the same moves on a page with nothing but a layer that follows"

ROWS = [
    *(
        Row(f"late_{screen}", f"a drag, {screen}, {SLOWER}x slower CPU: frames over {LATE} ms", "%", BARE, "excess", 5)
        for screen in SCREENS
    ),
    *(
        Row(f"drag_{screen}", f"a drag, {screen}, {SLOWER}x slower CPU: work of a frame", "ms", BARE, "ratio", 2)
        for screen in SCREENS
    ),
]

#: A page with only a layer that follows the pointer.
BARE_PAGE = """<!doctype html><style>
    html { height: 100%; overflow: hidden; touch-action: none }
    div { position: absolute; width: 8vw; height: 11vw; background: #eee; border: 1px solid; will-change: transform }
</style><div></div><script>
    const card = document.querySelector('div')
    let frame = 0
    let at = null
    const follow = () => { frame = 0; card.style.transform = `translate(${at.x}px, ${at.y}px)` }
    addEventListener('pointermove', ({ clientX: x, clientY: y }) => {
        at = { x, y }
        frame ||= requestAnimationFrame(follow)
    })
</script>"""


class Drag(NamedTuple):
    #: Per cent of late frames.
    late: float
    #: CPU time of the main thread and the compositor for each frame, ms.
    work: float


async def measure(browser: Browser, address: str, run: Run) -> dict[str, Found]:
    """Measure each screen's table and a bare page alternately.

    Other load on the machine delays frames of both. The CPU time of threads depends little on other load.
    """
    found: dict[str, Found] = {}
    win = WINS[GAME]
    for screen, device in SCREENS.items():
        seat = await alone(address, win["moves"][:PLAYED], game=GAME, deal=str(win["number"]))
        table: list[Drag] = []
        bare: list[Drag] = []
        for _ in run.rounds(ROUNDS):
            for drags, dragged in ((bare, None), (table, seat)):
                drags.append(await _drag(browser, address, device, dragged))
        found[f"late_{screen}"] = Found([drag.late for drag in table], [drag.late for drag in bare])
        found[f"drag_{screen}"] = Found([drag.work for drag in table], [drag.work for drag in bare])
    return found


async def _drag(browser: Browser, address: str, device: Mapping[str, Any], seat: Seat | None) -> Drag:
    opening = _race(browser, address, device, seat) if seat else _bare(browser, device)
    async with opening as (page, start):
        session = await page.context.new_cdp_session(page)
        await session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        pointer = _Pointer(session, touches="has_touch" in device)
        await pointer.send("down", start)
        await asyncio.sleep(REST)
        await browser.start_tracing(page=page, categories=list(CATEGORIES))
        await pointer.follow(_way(start, device["viewport"]))
        trace = Trace.read(await browser.stop_tracing())
        held = page.locator(".ft-lifted" if seat else "div")
        assert await held.count() == 1, "nothing was dragged"
        await pointer.send("up", start)
    return read(trace)


@contextlib.asynccontextmanager
async def _race(
    browser: Browser, address: str, device: Mapping[str, Any], seat: Seat
) -> AsyncIterator[tuple[Page, Point]]:
    """The table of a race, and the point of a card that can move."""
    context = await browser.new_context(base_url=address, **device)
    await context.add_init_script(path=IN_EVERY_PAGE)
    await context.add_init_script(KNOWN)
    await seat.put_into(context)
    page = await context.new_page()
    await page.goto(f"/r/{seat.code}")
    ann = Player(page, seat.name)
    await ann.cards_are_dealt()
    await asyncio.sleep(REST)
    start, _ = await ann.table.way(parse_move(WINS[GAME]["moves"][PLAYED]))
    yield page, start
    await context.close()


@contextlib.asynccontextmanager
async def _bare(browser: Browser, device: Mapping[str, Any]) -> AsyncIterator[tuple[Page, Point]]:
    context = await browser.new_context(**device)
    page = await context.new_page()
    await page.set_content(BARE_PAGE)
    await asyncio.sleep(REST)
    size = device["viewport"]
    yield page, Point(size["width"] / 2, size["height"] / 2)
    await context.close()


def _way(start: Point, size: Mapping[str, int]) -> Iterable[Point]:
    wide, high = min(start.x, size["width"] - start.x), min(start.y, size["height"] - start.y)
    for n in range(1, MOVES + 1):
        turn = 2 * math.pi * n / MOVES
        yield Point(start.x + wide * 0.8 * math.sin(turn), start.y + high * 0.8 * math.sin(2 * turn))


class _Pointer:
    """A mouse or a finger that does not wait for the page."""

    def __init__(self, session: CDPSession, *, touches: bool) -> None:
        self._session = session
        self._touches = touches

    async def send(self, what: str, point: Point) -> None:
        if self._touches:
            kind = {"down": "touchStart", "move": "touchMove", "up": "touchEnd"}[what]
            points = [] if what == "up" else [{"x": point.x, "y": point.y}]
            await self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
            return
        kind = {"down": "mousePressed", "move": "mouseMoved", "up": "mouseReleased"}[what]
        event = {"type": kind, "x": point.x, "y": point.y, "button": "left", "buttons": int(what != "up")}
        await self._session.send("Input.dispatchMouseEvent", {**event, "clickCount": 1})

    async def follow(self, way: Iterable[Point]) -> None:
        began = time.monotonic()
        async with asyncio.TaskGroup() as moves:
            for n, point in enumerate(way, 1):
                moves.create_task(self.send("move", point))
                await asyncio.sleep(max(0, began + n * APART - time.monotonic()))


def read(trace: Trace) -> Drag:
    first, *_, last = trace.heard("pointermove")
    began, ended = first["ts"], last["ts"]
    drawn = [one["ts"] for one in trace.named("Display::DrawAndSwap") if began <= one["ts"] <= ended]
    late = sum(after - before > LATE * 1000 for before, after in pairwise(drawn))
    tasks = [task for task in trace.tasks(first["pid"], MAIN, COMPOSITOR) if began <= task["ts"] <= ended]
    return Drag(100 * late / (len(drawn) - 1), cpu(tasks) / len(drawn))
