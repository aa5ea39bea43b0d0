"""Whole races between two people, one of each kind of game, from the front page to the results."""

import asyncio
import re
from typing import Any, NamedTuple

import pytest
from playwright.async_api import expect

from fortythieves.rules.move_notation import DRAW, parse_move
from fortythieves_client.client import Client
from tests.e2e.conftest import DESKTOP, LANDSCAPE, PHONE, Arrive
from tests.e2e.hands import Clicks, DoubleClicks, DoubleTaps, Drags, Hand, InTurns, Keys, Taps, TouchDrags
from tests.e2e.player import Player
from tests.e2e.prepared import WINS, play


class Equipment(NamedTuple):
    screen: dict[str, Any]
    hand: Hand


class Kind(NamedTuple):
    """A game, the players with their screens and inputs, and how many moves the winner makes by hand at first."""

    game: str
    winner: Equipment
    loser: Equipment
    first: int
    #: Draws before the moves that win: once through the stock of 64 cards, and back to where it began.
    draws: int = 0


#: Each first part has every kind of move of its game.
KINDS = {
    "single cards": Kind(
        "lucas", Equipment(DESKTOP, InTurns(Clicks(), Drags(), DoubleClicks())), Equipment(PHONE, Taps()), 12
    ),
    "face-down cards and sequences": Kind(
        "number-ten", Equipment(DESKTOP, Keys()), Equipment(LANDSCAPE, TouchDrags()), 21
    ),
    "draw three, and redeals": Kind(
        "little-forty",
        Equipment(LANDSCAPE, InTurns(Taps(), TouchDrags(), DoubleTaps())),
        Equipment(DESKTOP, Drags()),
        23,
        22,
    ),
}

#: Moves by hand at the end.
LAST = 3


@pytest.fixture(scope="session")
def address(unhurried: str) -> str:
    return unhurried


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
@pytest.mark.long
async def test_two_players_race_to_the_end(kind: Kind, arrive: Arrive) -> None:
    number, moves = WINS[kind.game]["number"], WINS[kind.game]["moves"]
    ann, bob = await asyncio.gather(arrive("Ann", *kind.winner), arrive("Bob", *kind.loser, by_link=True))
    code = await ann.create(kind.game)
    await bob.join(code)
    await ann.change(deal="", deal_number=str(number), undo="free", countdown="3")
    await asyncio.gather(ann.be_ready(), bob.be_ready())
    await asyncio.gather(ann.deal(kind.game, number), bob.deal(kind.game, number))

    await asyncio.gather(win(ann, code, kind, moves), lose(bob, moves))

    await expect(bob.at("end")).to_be_visible()
    for player in (ann, bob):
        (first, name, state, *_, home, _), (second, rival, its_state, *_) = await player.results()
        assert (first, name, state, home) == ("1", "Ann", "won", "104")
        assert (second, rival, its_state) == ("2", "Bob", "gave up")
    await expect(ann.page.get_by_role("heading", name="You won!")).to_be_visible()
    await expect(bob.page.get_by_role("heading", name="You finished 2nd")).to_be_visible()

    if kind.game == "lucas":
        await ann.button("Rematch").click()
        await expect(bob.page.get_by_text("Ann wants a rematch.")).to_be_visible()
        await bob.button("Rematch").click()
        for player in (ann, bob):
            await expect(player.page.get_by_role("heading", name="race 2")).to_be_attached()
            await expect(player.at("race")).to_be_visible()


async def win(player: Player, code: str, kind: Kind, moves: list[str]) -> None:
    """Play to the end by hand, except for moves of a program from the same seat in the middle."""
    for _ in range(kind.draws):
        await player.hand.play(player.table, DRAW)
    if kind.draws:
        await player.has_played(*["draw"] * kind.draws)
        await player.play("redeal")
    await player.play(*moves[: kind.first])
    await player.moves_are_kept()
    between = moves[kind.first : -LAST]
    token = await player.page.evaluate("localStorage.getItem('forty-thieves.token')")
    async with Client(player.page.url, token=token) as elsewhere:
        await elsewhere.join(player.name, code)
        await play(elsewhere, between)
    await player.page.reload()
    await player.cards_are_dealt()
    await player.has_played(*between)
    await player.play(*moves[-LAST:-1])
    # With this one the race may be over, and the table gone.
    await player.hand.play(player.table, parse_move(moves[-1]))


async def lose(player: Player, moves: list[str]) -> None:
    """Play some moves, take one back, give up, think better of it, and give up when the other is well on the way."""
    await player.play(*moves[:4], "undo", *moves[3:5])
    await player.give_up()
    await expect(player.lane(2)).to_contain_text("giving up")
    await player.page.get_by_role("button", name="Take it back").click()
    await expect(player.status).not_to_contain_text("gave up")
    await player.play(*moves[5:6])
    await expect(player.lane(1).locator(".lane-home b")).to_have_text(re.compile("^([3-9].|10.)$"), timeout=600_000)
    await player.give_up()
