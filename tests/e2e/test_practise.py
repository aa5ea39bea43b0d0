"""Practice from the front page, without a room."""

from playwright.async_api import expect

from fortythieves.rules.move_notation import parse_move
from tests.e2e.conftest import PHONE, Visit
from tests.e2e.hands import Taps
from tests.e2e.player import Player

#: The frames around marked places at the moment of a hint: for a place without a card, the pixels outside of the page.
HINTED = """() => {
    const outside = (mark) => {
        const { outlineOffset, outlineWidth } = getComputedStyle(mark)
        return mark.matches('.ft-mark') ? Math.max(0, parseFloat(outlineOffset) + parseFloat(outlineWidth)) : 0
    }
    globalThis.hinted = new Promise((done) =>
        seen.when('.ft-bubble.ft-seen', () => done([...document.querySelectorAll('.ft-hint')].map(outside))))
}"""


async def test_one_tap_starts_practice_on_a_phone_without_scrolling(visit: Visit) -> None:
    player = Player(await visit("/", PHONE), "Player", Taps())
    page, form = player.page, player.page.get_by_role("form", name="Practise")
    near = page.get_by_role("form", name="New race").get_by_role("button", name="Practise")
    for width, height in ((390, 844), (360, 740)):
        await page.set_viewport_size({"width": width, "height": height})
        for button in (near, player.button("Create race"), player.button("Join")):
            await expect(button).to_be_in_viewport(ratio=1)
    # A refusal is in view, too.
    await form.get_by_label("Deal number").fill("7")
    await page.evaluate("scrollTo(0, 0)")
    await near.tap()
    await expect(form.get_by_role("alert")).to_be_in_viewport(ratio=1)
    await form.get_by_label("Deal number").fill("32009")
    await page.get_by_label("Four colours").check()
    await page.locator("[data-game=forty-thieves]").tap()
    await page.evaluate("() => seen.when('[data-pile]', () => { globalThis.labels = seen.labels() })")
    await form.get_by_role("button", name="Practise").tap()
    await player.deal("forty-thieves", 32009)
    labels = await page.evaluate("labels")
    assert len(labels) > 5 and all(labels.values()), f"each pile has a name from the start: {labels}"
    await expect(page.locator(".ft-four")).to_be_visible()

    # A hint frames the card, the ace of hearts, and the visible part of the empty foundation.
    await page.evaluate(HINTED)
    await page.keyboard.press("t")
    assert await page.evaluate("hinted") == [0, 0]
    await expect(page.locator(".ft-mark.ft-hint")).to_have_count(1)

    await page.goto("/")
    await page.locator("[data-game=maria]").tap()
    await near.tap()
    await player.cards_are_dealt()
    await expect(page.get_by_role("heading", name="Maria")).to_be_attached()


async def test_a_new_player_gets_the_lesson_once_before_practice(visit: Visit) -> None:
    player = Player(await visit("/", newcomer=True), "Player")
    page, coach = player.page, player.at("coach")
    form = page.get_by_role("form", name="Practise")
    await page.locator("[data-game=little-forty]").click()
    await form.get_by_role("button", name="Practise").click()
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

    # A new player learns after the lesson that a deal number is invalid.
    await page.evaluate("localStorage.clear()")
    await page.goto("/")
    await form.get_by_label("Deal number").fill("123")
    await form.get_by_role("button", name="Practise").click()
    await coach.get_by_role("button", name="Skip").click()
    await expect(form.get_by_role("alert")).to_contain_text("Deal numbers go from")
    await expect(form.get_by_label("Deal number")).to_have_value("123")
    # That was for once.
    await player.button("Learn Lucas in a minute").click()
    await coach.get_by_role("button", name="Skip").click()
    await expect(form.get_by_label("Deal number")).to_have_value("")


#: A finger is faster than the hint, which follows after half a second.
TAKE_AT_ONCE = """() => seen.when('[data-step="5"]', () => {
    const [[clientX, clientY]] = seen.way(['waste', 1, 'column-3'])
    const finger = { bubbles: true, isPrimary: true, pointerId: 1, pointerType: 'touch', button: 0, clientX, clientY }
    const card = document.elementFromPoint(clientX, clientY)
    for (const what of ['pointerdown', 'pointerup']) card.dispatchEvent(new PointerEvent(what, finger))
})"""


async def test_the_lesson_accepts_the_requested_moves_and_its_hints_keep_lifted_cards(visit: Visit) -> None:
    player = Player(await visit("/", PHONE, newcomer=True), "Player", Taps())
    await player.button("Learn Lucas in a minute").click()
    coach = player.at("coach")
    await player.button("Next").click()
    await player.page.evaluate(TAKE_AT_ONCE)
    for move, step in (("1-F", "3"), ("2-3", "4"), ("draw", "5")):
        await player.hand.play(player.table, parse_move(move))
        await expect(coach).to_have_attribute("data-step", step)
    await expect(player.page.locator(".ft-hint.ft-lifted")).to_have_count(1)
    _, end = await player.table.way(parse_move("W-3"))
    await player.page.touchscreen.tap(*end)
    await expect(coach).to_have_attribute("data-step", "6")
    await player.button("Skip").click()
    await expect(player.at("front")).to_be_visible()
