"""Whole races between two people, one of each kind of game, from the front page to the rematch."""

import asyncio
import re
from typing import Any, NamedTuple

import pytest
from playwright.async_api import expect

from fortythieves.rules.moves import parse_move
from fortythieves_client.client import Client
from tests.e2e.conftest import DESKTOP, LANDSCAPE, PHONE, Arrive
from tests.e2e.hands import Clicks, DoubleClicks, DoubleTaps, Drags, Hand, InTurns, Keys, Taps, TouchDrags
from tests.e2e.player import Player
from tests.e2e.prepared import WINS, play


class Equipment(NamedTuple):
    screen: dict[str, Any]
    hand: Hand


#: The players with their screens and inputs, and the games: the winner first.
KINDS = {
    "single cards": ("lucas", Equipment(DESKTOP, InTurns(Clicks(), Drags(), DoubleClicks())), Equipment(PHONE, Taps())),
    "face-down cards and sequences": ("number-ten", Equipment(DESKTOP, Keys()), Equipment(LANDSCAPE, TouchDrags())),
    "draw three, and redeals": (
        "little-forty",
        Equipment(LANDSCAPE, InTurns(Taps(), TouchDrags(), DoubleTaps())),
        Equipment(DESKTOP, Drags()),
    ),
}


#: Before the moves that win, once through the stock of 64 cards and back to where it began.
WARM_UP = {"little-forty": ["draw"] * 22 + ["redeal"]}

#: Moves by hand at the start with every kind of move, and at the end.
FIRST, LAST = 26, 5


@pytest.fixture(scope="session")
def address(unhurried: str) -> str:
    return unhurried


@pytest.mark.parametrize(("key", "anns", "bobs"), KINDS.values(), ids=KINDS)
@pytest.mark.long
async def test_two_players_race_to_the_end_and_start_a_rematch(
    key: str, anns: Equipment, bobs: Equipment, arrive: Arrive
) -> None:
    number, moves = WINS[key]["number"], WINS[key]["moves"]
    ann, bob = await asyncio.gather(arrive("Ann", *anns), arrive("Bob", *bobs, by_link=True))
    code = await ann.create(key)
    await bob.join(code)
    await ann.change(deal="", deal_number=str(number), undo="free", countdown="3")
    await asyncio.gather(ann.be_ready(), bob.be_ready())
    await asyncio.gather(ann.deal(key, number), bob.deal(key, number))

    await asyncio.gather(win(ann, code, WARM_UP.get(key, []), moves), lose(bob, moves))

    await expect(bob.at("end")).to_be_visible()
    for player in (ann, bob):
        (first, name, state, *_, home, _), (second, rival, its_state, *_) = await player.results()
        assert (first, name, state, home) == ("1", "Ann", "won", "104")
        assert (second, rival, its_state) == ("2", "Bob", "gave up")
    await expect(ann.page.get_by_role("heading", name="You won!")).to_be_visible()
    await expect(bob.page.get_by_role("heading", name="You finished 2nd")).to_be_visible()

    await ann.button("Rematch").click()
    await expect(bob.page.get_by_text("Ann wants a rematch.")).to_be_visible()
    await bob.button("Rematch").click()
    for player in (ann, bob):
        await expect(player.page.get_by_role("heading", name="race 2")).to_be_attached()
        await expect(player.at("race")).to_be_visible()


async def win(player: Player, code: str, warm_up: list[str], moves: list[str]) -> None:
    """Play to the end by hand, except for moves of a program from the same seat in the middle."""
    first, between, last = moves[:FIRST], moves[FIRST:-LAST], moves[-LAST:]
    await player.play(*warm_up, *first)
    before = await player.table.picture()
    await player.moves_are_kept()
    await player.page.reload()
    await player.cards_are_dealt()
    await player.has_played()
    assert await player.table.picture() == before
    token = await player.page.evaluate("localStorage.getItem('forty-thieves.token')")
    async with Client(player.page.url, token=token) as elsewhere:
        await elsewhere.join(player.name, code)
        await play(elsewhere, between)
    await player.page.reload()
    await player.cards_are_dealt()
    await player.has_played(*between)
    await player.play(*last[:-1])
    # With this one the race may be over, and the table gone.
    await player.hand.play(player.table, parse_move(last[-1]))


async def lose(player: Player, moves: list[str]) -> None:
    """Play some moves, take one back, give up, think better of it, and give up when the other is well on the way."""
    await player.play(*moves[:8], "undo", *moves[7:10])
    await player.give_up()
    await expect(player.lane(2)).to_contain_text("giving up")
    await player.page.get_by_role("button", name="Take it back").click()
    await expect(player.status).not_to_contain_text("gave up")
    await player.play(*moves[10:12])
    await expect(player.lane(1).locator(".lane-home b")).to_have_text(re.compile("^([3-9].|10.)$"), timeout=600_000)
    await player.give_up()
