"""From the front page to cards of one's own, without a room that anybody else is in."""

import pytest
from playwright.async_api import expect

from tests.e2e.conftest import DESKTOP, PHONE, Visit
from tests.e2e.player import Player


@pytest.mark.parametrize(("device", "number"), [(DESKTOP, ""), (PHONE, "32001")], ids=["any cards", "a numbered deal"])
async def test_one_tap_leads_to_a_race_of_ones_own(visit: Visit, device: dict[str, object], number: str) -> None:
    player = Player(await visit("/", device), "Player")
    form = player.page.get_by_role("form", name="Practise")
    await form.get_by_label("Deal number").fill(number)
    await form.get_by_role("button", name="Practise").click()
    await player.cards_are_dealt()
    if number:
        await player.deal("lucas", int(number))
    await expect(player.page.locator("[data-part=end-vote]")).to_have_count(0)


async def test_a_number_that_is_none_is_said_to_be_none_before_there_is_a_room(visit: Visit) -> None:
    page = await visit("/")
    form = page.get_by_role("form", name="Practise")
    await form.get_by_label("Deal number").fill("7")
    await form.get_by_role("button", name="Practise").click()
    await expect(form.get_by_role("alert")).to_be_visible()
    await expect(page.locator("[data-page=front]")).to_be_visible()
