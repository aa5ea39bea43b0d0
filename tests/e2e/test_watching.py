"""Watching a race: visible boards, switching boards, and chat of spectators."""

import asyncio
import re

import pytest
from playwright.async_api import expect

from fortythieves.rules.board import Board
from tests.e2e.conftest import DESKTOP, LANDSCAPE, PHONE, Visit, Witness
from tests.e2e.inspector import Inspector
from tests.e2e.player import Onlooker
from tests.e2e.prepared import WINS, board_of, duel, play, quick, racers, seat_of

#: Where the letters of each element begin on the screen.
BEGINNINGS = """(elements) => elements.map((element) => {
    const letters = document.createRange()
    letters.selectNodeContents(element)
    return Math.round(letters.getBoundingClientRect().left)
})"""

KEY = "lucas"
NUMBER: int = WINS[KEY]["number"]
MOVES: list[str] = WINS[KEY]["moves"]


def board_after(count: int) -> Board:
    return board_of(KEY, MOVES[:count])


@pytest.mark.long
async def test_two_players_race_and_two_spectators_watch_to_the_end(
    address: str, visit: Visit, inspector: Inspector
) -> None:
    async with duel(address, game=KEY, deal=str(NUMBER)) as race:
        eve = Onlooker(await visit(f"/r/{race.code}/w"))
        await eve.sees(1, 2)
        await expect(eve.shown).to_contain_text("when all racers have drawn a card")
        await play(race.bob, MOVES[:25])
        await expect(eve.page.locator(".lane[data-lead]")).to_contain_text("Bob")
        await play(race.ann, MOVES[:40])
        await expect(eve.shown).to_contain_text("slowest racer (no tipping): stock card 10")
        await expect(eve.page.locator(".lane[data-state=racing]").first).to_contain_text("Ann")
        # While boards wait, the race itself is above them.
        await expect(eve.labels_of_lines).to_have_text([re.compile("^[0-9]+ Ann$"), re.compile("^[0-9]+ Bob$")])
        await expect(eve.feed).to_contain_text("Ann passed Bob and leads with")

        fay = Onlooker(await visit(f"/r/{race.code}/w", PHONE), "Fay")
        # Bob has drawn 10 cards, the last one with move 23. Nothing that was done after that is shown.
        await fay.sees(1)
        await expect(fay.board_of(1)).to_contain_text("move 23 of 40")
        await fay.expect_board(board_after(23))
        await expect(fay.shown).to_contain_text("stock card 10")
        await expect(fay.page.locator("[data-part=watchers]")).to_contain_text("2")
        assert await fay.page.evaluate("seen.scrolls()") == []
        # A late spectator gets the lanes from the start on.
        await expect(fay.labels_of_lines).to_have_count(2)
        await expect(fay.page.locator("[data-part=late]")).to_be_hidden()

        await eve.press("2")
        await eve.sees(2)
        await expect(eve.labels_of_lines).to_have_count(0)
        await eve.expect_board(board_after(23))
        await eve.press("ArrowRight")
        await eve.sees(1)
        await eve.expect_board(board_after(23))
        await play(race.bob, MOVES[25:36])
        await eve.expect_board(board_after(36))
        await fay.expect_board(board_after(36))

        await inspector.look("watching", eve, fay, whole=True)
        await eve.button("Reactions").click()
        seen = asyncio.create_task(fay.page.evaluate("new Promise((seen_) => seen.when('[data-sign=clap]', seen_))"))
        await eve.button("Clap").click()
        await seen
        await eve.button("Reactions").click()
        await eve.say_by_name("Ann finds it, Bob does not")
        await fay.button("Chat, 1 new message").click()
        await expect(fay.page.get_by_role("log", name="Chat")).to_contain_text("Ann finds it, Bob does not")
        await play(race.ann, MOVES[40:41])
        assert "finds it" not in str(race.ann.room and race.ann.room.view)

        await race.bob.leave()
        await play(race.ann, MOVES[41:-1])
        await eve.expect_board(board_after(len(MOVES) - 1))
        await play(race.ann, MOVES[-1:])
        for watcher in (eve, fay):
            await expect(watcher.shown).to_contain_text(re.compile(r"Ann won in \d"))
            await expect(watcher.page.locator("[data-part=winners]")).to_contain_text("Ann")
        await eve.button("See the boards").click()
        await eve.button("Chart of the race").click()
        await expect(eve.feed).to_contain_text("Bob gave up with")
        await expect(eve.feed).to_contain_text(re.compile(r"Ann won in \d"))
        await race.ann.until(lambda: "finds it" in str(race.ann.room and race.ann.room.view))
        await eve.button("Replay").click()
        await expect(eve.at("replay")).to_be_visible()
        await fay.page.goto(f"/r/{race.code}/1")
        await fay.button("Show the end").first.click()
        await expect(fay.result.locator("tbody tr").first).to_be_visible()
        await eve.verify()
        await inspector.look("replay", eve, fay, whole=True)


