"""Practice, alone on this device."""

import json
import re

from playwright.async_api import Locator, expect

from fortythieves.rules.games import GAMES
from fortythieves.rules.move_notation import parse_move
from tests.e2e.conftest import PHONE, Visit
from tests.e2e.hands import Taps
from tests.e2e.inspector import Inspector
from tests.e2e.player import Player
from tests.e2e.prepared import WINS, board_of

#: The frames around marked places at the moment of a hint: for a place without a card, the pixels outside of the page.
HINTED = """() => {
    const outside = (mark) => {
        const { outlineOffset, outlineWidth } = getComputedStyle(mark)
        return mark.matches('.ft-mark') ? Math.max(0, parseFloat(outlineOffset) + parseFloat(outlineWidth)) : 0
    }
    globalThis.hinted = new Promise((done) =>
        seen.when('.ft-bubble.ft-seen', () => done([...document.querySelectorAll('.ft-hint')].map(outside))))
}"""


WIN = WINS["number-ten"]
NAME = f"number-ten:{WIN['number']}"

#: Practice shortly before its win, which is the second in a row.
NEARLY = f"""() => {{
    sessionStorage.setItem('forty-thieves.practice', `{json.dumps([NAME, 294_000, *WIN["moves"][:-3]])}`)
    const results = [{{ game: 'number-ten', deal: '{NAME}', streak: 1, best: null, known: null }}]
    localStorage.setItem('forty-thieves.practice', JSON.stringify(results))
}}"""


async def test_a_game_is_found_by_another_name_and_is_played_on_its_own_table(
    visit: Visit, inspector: Inspector
) -> None:
    player = Player(await visit("/", PHONE), "Player", Taps())
    page = player.page
    await player.button(f"All {len(GAMES)} games").tap()
    dialog = page.get_by_role("dialog", name="All games")
    await expect(dialog.get_by_role("listitem")).to_have_count(len(GAMES))
    await inspector.look("all games", player)
    await page.get_by_label("Search").fill("ROUND dozen")
    await expect(dialog.get_by_role("listitem")).to_have_count(1)
    await page.get_by_label("Search").fill("freecell")
    await expect(page.get_by_text("No game has this name.")).to_be_visible()
    await page.get_by_label("Search").fill("quad")
    await dialog.get_by_role("button", name="Quadrangle").tap()
    await expect(dialog).to_be_hidden()
    await expect(page.locator("[data-game=quadrangle] input")).to_be_checked()
    await page.get_by_role("form", name="New race").get_by_role("button", name="Practise").tap()
    await expect(page.get_by_role("heading", name="Quadrangle")).to_be_visible()
    await expect(page.get_by_text("1 of 104 cards on the foundations")).to_be_visible()


async def test_the_foundation_of_another_colour_is_named_as_the_target(visit: Visit) -> None:
    player = Player(await visit("/practice#zebra=32002"), "Player")
    await player.table.expect(board_of("zebra", number=32002))
    await player.page.keyboard.press("3")
    await expect(player.table.pile("column-3")).to_have_attribute(
        "aria-label", re.compile("top 2 of spades, picked up$")
    )
    lit = player.page.locator("[data-pile^=foundation][data-lit]")
    await expect(lit).to_have_attribute("aria-label", re.compile("^Foundation of hearts: .+, legal move$"))


async def test_one_tap_starts_practice_on_a_phone_without_scrolling(visit: Visit) -> None:
    player = Player(await visit("/", PHONE), "Player", Taps())
    page = player.page
    near = page.get_by_role("form", name="New race").get_by_role("button", name="Practise")
    for width, height in ((390, 844), (360, 740)):
        await page.set_viewport_size({"width": width, "height": height})
        for button in (near, player.button("Create race"), player.button("Join")):
            await expect(button).to_be_in_viewport(ratio=1)
    await player.button("Options").tap()
    await page.get_by_label("Four colours").check()
    await player.button("Close").tap()
    await page.locator("[data-game=maria]").tap()
    await page.evaluate("() => seen.when('[data-pile]', () => { globalThis.labels = seen.labels() })")
    await near.tap()
    await expect(page.get_by_role("heading", name="Maria")).to_be_visible()
    await expect(page.locator(".ft-four")).to_be_visible()
    labels = await page.evaluate("labels")
    assert len(labels) > 5 and all(labels.values()), f"each pile has a name from the start: {labels}"

    await player.button("Choose a deal").tap()
    await page.get_by_label("Game", exact=True).select_option("forty-thieves")
    await page.get_by_label("Deal number").fill("7")
    await player.button("Deal").tap()
    await expect(page.get_by_role("alert")).to_contain_text("32001")
    await page.get_by_label("Deal number").fill("32009")
    await player.button("Deal").tap()
    await player.table.expect(board_of("forty-thieves", number=32009))
    # A hint frames the card, the ace of hearts, and the visible part of the empty foundation.
    await page.evaluate(HINTED)
    await page.keyboard.press("t")
    assert await page.evaluate("hinted") == [0, 0]
    await expect(page.locator(".ft-mark.ft-hint")).to_have_count(1)


