"""A circle of friends: founded on the page of the own games, and joined by its link."""

from playwright.async_api import expect

from tests.e2e.conftest import PHONE, Arrive
from tests.e2e.inspector import Inspector


async def test_a_circle_is_founded_joined_by_its_link_and_has_a_table(
    address: str, arrive: Arrive, inspector: Inspector
) -> None:
    ann, bob = await arrive("Ann"), await arrive("Bob", PHONE)
    await ann.page.goto(f"{address}/me")
    circles = ann.page.locator("[data-part=circles]")
    await circles.get_by_label("Name of the circle").fill("Friday")
    await circles.get_by_label("Your name").fill("Ann")
    await ann.button("Start a circle").click()
    await expect(ann.at("circle")).to_contain_text("No points yet")
    await bob.page.goto(ann.page.url)
    await expect(bob.at("circle")).to_contain_text("1 member")
    await bob.page.get_by_label("Your name").fill("Bob")
    await bob.button("Join this circle").click()
    await expect(ann.page.locator("[data-member]")).to_have_count(2)
    await ann.page.get_by_role("switch", name="Closed to new members").check()
    await ann.button("Change").click()
    await expect(bob.at("circle")).to_contain_text("Closed to new members")
    await inspector.look("circle", ann)
    await inspector.look("circle", bob)