async def test_keys_the_tour_and_lanes_change_the_board(address: str, witness: Witness, visit: Visit) -> None:
    witness.forgive("409")
    async with duel(address, game=KEY, deal=str(NUMBER), watch="open") as race:
        # The link of a replay leads to the race while it runs.
        eve = Onlooker(await visit(f"/r/{race.code}/1", {**LANDSCAPE, "viewport": DESKTOP["viewport"]}))
        await expect(eve.page.locator("[data-error=not-over-yet]")).to_be_visible()
        await eve.button("Watch it").click()
        await eve.sees(1, 2)
        await eve.press("2")
        await eve.sees(2)
        await eve.press("2")
        await eve.sees(1, 2)
        await eve.press("ArrowLeft", "Enter")
        await eve.sees(1)
        await eve.press("0", "t")
        await eve.sees(1)
        await expect(eve.button("Tour of all boards")).to_have_attribute("aria-pressed", "true")
        await eve.page.get_by_label("Seconds at each board").select_option("5")
        await eve.sees(2)
        await eve.page.get_by_role("button", name="Pause the tour").click()
        await expect(eve.button("Resume the tour")).to_be_visible()
        await eve.press("Escape")
        await eve.sees(1, 2)
        await eve.press("?")
        await expect(eve.page.get_by_role("dialog")).to_contain_text("tour: show boards where something happens")

        # A board fits on a phone in landscape, and lanes open the others.
        await play(race.bob, MOVES[:5])
        await eve.page.set_viewport_size(LANDSCAPE["viewport"])
        await eve.page.goto(f"/r/{race.code}/w")
        await eve.sees(2)
        await expect(eve.page.locator(".picks .lane").first).to_contain_text("1Bob")
        await eve.expect_board(board_after(5))
        await eve.page.locator("[data-lane='1'] button").tap()
        await eve.sees(1)
        await eve.expect_board(board_after(0))
        assert await eve.page.evaluate("seen.scrolls()") == []


async def test_a_stream_overlay_shows_only_lanes_or_a_board(address: str, visit: Visit) -> None:
    async with quick(address) as ann, quick(address) as bob:
        room = await ann.create("Ann", game=KEY, deal=str(NUMBER), watch="open", countdown=3, auto_start=False)
        wall = Onlooker(await visit(f"/r/{room.code}/o?board=leader&width=800&scale=1.5"))
        lanes = wall.page.locator(".overlay-lanes")
        # Before the start, it lists the people in the room.
        await expect(lanes.locator("li")).to_have_text(["1Ann0"])
        await bob.join("Bob", room.code)
        await expect(lanes.locator("li")).to_have_text(["1Ann0", "1Bob0"])
        await ann.start()
        await asyncio.gather(play(ann), play(bob, MOVES[:25]))
        await expect(wall.page.locator(".overlay-head")).to_contain_text("Bob")
        await expect(lanes.locator("li")).to_have_count(0)
        await wall.expect_board(board_after(25))
        assert (
            await wall.page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgba(0, 0, 0, 0)"
        )
        await wall.page.goto(f"/r/{room.code}/o?lanes=1")
        await expect(lanes.locator("li")).to_have_count(1)
        await expect(lanes).to_contain_text("Bob")
        await play(ann, MOVES)
        await expect(lanes).to_contain_text("Ann")
        await expect(wall.page.get_by_role("button")).to_have_count(0)
        cards = lanes.locator("b")
        await expect(cards).to_have_text("104")
        assert await cards.evaluate("({ scrollWidth, clientWidth }) => scrollWidth - clientWidth") == 0


async def test_right_to_left_names_align_with_the_others(address: str, visit: Visit) -> None:
    async with racers(address, "שלום עולם 12", "Bob", game="lucas") as (ann, _):
        code = seat_of(ann).code
        await play(ann, ["draw"])
        overlay = await visit(f"/r/{code}/o?lanes=2")
        names = overlay.locator(".overlay-lanes bdi")
        await expect(names).to_have_count(2)
        assert len(set(await names.evaluate_all(BEGINNINGS))) == 1
        eve = Onlooker(await visit(f"/r/{code}/w"))
        await eve.sees(1, 2)
        await ann.leave()
        news = eve.page.locator("[data-part=feed] li").first
        await expect(news).to_contain_text("gave up")
        # The sentence has the page's direction, and its words stand after the name.
        assert await news.evaluate("(row) => getComputedStyle(row.lastElementChild).direction") == "ltr"
        await expect(news).to_contain_text("\u2068שלום עולם 12\u2069 gave up")
