"""Every page as axe-core sees it: in light and in dark, on a desktop and on a phone."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from axe_playwright_python.async_playwright import Axe  # type: ignore[import-untyped]
from playwright.async_api import expect

from tests.e2e.conftest import PHONE, Arrive, Visit
from tests.e2e.hands import Taps
from tests.e2e.onlooker import Onlooker
from tests.e2e.player import Player
from tests.e2e.prepared import duel, quick, won

#: What keeps somebody out, in axe-core's words.
BAD = {"serious", "critical"}

#: A colour on its way to another is not yet what people see.
ARRIVE = "document.getAnimations().forEach((one) => one.effect.getComputedTiming().endTime < Infinity && one.finish())"

#: In the dark the page is the same but for its colours.
COLOURS_ONLY = "axe.run({runOnly: ['color-contrast'], resultTypes: ['violations']})"


class Inspector:
    """Looks at pages, and writes down what somebody would stumble over."""

    def __init__(self) -> None:
        self.faults: list[str] = []

    async def look(self, name: str, *players: Player) -> None:
        await asyncio.gather(*(self._look(name, player) for player in players))

    async def _look(self, name: str, player: Player) -> None:
        await player.page.emulate_media(color_scheme="light")
        await player.page.evaluate(ARRIVE)
        self._note(f"{name}, {player.name}", (await Axe().run(player.page)).response)
        await player.page.emulate_media(color_scheme="dark")
        await player.page.evaluate(ARRIVE)
        self._note(f"{name}, {player.name}, dark", await player.page.evaluate(COLOURS_ONLY))

    def _note(self, name: str, results: dict[str, Any]) -> None:
        for violation in results["violations"]:
            if violation["impact"] in BAD:
                where = ", ".join(str(node["target"][0]) for node in violation["nodes"])
                self.faults.append(f"{name}: {violation['id']} at {where}")


@pytest.mark.long
async def test_nobody_is_kept_out_of_any_page(unhurried: str, arrive: Arrive) -> None:
    """Ann sits at a desktop and is the host, Bob has a phone."""
    inspector = Inspector()
    at = {"base_url": unhurried}
    ann, bob = await asyncio.gather(arrive("Ann", **at), arrive("Bob", PHONE, Taps(), **at))
    both = ann, bob
    await inspector.look("front", *both)

    await bob.type_code(await ann.create("number-ten"))
    await expect(bob.at("join")).to_be_visible()
    await inspector.look("join", bob)
    await bob.enter()
    await bob.say("Hello, Ann!")
    await expect(ann.page.get_by_text("Hello, Ann!")).to_be_visible()
    await inspector.look("room", *both)
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
    await inspector.look("race", *both)
    for name, close in (("Help", "Close help"), ("Options", "Close")):
        await ann.button(name).click()
        await inspector.look(name, ann)
        await ann.button(close).click()
    await on(both, lambda player: player.give_up())
    await inspector.look("given up", *both)

    await on(both, lambda player: expect(player.at("end")).to_be_visible())
    await ann.button("Verify").click()
    await expect(ann.page.locator(".proof-result[role=status]")).to_contain_text("Verified")
    await inspector.look("end", *both)
    await ann.button("Back to the room").click()
    await inspector.look("room after the race", ann)
    assert inspector.faults == []


async def test_nobody_is_kept_out_of_a_tournament(address: str, arrive: Arrive) -> None:
    inspector = Inspector()
    ann, bob, wall = await asyncio.gather(arrive("Ann"), arrive("Bob", PHONE, Taps()), arrive("Wall"))
    await ann.button("Host a tournament").click()
    await ann.page.get_by_text("More: points").click()
    await inspector.look("hosting", ann)
    await ann.page.get_by_label("Your name").fill("Ann")
    await ann.page.locator("[data-preset=knockout-cup]").click()
    await ann.button("Open the tournament").click()
    code = await ann.code()
    await bob.page.goto(f"/r/{code}")
    await bob.enter()
    await wall.page.goto(f"/r/{code}/p")
    async with quick(address) as cleo:
        await cleo.join("Cleo", code)
        await expect(wall.page.locator("[data-part=entrants] li")).to_have_count(2)
        await ann.button("2 entrants").click()
        await inspector.look("entry", ann, bob, wall)
        await ann.button("Tools for Cleo").click()
        await ann.button("Disqualify").click()
        await inspector.look("a person", ann)
        await ann.button("Close").click()
        await ann.button("Plan").click()
        await inspector.look("the plan", ann)
        await ann.button("Cancel").click()
        await ann.button("Start round 1 now").click()
        await expect(wall.page.locator("[data-part=bracket]")).to_be_visible()
        await inspector.look("drawn", ann, wall)  # Bob is about to race
    assert inspector.faults == []


async def test_nobody_is_kept_out_of_the_other_tab(address: str, arrive: Arrive) -> None:
    inspector = Inspector()
    async with quick(address) as host:
        room = await host.create("Ann")
        bob = await arrive("Bob")
        await bob.join(room.code)
        second = await bob.page.context.new_page()
        await second.goto(f"/r/{room.code}")
        await expect(bob.at("taken-over")).to_be_visible()
        await inspector.look("taken over", bob)
    assert inspector.faults == []


async def test_nobody_is_kept_out_of_watching_and_replays(address: str, visit: Visit) -> None:
    inspector = Inspector()
    async with duel(address, game="lucas") as race:
        path = f"/r/{race.code}/w"
        eve, fay = Onlooker(await visit(path)), Onlooker(await visit(path, PHONE), "Fay")
        await eve.sees(1, 2)
        await fay.sees(1)
        await eve.button("Chat").click()
        await inspector.look("watching", eve, fay)
    path = f"/r/{await won(address, 'lucas')}/1"
    eve, fay = Onlooker(await visit(path)), Onlooker(await visit(path, PHONE), "Fay")
    await fay.button("Show the end").first.click()
    await expect(fay.result.locator("tbody tr").first).to_be_visible()
    await eve.verify()
    await inspector.look("replay", eve, fay)
    assert inspector.faults == []


async def on(players: tuple[Player, ...], do: Callable[[Player], Awaitable[None]]) -> None:
    """Both at once."""
    await asyncio.gather(*(do(player) for player in players))
