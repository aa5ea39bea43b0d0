"""How much is sent: "first load at most 45 KB of compressed JavaScript, 100 KB in all"."""

from playwright.async_api import Page, Response, expect

from tests.e2e.conftest import Visit
from tests.e2e.player import Player

SCRIPTS, ALL = 45_000, 100_000

#: Headers, the page itself, and what the front page asks of the server.
NEXT_TO_NOTHING = 5_000


class Scales:
    """Weighs what comes to a page, as it comes over the line."""

    def __init__(self, page: Page) -> None:
        self._responses: list[Response] = []
        page.on("response", lambda response: self._responses.append(response))

    async def weigh(self) -> tuple[int, int]:
        """The bytes of all scripts, and of everything."""
        scripts = everything = 0
        for response in self._responses:
            sizes = await response.request.sizes()
            size = sizes["responseBodySize"] + sizes["responseHeadersSize"]
            everything += size
            scripts += size if response.request.resource_type == "script" else 0
        return scripts, everything


async def test_the_front_page_is_light(visit: Visit) -> None:
    page = await visit("about:blank")
    scales = Scales(page)
    await page.goto("/")
    await expect(page.get_by_role("button", name="Create race")).to_be_visible()
    scripts, everything = await scales.weigh()
    assert 0 < scripts <= SCRIPTS
    assert scripts < everything <= ALL


async def test_all_the_way_to_the_cards_it_stays_light(visit: Visit) -> None:
    ann = Player(await visit("about:blank"), "Ann")
    scales = Scales(ann.page)
    await ann.page.goto("/")
    await ann.create()
    await ann.start()
    await ann.cards_are_dealt()
    scripts, everything = await scales.weigh()
    assert scripts < everything <= ALL


async def test_who_comes_again_is_sent_next_to_nothing(visit: Visit) -> None:
    ann = Player(await visit(), "Ann")
    await expect(ann.button("Create race")).to_be_visible()
    again = Player(await ann.page.context.new_page(), "Ann")
    scales = Scales(again.page)
    await again.page.goto("/")
    await expect(again.button("Create race")).to_be_visible()
    _, everything = await scales.weigh()
    assert everything < NEXT_TO_NOTHING
