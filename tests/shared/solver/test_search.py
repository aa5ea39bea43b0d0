from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fortythieves.rules.board import Board
from fortythieves.rules.cards import PACKS
from fortythieves.rules.deal import deck_of_number
from fortythieves.rules.games import GAMES
from fortythieves.rules.move_notation import parse_move
from fortythieves.solver.search import ASKS_EVERY, search
from tests.examples import examples
from tests.shared.kinds import KINDS
from tests.shared.players import Dice, any_deck, easy_deck, greedy_move, hard_deck
from tests.shared.vectors import read

VECTORS: list[dict[str, Any]] = read("solver")

KEYS = st.sampled_from(list(KINDS))
SEEDS = st.integers(0, 2**32)


def dealt(key: str, number: int = 32_001) -> Board:
    return Board.deal(GAMES[key], deck_of_number(number))


def some_position(key: str, dice: Dice) -> Board:
    game = GAMES[key]
    deck = dice.one_of([any_deck(dice), easy_deck(game, dice), hard_deck(game, dice)])
    board, most = Board.deal(game, deck), dice.below(200)
    while board.outcome is None and board.moves_made < most:
        board.play(greedy_move(board, dice))
    return board


@pytest.mark.parametrize("key", KINDS)
def test_every_game_has_searches_of_every_kind(key: str) -> None:
    vectors = [vector for vector in VECTORS if vector["game"] == key]
    assert {vector["won"] for vector in vectors} == {True, False}
    assert any(vector["before"] for vector in vectors)
    assert any("F" in text for vector in vectors for text in vector["line"])
    assert any("x" in text for vector in vectors for text in vector["line"]) == (GAMES[key].unit != "card")


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: f"{vector['game']}-{vector['width']}")
def test_every_line_in_the_file_can_be_played_and_ends_as_it_says(vector: dict[str, Any]) -> None:
    board = dealt(vector["game"], vector["number"])
    for text in vector["before"] + vector["line"]:
        board.play(parse_move(text))
    assert board.home == vector["home"]
    assert (board.outcome == "won") == vector["won"]


@given(KEYS, SEEDS, st.integers(1, 10))
@examples(16)
def test_a_found_line_is_legal_and_the_work_is_bounded_by_the_width(key: str, seed: int, width: int) -> None:
    board = some_position(key, Dice(seed))
    before, start = board.position, board.home
    most = board.stock_count + 1 + board.redeals_left * (len(PACKS) + 1)
    found = search(board, width)
    assert board.position == before
    assert found.positions <= most * width
    for move in found.moves:
        assert board.outcome is None
        board.play(move)
    assert start <= board.home == found.home
    assert found.won == (board.outcome == "won") == (found.home == len(PACKS))


def test_a_position_that_is_won_needs_no_moves() -> None:
    board = dealt("lucas")
    for move in search(board, 20).moves:
        board.play(move)
    assert search(board, 1) == ((), 104, 0, 1)


def test_a_search_stops_when_it_is_told_to_and_returns_its_best_line_so_far() -> None:
    asked = []

    def third_time() -> bool:
        asked.append(True)
        return len(asked) == 3

    found = search(dealt("forty-thieves"), 100, should_stop=third_time)
    assert found.positions == 2 * ASKS_EVERY
    assert not found.won


def test_the_cards_that_lie_face_down_have_to_be_known() -> None:
    player = Board.of_start(GAMES["indian"], dealt("indian").start())
    with pytest.raises(ValueError, match="knows all cards"):
        search(player, 1)


def test_a_search_has_a_width() -> None:
    with pytest.raises(ValueError, match="width"):
        search(dealt("lucas"), 0)
