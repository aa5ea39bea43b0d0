"""The games played in this browser, and the file with them."""

import json
import re
from pathlib import Path

from playwright.async_api import expect

from fortythieves.rules.move_notation import parse_move
from tests.e2e.conftest import PHONE, Visit, Witness
from tests.e2e.inspector import Inspector
from tests.e2e.player import Player
from tests.e2e.prepared import WINS, alone, board_of

GAME = "number-ten"
WIN = WINS[GAME]
NAME = f"{GAME}:{WIN['number']}"

#: Practice shortly before its win, after two wins that an older release has stored.
NEARLY = f"""() => {{
    sessionStorage.setItem('forty-thieves.practice', `{json.dumps([NAME, 294_000, *WIN["moves"][:-3]])}`)
    const results = [{{ game: '{GAME}', deal: '{NAME}', streak: 2, best: 100_000, known: null }}]
    localStorage.setItem('forty-thieves.practice', JSON.stringify(results))
}}"""


async def test_games_are_kept_saved_deleted_and_added_again(
    visit: Visit, address: str, inspector: Inspector, tmp_path: Path
) -> None:
    page = await visit("/")
    player = Player(page, "Ann")
    best = page.locator("[data-part=best]")

    async def win(path: str) -> None:
        await page.goto(path)
        player.board = board_of(GAME, WIN["moves"][:-3])
        await player.table.expect(player.board)
        await player.play(*WIN["moves"][-3:-1])
        await player.hand.play(player.table, parse_move(WIN["moves"][-1]))

    await page.evaluate(NEARLY)
    await win(f"/practice#{NAME.replace(':', '=')}")
    await expect(best).to_have_text("Your best time: 1:40.0 · 3 wins in a row")
    seat = await alone(address, WIN["moves"][:-3], game=GAME, deal=str(WIN["number"]))
    await seat.put_into(page.context)
    await win(f"/r/{seat.code}")
    await expect(best).to_have_text(re.compile(r"^Your best time in Number Ten: \d+:\d\d\.\d$"))
    await expect(page.locator("[data-part=par]")).to_have_text(re.compile(r"^Par \d+: what a good house bot reaches"))

    await page.goto("/")
    await player.button("Your games").click()
    me = player.at("me")
    practice = me.locator("[data-part=practice] tbody tr")
    await expect(practice).to_have_text(re.compile(r"Number Ten3\s*3 \(100%\)1:40\.03\s*3"))
    await expect(me.locator("[data-part=race] tbody tr")).to_have_count(1)
    await expect(me.locator("[data-play]")).to_have_count(2)
    await expect(me.locator(f"[data-play='{seat.code}/1'] a").first).to_have_attribute("href", f"/r/{seat.code}/1")
    await inspector.look("the own games", player)

    async with page.expect_download() as download:
        await player.button("Save as a file").click()
    saved = tmp_path / "mine.json"
    await (await download.value).save_as(saved)
    await player.button("Delete everything").click()
    await me.locator(".ask").get_by_role("button", name="Delete everything").click()
    await expect(me).to_contain_text("Nothing yet")
    await expect(practice).to_have_count(0)

    large = tmp_path / "large.json"
    with large.open("wb") as file:
        file.truncate(50_000_000)
    torn = tmp_path / "torn.json"
    torn.write_text(saved.read_text()[:-9])
    field = page.get_by_label("Add a file")
    for path, fault in ((large, "too large"), (torn, "damaged")):
        await field.set_input_files(path)
        await expect(me.get_by_role("alert")).to_contain_text(fault)
    for _ in range(2):
        await field.set_input_files(saved)
        await expect(me.get_by_role("status").filter(has_text="The file is added")).to_be_visible()
        await expect(practice).to_have_text(re.compile(r"Number Ten3\s*3 \(100%\)"))
        await page.reload()
    await expect(me.locator("[data-play]")).to_have_count(2)


async def test_a_player_goes_on_with_a_phone(
    visit: Visit, address: str, inspector: Inspector, witness: Witness
) -> None:
    seat = await alone(address, game=GAME, deal=str(WIN["number"]))
    desk, phone = Player(await visit("/me", seat=seat), "Ann"), Player(await visit("/me", PHONE), "Ann")
    async with desk.page.expect_response("**/api/carry") as answer:
        await desk.button("Show a code").click()
    await expect(desk.page.locator("[data-part=carry] svg[role=img]")).to_be_visible()
    await inspector.look("the code for another device", desk)

    link = f"{address}/me#carry={(await (await answer.value).json())['code']}"
    await phone.page.goto(link)
    await expect(phone.page.locator("[data-part=carried]")).to_contain_text("Only go on if you made this link yourself")
    await inspector.look("a player from another device", phone)
    await phone.button("Go on here").click()
    await expect(phone.page.locator("[data-part=carried]")).to_have_count(0)
    await phone.page.goto(f"{address}/r/{seat.code}")
    await phone.table.expect(board_of(GAME))

    witness.forgive("401")
    await phone.page.goto(link)
    await phone.button("Go on here").click()
    await expect(phone.page.get_by_role("alert")).to_contain_text("used before")
