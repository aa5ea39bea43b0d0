"""All racers can agree to end the race, the host can end it, and the time limit does."""

import asyncio

from playwright.async_api import expect

from tests.e2e.conftest import PHONE, Arrive, Take
from tests.e2e.hands import Taps
from tests.e2e.prepared import play, racers, seat_of


async def test_players_agree_to_end_a_race_and_the_host_ends_the_next_one(arrive: Arrive) -> None:
    ann, bob = await asyncio.gather(arrive("Ann", newcomer=True), arrive("Bob", PHONE, Taps(), by_link=True))
    await bob.join(await ann.create("lucas"))
    await expect(ann.page.get_by_role("region", name="First time?")).to_be_visible()
    await ann.change(after_the_first_win="0")
    await asyncio.gather(ann.be_ready(), bob.be_ready())
    await asyncio.gather(ann.cards_are_dealt(), bob.cards_are_dealt())
    await ann.table.pile("stock").click()

    await bob.button("Options").click()
    await bob.button("Ask to end the race").click()
    await expect(bob.page.locator("[data-part=end-vote]")).to_contain_text("You want to end the race.")
    await expect(ann.page.locator("[data-part=end-vote]")).to_contain_text("Bob wants to end the race.")
    await bob.page.locator("[data-part=end-vote]").get_by_role("button", name="Keep playing").click()
    await expect(ann.page.locator("[data-part=end-vote]")).to_have_count(0)
    await bob.button("Options").click()
    await bob.button("Ask to end the race").click()
    await ann.page.locator("[data-part=end-vote]").get_by_role("button", name="Agree").click()

    for player in (ann, bob):
        (_, first, state, *_), (_, second, its_state, *_) = await player.results()
        assert ((first, state), (second, its_state)) == (("Ann", "race ended"), ("Bob", "no-show"))
    await ann.button("Rematch").click()
    await bob.button("Rematch").click()
    await asyncio.gather(ann.cards_are_dealt(), bob.cards_are_dealt())
    await expect(ann.page.get_by_role("heading", name="Lucas, race 2")).to_be_focused()
    await ann.button("Options").click()
    await ann.button("End the race").click()
    await ann.page.locator(".ask").get_by_role("button", name="End it").click()
    for player, who in ((ann, "You"), (bob, "Ann")):
        assert len(await player.results()) == 2
        await expect(player.at("end")).to_contain_text(f"{who} ended the race.")
        await expect(player.page.get_by_role("heading", level=1)).to_be_focused()

    await ann.button("Replay").click()
    await bob.button("Rematch").click()
    head = ann.page.get_by_role("banner")
    await expect(head).to_contain_text("Bob wants a rematch.")
    await head.get_by_role("link", name="front page").click()
    await expect(ann.page.get_by_role("dialog")).to_contain_text("1 other person is in room")
    await ann.button("Stay").click()
    await head.get_by_role("button", name="Back to the room").click()
    await expect(ann.at("room")).to_be_visible()
    await expect(ann.page.get_by_role("region", name="First time?")).to_have_count(0)


async def test_after_a_finish_one_tap_proposes_the_end_and_one_withdraws_it(address: str, take: Take) -> None:
    async with racers(address, "Ann", "Bob", "Cleo", game="lucas") as (ann, bob, cleo):
        for client in (ann, bob, cleo):
            await play(client, ["draw"])
        await ann.close()
        player = await take(seat_of(ann), PHONE, Taps())
        await player.cards_are_dealt()
        offer = player.page.locator("[data-part=end-offer]")
        await expect(offer).to_have_count(0)
        await bob.leave()
        await offer.get_by_role("button", name="Ask to end the race").tap()
        seen = await cleo.until(lambda: cleo.room)
        await cleo.until(lambda: seen.race.get("agreed") == [1])
        vote = player.page.locator("[data-part=end-vote]")
        await expect(vote).to_contain_text("You want to end the race.")
        await vote.get_by_role("button", name="Keep playing").tap()
        await cleo.until(lambda: not seen.race.get("agreed"))
        await offer.get_by_role("button").tap()
        await cleo.until(lambda: seen.race.get("agreed"))
        await cleo.agree_to_end(True)
        assert len(await player.results()) == 3


async def test_a_challenge_begins_on_the_front_page_and_both_see_the_results(arrive: Arrive) -> None:
    challenger = await arrive("Ann")
    await challenger.page.get_by_label("Your name").fill("Ann")
    await challenger.button("Challenge a friend: you race first").click()
    await challenger.cards_are_dealt()
    await challenger.table.pile("stock").click()
    await challenger.give_up()
    await challenger.button("Replay").click()
    await expect(challenger.at("replay")).to_be_visible()
    await challenger.button("Challenge friends").click()
    await expect(challenger.at("challenge")).to_contain_text("Nobody has tried yet")
    await challenger.page.get_by_label("Open for").select_option("30 days")
    await expect(challenger.at("challenge")).to_contain_text("in 30 days")
    await challenger.page.get_by_label("Password").fill("sesame")
    await challenger.button("Set the password").click()
    await expect(challenger.at("challenge")).to_contain_text("A try needs your password")
    bob = await arrive("Bob", PHONE, Taps(), by_link=True)
    await bob.page.goto(challenger.page.url.removesuffix("/c"))
    await expect(bob.at("challenge")).to_contain_text("Ann challenges you")
    await bob.page.get_by_label("Your name").fill("Bob")
    for password in ("please", "sesame"):
        await bob.page.get_by_label("Password").fill(password)
        await bob.button("Race now").tap()
        if password == "please":
            await expect(bob.page.get_by_role("alert")).to_contain_text("password")
    await bob.cards_are_dealt()
    await bob.table.pile("stock").tap()
    await expect(bob.page.locator("[data-lane]").filter(has_text="Ann").first).to_be_attached()
    await bob.give_up()
    await bob.button("All results").tap()
    for player in (challenger, bob):
        await expect(player.at("challenge").get_by_role("row")).to_have_count(3)
