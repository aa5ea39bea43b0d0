"""Every page passes axe-core, and holds the texts of a test language (`inspector`).

The main pages pass in the dark, too; client/web/test/table/colours.test.js has the contrast of all colours.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping

import pytest
from playwright.async_api import expect

from fortythieves.rules.move_notation import parse_move
from tests.e2e.conftest import PHONE, Arrive, Take, Visit
from tests.e2e.hands import Keys, Taps
from tests.e2e.inspector import Inspector
from tests.e2e.player import Onlooker, Player
from tests.e2e.prepared import WINS, Seat, duel, play, quick


@pytest.mark.long
async def test_all_pages_of_a_race_are_accessible(unhurried: str, arrive: Arrive, inspector: Inspector) -> None:
    """Ann sits at a desktop and is the host, Bob has a phone."""
    at = {"base_url": unhurried}
    ann, bob = await asyncio.gather(arrive("Ann", **at), arrive("Bob", PHONE, Taps(), **at))
    both = ann, bob
    await inspector.look("front", *both, whole=True)

    await bob.type_code(await ann.create("number-ten"))
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
    await on(both, lambda player: player.be_ready())
    await on(both, lambda player: expect(player.page.locator(".countdown-number")).to_be_visible())
    await inspector.look("countdown", *both)
    await on(both, lambda player: player.cards_are_dealt())
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
    await on(both, lambda player: player.give_up())
    await inspector.look("given up", *both)

    await on(both, lambda player: expect(player.at("end")).to_be_visible())
    await ann.button("Verify").click()
    await expect(ann.page.locator(".proof-result[role=status]")).to_contain_text("Verified")
    await inspector.look("end", *both, whole=True)
    await on(both, lambda player: player.button("Back to the room").click())
    await ann.button("Rematch").click()
    await inspector.look("room after the race", *both)
    await bob.page.get_by_role("button", name="Replay").click()
    await expect(bob.page.locator(".head .rematch-words")).to_have_text("Ann wants a rematch.")
    await inspector.look("replay for somebody with a seat", bob)


@pytest.mark.long
async def test_the_pages_of_a_tournament_are_accessible(address: str, arrive: Arrive, inspector: Inspector) -> None:
    ann, bob, wall = await asyncio.gather(
        arrive("Ann"), arrive("Bob", PHONE, Taps(), by_link=True), arrive("Wall", by_link=True)
    )
    await ann.button("Host a tournament").click()
    await ann.page.get_by_text("More: points").click()
    await inspector.look("hosting", ann)
    await ann.page.get_by_label("Your name").fill("Ann")
    await ann.page.locator("[data-preset=knockout-cup]").click()
    await ann.button("Open the tournament").click()
    code = await ann.code()
    await bob.page.goto(f"/r/{code}")
    await expect(bob.page.locator("[data-part=door]")).to_contain_text("Knock-out")
    await inspector.look("the door", bob)
    await bob.enter()
    await wall.page.goto(f"/r/{code}/p")
    async with quick(address) as cleo:
        await cleo.join("Cleo", code)
        await expect(wall.page.locator("[data-part=entrants] li")).to_have_count(2)
        await ann.button("3 people").click()
        await inspector.look("entry", ann, bob, wall)
        await ann.button("Tools for Cleo").click()
        await ann.button("Disqualify").click()
        await inspector.look("a person", ann)
        await ann.button("Close").click()
        await ann.button("Announce …").click()
        await inspector.look("announcing", ann)
        await ann.button("Close").click()
        await ann.button("Plan").click()
        await inspector.look("the plan", ann)
        await ann.button("Cancel").click()
        await ann.button("Start round 1 now").click()
        await expect(wall.page.locator("[data-part=bracket]")).to_be_visible()
        await inspector.look("drawn", ann, wall)  # Bob is about to race
        await ann.button("Print …").click()
        await expect(ann.at("sheets")).to_be_visible()
        await inspector.look("sheets to print", ann)


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
    """Ann wins, and Bob stays away."""
    win = WINS["limited"]
    async with duel(address, game="limited", deal=str(win["number"])) as race:
        await play(race.ann, win["moves"][:-9])
        await race.ann.close()
        ann = await take(Seat(race.code, race.ann.token or "", "Ann"), hand=Keys())
        await ann.cards_are_dealt()
        await ann.button("Options").click()
        await ann.page.locator(".switch", has_text="Four colours").click()
        await ann.page.emulate_media(forced_colors="active")
        await tells_apart(ann, OPTIONS_TOLD_APART)
        await ann.button("Close").click()
        await ann.page.keyboard.press("Digit8")
        await ann.page.keyboard.press("ArrowRight")
        await tells_apart(ann, TABLE_TOLD_APART)
        await ann.page.keyboard.press("Escape")
        await ann.page.emulate_media(forced_colors="none")
        for move in win["moves"][-9:]:
            await ann.hand.play(ann.table, parse_move(move))
        await expect(ann.status).to_contain_text("Won in")
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


@pytest.mark.long
async def test_watching_and_replays_are_accessible(address: str, visit: Visit, inspector: Inspector) -> None:
    win = WINS["lucas"]
    async with duel(address, game="lucas", deal=str(win["number"])) as race:
        path = f"/r/{race.code}/w"
        eve, fay = Onlooker(await visit(path)), Onlooker(await visit(path, PHONE), "Fay")
        await eve.sees(1, 2)
        await fay.sees(1)
        await eve.button("Chat").click()
        await inspector.look("watching", eve, fay, whole=True)
        await play(race.bob, win["moves"][:30])
        await race.bob.leave()
        await play(race.ann, win["moves"])
        await asyncio.gather(*(watcher.page.goto(f"/r/{race.code}/1") for watcher in (eve, fay)))
    await fay.button("Show the end").first.click()
    await expect(fay.result.locator("tbody tr").first).to_be_visible()
    await eve.verify()
    await inspector.look("replay", eve, fay, whole=True)


async def tells_apart(player: Player, pairs: Mapping[str, tuple[str, str, str]]) -> None:
    looks = {what: await player.page.evaluate(LOOKS, list(pair)) for what, pair in pairs.items()}
    assert {what: one for what, (one, other) in looks.items() if one == other} == {}


async def on(players: tuple[Player, ...], do: Callable[[Player], Awaitable[None]]) -> None:
    await asyncio.gather(*(do(player) for player in players))
