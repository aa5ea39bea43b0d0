"""The size of the page, and its first paint.

The front page has at most 45 KB of compressed JavaScript and 50 KB in all. Up to the cards it is 70.6 KB of JavaScript,
with the words in English and the headers of all answers, and 84.5 KB in all. In the other languages it is 70.6 KB
without the headers, which are 1.3 KB.
"""

import re

from playwright.async_api import Page, Request, Response, expect

from fortythieves_server.common.texts import LANGUAGES
from fortythieves_server.web.routes import CLIENT
from tests.e2e.conftest import DESKTOP, LANDSCAPE, PHONE, Visit
from tests.e2e.player import Player

SCRIPTS, FRONT, REQUESTS = 45_000, 50_000, 10
#: With the rows of all games, and how many of their deals can be won.
ALL_SCRIPTS, ALL = 73_000, 87_000


def _is_font(url: str) -> bool:
    """Whether it is the font of faces, which only systems without emoji need, such as that of most tests."""
    return url.endswith(".woff2")


class Scales:
    def __init__(self, page: Page) -> None:
        self._responses: list[Response] = []
        self.asked: set[str] = set()
        page.on("response", lambda response: self._responses.append(response))
        page.on("request", self._see)
        page.on("websocket", lambda socket: self.asked.add(socket.url))

    def _see(self, request: Request) -> None:
        if not request.url.startswith("data:") and not _is_font(request.url):
            self.asked.add(request.url)

    async def weigh(self) -> tuple[int, int]:
        scripts = everything = 0
        for response in self._responses:
            if _is_font(response.url):
                continue
            sizes = await response.request.sizes()
            size = sizes["responseBodySize"] + sizes["responseHeadersSize"]
            everything += size
            scripts += size if response.request.resource_type == "script" else 0
        return scripts, everything

    async def scripts(self) -> dict[str, int]:
        return {
            response.url.rsplit("/", 1)[1]: (await response.request.sizes())["responseBodySize"]
            for response in self._responses
            if response.request.resource_type == "script"
        }


async def test_the_way_to_the_cards_needs_few_bytes_and_requests(visit: Visit) -> None:
    ann = Player(await visit("about:blank"), "Ann")
    scales = Scales(ann.page)
    await ann.page.goto("/")
    await expect(ann.button("Create race")).to_be_visible()
    scripts, everything = await scales.weigh()
    assert 0 < scripts <= SCRIPTS
    assert scripts < everything <= FRONT

    await ann.create()
    await ann.start()
    await ann.cards_are_dealt()
    scripts, everything = await scales.weigh()
    assert scripts <= ALL_SCRIPTS
    assert scripts < everything <= ALL
    by_name = await scales.scripts()
    words = {name: match[1] for name in by_name if (match := re.match(r"en-(\w+)-", name))}
    assert sorted(words.values()) == ["front", "race"], by_name
    others = sum(size for name, size in by_name.items() if name not in words)
    for language in LANGUAGES:
        files = [next((CLIENT / "assets").glob(f"{language}-{group}-*.js.br")) for group in words.values()]
        assert others + sum(path.stat().st_size for path in files) <= ALL_SCRIPTS, language
    assert len(scales.asked) <= REQUESTS, scales.asked

    # The late parts of a race load after the first move.
    late = re.compile(r"/assets/late-[\w-]+\.js$")
    assert not any(map(late.search, scales.asked))
    async with ann.page.expect_response(late):
        await ann.table.pile("stock").click()


async def test_the_prerendered_head_does_not_move_when_the_script_loads(visit: Visit) -> None:
    before = await visit("/", PHONE, java_script_enabled=False)
    after = await visit("/", PHONE)
    await expect(after.get_by_role("button", name="Create race")).to_be_visible()
    for device in (PHONE, LANDSCAPE, DESKTOP):
        heads = []
        for page in (before, after):
            await page.set_viewport_size(device["viewport"])
            head = page.locator("header.hero")
            heads.append((await head.bounding_box(), await head.evaluate("({ outerHTML }) => outerHTML")))
        assert heads[0] == heads[1]
    # A link to hosting does not show the front page first.
    await before.goto("/#tournament")
    await before.reload()
    await expect(before.locator("header.hero")).to_be_hidden()
