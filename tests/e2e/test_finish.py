"""When nothing is left to decide, the rest plays by itself."""

from playwright.async_api import expect

from tests.e2e.conftest import PHONE, Take
from tests.e2e.prepared import WINS, alone

WIN = WINS["number-ten"]
#: So many moves before the end of this win, all cards that are left can go home.
LEFT = 12


async def test_what_is_left_goes_home_by_itself_as_moves_that_the_server_judges(address: str, take: Take) -> None:
    seat = await alone(address, WIN["moves"][:-LEFT], game=WIN["game"], deal=str(WIN["number"]))
    ann = await take(seat, PHONE, by_hand=False)
    ((_, name, state, *_, home, moves),) = await ann.results()
    assert (name, state, home) == ("Ann", "solved", "104")
    assert int(moves) <= len(WIN["moves"])


async def test_a_result_is_copied_without_a_card_and_with_the_way_to_the_replay(address: str, take: Take) -> None:
    seat = await alone(address, WIN["moves"][:-1], game=WIN["game"], deal=str(WIN["number"]))
    ann = await take(seat, by_hand=False, permissions=["clipboard-read", "clipboard-write"])
    await ann.results()
    await ann.button("Copy result").click()
    await expect(ann.button("Copied")).to_be_visible()
    title, result, bars, link = (await ann.page.evaluate("navigator.clipboard.readText()")).split("\n")
    assert title == "Forty Thieves Race: Number Ten" and result.startswith("solved in ")
    assert len(bars) == 10 and set(bars) <= set("▁▂▃▄▅▆▇█")
    assert link.endswith(f"/r/{seat.code}/1")


async def test_the_option_can_be_switched_on_while_the_last_cards_lie_there(address: str, take: Take) -> None:
    seat = await alone(address, WIN["moves"][:-LEFT], game=WIN["game"], deal=str(WIN["number"]))
    ann = await take(seat)
    await ann.cards_are_dealt()
    await ann.button("Options").click()
    await ann.page.locator(".switch", has_text="Finish by itself").click()
    await expect(ann.at("end")).to_be_visible()
