"""The page of a race: countdown, giving up, company, and how it ends."""

import asyncio
import re
from pathlib import Path

import pytest
from playwright.async_api import expect

from fortythieves.record.proof import verify
from fortythieves.record.race_record import read
from fortythieves.rules.board import Board
from fortythieves.rules.move_notation import DRAW, STOCK, parse_move
from tests.e2e.conftest import LANDSCAPE, PHONE, TABLET, Arrive, Take
from tests.e2e.hands import Keys, Taps
from tests.e2e.inspector import Inspector
from tests.e2e.player import Onlooker
from tests.e2e.prepared import alone, board_of, duel, play, quick, seat_of

#: In this open deal, a player who only draws is stuck after this number of cards.
STUCK_NUMBER, STUCK_AFTER = 32016, 62

#: An open deal in which `pile_up` makes a column of more than ten cards, some of them face down.
LONG, LONG_NUMBER = "rank-and-file", 32179

#: Keeps the titles of the tab, the numbers that are counted down over 104 cards, and when the first face of a card came
#: (ms since the epoch).
COUNTDOWN = """() => {
    globalThis.countdown = { numbers: [], titles: [], face: null }
    const look = () => {
        const number = document.querySelector('.countdown-number')?.textContent
        const cards = seen.shown()
        if (number && cards.length === 104) countdown.numbers.push(number)
        if (cards.some((card) => card !== '##')) countdown.face ??= Date.now()
        if (countdown.titles.at(-1) !== document.title) countdown.titles.push(document.title)
    }
    new MutationObserver(look).observe(document, { childList: true, subtree: true, attributes: true })
}"""

#: On a page that came over plain HTTP from another machine, a browser has no hash.
NO_HASH = "Object.defineProperty(Crypto.prototype, 'subtle', { value: undefined })"

#: By how much the server's estimate of the time may be wrong here (ms).
CLOCKS = 50

#: Whether giving up is still disabled when the cards are dealt.
TOO_EARLY = """() => seen.when('[data-page=race] [data-table]:not(.ft-still)', () => {
    globalThis.tooEarly = document.querySelector('[aria-label="Give up"]').disabled
})"""


@pytest.mark.long
async def test_two_people_race_give_up_and_verify_the_deal_before_a_rematch(
    unhurried: str, arrive: Arrive, inspector: Inspector
) -> None:
    """Ann is the host, at a desktop. Bob has a phone, whose browser has no SHA-256."""
    at = {"base_url": unhurried}
    ann, bob = both = await asyncio.gather(arrive("Ann", **at), arrive("Bob", PHONE, Taps(), by_link=True, **at))
    await bob.page.context.add_init_script(NO_HASH)
    await bob.page.goto("/")
    await inspector.look("front", *both, whole=True)
    code = await ann.create("number-ten")
    await bob.type_code(code)
    await expect(bob.at("join")).to_be_visible()
    await inspector.look("join", bob)
    await bob.enter()
    await bob.say("Hello, Ann!")
    await expect(ann.page.get_by_text("Hello, Ann!")).to_be_visible()
    await inspector.look("room", *both, whole=True)
    await ann.button("Change").click()
    await inspector.look("rules", ann)
    await ann.button("Cancel").click()
    await ann.change(countdown="10")

    # No card is in the page before the race begins.
    title = f"{code} · Forty Thieves Race"
    await expect(ann.page).to_have_title(title)
    for player in both:
        await player.page.evaluate(COUNTDOWN)
        await player.be_ready()
    for player in both:
        await expect(player.page.locator(".countdown-number")).to_be_visible()
    await inspector.look("countdown", *both)
    seen = []
    for player in both:
        await player.cards_are_dealt()
        seen.append(await player.page.evaluate("countdown"))
        assert set(seen[-1]["numbers"]) & set("12345")
    # The stock is as unknown as before, and both see the same cards in the same columns.
    columns = [await player.page.evaluate("seen.columns()") for player in both]
    assert columns[0] == columns[1]
    assert set(" ".join(columns[0]).split()) - {"##"} == await ann.table.faces()
    await expect(ann.page).to_have_title(title)
    counted = [told.removesuffix(f" … {title}") for told in seen[0]["titles"] if told.endswith(f" … {title}")]
    assert counted and counted == sorted(set(counted), key=int, reverse=True), counted

    await ann.table.pile("column-1").click()
    await bob.table.pile("column-1").tap()
    await inspector.look("race", *both, whole=True)
    await bob.button("All racers").click()
    await inspector.look("racers", bob)
    await bob.button("Close").click()
    for who, name, close in ((ann, "Help", "Close help"), (ann, "Options", "Close"), (bob, "Options", "Close")):
        await who.button(name).click()
        await inspector.look(name, who)
        await who.button(close).click()
    await ann.page.keyboard.press("Escape")
    await ann.table.pile("stock").click()
    await ann.button("Give up").click()
    await ann.button("No").click()
    await expect(ann.status).to_be_empty()
    await asyncio.gather(ann.give_up(), bob.give_up())
    await expect(bob.lane(1)).to_contain_text("giving up")
    await expect(ann.page.locator("[data-table].ft-still")).to_be_visible()
    await inspector.look("given up", *both)

    for player in both:
        # Bob has made no move, so Bob did not start.
        places = [(place, name, state, moves) for place, name, state, _, _, moves in await player.results()]
        assert places == [("1", "Ann", "gave up", "1"), ("–", "Bob", "gave up", "0")]
        proof = player.page.locator("[data-part=proof]")
        await expect(proof.locator("summary").first).to_have_text("Fair deal")
        await proof.locator("summary").first.click()
        await expect(proof).to_contain_text("2 of 2 racers gave a number")
        await expect(proof).to_contain_text("Verified")
    await inspector.look("end", *both, whole=True)
    assert await ann.fingerprint() == await bob.fingerprint()

    # The page of the replay verifies the record as the program does.
    await ann.button("Replay").click()
    eve = Onlooker(ann.page)
    await expect(eve.result.locator("tbody tr").first).to_be_visible()  # players know the end
    checks = await eve.verify()
    assert [reason for reason in checks.values() if reason.startswith("no: ")] == []
    assert "told before the race" in checks["promise"] and "gave a number for the deal" in checks["numbers"]
    async with eve.page.expect_download() as download:
        await eve.page.get_by_role("link", name="Record").click()
    record = read(await asyncio.to_thread(Path(await (await download.value).path()).read_bytes))
    assert all(check.ok for check in verify(record))
    assert min(one["face"] for one in seen) >= record["starts_at"] - CLOCKS
    await ann.page.reload()
    await ann.button("Back to the room").click()
    await expect(ann.at("end")).to_be_visible()

    for player in both:
        await player.button("Back to the room").click()
    await ann.page.evaluate(TOO_EARLY)
    await ann.button("Rematch").click()
    await inspector.look("room after the race", *both)
    await bob.page.get_by_role("button", name="Replay").click()
    await expect(bob.page.locator(".head .rematch-words")).to_have_text("Ann wants a rematch.")
    await inspector.look("replay for somebody with a seat", bob)
    await bob.page.get_by_role("banner").get_by_role("button", name="Back to the room").click()
    await bob.be_ready()
    for player in both:
        await player.cards_are_dealt()
        await expect(player.page.get_by_role("heading", name="race 2")).to_be_attached()
    assert await ann.page.evaluate("tooEarly") is True


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
    async with duel(address, game="forty-thieves", deal=str(STUCK_NUMBER)) as race:
        await play(race.ann, moves[:-1])
        await race.ann.close()
        ann = await take(seat_of(race.ann), hand=Keys())
        await ann.cards_are_dealt()
        await ann.hand.play(ann.table, parse_move(moves[-1]))
        await expect(ann.status).to_contain_text("You are stuck: no legal move is left.")
        await expect(ann.status).to_contain_text("1 still racing.")
        await expect(ann.lane(1)).to_have_attribute("data-state", "stuck")


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


