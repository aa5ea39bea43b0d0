"""The analysis of a replay, and winnable deals for practice."""

import re

from playwright.async_api import expect

from tests.e2e.conftest import PHONE, Visit
from tests.e2e.player import Onlooker
from tests.e2e.prepared import WINS, board_of, duel, play
from tests.shared.solver.make_solver import greedy

KEY = "lucas"
NUMBER = WINS[KEY]["number"]


def lost() -> list[str]:
    """A log without plans."""
    return list(map(str, greedy(KEY, NUMBER, 150)))


async def test_a_missed_win_is_played_on_the_board(address: str, visit: Visit) -> None:
    async with duel(address, game=KEY, deal=str(NUMBER)) as race:
        await play(race.bob, lost())
        await race.bob.leave()
        await play(race.ann, WINS[KEY]["moves"])
    eve = Onlooker(await visit(f"/r/{race.code}/1", PHONE))
    part = eve.page.locator("[data-part=possible]")
    await expect(eve.result).to_contain_text("Hidden")
    await expect(part).to_have_count(0)  # it would tell the end
    await eve.button("Show the end").first.click()
    await part.get_by_label("Racer").select_option(label="Bob")
    await part.get_by_label("Compare with").select_option(label="Ann")
    work = part.get_by_role("button", name="Work it out")
    # The search is stopped before it can end.
    await work.evaluate("(button) => { button.click(); requestAnimationFrame(() => button.click()) }")
    await expect(part.locator("[data-is=stopped]")).to_be_visible()
    assert not eve.page.workers
    await work.click()
    await expect(part.locator("[data-is=done]")).to_be_visible()

    win = await part.locator("[data-part=win]").inner_text()
    until = re.fullmatch(r"A win was still there until move (\d+)\.", win)
    assert until, win
    await expect(part.locator("[data-part=hindsight]")).to_contain_text(
        f"{board_of(KEY, lost()).home} of the 104 cards"
    )
    await expect(part.locator("[data-part=fair]")).to_contain_text("%")
    await part.get_by_text("Curve as a table").click()
    row = part.get_by_role("row", name=re.compile(f"^{until[1]} "))
    await expect(row.locator("td").first).to_have_text("104")

    await part.get_by_role("button", name="Play the win from there").click()
    line = eve.page.locator("[data-part=line]")
    await expect(line.get_by_role("heading")).to_be_focused()
    await line.get_by_role("button", name="Pause").click()
    await eve.press("Home")
    await eve.expect_board(board_of(KEY, lost()[: int(until[1])]))
    await eve.press("End")
    await expect(line).to_contain_text("104 home")
    await eve.press("Escape")
    await expect(part.get_by_role("button", name="Play the win from there")).to_be_focused()
    await eve.fits()

    parted = next(n for n, (one, other) in enumerate(zip(lost(), WINS[KEY]["moves"], strict=False)) if one != other)
    await part.get_by_role("button", name="See Bob there").click()
    await eve.sees(2)
    await eve.expect_board(board_of(KEY, lost()[: parted + 1]))


async def test_a_winnable_deal_has_winning_hints_and_a_winning_line(visit: Visit) -> None:
    eve = Onlooker(await visit("/", PHONE))
    await eve.button("Choose a deal").click()
    part = eve.page.locator("[data-part=winnable]")
    await part.get_by_label("Stars").select_option("1")
    await part.get_by_role("button", name="Find a deal").click()
    await expect(eve.page.locator("[data-part=stars]")).to_contain_text("★")
    number = int(re.search(r"=(\d+)$", eve.page.url)[1])  # type: ignore[index]
    start = board_of(KEY, number=number)
    await eve.expect_board(start)
    await eve.press("t")
    await expect(eve.page.locator(".ft-hint").first).to_be_attached()
    await eve.button("Solution").click()
    line = eve.page.locator("[data-part=line]")
    await line.get_by_role("button", name="Pause").click()
    await eve.press("End")
    await expect(line).to_contain_text("104 home")
    await line.get_by_role("button", name="Back to your board").click()
    await eve.expect_board(start)
    await eve.fits()


async def test_a_hint_to_draw_frames_the_stock(visit: Visit) -> None:
    eve = Onlooker(await visit("/practice#lucas=405128649", PHONE))
    await eve.expect_board(board_of("lucas", number=405128649))
    await eve.press("t")
    await expect(eve.page.locator(".ft-bubble.ft-seen")).to_have_text("Draw from the stock.")
    await expect(eve.page.locator(".ft-hint")).to_have_count(1)


async def test_giving_up_shows_a_win_that_the_solver_finds(visit: Visit) -> None:
    eve = Onlooker(await visit(f"/practice#{KEY}={NUMBER}", PHONE))
    await eve.expect_board(board_of(KEY, number=NUMBER))
    await eve.button("Solution").click()
    await expect(eve.page.locator("[data-part=line]")).to_be_visible()
