"""The page runs in browsers of 2021. A page that does not run, or that is older than the server, says so."""

import re
from typing import Any

from playwright.async_api import Page, Route, expect

from tests.e2e.conftest import Visit, Witness
from tests.e2e.player import Player

#: Removes what JavaScript and the browser have had since then.
OLD = """{
    const Typed = Object.getPrototypeOf(Int8Array)
    const later = [
        [Array.prototype, 'at toSorted toReversed toSpliced with findLast findLastIndex'],
        [Typed.prototype, 'at toSorted toReversed with findLast findLastIndex'],
        [Uint8Array.prototype, 'toHex toBase64 setFromHex setFromBase64'],
        [Uint8Array, 'fromHex fromBase64'],
        [String.prototype, 'at isWellFormed toWellFormed'],
        [Set.prototype, 'union intersection difference symmetricDifference isSubsetOf isSupersetOf isDisjointFrom'],
        [Promise, 'withResolvers try'],
        [Object, 'groupBy hasOwn'],
        [Map, 'groupBy'],
        [Array, 'fromAsync'],
        [globalThis, 'Iterator structuredClone'],
        [Navigator.prototype, 'wakeLock userActivation'],
        [HTMLDialogElement.prototype, 'showModal'],
    ]
    for (const [of, names] of later) for (const name of names.split(' ')) delete of[name]
}"""

NOTICE = {
    "en-GB": "This page does not work. Reload it.",
    "ro-RO": "Pagina nu funcționează. Reîncarc-o.",
    "hi-IN": "यह पेज काम नहीं कर रहा।",
}
SHEETS = """async () => {
    const links = [...document.querySelectorAll('link[rel=stylesheet]')]
    return (await Promise.all(links.map(({ href }) => fetch(href).then((file) => file.text())))).join()
}"""
SCRIPT = re.compile(r"/assets/index-[\w-]+\.js$")
STYLE = re.compile(r"/assets/index-[\w-]+\.css$")


async def missing(route: Route) -> None:
    await route.fulfill(status=404)


async def unreadable(route: Route) -> None:
    await route.fulfill(content_type="text/javascript", body="let the = page of ('tomorrow')")


async def failing(visit: Visit, pattern: re.Pattern[str], answer: Any, path: str = "/", **options: Any) -> Page:
    page = await visit("about:blank", **options)
    await page.route(pattern, answer)
    await page.goto(path)
    return page


async def test_a_race_is_played_and_replayed_in_a_browser_of_2021(visit: Visit) -> None:
    page = await visit("about:blank")
    await page.add_init_script(OLD)
    ann = Player(page, "Ann")
    await page.goto("/")
    code = await ann.create()
    await ann.start()
    await ann.cards_are_dealt()
    # No such browser knows these, and a part of the style that it does not know is missing as a whole.
    sheets = await page.evaluate(SHEETS)
    assert not re.search(r"@layer|light-dark|color-mix|@container", sheets)
    # Over plain http there is no wake lock, either: a video keeps the screen on.
    assert await page.locator("video").evaluate("(video) => !video.paused && video.muted")
    await ann.button("Options").click()
    await expect(page.get_by_label("Left-handed")).to_be_visible()
    await ann.button("Close").click()
    await ann.give_up()
    await expect(ann.at("end")).to_be_visible()
    await page.goto(f"/r/{code}/1")
    await expect(page.locator(".scrub")).to_be_visible()
    await page.goto(f"/r/{code}/o")
    await expect(page.locator(".overlay")).to_be_visible()
    await page.goto("/#tournament")
    await expect(page.get_by_role("button", name="Open the tournament")).to_be_visible()


async def test_a_page_without_its_script_says_so_in_the_language_of_the_player(visit: Visit, witness: Witness) -> None:
    witness.forgive("404|Unexpected")
    for (language, text), answer in zip(NOTICE.items(), (missing, unreadable, missing), strict=True):
        for path in ("/", "/r/KQXWVD/o"):
            page = await failing(visit, SCRIPT, answer, path, locale=language)
            await expect(page.locator("#failed")).to_contain_text(text)
    await page.unroute(SCRIPT)
    await page.goto("/")
    await page.route(SCRIPT, missing)
    await page.reload()
    await page.unroute(SCRIPT)
    await page.locator("#failed button").click()
    await expect(page.locator("[data-page=front]")).to_be_visible()
    await expect(page.locator("#failed")).to_be_hidden()


async def test_a_missing_style_sheet_is_loaded_again(visit: Visit, witness: Witness) -> None:
    witness.forgive("404")
    page = await failing(visit, STYLE, missing)
    await page.unroute(STYLE)
    await expect(page.locator("body")).to_have_css("margin", "0px")
    await expect(page.locator("#failed")).to_be_hidden()


async def test_a_page_that_cannot_be_drawn_says_so(visit: Visit, witness: Witness) -> None:
    witness.forgive("too old|404")
    page = await visit()
    await expect(page.locator("#failed")).to_be_hidden()
    await page.evaluate("setTimeout(() => { Object.hasOwn = () => { throw Error('too old') } })")
    await page.get_by_label("Room code or link").fill("KQXWVD")
    await page.get_by_role("button", name="Join").click()
    await expect(page.locator("#failed")).to_contain_text(NOTICE["en-GB"])


async def test_a_page_from_before_an_update_asks_to_be_reloaded(visit: Visit, witness: Witness) -> None:
    witness.forgive("404|dynamically imported")
    page = await visit("/practice#lucas=32001")
    await expect(page.locator("[data-table]")).to_be_visible()
    await page.route("**/assets/*", missing)
    await page.get_by_role("button", name="Options").click()
    await expect(page.locator(".banner")).to_contain_text("reload the page: there may be a new version")
    await expect(page.locator("#failed")).to_be_hidden()
    await page.keyboard.press("t")
    await expect(page.locator("#failed")).to_contain_text(NOTICE["en-GB"])
    await page.locator("#failed span").click()
    await expect(page.locator("#failed")).to_be_hidden()