#: Which parts of the page lie over the board, where they would be tapped instead of cards.
OVER_THE_BOARD = """() => {
    const [board, ...rest] = ['.race-board', '.race-status', '.zen-out'].map((part) =>
        document.querySelector(part).getBoundingClientRect())
    return rest.filter(({ top, left }) => top < board.bottom && left < board.right).length
}"""


#: A key of any keyboard.
PRESS = "(key) => document.body.dispatchEvent(new KeyboardEvent('keydown', key))"


async def test_a_race_with_its_zen_mode_and_chat_fits_on_a_phone_or_tablet(address: str, take: Take) -> None:
    """client/web/test/table/layout.test.js has all games and screens."""
    board = board_of(LONG, number=LONG_NUMBER)
    ann = await take(await alone(address, pile_up(board), game=LONG, deal=str(LONG_NUMBER)), PHONE, Taps())
    assert max(map(len, board.columns)) >= 10
    await ann.cards_are_dealt()
    for screen in (TABLET, PHONE, LANDSCAPE):
        await ann.page.set_viewport_size(screen["viewport"])
        await ann.page.wait_for_function("() => seen.cutOff().length === 0")
        await ann.table.expect(board)
        await expect(ann.page.locator(".race-tools")).to_be_in_viewport(ratio=1)
        assert await ann.page.evaluate("seen.scrolls()") == []
    for screen, key in ((PHONE, "z"), (LANDSCAPE, "я")):
        await ann.page.set_viewport_size(screen["viewport"])
        await ann.page.evaluate(PRESS, {"key": key, "code": "KeyZ", "bubbles": True})
        await expect(ann.page.locator(".race-tools")).to_be_hidden()
        assert await ann.page.evaluate(OVER_THE_BOARD) == 0
        await ann.button("Leave zen").tap()
        await expect(ann.page.locator(".race-tools")).to_be_visible()

    # What is typed is visible above the keyboard of a phone.
    await ann.button("Chat").tap()
    await ann.page.set_viewport_size({"width": 740, "height": 160})
    await expect(ann.page.get_by_label("Message")).to_be_in_viewport(ratio=1)
    await ann.say("Hello")
    await expect(ann.page.get_by_role("log", name="Chat").get_by_text("Hello")).to_be_in_viewport()

    await ann.page.set_viewport_size(PHONE["viewport"])
    await ann.button("Close chat").tap()
    await ann.button("Options").tap()
    await ann.button("Leave the room").tap()
    await expect(ann.page.get_by_text("Give up the race, and leave the room for good?")).to_be_visible()
    await ann.page.locator(".ask").get_by_role("button", name="Leave").tap()
    await expect(ann.at("front")).to_be_visible()


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
