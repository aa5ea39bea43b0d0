"""Whole races by hand, in one game of each kind."""

from typing import Any, NamedTuple

import pytest
from playwright.async_api import expect

from fortythieves.rules.move_notation import parse_move
from tests.e2e.conftest import DESKTOP, LANDSCAPE, Take
from tests.e2e.hands import Clicks, DoubleClicks, DoubleTaps, Drags, Hand, InTurns, Keys, Taps, TouchDrags
from tests.e2e.prepared import WINS, duel, play, quick, seat_of


class Kind(NamedTuple):
    """A game, the screen and inputs of its player, and how many moves are made by hand at first."""

    game: str
    screen: dict[str, Any]
    hand: Hand
    first: int
    #: Draws of a program before the moves that win: once through the stock of 64 cards, and back to where it began.
    draws: int = 0


#: Each first part has every kind of move of its game.
KINDS = {
    "single cards": Kind("lucas", DESKTOP, InTurns(Clicks(), Drags(), DoubleClicks()), 12),
    "face-down cards and sequences": Kind(
        "number-ten", {**DESKTOP, "has_touch": True}, InTurns(Keys(), TouchDrags(), Keys(), Drags()), 21
    ),
    "draw three, and redeals": Kind("little-forty", LANDSCAPE, InTurns(Taps(), TouchDrags(), DoubleTaps()), 23, 22),
}

#: Moves by hand at the end.
LAST = 3


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
@pytest.mark.long
async def test_a_player_wins_by_every_kind_of_move_and_input(kind: Kind, address: str, take: Take) -> None:
    number, moves = WINS[kind.game]["number"], WINS[kind.game]["moves"]
    async with duel(address, game=kind.game, deal=str(number), undo="free", time_limit=14_400) as race:
        draws = ["draw"] * kind.draws
        await play(race.ann, draws)
        await race.ann.close()
        ann = await take(seat_of(race.ann), kind.screen, kind.hand)
        await ann.deal(kind.game, number, draws)
        if draws:
            await ann.play("redeal")
        await ann.play(*moves[:4], "undo", *moves[3 : kind.first])
        await ann.moves_are_kept()
        between = moves[kind.first : -LAST]
        async with quick(address, race.ann.token) as elsewhere:
            await elsewhere.join("Ann", race.code)
            await play(elsewhere, between)
        await ann.page.reload()
        await ann.cards_are_dealt()
        await ann.has_played(*between)
        await ann.play(*moves[-LAST:-1])
        await race.bob.leave()
        # With this one the race is over, and the table gone.
        await ann.hand.play(ann.table, parse_move(moves[-1]))
        (first, name, state, *_, home, _), (second, rival, its_state, *_) = await ann.results()
        assert (first, name, state, home) == ("1", "Ann", "won", "104")
        assert (second, rival, its_state) == ("–", "Bob", "gave up")
        await expect(ann.page.get_by_role("heading", name="You won!")).to_be_visible()
