"""The moves of load-test bots are legal."""

from itertools import islice

import pytest

from fortythieves.rules.deal import deck_of_number
from fortythieves.rules.games import game
from fortythieves.times import Ms
from fortythieves_client.load import play
from fortythieves_server.core.playthrough import Playthrough


@pytest.mark.parametrize("deal", play.DEALS)
def test_every_random_or_good_game_is_legal_and_never_ends_the_game(deal: str) -> None:
    random = [(play.GAME, play.random_game(deal, f"1 {deal} {way}")) for way in range(play.WAYS)]
    for key, way in [*random, *((play.SHOWN, play.good_game(deal, level, 1)) for level in (1, 2, 3))]:
        playthrough = Playthrough(game(key), deck_of_number(int(deal)), "free", Ms(0))
        for k, text in enumerate(islice(play.endless(way), 300)):
            playthrough.play(text)
            playthrough.confirm(Ms(k), "")
            assert not playthrough.progress.outcome


def test_the_same_seed_plays_the_same() -> None:
    assert play.random_game("32001", "a") == play.random_game("32001", "a")
    assert play.random_game("32001", "a") != play.random_game("32001", "b")
