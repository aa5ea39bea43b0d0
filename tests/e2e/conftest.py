"""A real server, a real browser, and people with screens of their own."""

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Page, Request, async_playwright

from tests.e2e import browser as chromium
from tests.e2e.hands import Hand
from tests.e2e.inspector import Inspector
from tests.e2e.player import Player
from tests.e2e.prepared import Seat
from tests.e2e.server import Server
from tests.e2e.table import TIMEOUT
from tests.server.redises import HURRY

#: Chromium loads two pages for the address bar of each window and keeps a process in reserve: more than half of the CPU
#: time of a page (measured: 34 s for test_table.py, now 14 s). Chromium reads only the last list of features, so this
#: one repeats the features that Playwright turns off.
UNUSED_FEATURES = (
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
    "SpareRendererForSitePerProcess",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "LensOverlay",
    "MediaRouter",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "OptimizationHints",
    "NetworkTimeServiceQuerying",
    "AimEnabled",
    "PreconnectToSearch",
)

#: Compile only what runs ten times as often as V8 waits for by default: the page of a test does not live long
#: enough to get the time back (a twentieth of the CPU time of a browser), only the search for a win does.
LATE_OPTIMISING = (
    "invocation-count-for-maglev=4000",
    "invocation-count-for-maglev-osr=1000",
    "invocation-count-for-turbofan=30000",
    "invocation-count-for-osr=5000",
)

#: Without these Chromium talks to its maker at every start. The sandbox cannot be had as root, nor in most containers.
FLAGS = (
    f"--disable-features={','.join(UNUSED_FEATURES)}",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Without a limit, our pages take a second process (Cross-Origin-Opener-Policy) and a tenth more CPU time (the front
    # page: 0.40 s, now 0.34 s).
    "--renderer-process-limit=1",
    # To draw in a process of its own takes a twentieth more.
    "--in-process-gpu",
    f"--js-flags={','.join(f'--{flag}' for flag in LATE_OPTIMISING)}",
)

#: Reduced motion; the tests of the table override it.
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"}
#: Fewer pixels than a phone, because painting took up to a quarter of the CPU time of a test.
PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
    "reduced_motion": "reduce",
}
LANDSCAPE: dict[str, Any] = {**PHONE, "viewport": {"width": 740, "height": 360}}
TABLET: dict[str, Any] = {**PHONE, "viewport": {"width": 768, "height": 1024}}

#: The message of Playwright on pages without a service worker. Only test_offline.py allows one.
NO_WORKER = "Service Worker registration blocked by Playwright"

IN_EVERY_PAGE = Path(__file__).parent / "page.js"
WHAT_PASSES = Path(__file__).parent / "passed.js"

#: A page that follows a server in a hurry has a clock as fast. Its timers, and so its line, take as long as ever.
HASTY_CLOCK = f"""{{
    const now = performance.now.bind(performance)
    const frame = requestAnimationFrame
    performance.now = () => now() * {HURRY}
    globalThis.requestAnimationFrame = (run) => frame(() => run(performance.now()))
}}"""

#: Preferences: no automatic moves, lessons or sounds, and the same game on each device.
KNOWN = """if (location.protocol === 'http:') {
    localStorage.setItem('forty-thieves.finish-by-hand', 'on')
    localStorage.setItem('forty-thieves.coached', 'on')
    localStorage['forty-thieves.game'] ??= 'lucas'
    localStorage.setItem('forty-thieves.sound', 'off')
}"""

Visit = Callable[..., Awaitable[Page]]
Arrive = Callable[..., Awaitable[Player]]
Take = Callable[..., Awaitable[Player]]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One event loop for all of them, as there is one browser."""
    for item in items:
        if item.path.parent == Path(__file__).parent and pytest_asyncio.is_async_test(item):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


def started(home: Path, *, hurry: bool) -> Iterator[str]:
    server = Server(home, hurry=hurry)
    server.start()
    yield server.address
    server.stop()


@pytest.fixture(scope="session")
def in_a_hurry(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with races that are `HURRY` times as fast."""
    yield from started(tmp_path_factory.mktemp("in-a-hurry"), hurry=True)


