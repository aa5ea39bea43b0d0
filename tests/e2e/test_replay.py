"""Replays of a finished race, and practice on its deal."""

import json

import pytest_asyncio
from playwright.async_api import expect

from tests.e2e.conftest import PHONE, Visit, Witness
from tests.e2e.inspector import Inspector
from tests.e2e.player import Onlooker
from tests.e2e.prepared import WINS, board_of, duel, play
from tests.e2e.renders import Renders

KEY = "lucas"
CLIPBOARD = ["clipboard-read", "clipboard-write"]


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def code(address: str) -> str:
    """A room in which Ann has won, and Bob left early."""
    async with duel(address, game=KEY, deal=str(WINS[KEY]["number"])) as race:
        await play(race.bob, WINS[KEY]["moves"][:30])
        await race.bob.leave()
        await play(race.ann, WINS[KEY]["moves"])
        return race.code


async def test_a_replay_hides_the_result_until_the_end(code: str, visit: Visit, inspector: Inspector) -> None:
    eve = Onlooker(await visit(f"/r/{code}/1", permissions=CLIPBOARD))
    await expect(eve.at("replay")).to_be_visible()
    await expect(eve.button("Back to the room")).to_have_count(0)
    await expect(eve.result).to_contain_text("Hidden")
    await expect(eve.page.get_by_text("Later events appear when you get there.")).to_be_visible()
    await eve.page.get_by_label("Align boards").select_option("stock")
    # Slowly, so that Pause is there to be pressed however busy the machine is.
    await eve.page.get_by_label("Speed").select_option("0.5")
    await eve.button("Play").click()
    await expect(eve.place).not_to_have_text("card 0")
    await eve.button("Pause").click()
    await expect(eve.button("Play")).to_be_visible()
    await expect(eve.result).to_contain_text("Hidden")

    await eve.press("Home", "1", ".", ".")
    await eve.sees(1)
    await eve.expect_board(board_of(KEY, WINS[KEY]["moves"][:2]))
    await eve.button("One move back").click()
    await eve.expect_board(board_of(KEY, WINS[KEY]["moves"][:1]))
    await eve.slider.fill("20")
    await expect(eve.place).to_have_text("card 20")
    await eve.button("Link to this moment").click()
    await eve.is_told("Copied")
    link = await eve.page.evaluate("navigator.clipboard.readText()")
    before = await eve.table.shown()

    fay = Onlooker(await visit(link, PHONE), "Fay")
    await expect(fay.place).to_have_text("card 20")
    await fay.sees(1)
    await fay.table.expect_shown(before)
    await fay.fits()
    await fay.press("End")
    await expect(fay.page.locator(".tile-more")).to_contain_text("104")
    await inspector.look_abroad("the end of a board", fay)

    await eve.button("Next event").click()
    await expect(eve.place).not_to_have_text("card 20")
    await eve.press("End")
    await eve.expect_board(board_of(KEY, WINS[KEY]["moves"]))
    await expect(eve.result.locator("tbody tr").first).to_contain_text("Ann")
    await expect(eve.page.get_by_label("Events")).to_contain_text("Ann won in")
    row = eve.result.locator("tbody tr").first
    sizes = await row.locator("th, td").evaluate_all("(cells) => cells.map((cell) => getComputedStyle(cell).fontSize)")
    assert len(set(sizes)) == 1


async def test_the_chart_has_a_table_and_computes_its_lines_only_once(code: str, visit: Visit) -> None:
    eve = Onlooker(await visit("about:blank", PHONE))
    renders = await Renders.of(eve.page, {"chart": "chart-head", "line": "chart-line", "grid": "chart-grid"})
    await eve.page.goto(f"/r/{code}/1")
    await expect(eve.page.locator("[data-part=chart] path.chart-line")).to_have_count(2)
    await eve.button("Show the end").first.click()
    await eve.page.get_by_text("Chart as a table").click()
    first = eve.page.locator(".chart-table tr > :first-child")
    sizes = await first.evaluate_all("(cells) => cells.map((cell) => parseFloat(getComputedStyle(cell).fontSize))")
    assert min(sizes) > 8, "on a phone, too, it is said when it was"
    bobs = board_of(KEY, WINS[KEY]["moves"][:30]).home
    await expect(eve.page.locator(".chart-table tbody tr").last.locator("td")).to_have_text(["104", str(bobs)])

    # By the cards of the stock it plays for a minute, whatever time the race took: Pause is there to be pressed.
    await eve.page.get_by_label("Align boards").select_option("stock")
    await renders.since()
    head = eve.page.locator("path.chart-head")
    for _ in range(3):
        place = await head.get_attribute("d")
        await eve.button("Play").click()
        await expect(head).not_to_have_attribute("d", str(place))
        await eve.button("Pause").click()
    counts = await renders.since()
    assert counts["chart"] >= 3
    assert counts["line"] == counts["grid"] == 0
    # With the whole of it in view, a line is drawn anew where another one is picked out.
    await eve.press("1")
    await expect(eve.page.locator("path.chart-line[data-chosen]")).to_have_count(1)
    assert (await renders.since())["line"] == 2


async def test_the_deal_can_be_played_again_against_everyone_who_raced(code: str, visit: Visit) -> None:
    eve = Onlooker(await visit(f"/r/{code}/1"))
    await expect(eve.page.get_by_label("Ghosts")).to_have_value("all")
    await eve.button("Play this deal").click()
    eve.board = board_of(KEY, number=WINS[KEY]["number"])
    await eve.table.expect(eve.board)
    lanes = eve.page.locator(".race-lanes-wide [data-lane]")
    await expect(lanes).to_have_count(3)
    ann = lanes.filter(has_text="Ann").locator("b:not(.lane-lead)")
    await expect(ann).to_have_text("8")
    # The ghosts are as fast as in the race, from the first move on.
    await eve.play(WINS[KEY]["moves"][0])
    await expect(ann).not_to_have_text("8")
    await eve.page.reload()
    await eve.table.expect(eve.board)
    kept = [f"{code}/1", 294_000, *WINS[KEY]["moves"][:-1]]
    await eve.page.evaluate("(kept) => sessionStorage.setItem('forty-thieves.practice', kept)", json.dumps(kept))
    await eve.page.reload()
    eve.board = board_of(KEY, WINS[KEY]["moves"][:-1])
    await eve.table.expect(eve.board)
    await eve.play(WINS[KEY]["moves"][-1])
    await expect(eve.page.locator("[data-part=late]")).to_have_text("Late: 2nd of 3.")
    await eve.button("Back to the replay").click()
    await expect(eve.at("replay")).to_be_visible()


async def test_a_deleted_race_is_reported_as_missing(visit: Visit, witness: Witness) -> None:
    witness.forgive("404")
    eve = Onlooker(await visit("/r/BCDFGH/1"))
    await expect(eve.page.locator("[data-error=unknown-race]")).to_contain_text("Old records are deleted")
    await expect(eve.page.locator("[data-error=unknown-race]")).to_contain_text("days")
