"""A won race, also in forced colours, and practice. Other tests let an inspector look at the other pages."""

import re
from collections.abc import Mapping

from playwright.async_api import expect

from tests.e2e.conftest import Take
from tests.e2e.hands import Keys
from tests.e2e.inspector import Inspector
from tests.e2e.player import Player
from tests.e2e.prepared import WINS, board_of, duel, play, seat_of

#: Pairs of elements that must differ in high contrast, with their CSS property.
OPTIONS_TOLD_APART = {
    "a chosen option": (".segments input:checked + span", ".segments input:not(:checked) + span", "outlineStyle"),
    "a switch that is on": (".switch input:checked", ".switch input:not(:checked)", "backgroundColor"),
}
TABLE_TOLD_APART = {
    "red suits": (".ft-face[data-suit=H] .ft-pip", ".ft-face[data-suit=S] .ft-pip", "fill"),
    "a card in the hand": (".ft-lifted .ft-face", ".ft-up:not(.ft-lifted) .ft-face", "backgroundColor"),
    "a card that would take it": (".ft-card.ft-lit", ".ft-card:not(.ft-lit)", "outlineStyle"),
    "the pile with the focus": (".ft-pile:focus::after", ".ft-pile:not(:focus)::after", "outlineStyle"),
    "how far a bar is": (".bar-full", ".bar", "backgroundColor"),
    "one's own lane": (".lane[data-own]", ".lane:not([data-own])", "outlineStyle"),
}
LOOKS = """([one, other, property]) => [one, other].map((place) => {
    const [selector, part] = place.split(/(?=::)/)
    return getComputedStyle(document.querySelector(selector), part)[property]
})"""


async def test_a_won_race_and_forced_colours_are_accessible(address: str, take: Take, inspector: Inspector) -> None:
    win = WINS["limited"]
    async with duel(address, game="limited", deal=str(win["number"])) as race:
        await play(race.ann, win["moves"][:-9])
        await race.ann.close()
        ann = await take(seat_of(race.ann), hand=Keys())
        await ann.cards_are_dealt()
        await ann.button("Options").click()
        await ann.page.locator(".switch", has_text="Four colours").click()
        await ann.page.emulate_media(forced_colors="active")
        await tells_apart(ann, OPTIONS_TOLD_APART)
        await ann.button("Close").click()
        await expect(ann.page.get_by_role("dialog")).to_be_hidden()
        await ann.page.mouse.move(1, 1)  # where the button was lies the waste, and a pointer there spreads it out
        await ann.page.keyboard.press("Digit8")
        await ann.page.keyboard.press("ArrowRight")
        await expect(ann.page.locator(".ft-lifted").first).to_be_visible()
        await tells_apart(ann, TABLE_TOLD_APART)
        await ann.page.keyboard.press("Escape")
        await ann.page.emulate_media(forced_colors="none")
        ann.board = board_of("limited", win["moves"][:-9])
        await ann.play(*win["moves"][-9:])
        await expect(ann.status).to_contain_text(re.compile(r"Won in \d+:\d\d\.\d\."))
        await expect(ann.status).to_contain_text("1 still racing.")
        await expect(ann.lane(1)).to_contain_text("104")
        await race.bob.close()
        await expect(ann.lane(2)).to_contain_text("away")
        await ann.page.keyboard.press("n")
        await expect(ann.page.locator("[data-part=news]")).to_contain_text("Bob")
        await inspector.look("won, and a rival away", ann)
        await ann.page.goto("/practice")
        await expect(ann.button("Deal")).to_be_visible()
        await inspector.look("practice without a server", ann)
        await ann.button("Deal").click()
        await expect(ann.at("practice")).to_be_visible()
        await inspector.look("practice", ann)


async def tells_apart(player: Player, pairs: Mapping[str, tuple[str, str, str]]) -> None:
    looks = {what: await player.page.evaluate(LOOKS, list(pair)) for what, pair in pairs.items()}
    assert {what: one for what, (one, other) in looks.items() if one == other} == {}