async def test_a_win_is_celebrated_and_the_next_deal_follows(visit: Visit, inspector: Inspector) -> None:
    page = await visit("/", permissions=["clipboard-read", "clipboard-write"])
    player = Player(page, "Player")
    await page.evaluate(NEARLY)
    await page.goto(f"/practice#{NAME.replace(':', '=')}")
    player.board = board_of("number-ten", WIN["moves"][:-3])
    await player.table.expect(player.board)
    await page.evaluate("() => seen.when('.cascade', () => { globalThis.cardsFell = true })")
    await player.play(*WIN["moves"][-3:])
    won = page.locator("[data-part=won]")
    for text in ("You won!", f"{len(WIN['moves'])} moves", "Your best time in Number Ten", "2 wins in a row"):
        await expect(won).to_contain_text(text)
    assert await page.evaluate("cardsFell")
    await inspector.look("a win in practice", player)
    await won.get_by_role("button", name="Challenge a friend").click()
    await player.is_told("Copied")
    challenge = await page.evaluate("navigator.clipboard.readText()")
    assert re.search(r"I won Number Ten \d+ in \d+:\d\d\.\d\. Can you", challenge)
    assert challenge.endswith(f"/practice#number-ten={WIN['number']}")
    await won.get_by_role("button", name="Next deal").click()
    await expect(player.status).to_contain_text("0 moves")
    await expect(won).to_have_count(0)


async def test_a_deal_of_practice_is_raced_with_a_friend_or_a_bot(visit: Visit) -> None:
    player = Player(await visit("/practice#lucas=32001"), "Player")
    await player.button("Race a friend").click()
    await expect(player.at("room")).to_contain_text("Numbered deal 32001, the same for everyone. Somebody may know it.")
    await player.page.goto("/practice#lucas=32001")
    await player.button("Race a bot").click()
    await player.deal("lucas", 32001)
    await expect(player.lane(2)).to_be_visible()


async def test_a_room_offers_the_lesson_by_the_name_of_its_game(visit: Visit) -> None:
    player = Player(await visit("/practice#zebra=32002", newcomer=True), "Player")
    await player.button("Race a friend").click()
    await expect(player.at("room")).to_contain_text("Learn Forty Thieves in a minute")


async def test_a_new_player_can_learn_before_practice(visit: Visit) -> None:
    player = Player(await visit("/practice#little-forty=32001", newcomer=True), "Player")
    page, coach = player.page, player.at("coach")
    await player.button("Learn it").click()
    await expect(coach.get_by_role("heading", level=1)).to_be_focused()
    await expect(coach.locator("[data-table]:not(.ft-still)")).to_be_visible()
    await page.keyboard.press("Space")
    await player.is_told("Read this first, then press Next")
    await coach.get_by_role("button", name="Next").click()
    await player.table.pile("stock").click()
    await player.is_told("Good idea! First try the marked move.")
    await coach.get_by_role("button", name="Do it for me").click()
    await expect(coach.locator(".coach-praise")).to_have_text("Well done!")
    await coach.get_by_role("button", name="Back").click()
    await expect(coach).to_have_attribute("data-step", "2")
    await go_through(coach)
    await coach.get_by_role("button", name="Close").click()
    await player.table.expect(board_of("little-forty", number=32001))
    # The lesson is offered once, and later in the help.
    await expect(player.button("Learn it")).to_have_count(0)
    await page.keyboard.press("?")
    await page.get_by_role("button", name="in a minute").click()
    await go_through(coach)
    await coach.get_by_role("button", name="Race the easiest bot").click()
    await player.cards_are_dealt()
    await expect(player.lane(2)).to_be_visible()


async def go_through(coach: Locator) -> None:
    for _ in range(20):
        step = coach.get_by_role("button", name="Next").or_(coach.get_by_role("button", name="Do it for me"))
        if not await step.count():
            break
        await step.click()
    await expect(coach).to_have_attribute("data-step", "10")


#: A finger is faster than the hint, which follows after half a second.
TAKE_AT_ONCE = """() => seen.when('[data-step="5"]', () => {
    const [[clientX, clientY]] = seen.way(['waste', 1, 'column-3'])
    const finger = { bubbles: true, isPrimary: true, pointerId: 1, pointerType: 'touch', button: 0, clientX, clientY }
    const card = document.elementFromPoint(clientX, clientY)
    for (const what of ['pointerdown', 'pointerup']) card.dispatchEvent(new PointerEvent(what, finger))
})"""


#: Makes the move of a step. The page is then busy until the hint for that move is due, before the next step is drawn.
LATE_HINT = """async () => {
    const buttons = () => [...document.querySelectorAll('button')]
    const press = (text) => buttons().find((one) => one.textContent.includes(text)).click()
    press('Next')
    await new Promise((done) => setTimeout(done, 300))
    press('Do it for me')
    for (const end = performance.now() + 2000; performance.now() < end; );
}"""


async def test_a_late_hint_for_an_earlier_board_is_not_shown(visit: Visit) -> None:
    player = Player(await visit("/", newcomer=True), "Player")
    await player.button("Learn Lucas in a minute").click()
    await expect(player.button("Next")).to_be_visible()
    await player.page.evaluate(LATE_HINT)
    await expect(player.at("coach")).to_have_attribute("data-step", "3")
    await expect(player.page.locator(".ft-hint").first).to_be_visible()


async def test_the_lesson_accepts_the_requested_moves_and_its_hints_keep_lifted_cards(visit: Visit) -> None:
    player = Player(await visit("/", PHONE, newcomer=True), "Player", Taps())
    await player.button("Learn Little Forty in a minute").click()
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
