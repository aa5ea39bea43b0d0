"""An arena, from the host's form to a race and back."""

import asyncio

import pytest
from playwright.async_api import expect

from fortythieves_client.client import Client
from tests.e2e.conftest import PHONE, Arrive, Visit
from tests.e2e.test_tournaments import WALL, part


async def rival(address: str, code: str, done: asyncio.Event) -> None:
    """A racer without a page: makes a move in one race, and gives up."""
    async with Client(address) as client:
        room = await client.join("Cleo", code)
        token = client.token

        def called() -> str | None:
            arena = (room.tournament or {}).get("arena") or {}
            number = (arena.get("racing") or {}).get(str(room.seat))
            return str(arena["under_way"][str(number)][0]) if number else None

        to = await client.until(called)
    async with Client(address, token=token) as racer:
        await racer.join("Cleo", to)
        await racer.ready()
        await racer.until(lambda: racer.race)
        await racer.play("draw")
        await done.wait()
        await racer.leave()


@pytest.mark.long
async def test_an_arena_entrant_is_sent_to_a_race_and_gets_its_points(
    address: str, visit: Visit, arrive: Arrive
) -> None:
    ann, bob = await asyncio.gather(arrive("Ann"), arrive("Bob", PHONE, by_link=True))
    await ann.button("Host a tournament").click()
    await ann.page.locator("[data-preset=arena-hour]").click()
    await ann.page.get_by_label("Your name").fill("Ann")
    await ann.page.locator(".plan-more summary").click()
    await ann.page.locator(".switch", has_text="Deadly").click()
    await ann.button("Open the tournament").click()
    code = await ann.code()
    wall = await visit(f"/r/{code}/p", WALL)
    await bob.page.goto(f"/r/{code}")
    await bob.enter()
    await expect(part(bob.page, "compared")).to_contain_text("you are called to your races")
    done = asyncio.Event()
    cleo = asyncio.create_task(rival(address, code, done))
    try:
        await expect(part(ann.page, "entrants").locator("li")).to_have_count(2)
        await ann.button("Open the arena").click()
        await expect(part(wall, "under-way").locator("li")).to_have_count(1)

        # Bob is at the race without doing anything, plays more than Cleo, and gives up.
        await expect(bob.page.locator("[data-page=race][data-phase=racing]")).to_be_visible(timeout=60_000)
        # After that, no race is matched.
        await ann.button("Pause the arena").click()
        await expect(ann.button("Let races begin again")).to_be_visible()
        await bob.cards_are_dealt()
        await bob.page.keyboard.press("Space")
        done.set()
        await bob.button("Give up").click()
        await bob.page.locator(".ask").get_by_role("button", name="Give up").click()
        await expect(bob.page.locator("[data-page=end]")).to_be_visible(timeout=60_000)
        await bob.button("Back to the arena").click()
        await expect(part(bob.page, "last-race")).to_be_visible()
        await expect(part(ann.page, "ended").locator("li").first).to_contain_text("Race 1")
        await expect(part(wall, "standings").locator("li")).to_have_count(2)

        # A break, and its end.
        await bob.button("Take a break").click()
        await expect(bob.page.locator("[data-part=now][data-own=break]")).to_be_visible()
        await bob.button("Back to the races").click()
        await expect(bob.page.locator("[data-part=now][data-own=waits]")).to_be_visible()
        await ann.button("End the arena now").click()
        await ann.button("End the arena").click()
        await expect(part(ann.page, "deeds")).to_contain_text("Ann ended the arena early")
    finally:
        cleo.cancel()
        await asyncio.gather(cleo, return_exceptions=True)
