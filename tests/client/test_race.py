import pytest

from fortythieves.errors import Refused
from fortythieves.rules.board import Board
from fortythieves.rules.cards import HIDDEN, names
from fortythieves.rules.deal import deck_of_number
from fortythieves.rules.games import game
from fortythieves.rules.move_notation import DRAW
from fortythieves_client.race import Entry, OwnRace


def dealt(key: str, number: int = 32_001) -> tuple[Board, OwnRace]:
    """The board of the server and that of its player."""
    board = Board.deal(game(key), deck_of_number(number))
    return board, OwnRace(1, game(key), [names(column) for column in board.start()])


def test_the_board_follows_the_log() -> None:
    board, race = dealt("number-ten")
    for _ in range(40):
        move = next(move for move in board.legal_moves if move != DRAW or board.stock_count > 30)
        race.append(str(move), names(board.play(move)))
    assert (race.board.columns, race.board.waste, race.board.home) == (board.columns, board.waste, board.home)


def test_the_log_has_the_revealed_cards_and_undos() -> None:
    board, race = dealt("lucas")
    turned = board.play(DRAW)
    assert race.append("draw", names(turned)) == Entry("draw", turned)
    race.append("undo", "")
    assert [entry.text for entry in race.log] == ["draw", "undo"]
    assert race.board.waste == () and race.board.stock_count == 57


def test_a_log_from_the_server_sets_the_board() -> None:
    board, race = dealt("rank-and-file")
    entries = [("draw", names(board.play(DRAW))), ("undo", ""), ("draw", names(board.waste))]
    again = OwnRace(1, game("rank-and-file"), [names(column) for column in race.board.start()], entries)
    assert len(again.log) == 3
    assert again.board.waste == board.waste
    assert all(column[:3] == (HIDDEN,) * 3 for column in race.board.columns)


def test_a_log_of_another_deal_is_refused() -> None:
    _, race = dealt("lucas")
    with pytest.raises(Refused):
        race.append("W-F", "")
