"""The page of a race: countdown, giving up, company, and how it ends."""

import asyncio
import re

import pytest
from playwright.async_api import expect

from fortythieves.rules.board import Board
from fortythieves.rules.deal import deck_of_number
from fortythieves.rules.games import game
from fortythieves.rules.move_notation import DRAW, STOCK, parse_move
from tests.e2e.conftest import LANDSCAPE, PHONE, TABLET, Arrive, Take
from tests.e2e.hands import Keys, Taps
from tests.e2e.prepared import WINS, alone, play, quick, race_of_two

#: In this open deal, a player who only draws is stuck after this number of cards.
STUCK_NUMBER, STUCK_AFTER = 32016, 62

#: An open deal in which `pile_up` makes a column of more than ten cards, some of them face down.
LONG, LONG_NUMBER = "rank-and-file", 32179

#: Keeps the numbers that are counted down over 104 cards, and when the first face of a card came (ms since the epoch).
COUNTDOWN = """() => {
    globalThis.countdown = { numbers: [], face: null }
    const look = () => {
        const number = document.querySelector('.countdown-number')?.textContent
        const cards = seen.shown()
        if (number && cards.length === 104) countdown.numbers.push(number)
        if (cards.some((card) => card !== '##')) countdown.face ??= Date.now()
    }
    new MutationObserver(look).observe(document, { childList: true, subtree: true, attributes: true })
}"""

#: On a page that came over plain HTTP from another machine, a browser has no hash.
NO_HASH = "Object.defineProperty(Crypto.prototype, 'subtle', { value: undefined })"

#: By how much the server's estimate of the time may be wrong here (ms).
CLOCKS = 50


async def test_no_card_is_in_the_page_before_the_race_begins(unhurried: str, arrive: Arrive) -> None:
    ann, bob = await asyncio.gather(
        arrive("Ann", base_url=unhurried), arrive("Bob", PHONE, Taps(), by_link=True, base_url=unhurried)
    )
    code = await ann.create("maria")
    await bob.join(code)
    for player in (ann, bob):
        await player.page.evaluate(COUNTDOWN)
    async with quick(unhurried) as eve:
        room = await eve.join("Eve", code)
        await asyncio.gather(ann.be_ready(), bob.be_ready(), eve.ready())
        await eve.until(lambda: room.race.get("starts_at"))
    for player in (ann, bob):
        await player.cards_are_dealt()
        assert await player.table.faces()
        countdown = await player.page.evaluate("countdown")
        assert set(countdown["numbers"]) & set("12345")
        assert countdown["face"] >= room.race["starts_at"] - CLOCKS
    # The stock is as unknown as before, and both see the same cards in the same columns.
    columns = [await player.page.evaluate("seen.columns()") for player in (ann, bob)]
    assert columns[0] == columns[1]
    assert set(" ".join(columns[0]).split()) == await ann.table.faces()


async def test_a_browser_without_sha_256_still_contributes_its_number(unhurried: str, arrive: Arrive) -> None:
    ann = await arrive("Ann", by_link=True, base_url=unhurried)
    await ann.page.context.add_init_script(NO_HASH)
    await ann.page.goto("/")
    await ann.create("limited")
    await ann.start()
    await ann.cards_are_dealt()
    await ann.button("Options").click()
    await ann.button("End the race").click()
    await ann.page.locator(".ask").get_by_role("button", name="End it").click()
    await ann.results()
    await expect(ann.page.locator("[data-part=proof]")).to_contain_text("The racer gave a number for the deal.")
    await ann.button("Verify").click()
    await expect(ann.page.locator(".proof-result[role=status]")).to_contain_text("Verified")


