"""The card table: keys, clicks and drags besides moves, and its settings."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from fortythieves.rules.move_notation import parse_move
from tests.e2e.conftest import DESKTOP, Take, Witness, visits
from tests.e2e.hands import DoubleTaps, Drags, Keys, Taps, TouchDrags
from tests.e2e.player import Player
from tests.e2e.prepared import alone
from tests.e2e.table import Point

#: An open deal with early moves: 10-4 (the 4 of diamonds onto the 5 of spades) and 9-F (the ace of spades), of a game
#: with face-down cards.
GAME, NUMBER = "number-ten", 32313


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def shared(browser: Browser, address: str, in_a_hurry: str) -> AsyncIterator[Player]:
    seat, witness = await alone(address, game=GAME, deal=str(NUMBER), undo="free", time_limit=14_400), Witness()
    async with visits(browser, address, in_a_hurry, witness) as visit:
        player = Player(await visit(f"/r/{seat.code}", {**DESKTOP, "has_touch": True}, seat), seat.name)
        await player.deal(GAME, NUMBER)
        yield player
    assert witness.complaints == []


@pytest_asyncio.fixture(loop_scope="session")
async def ann(shared: Player) -> Player:
    assert shared.board is not None
    await shared.page.keyboard.press("Escape")
    shared.hand = Keys()
    await shared.play(*["undo"] * shared.board.moves_made)
    await expect(shared.page.locator(".ft-bubble.ft-seen")).to_have_count(0)
    await shared.page.evaluate("seen.passed.clear()")
    return shared


async def press(page: Page, *keys: str) -> None:
    for key in keys:
        await page.keyboard.press(key)


async def test_arrows_select_piles_and_enter_lifts_and_places_cards(ann: Player) -> None:
    await press(ann.page, *["ArrowRight"] * 9, "Enter")
    for name in ("column-1", "column-4"):
        await expect(ann.table.pile(name)).to_have_attribute("data-lit", "")
    await expect(ann.table.pile("column-10")).to_have_attribute("data-lifted", "")
    await press(ann.page, *["ArrowLeft"] * 6)
    await expect(ann.table.pile("column-4")).to_be_focused()
    await press(ann.page, "Enter")
    await ann.has_played("10-4")
    await expect(ann.page.locator(".ft-said")).to_have_text("Moved 4 of diamonds to column 4.")


#: The message of a refused action, and the marked card.
INSTEAD = """() => {
    globalThis.instead = new Promise((done) => seen.when('.ft-bubble.ft-seen', () =>
        done([document.querySelector('.ft-bubble').textContent, document.querySelector('.ft-shake').dataset.card])))
}"""


async def test_a_card_on_an_illegal_column_returns_with_the_reason(ann: Player) -> None:
    """And another card that may have been meant, as it could go somewhere, is taken up instead."""
    hand = Taps()
    wrong, other = parse_move("10-2"), parse_move("10-9")
    await hand.bring(ann.table, wrong, *(await ann.table.way(wrong)))
    await ann.is_told("Columns build down in alternating colours")
    await expect(ann.page.locator(".ft-lifted")).to_have_count(0)
    await ann.has_played()
    await expect(ann.page.locator(".ft-bubble.ft-seen")).to_have_count(0)
    await ann.page.evaluate(INSTEAD)
    await hand.bring(ann.table, other, *(await ann.table.way(other)))
    await expect(ann.table.pile("column-9")).to_have_attribute("data-lifted", "")
    assert await ann.page.evaluate("instead") == ["Columns build down in alternating colours", "4D"]
    await expect(ann.page.locator(".ft-said")).to_have_text(
        "Columns build down in alternating colours; Picked up ace of spades."
    )
    await ann.table.pile("foundation-S").click()
    await ann.has_played("9-F")


#: The boxes and marked cards of a refused action.
REFUSAL = """() => {
    globalThis.refusal = new Promise((done) => seen.when('.ft-bubble.ft-seen', () => {
        const box = (element) => element.getBoundingClientRect().toJSON()
        done({
            said: box(document.querySelector('.ft-bubble')),
            meant: box(seen.pile('foundation-D')),
            marked: document.querySelectorAll('.ft-shake').length,
        })
    }))
}"""


async def test_the_reason_is_beside_the_target_and_the_card_is_marked(ann: Player) -> None:
    await ann.page.evaluate(REFUSAL)
    await ann.table.pile("column-10").click()
    await ann.table.pile("foundation-D").click()
    shown = await ann.page.evaluate("refusal")
    said, meant = shown["said"], shown["meant"]
    assert shown["marked"] == 1
    assert meant["bottom"] <= said["top"] < meant["bottom"] + 20
    assert said["left"] < meant["right"] and meant["left"] < said["right"]
    await ann.is_told("The foundation isn’t ready for this card")
    await expect(ann.page.locator(".ft-lifted")).to_have_count(0)


async def test_a_lifted_card_without_a_target_looks_different(ann: Player) -> None:
    assert ann.board is not None
    movable = {move.source for move in ann.board.legal_moves}
    stuck = next(n for n, column in enumerate(ann.board.columns, 1) if n not in movable and column)
    for column, count in ((10, 0), (stuck, 1), (10, 0)):
        await ann.page.keyboard.press(f"Digit{column % 10}")
        await expect(ann.table.pile(f"column-{column}")).to_have_attribute("data-lifted", "")
        await expect(ann.page.locator(".ft-nowhere")).to_have_count(count)
        await ann.page.keyboard.press("Escape")


async def test_cards_dropped_outside_piles_return(ann: Player) -> None:
    before = await ann.table.picture()
    await ann.page.mouse.move(*(await ann.table.way(parse_move("10-4")))[0])
    await ann.page.mouse.down()
    await ann.page.mouse.move(600, 700, steps=3)
    await ann.table.frame()
    assert await ann.table.picture() != before
    await ann.page.mouse.up()
    await ann.has_played()
    assert await ann.table.picture() == before


@pytest.mark.parametrize("hand", [Drags(), TouchDrags()], ids=["mouse", "finger"])
async def test_dragged_cards_stay_lifted_when_the_table_changes_its_size(hand: Drags | TouchDrags, ann: Player) -> None:
    move = parse_move("10-4")

    async def held() -> tuple[float, Point]:
        """How wide the dragged card is, and where on it the hand is, as parts of its size."""
        box = await ann.page.locator("[data-card='4D'].ft-lifted").bounding_box()
        assert box is not None
        return box["width"], Point((away.x - box["x"]) / box["width"], (away.y - box["y"]) / box["height"])

    start, _ = await ann.table.way(move)
    away = Point(start.x - 150, start.y + 60)
    await hand.grab(ann.table, start)
    await hand.carry(ann.table, away)
    width, grip = await held()
    assert 0 < grip.x < 1
    assert 0 < grip.y < 1
    for window in ((1000, 500), (1280, 800), (900, 700)):
        await ann.page.set_viewport_size({"width": window[0], "height": window[1]})
        await ann.page.wait_for_function(
            "(width) => document.querySelector('[data-card=\"4D\"]').getBoundingClientRect().width !== width", arg=width
        )
        width, at = await held()
        assert list(at) == pytest.approx(list(grip), abs=0.03), "cards lie on whole pixels"
    _, end = await ann.table.way(move)
    await hand.carry(ann.table, end)
    await hand.let_go(ann.table)
    await ann.has_played("10-4")
    await ann.page.set_viewport_size(DESKTOP["viewport"])


async def test_a_revealed_card_stays_and_after_an_undone_give_up_moves_are_possible(unhurried: str, take: Take) -> None:
    """At a server that leaves a player the ten seconds in which giving up can be taken back."""
    ann = await take(await alone(unhurried, game=GAME, deal=str(NUMBER)), hand=Keys(), base_url=unhurried)
    await ann.deal(GAME, NUMBER)
    await ann.play("9-F", "undo", "draw")
    await expect(ann.button("Undo")).to_be_disabled()
    await press(ann.page, "u")
    await ann.is_told("The last move revealed a card, so you can’t undo it")
    await ann.has_played()
    await ann.give_up()
    await ann.press_when("[data-part=status]:empty", "Digit9", "KeyF")
    await ann.page.get_by_role("button", name="Take it back").click()
    await ann.has_played("9-F")


async def test_moving_cards_do_not_block_the_next_move(ann: Player) -> None:
    await ann.page.emulate_media(reduced_motion="no-preference")
    await press(ann.page, "Digit9", "f", "Digit0", "Digit4", "Space")
    await ann.has_played("9-F", "10-4", "draw")
    await ann.page.emulate_media(reduced_motion="reduce")


async def test_letters_in_the_chat_move_no_cards_until_the_table_is_tapped(ann: Player) -> None:
    await press(ann.page, "c")
    message = ann.page.get_by_label("Message")
    await message.press_sequentially("9f bud w 104")
    await ann.say("9f bud w 104 ")
    await expect(ann.page.locator(".chat-text")).to_have_text("9f bud w 104")
    await ann.has_played()
    await message.tap()
    await expect(message).to_be_focused()
    ann.hand = Taps()
    await ann.play("10-4")
    await expect(message).not_to_be_focused()
    await press(ann.page, "u")
    await ann.has_played("undo")
    await press(ann.page, "c")
    await expect(message).to_be_hidden()
    await ann.table.pile("column-3").focus()
    await press(ann.page, "c")
    await message.focus()
    await press(ann.page, "Escape")
    await expect(ann.table.pile("column-3")).to_be_focused()


async def test_a_double_tap_is_recognised_on_a_busy_page(ann: Player) -> None:
    busy = "() => { const began = performance.now(); while (performance.now() - began < 600); }"
    await ann.page.evaluate(f"addEventListener('pointerup', {busy}, {{ once: true }})")
    ann.hand = DoubleTaps()
    await ann.play("9-F")


async def test_the_help_is_beside_the_playable_board(ann: Player) -> None:
    await press(ann.page, "?")
    guide = ann.page.get_by_role("complementary", name="Help")
    for text in ("The stock holds", "Build down", "send to a foundation"):
        await expect(guide).to_contain_text(text)
    await ann.play("9-F")
    await press(ann.page, "Escape")
    await expect(guide).to_have_count(0)


async def test_zen_hides_all_but_the_board(ann: Player) -> None:
    await press(ann.page, "z")
    for part in (".race-bar", ".race-lanes", ".race-tools"):
        await expect(ann.page.locator(part)).to_be_hidden()
    await ann.play("9-F")
    await press(ann.page, "Escape")
    await expect(ann.page.locator(".race-tools")).to_be_visible()


async def test_the_table_can_be_mirrored_and_have_four_colours_and_remembers_it(address: str, take: Take) -> None:
    ann = await take(await alone(address, game=GAME, deal=str(NUMBER)), hand=Keys())
    await ann.deal(GAME, NUMBER)

    async def stock_is_on_the_left() -> bool:
        stock, waste = await ann.table.pile("stock").bounding_box(), await ann.table.pile("waste").bounding_box()
        assert stock is not None and waste is not None
        return stock["x"] < waste["x"]

    async def colour_of(card: str) -> str:
        face = ann.page.locator(f"[data-card='{card}'] .ft-face").first
        return str(await face.evaluate("(face) => getComputedStyle(face).color"))

    assert not await stock_is_on_the_left()
    assert await colour_of("4D") == await colour_of("3H")
    await ann.button("Options").click()
    await ann.page.locator(".switch", has_text="Left-handed").click()
    await ann.page.locator(".switch", has_text="Four colours").click()
    await ann.button("Close").click()
    for _ in range(2):
        assert await stock_is_on_the_left()
        assert await colour_of("4D") != await colour_of("3H")
        assert await colour_of("5C") != await colour_of("5S")
        await ann.play("draw")
        await ann.page.reload()
        await ann.cards_are_dealt()
