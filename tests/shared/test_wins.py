"""The winning lines that tests in Python and in browsers play."""

import json
from pathlib import Path
from typing import Any

import pytest

from fortythieves.rules.board import Board
from fortythieves.rules.cards import PACKS
from fortythieves.rules.deal import LOWEST_NUMBER, deck_of_number
from fortythieves.rules.games import GAMES, game
from fortythieves.rules.move_notation import parse_move

WINS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "shared" / "vectors" / "wins.json").read_text("utf-8")
)


def test_there_is_a_win_of_every_game() -> None:
    assert [win["game"] for win in WINS] == list(GAMES)


@pytest.mark.parametrize("win", WINS, ids=[win["game"] for win in WINS])
def test_a_winning_line_wins_with_its_last_move_and_not_before(win: dict[str, Any]) -> None:
    assert win["number"] >= LOWEST_NUMBER
    board = Board.deal(game(win["game"]), deck_of_number(win["number"]))
    for text in win["moves"]:
        assert board.outcome is None
        board.play(parse_move(text))
    assert board.outcome == "won"
    assert board.home == len(PACKS)