@pytest.mark.long
async def test_giving_up_can_be_undone_for_a_while_and_is_then_final(unhurried: str, arrive: Arrive) -> None:
    """The end of the race, the proof of its deal, and a rematch with another deal."""
    ann, bob = await asyncio.gather(arrive("Ann", base_url=unhurried), arrive("Bob", by_link=True, base_url=unhurried))
    code = await ann.create("limited")
    await bob.join(code)
    await ann.page.evaluate("""() => seen.when('[data-page=race] [data-table]:not(.ft-still)', () => {
        globalThis.tooEarly = document.querySelector('[aria-label="Give up"]').disabled
    })""")
    await asyncio.gather(ann.be_ready(), bob.be_ready())
    await ann.cards_are_dealt()
    assert await ann.page.evaluate("tooEarly") is True
    await ann.table.pile("stock").click()
    await ann.button("Give up").click()
    await ann.button("No").click()
    await expect(ann.status).to_be_empty()
    await asyncio.gather(ann.give_up(), bob.give_up())
    await expect(bob.lane(1)).to_contain_text("giving up")
    await expect(ann.table.page.locator("[data-table].ft-still")).to_be_visible()

    for player in (ann, bob):
        # Bob has made no move, so Bob did not start.
        places = [(place, name, state, moves) for place, name, state, _, _, moves in await player.results()]
        assert places == [("1", "Ann", "gave up", "1"), ("–", "Bob", "gave up", "0")]
    await bob.button("Verify").click()
    await expect(bob.page.locator(".proof-result[role=status]")).to_contain_text("Verified")
    first = await ann.fingerprint()
    assert first == await bob.fingerprint()

    await bob.button("Rematch").click()
    await ann.button("Rematch").click()
    await asyncio.gather(ann.cards_are_dealt(), bob.cards_are_dealt())
    await expect(ann.page.get_by_role("heading", name="race 2")).to_be_attached()
    async with quick(unhurried) as eve:
        room = await eve.join("Eve", code)
        assert room.race["number"] == 2
        assert room.race["commitment"] not in (None, first)


@pytest.mark.long
async def test_a_bot_joins_on_request_and_plays(arrive: Arrive) -> None:
    ann = await arrive("Ann", hand=Keys())
    await ann.create("lucas")
    await ann.page.get_by_label("Level of the bot").select_option("1")
    await ann.button("Add a bot").click()
    bot = ann.page.locator(".person[data-seat='2']")
    await expect(bot).to_contain_text("bot")
    await expect(bot).to_contain_text("ready")
    await ann.be_ready()
    await ann.cards_are_dealt()
    await expect(ann.lane(2)).to_contain_text(re.compile("[1-9] moves"))


async def test_a_stuck_player_is_informed(address: str, take: Take) -> None:
    moves = ["draw"] * STUCK_AFTER
    async with race_of_two(address, moves[:-1], game="forty-thieves", deal=str(STUCK_NUMBER)) as seat:
        ann = await take(seat, hand=Keys())
        await ann.cards_are_dealt()
        await ann.hand.play(ann.table, parse_move(moves[-1]))
        await expect(ann.status).to_contain_text("You are stuck: no legal move is left.")
        await expect(ann.status).to_contain_text("1 still racing.")
        await expect(ann.lane(1)).to_have_attribute("data-state", "stuck")


async def test_a_winner_sees_the_time(address: str, take: Take) -> None:
    win = WINS["limited"]
    async with race_of_two(address, win["moves"][:-1], game="limited", deal=str(win["number"])) as seat:
        ann = await take(seat, hand=Keys())
        await ann.cards_are_dealt()
        await ann.hand.play(ann.table, parse_move(win["moves"][-1]))
        await expect(ann.status).to_contain_text(re.compile(r"Won in \d+:\d\d\.\d\."))
        await expect(ann.status).to_contain_text("1 still racing.")
        await expect(ann.lane(1)).to_contain_text("104")


async def test_a_late_player_sees_the_race_and_joins_the_next_one(address: str, arrive: Arrive) -> None:
    async with quick(address) as ann:
        room = await ann.create("Ann", game="lucas", countdown=3)
        await ann.start()
        await play(ann, ["draw"])
        bob = await arrive("Bob", by_link=True)
        await bob.join(room.code)
        await expect(bob.page.get_by_role("heading", name="You are in for the next race")).to_be_visible()
        await expect(bob.lane(1)).to_contain_text("1 move")
        await ann.leave()
        await expect(bob.at("end")).to_be_visible()


