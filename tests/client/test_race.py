import pytest

from fortythieves.errors import Refused
from fortythieves.rules.board import Board
from fortythieves.rules.cards import names
from fortythieves.rules.deal import deck_of_number
from fortythieves.rules.games import game
from fortythieves_client.race import OwnRace


def test_a_log_of_another_deal_is_refused() -> None:
    board = Board.deal(game("lucas"), deck_of_number(32_001))
    race = OwnRace(1, board.game, [names(column) for column in board.start()])
    with pytest.raises(Refused):
        race.append("W-F", "")
