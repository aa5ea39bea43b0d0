"""Entry lists and personal links."""

import asyncio
import re

from playwright.async_api import Locator, Page, expect

from tests.e2e.conftest import PHONE, Arrive, Visit
from tests.e2e.inspector import Inspector
from tests.e2e.player import Player

NAMES = ("Ann Lee", "Bob", "Cleo")


def line(page: Page, name: str) -> Locator:
    return page.locator("[data-part=entry-rows] tbody tr", has_text=name)


async def link_of(host: Player, name: str) -> str:
    await host.page.get_by_role("button", name=f"Link of {name}").click()
    link = await host.page.locator(".entry-link").inner_text()
    await host.button("Back to the list").click()
    return link


async def come_in(page: Page) -> None:
    await expect(page.get_by_text("Your personal link")).to_be_visible()
    await page.get_by_role("button", name="Join", exact=True).click()


async def test_a_personal_link_admits_one_person_until_the_host_releases_it(
    visit: Visit, arrive: Arrive, inspector: Inspector
) -> None:
    host = await arrive("Hilda", PHONE)
    page = host.page
    await host.button("Host a tournament").click()
    await page.get_by_label("Your name").fill("Hilda")
    await page.get_by_text("By list", exact=True).click()
    await page.get_by_label("Names on the list").fill("\n".join(NAMES))
    await page.locator(".switch", has_text="Links only").click()
    await host.button("Open the tournament").click()
    code = await host.code()
    bob, eve = await asyncio.gather(visit(f"/r/{code}", PHONE), visit(f"/r/{code}"))
    await eve.get_by_label("Your name").fill("Bob")
    await eve.get_by_role("button", name="Join", exact=True).click()
    await expect(eve.locator("[data-error=links-only]")).to_be_visible()

    await host.button("Entry list").click()
    await expect(line(page, "Bob")).to_contain_text("not yet")
    await inspector.look("list", host)
    link = re.sub(r"^https?://[^/]+", "", await link_of(host, "Bob"))
    await bob.goto(f"{link}).")  # as messengers send it that take the punctuation along
    await come_in(bob)
    await expect(bob.locator("[data-part=compared]")).to_have_text("You race against everyone.")
    assert bob.url.endswith(f"/r/{code}"), "the ticket is no longer in the address"
    await bob.reload()
    await expect(bob.locator("[data-part=compared]")).to_have_text("You race against everyone.")
    await expect(line(page, "Bob")).to_contain_text("here")

    await eve.goto(link)
    await come_in(eve)
    await expect(eve.locator("[data-error=link-used]")).to_be_visible()

    await page.get_by_role("button", name="Link of Bob").click()
    await inspector.look("line", host)
    # On a page without TLS there is no clipboard API.
    await page.context.grant_permissions(["clipboard-read"])
    await page.evaluate(
        "globalThis.kept = navigator.clipboard; Object.defineProperty(navigator, 'clipboard', { value: undefined })"
    )
    await page.get_by_role("dialog").get_by_role("button", name="Copy link").click()
    await host.is_told("Copied")
    assert await page.evaluate("kept.readText()") == await page.locator(".entry-link").inner_text()
    await host.button("Release").click()
    await page.get_by_role("group").get_by_role("button", name="Release").click()
    await expect(page.locator(".entry-link")).not_to_contain_text(link)
    await host.button("Back to the list").click()
    await expect(line(page, "Bob")).to_contain_text("not yet")
    await expect(bob.locator("[data-part=compared]")).to_contain_text("released your name")
    await expect(bob.locator("[data-part=deeds]")).to_contain_text("Hilda released the name Bob on the list")
    await eve.goto(re.sub(r"^https?://[^/]+", "", await link_of(host, "Bob")))
    await come_in(eve)
    await expect(eve.locator("[data-part=compared]")).to_have_text("You race against everyone.")

    # The codes to print, of those who are not here yet.
    await host.button("QR codes to print").click()
    await inspector.look("codes", host)
    codes = page.locator("[data-part=qr-sheet] li")
    await expect(codes).to_have_count(len(NAMES) - 1)
    drawn = await codes.locator(".qr path").evaluate_all("paths => paths.map((path) => path.getAttribute('d'))")
    assert len(set(drawn)) == len(NAMES) - 1, "everybody has a link of their own"
    await page.emulate_media(media="print")
    await expect(codes.last).to_be_visible()
    await expect(host.button("Print")).to_be_hidden()
    await expect(page.get_by_role("heading", name="Links to print")).to_be_hidden()
    await expect(page.locator("[data-part=desk] .card-head")).to_be_hidden()
