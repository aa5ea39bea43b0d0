"""A real server, a real browser, and people with screens of their own."""

import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Page, Request, async_playwright

from tests.e2e import browser as chromium

#: Without these Chromium talks to its maker at every start. The sandbox cannot be had as root, nor in most containers.
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740},
    "device_scale_factor": 3,
    "has_touch": True,
    "is_mobile": True,
}
LANDSCAPE: dict[str, Any] = {**PHONE, "viewport": {"width": 740, "height": 360}}

#: The policy's own words do not always reach the console; the event does.
REPORT_VIOLATIONS = """
document.addEventListener('securitypolicyviolation', (event) =>
  console.error(`forbidden by policy: ${event.violatedDirective} ${event.blockedURI}`))
"""

Visit = Callable[..., Awaitable[Page]]


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a server of our own answers. It must end as it should, and without having met a bug."""
    home = tmp_path_factory.mktemp("server")
    log = home / "log"
    command = [sys.executable, "-m", "fortythieves_server", "serve", "--host", "127.0.0.1", "--port", "0"]
    # Everybody here shares one address, and opens more rooms in a minute than people do in an evening.
    command += ["--data", str(home / "data"), "--limits", "rooms=1000/min+1000 joins=1000/min+1000"]
    with log.open("w") as errors, subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True) as server:
        assert server.stdout is not None
        for line in server.stdout:
            if found := re.search(r"http://127\.0\.0\.1:\d+", line):
                break
        else:
            pytest.fail(f"the server did not start:\n{log.read_text()}")
        yield found[0]
        server.send_signal(signal.SIGTERM)
        assert server.wait(timeout=15) == 0
    assert "Traceback" not in log.read_text(), log.read_text()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium.find(), args=FLAGS)
        yield browser
        await browser.close()


class Witness:
    """Writes down what must not happen on a page."""

    def __init__(self, address: str) -> None:
        self._address = address
        self.complaints: list[str] = []

    def watch(self, page: Page) -> None:
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.complaints.append(f"uncaught: {error}"))
        page.on("request", self._see)

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self.complaints.append(f"{message.type} in the console: {message.text}")

    def _see(self, request: Request) -> None:
        if not request.url.startswith((self._address, "data:", "blob:")):
            self.complaints.append(f"asked somebody else: {request.url}")


@pytest_asyncio.fixture(loop_scope="session")
async def visit(browser: Browser, address: str) -> AsyncIterator[Visit]:
    """Open a page in a browser of its own, with nobody's memory: `await visit("/", PHONE)`."""
    contexts: list[BrowserContext] = []
    witness = Witness(address)

    async def visit(path: str = "/", device: dict[str, Any] = DESKTOP, **options: Any) -> Page:
        context = await browser.new_context(base_url=address, **{**device, **options})
        contexts.append(context)
        await context.add_init_script(REPORT_VIOLATIONS)
        context.on("page", witness.watch)
        page = await context.new_page()
        await page.goto(path)
        return page

    yield visit
    for context in contexts:
        await context.close()
    assert not witness.complaints, witness.complaints
