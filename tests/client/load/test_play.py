"""What the bots of a load play is legal, to the last move and beyond."""

from itertools import islice

import pytest

from fortythieves.rules.deal import deck_of_number
from fortythieves.rules.games import game
from fortythieves.times import Ms
from fortythieves_client.load import play
from fortythieves_server.core.playthrough import Playthrough


@pytest.mark.parametrize("deal", play.DEALS)
def test_every_way_of_playing_is_legal_and_never_ends_the_game(deal: str) -> None:
    for way in range(play.WAYS):
        playthrough = Playthrough(game(play.GAME), deck_of_number(int(deal)), "free", Ms(0))
        for k, text in enumerate(islice(play.for_ever(play.way_of_playing(deal, f"1 {deal} {way}")), 300)):
            playthrough.play(text)
            playthrough.confirm(Ms(k))
            assert not playthrough.progress.outcome


def test_the_same_seed_plays_the_same() -> None:
    assert play.way_of_playing("32001", "a") == play.way_of_playing("32001", "a")
    assert play.way_of_playing("32001", "a") != play.way_of_playing("32001", "b")
