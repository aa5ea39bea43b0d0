"""When nothing is left to decide, the rest plays by itself."""

import asyncio

from playwright.async_api import Page, expect

from tests.e2e.conftest import DESKTOP, PHONE, Take
from tests.e2e.player import Player
from tests.e2e.prepared import WINS, alone, duel, play, seat_of

WIN = WINS["number-ten"]
#: The number of final moves that send all cards home.
LEFT = 12
#: The tones of a card that moves home, Hz.
HOME = (523, 784)


async def test_the_finish_is_automatic_and_its_result_is_copied_without_cards(address: str, take: Take) -> None:
    seat = await alone(address, WIN["moves"][:-LEFT], game=WIN["game"], deal=str(WIN["number"]))
    ann = await take(seat, PHONE, newcomer=True, permissions=["clipboard-read", "clipboard-write"])
    ((_, name, state, *_, home, moves),) = await ann.results()
    assert (name, state, home) == ("Ann", "won", "104")
    assert int(moves) <= len(WIN["moves"])
    await ann.button("Copy result").click()
    await ann.is_told("Copied")
    title, result, squares, challenge, link = (await ann.page.evaluate("navigator.clipboard.readText()")).split("\n")
    assert title == "Forty Thieves Race: Number Ten" and result.startswith("Won in ")
    assert len(squares) == 10 and set(squares) <= set("⬜🟨🟧🟩") and squares.endswith("🟩")
    assert challenge.startswith("Can you beat ")
    assert link.endswith(f"/r/{seat.code}/1#play=1")


async def test_safe_cards_move_automatically_if_the_player_wants_that(address: str, take: Take) -> None:
    win = WINS["forty-thieves"]
    first = next(i for i, move in enumerate(win["moves"]) if move.endswith("F"))
    ann = await take(await alone(address, win["moves"][:first], game=win["game"], deal=str(win["number"])))
    await ann.cards_are_dealt()
    home = ann.lane(1).locator(".lane-home b")
    await expect(home).to_have_text("0")
    await ann.button("Options").click()
    await ann.page.locator(".switch", has_text="Play safe cards automatically").click()
    await expect(home).not_to_have_text("0")


#: Writes down the pitch of every tone that the page makes, Hz.
LISTEN = """() => {
    globalThis.tones = []
    const { start } = OscillatorNode.prototype
    OscillatorNode.prototype.start = function (at) {
        tones.push(this.frequency.value)
        start.call(this, at)
    }
}"""


async def tones(page: Page) -> list[float]:
    heard: list[float] = await page.evaluate("tones")
    return heard


async def finish_by_itself(player: Player) -> None:
    """Switch the option on while the last cards lie there."""
    await player.button("Options").click()
    await player.page.locator(".switch", has_text="Finish automatically").click()
    await player.page.keyboard.press("Escape")


async def test_all_players_see_and_hear_a_win(unhurried: str, take: Take) -> None:
    async with duel(unhurried, game=WIN["game"], deal=str(WIN["number"])) as race:
        for client in (race.ann, race.bob):
            await play(client, WIN["moves"][:-LEFT])
            await client.close()
        seats = seat_of(race.ann), seat_of(race.bob, "Bob")
    moving = {**DESKTOP, "reduced_motion": "no-preference"}
    ann, bob = await asyncio.gather(
        *(take(seat, how, base_url=unhurried) for seat, how in zip(seats, (moving, PHONE), strict=True))
    )
    for player in (ann, bob):
        await player.cards_are_dealt()
        await player.page.evaluate(LISTEN)
    await ann.page.keyboard.press("m")
    await ann.is_told("Sound on")

    seen = asyncio.ensure_future(ann.page.wait_for_selector(".cascade-card"))
    await finish_by_itself(ann)
    await seen
    await expect(ann.page.locator("[data-part=won]")).to_contain_text("You won!")
    # The fanfare of a win is higher than the sound of a card. Sounds follow the picture.
    await ann.page.wait_for_function("(highest) => Math.max(...tones) > highest", arg=max(HOME))
    await bob.is_told("Ann won in")
    assert await tones(bob.page) == []

    await finish_by_itself(bob)
    await expect(bob.page.get_by_role("heading", name="You came 2nd")).to_be_visible()
    await expect(bob.page.locator(".cascade")).to_be_hidden()  # the motion is reduced