async def test_a_race_fits_on_a_phone_or_tablet_without_scrolling(address: str, take: Take) -> None:
    """client/web/test/table/layout.test.js has all games and screens."""
    board = Board.deal(game(LONG), deck_of_number(LONG_NUMBER))
    player = await take(await alone(address, pile_up(board), game=LONG, deal=str(LONG_NUMBER)), PHONE)
    assert max(map(len, board.columns)) >= 10
    await player.cards_are_dealt()
    for screen in (PHONE, LANDSCAPE, TABLET):
        await player.page.set_viewport_size(screen["viewport"])
        await player.page.wait_for_function("() => seen.cutOff().length === 0")
        await player.table.expect(board)
        await expect(player.page.locator(".race-tools")).to_be_in_viewport(ratio=1)
        assert await player.page.evaluate("seen.scrolls()") == []


def pile_up(board: Board) -> list[str]:
    """Make the longest column longer, else draw. Returns the moves."""
    history = [board.copy()]
    moves = []
    while board.outcome is None:
        longest = max(range(len(board.columns)), key=lambda i: len(board.columns[i])) + 1
        onto = [move for move in board.legal_moves if move.target == longest and move.source != STOCK]
        if not onto and not board.stock_count:
            break
        move = max(onto, key=lambda move: move.count) if onto else DRAW
        board.play(move)
        moves.append(str(move))
        history.append(board.copy())
    best = max(range(len(history)), key=lambda n: max(map(len, history[n].columns)))
    while board.moves_made > best:
        board.undo()
    return moves[:best]


#: Which parts of the page lie over the board, where they would be tapped instead of cards.
OVER_THE_BOARD = """() => {
    const [board, ...rest] = ['.race-board', '.race-status', '.zen-out'].map((part) =>
        document.querySelector(part).getBoundingClientRect())
    return rest.filter(({ top, left }) => top < board.bottom && left < board.right).length
}"""


async def test_zen_mode_covers_no_cards(address: str, take: Take) -> None:
    ann = await take(await alone(address), PHONE)
    await ann.cards_are_dealt()
    for device in (PHONE, LANDSCAPE):
        await ann.page.set_viewport_size(device["viewport"])
        await ann.page.keyboard.press("z")
        await expect(ann.page.locator(".race-tools")).to_be_hidden()
        assert await ann.page.evaluate(OVER_THE_BOARD) == 0
        await ann.button("Leave zen").tap()
        await expect(ann.page.locator(".race-tools")).to_be_visible()


async def test_typed_text_is_visible_above_the_keyboard_of_a_phone_in_landscape(address: str, take: Take) -> None:
    async with race_of_two(address, ()) as seat:
        ann = await take(seat, LANDSCAPE)
        await ann.cards_are_dealt()
        await ann.button("Chat").tap()
        await ann.page.set_viewport_size({"width": 740, "height": 160})
        await expect(ann.page.get_by_label("Message")).to_be_in_viewport(ratio=1)
        await ann.say("Hello")
        await expect(ann.page.get_by_role("log", name="Chat").get_by_text("Hello")).to_be_in_viewport()


async def test_the_options_can_leave_the_room(arrive: Arrive) -> None:
    ann = await arrive("Ann", PHONE, Taps())
    await ann.create("maria")
    assert await ann.page.evaluate("document.documentElement.scrollWidth") == 360
    await ann.start()
    await ann.cards_are_dealt()
    await ann.button("Options").tap()
    await ann.button("Leave the room").tap()
    await expect(ann.page.get_by_text("Give up the race, and leave the room for good?")).to_be_visible()
    await ann.page.locator(".ask").get_by_role("button", name="Leave").tap()
    await expect(ann.at("front")).to_be_visible()