@pytest.fixture(scope="session")
def unhurried(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    yield from started(tmp_path_factory.mktemp("unhurried"), hurry=False)


@pytest.fixture(scope="session")
def address(in_a_hurry: str) -> str:
    """The address of the server of most tests. Files with people who need time use the other one."""
    return in_a_hurry


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium.find(), args=FLAGS)
        yield browser
        await browser.close()


#: The form of a guest token. No URL and no cookie may contain one.
TOKEN = re.compile(r"[\w-]{16}\.[\w-]{6}\.[\w-]{43}")


class Witness:
    def __init__(self) -> None:
        self._own: set[str] = set()
        self._forgiven = NO_WORKER
        self.complaints: list[str] = []

    def expect(self, address: str) -> None:
        self._own.add(address)

    def forgive(self, pattern: str) -> None:
        self._forgiven += f"|{pattern}"

    def watch(self, page: Page) -> None:
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self._complain(f"uncaught: {error}"))
        page.on("request", self._see)
        page.on("websocket", lambda socket: self.find_token(socket.url))

    def _complain(self, complaint: str) -> None:
        if not re.search(self._forgiven, complaint):
            self.complaints.append(complaint)

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self._complain(f"{message.type} in the console: {message.text}")

    def find_token(self, text: str) -> None:
        if TOKEN.search(text):
            self._complain(f"contains a guest token: {text}")

    def _see(self, request: Request) -> None:
        self.find_token(request.url)
        if not request.url.startswith((*self._own, "data:", "blob:")):
            self._complain(f"asked somebody else: {request.url}")


@pytest.fixture
def witness() -> Iterator[Witness]:
    witness = Witness()
    yield witness
    assert not witness.complaints, witness.complaints


@pytest.fixture
def inspector() -> Iterator[Inspector]:
    inspector = Inspector()
    yield inspector
    assert not inspector.faults, "\n".join(inspector.faults)


@asynccontextmanager
async def visits(browser: Browser, address: str, in_a_hurry: str, witness: Witness) -> AsyncIterator[Visit]:
    contexts: list[BrowserContext] = []

    async def visit(
        path: str = "/",
        device: dict[str, Any] = DESKTOP,
        seat: Seat | None = None,
        *,
        newcomer: bool = False,
        **options: Any,
    ) -> Page:
        options = {"base_url": address, "service_workers": "block", **device, **options}
        witness.expect(options["base_url"])
        context = await browser.new_context(**options)
        contexts.append(context)
        context.set_default_timeout(TIMEOUT)
        scripts = [IN_EVERY_PAGE.read_text(), WHAT_PASSES.read_text(), "" if newcomer else KNOWN]
        await context.add_init_script(";".join([*scripts, HASTY_CLOCK if options["base_url"] == in_a_hurry else ""]))
        if seat:
            await seat.put_into(context)
        context.on("page", witness.watch)
        page = await context.new_page()
        await page.goto(path)
        return page

    yield visit
    for context in contexts:
        witness.find_token(str(await context.cookies()))
        await context.close()


@pytest_asyncio.fixture(loop_scope="session")
async def visit(browser: Browser, address: str, in_a_hurry: str, witness: Witness) -> AsyncIterator[Visit]:
    async with visits(browser, address, in_a_hurry, witness) as visit:
        yield visit


@pytest.fixture
def arrive(visit: Visit) -> Arrive:
    """A player opens the front page: `await arrive("Ann", PHONE, Taps())`.

    With `by_link`, the window stays empty until the player follows a link, which saves a quarter of a second.
    """

    async def arrive(
        name: str, device: dict[str, Any] = DESKTOP, hand: Hand | None = None, *, by_link: bool = False, **options: Any
    ) -> Player:
        return Player(await visit("about:blank" if by_link else "/", device, **options), name, hand)

    return arrive


@pytest.fixture
def take(visit: Visit) -> Take:
    async def take(seat: Seat, device: dict[str, Any] = DESKTOP, hand: Hand | None = None, **options: Any) -> Player:
        page = await visit(f"/r/{seat.code}", device, seat, **options)
        return Player(page, seat.name, hand)

    return take
