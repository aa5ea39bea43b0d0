import pytest

from fortythieves.rules.games import GAMES, game
from tests.refusals import refusal
from tests.shared.reference import ACES_OUT, TABLE

BUILD = {"same suit": "same-suit", "a different suit": "different-suit", "alternating colour": "alternating-colour"}
UNIT = {"one card": "card", "sequences": "sequence"}


def test_the_games_are_those_of_the_table_in_its_order() -> None:
    assert list(GAMES) == list(TABLE)


@pytest.mark.parametrize("key", TABLE)
def test_a_game_is_what_its_row_says(key: str) -> None:
    columns, cards, face_down, build, unit, draw, redeals = TABLE[key]
    row = GAMES[key]
    assert (row.columns, row.cards, row.face_down) == (columns, cards, face_down)
    assert (row.build, row.unit, row.draw, row.redeals) == (BUILD[build], UNIT[unit], draw, redeals)
    assert row.aces_out == (key in ACES_OUT)


@pytest.mark.parametrize("key", ["", "Lucas", "klondike", "lucas ", None, [], {}, 7])
def test_an_unknown_game_is_refused(key: str) -> None:
    assert refusal(game, key) == "unknown-game"
