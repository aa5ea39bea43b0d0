"""Practice from the front page, without a room."""

import pytest
from playwright.async_api import expect

from fortythieves.rules.move_notation import parse_move
from tests.e2e.conftest import DESKTOP, PHONE, Take, Visit
from tests.e2e.hands import Taps
from tests.e2e.player import Player
from tests.e2e.prepared import alone

#: The frames around marked places at the moment of a hint: for a place without a card, the pixels outside of the page.
HINTED = """() => {
    const outside = (mark) => {
        const { outlineOffset, outlineWidth } = getComputedStyle(mark)
        return mark.matches('.ft-mark') ? Math.max(0, parseFloat(outlineOffset) + parseFloat(outlineWidth)) : 0
    }
    globalThis.hinted = new Promise((done) =>
        seen.when('.ft-bubble.ft-seen', () => done([...document.querySelectorAll('.ft-hint')].map(outside))))
}"""


@pytest.mark.parametrize(("device", "number"), [(DESKTOP, ""), (PHONE, "32001")], ids=["any cards", "a numbered deal"])
async def test_one_tap_starts_a_practice_race(visit: Visit, device: dict[str, object], number: str) -> None:
    player = Player(await visit("/", device), "Player")
    await player.page.get_by_label("Four colours").check()
    form = player.page.get_by_role("form", name="Practise")
    await form.get_by_label("Deal number").fill(number)
    await player.page.evaluate("() => seen.when('[data-pile]', () => { globalThis.labels = seen.labels() })")
    await form.get_by_role("button", name="Practise").click()
    await player.cards_are_dealt()
    labels = await player.page.evaluate("labels")
    assert len(labels) > 5 and all(labels.values()), f"each pile has a name from the start: {labels}"
    await expect(player.page.locator(".ft-four")).to_be_visible()
    if number:
        await player.deal("lucas", int(number))
    await player.page.evaluate(HINTED)
    await player.page.keyboard.press("t")
    assert await player.page.evaluate("hinted") in ([0], [0, 0]), "the card and where it goes, or the stock"


async def test_a_hint_frames_the_visible_part_of_an_empty_pile(address: str, take: Take) -> None:
    """The ace of hearts can move to its foundation."""
    seat = await alone(address, game="forty-thieves", deal="32009", hints=True)
    ann = await take(seat)
    await ann.cards_are_dealt()
    await ann.page.evaluate(HINTED)
    await ann.page.keyboard.press("t")
    assert await ann.page.evaluate("hinted") == [0, 0]
    await expect(ann.page.locator(".ft-mark.ft-hint")).to_have_count(1)


async def test_practise_is_reachable_on_a_phone_without_scrolling(visit: Visit) -> None:
    player = Player(await visit("/", PHONE), "Player", Taps())
    near = player.page.get_by_role("form", name="New race").get_by_role("button", name="Practise")
    for width, height in ((390, 844), (360, 740)):
        await player.page.set_viewport_size({"width": width, "height": height})
        for button in (near, player.button("Create race"), player.button("Join")):
            await expect(button).to_be_in_viewport(ratio=1)
    # A refusal is in view, too.
    form = player.page.get_by_role("form", name="Practise")
    await form.get_by_label("Deal number").fill("7")
    await player.page.evaluate("scrollTo(0, 0)")
    await near.tap()
    await expect(form.get_by_role("alert")).to_be_in_viewport(ratio=1)
    await form.get_by_label("Deal number").fill("")
    await player.page.evaluate("scrollTo(0, 0)")
    await player.page.locator("[data-game=maria]").tap()
    await near.tap()
    await player.cards_are_dealt()
    await expect(player.page.get_by_role("heading", name="Maria")).to_be_attached()


async def test_a_new_player_gets_the_lesson_before_practice(visit: Visit) -> None:
    player = Player(await visit("/", newcomer=True), "Player")
    page, coach = player.page, player.at("coach")
    await page.locator("[data-game=little-forty]").click()
    await page.get_by_role("form", name="Practise").get_by_role("button", name="Practise").click()
    await expect(coach.get_by_role("heading", level=1)).to_be_focused()
    await expect(coach.locator("[data-table]:not(.ft-still)")).to_be_visible()
    await page.keyboard.press("Space")
    await player.is_told("Read this first, then press Next")
    for _ in range(20):
        step = coach.get_by_role("button", name="Next").or_(coach.get_by_role("button", name="Do it for me"))
        if not await step.count():
            break
        await step.click()
    await expect(coach).to_have_attribute("data-step", "10")
    await coach.get_by_role("button", name="Practise").click()
    await player.cards_are_dealt()
    # The lesson opens once, and later on request.
    await page.keyboard.press("?")
    await page.get_by_role("button", name="in a minute").click()
    await coach.get_by_role("button", name="Skip").click()
    await player.cards_are_dealt()


async def test_an_invalid_deal_number_is_reported_after_the_lesson(visit: Visit) -> None:
    player = Player(await visit("/", newcomer=True), "Player")
    form = player.page.get_by_role("form", name="Practise")
    await form.get_by_label("Deal number").fill("123")
    await form.get_by_role("button", name="Practise").click()
    await player.at("coach").get_by_role("button", name="Skip").click()
    await expect(form.get_by_role("alert")).to_contain_text("Deal numbers go from")
    await expect(form.get_by_label("Deal number")).to_have_value("123")
    # That was for once.
    await player.button("Learn Lucas in a minute").click()
    await player.at("coach").get_by_role("button", name="Skip").click()
    await expect(form.get_by_label("Deal number")).to_have_value("")


async def test_the_lesson_accepts_the_requested_move(visit: Visit) -> None:
    player = Player(await visit("/", PHONE, newcomer=True), "Player", Taps())
    await player.button("Learn Lucas in a minute").click()
    coach = player.at("coach")
    await player.button("Next").click()
    for move, step in (("1-F", "3"), ("2-3", "4"), ("draw", "5"), ("W-3", "6")):
        await player.hand.play(player.table, parse_move(move))
        await expect(coach).to_have_attribute("data-step", step)
    await player.button("Skip").click()
    await expect(player.at("front")).to_be_visible()


#: A finger is faster than the hint, which follows after half a second.
TAKE_AT_ONCE = """() => seen.when('[data-step="5"]', () => {
    const [[clientX, clientY]] = seen.way(['waste', 1, 'column-3'])
    const finger = { bubbles: true, isPrimary: true, pointerId: 1, pointerType: 'touch', button: 0, clientX, clientY }
    const card = document.elementFromPoint(clientX, clientY)
    for (const what of ['pointerdown', 'pointerup']) card.dispatchEvent(new PointerEvent(what, finger))
})"""


async def test_a_hint_of_the_lesson_keeps_lifted_cards(visit: Visit) -> None:
    player = Player(await visit("/", PHONE, newcomer=True), "Player", Taps())
    await player.button("Learn Lucas in a minute").click()
    coach = player.at("coach")
    await player.button("Next").click()
    await player.page.evaluate(TAKE_AT_ONCE)
    for step in ("3", "4", "5"):
        await player.button("Do it for me").click()
        await expect(coach).to_have_attribute("data-step", step)
    await expect(player.page.locator(".ft-hint.ft-lifted")).to_have_count(1)
    _, end = await player.table.way(parse_move("W-3"))
    await player.page.touchscreen.tap(*end)
    await expect(coach).to_have_attribute("data-step", "6")
