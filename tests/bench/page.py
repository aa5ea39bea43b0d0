"""The page on a slow phone: the first paint, and from a tap to its paint. `test_first_load` counts the bytes."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from itertools import cycle, islice

from playwright.async_api import Browser, CDPSession, Locator, Page, async_playwright, expect

from fortythieves.rules.move_notation import parse_move
from tests.bench import drag
from tests.bench.figures import Found, Row, Run
from tests.bench.games import WINS
from tests.bench.processes import program, redis
from tests.bench.trace import CATEGORIES, MAIN, Trace, cpu
from tests.e2e import browser as chromium
from tests.e2e.conftest import FLAGS, IN_EVERY_PAGE
from tests.e2e.hands import Taps
from tests.e2e.player import Player
from tests.e2e.table import Point, Table

#: How many times slower the CPU is.
SLOWER = 4
#: "3G" of WebPageTest: 300 ms of latency, 1.6 Mbit/s down, 768 kbit/s up.
SLOW_LINE = {"offline": False, "latency": 300, "downloadThroughput": 1_600_000 / 8, "uploadThroughput": 768_000 / 8}
VISITS, TAPS = 3, 28
GAME = "forty-thieves"
#: A race with bots: about 120 interactions, with these buttons in turn.
RIVALS, MOVES = 3, 68
TOOLS = ("All racers", "Close", "Chat", "Close chat", "Options", "Close")
#: Seconds between two taps, until the cards have stopped (`SETTLED` of client/web/src/table/render.js).
REST = 0.35
#: The longest time until the next frame begins, ms.
FRAME = 17

BUTTON = "a tap on a page with one button, which changes its text"

ROWS = [
    Row("paint", f"front page: first paint, {SLOWER}x slower CPU, 3G", "s", bar=1.5),
    Row("tap", f"a tap to its paint, 104 cards, {SLOWER}x slower CPU, p50", "ms", BUTTON, bar=50),
    Row("slow_tap", f"a tap to its paint, 104 cards, {SLOWER}x slower CPU, p95", "ms", BUTTON, bar=50),
    Row("tap_work", f"a tap to its paint, {SLOWER}x slower CPU: work, p95", "ms", BUTTON, bar=50 - FRAME),
    Row(
        "interaction",
        f"a race with {RIVALS} rivals, {SLOWER}x slower CPU: interaction to next paint, p98",
        "ms",
        bar=100,
    ),
    *drag.ROWS,
]

#: Records the time from each tap to its paint (Event Timing: steps of 8 ms, from 16 ms on). One interaction has one id.
WATCH = """
globalThis.taps = new Map()
new PerformanceObserver((list) => {
  for (const { interactionId, duration, startTime, processingStart, processingEnd } of list.getEntries()) {
    if (!interactionId) continue
    const known = taps.get(interactionId)
    if (known && known.duration >= duration) continue
    taps.set(interactionId, { duration, waited: processingStart - startTime, worked: processingEnd - processingStart })
  }
}).observe({ type: 'event', durationThreshold: 16, buffered: true })
"""


class Thoughtful(Taps):
    async def touch(self, table: Table, point: Point) -> None:
        await super().touch(table, point)
        await asyncio.sleep(REST)

    async def stock(self, table: Table) -> None:
        await self.touch(table, await middle(table.pile("stock")))


async def middle(place: Locator) -> Point:
    """The point to touch. The `tap` of Playwright also queries the page, which takes time of the tap."""
    box = await place.bounding_box()
    assert box is not None
    return Point(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


async def measure(run: Run) -> dict[str, Found]:
    async with redis() as stored, program(stored.url, "--bots", "yes") as server, async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium.find(), args=FLAGS)
        paints = [await _first_paint(browser, server.address) for _ in run.rounds(VISITS)]
        bare, least_work = await _bare_taps(browser, server.address, run.many(TAPS) // 2)
        taps, work = await _taps(browser, server.address, run.many(TAPS))
        more_bare, more_work = await _bare_taps(browser, server.address, run.many(TAPS) // 2)
        drags = await drag.measure(browser, server.address, run)
        race = sorted(tap["duration"] for tap in await _race(browser, server.address, run.many(MOVES)))
        await browser.close()
    times, least = (sorted(tap["duration"] for tap in found) for found in (taps, bare + more_bare))
    return {
        "paint": Found(paints),
        "tap": Found([_part(times, 0.5)], [_part(least, 0.5)]),
        "slow_tap": Found([_part(times, 0.95)], [_part(least, 0.95)]),
        "tap_work": Found([_part(sorted(work), 0.95)], [_part(sorted(least_work + more_work), 0.95)]),
        "interaction": Found([_part(race, 0.98)]),
        **drags,
    }


def _part(numbers: Sequence[float], part: float) -> float:
    return numbers[int(len(numbers) * part)]


@contextlib.asynccontextmanager
async def _phone(browser: Browser, address: str) -> AsyncIterator[tuple[Page, CDPSession]]:
    # The service worker would load more files.
    options = {**drag.SHARP_PHONE, "reduced_motion": "no-preference", "service_workers": "block"}
    context = await browser.new_context(base_url=address, **options)
    await context.add_init_script(path=IN_EVERY_PAGE)
    await context.add_init_script(WATCH)
    page = await context.new_page()
    session = await context.new_cdp_session(page)
    yield page, session
    await context.close()


async def _first_paint(browser: Browser, address: str) -> float:
    """The seconds to the first paint of the front page."""
    async with _phone(browser, address) as (page, session):
        await session.send("Network.enable")
        await session.send("Network.emulateNetworkConditions", SLOW_LINE)
        await session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        await page.goto("/")
        await Player(page, "Ann").button("Create race").wait_for()
        painted: float = await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
        return painted / 1000


async def _dealt(page: Page, session: CDPSession, rivals: int = 0) -> Player:
    await page.goto("/")
    ann = Player(page, "Ann", Thoughtful())
    number = WINS[GAME]["number"]
    await ann.create(GAME)
    await ann.change(deal="", deal_number=str(number))
    for n in range(rivals):
        await ann.button("Add a bot").tap()
        await expect(page.locator(".person")).to_have_count(n + 2)
    await ann.start()
    await ann.cards_are_dealt()
    # The helper of the test tool would receive every tap.
    await page.reload()
    await ann.deal(GAME, number)
    await session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    await page.evaluate("taps.clear()")
    return ann


async def _taps(browser: Browser, address: str, count: int) -> tuple[list[dict[str, float]], list[float]]:
    """Play moves by taps. Returns the times of the browser and the work of each tap."""
    async with _phone(browser, address) as (page, session):
        ann = await _dealt(page, session)
        await browser.start_tracing(page=page, categories=list(CATEGORIES))
        await _play(ann, WINS[GAME]["moves"][:count])
        told = await _told(page)
        return told, work_of_taps(Trace.read(await browser.stop_tracing()))


async def _play(ann: Player, moves: Sequence[str]) -> None:
    for text in moves:
        await ann.hand.play(ann.table, parse_move(text))
        await ann.has_played(text)


async def _race(browser: Browser, address: str, count: int) -> list[dict[str, float]]:
    """A race with rivals, in which the player also opens and closes all tools. Returns the times of the browser."""
    async with _phone(browser, address) as (page, session):
        await page.set_viewport_size(drag.SCREENS["phone"]["viewport"])
        ann = await _dealt(page, session, RIVALS)
        tools = cycle(TOOLS)
        for n in range(0, count, 5):
            await _play(ann, WINS[GAME]["moves"][n : n + 5])
            for name in islice(tools, 2):
                await page.touchscreen.tap(*await middle(ann.button(name).filter(visible=True)))
                await asyncio.sleep(REST)
        return await _told(page)


async def _bare_taps(browser: Browser, address: str, count: int) -> tuple[list[dict[str, float]], list[float]]:
    """The limit: taps on a button."""
    async with _phone(browser, address) as (page, session):
        await page.goto("/healthz")
        await page.set_content("<button>1</button>")
        await page.evaluate(
            "() => document.querySelector('button').addEventListener('click', ({ target }) => (target.append(1)))"
        )
        await session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        await browser.start_tracing(page=page, categories=list(CATEGORIES))
        button = await middle(page.locator("button"))
        for _ in range(count):
            await page.touchscreen.tap(*button)
            await asyncio.sleep(REST)
        told = await _told(page)
        return told, work_of_taps(Trace.read(await browser.stop_tracing()))


def work_of_taps(trace: Trace) -> list[float]:
    """The CPU time of the main thread from each touch to its frame, ms."""
    heard = trace.heard("pointerdown", "pointerup")
    tasks = trace.tasks(heard[0]["pid"], MAIN)
    frames = [one["ts"] for one in trace.named("Layerize") if one["tid"] == tasks[0]["tid"]]
    began: dict[float, float] = {}
    for touch in heard:
        painted = next((at for at in frames if at > touch["ts"]), None)
        if painted is not None:
            began.setdefault(painted, touch["ts"])
    return [
        cpu([task for task in tasks if task["ts"] + task["dur"] >= touched and task["ts"] <= painted])
        for painted, touched in began.items()
    ]


async def _told(page: Page) -> list[dict[str, float]]:
    await asyncio.sleep(0.5)  # The browser reports events with a delay.
    found: list[dict[str, float]] = await page.evaluate("[...taps.values()]")
    return found
