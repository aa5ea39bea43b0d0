import random

import pytest

from fortythieves.rules.board import Board
from fortythieves.rules.deal import deck_of_number
from fortythieves.rules.games import GAMES, game
from fortythieves.rules.moves import DRAW, FOUNDATION
from fortythieves_client.bot.levels import LEVELS, next_moves
from tests.client.bot.games import play

DEALS = range(4)


@pytest.mark.parametrize("key", ["limited", "lucas"])
@pytest.mark.long
def test_a_higher_level_brings_more_cards_home(key: str) -> None:
    first, second, third = (sum(play(game(key), level, deal).board.home for deal in DEALS) for level in LEVELS.values())
    assert first < second < third
    # In these two easy games, a bot that plans brings more than half of the cards home.
    assert third > len(DEALS) * 104 / 2


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("key", GAMES)
def test_a_bot_ends_every_game(key: str, level: int) -> None:
    board = play(game(key), LEVELS[level], seed=1).board
    assert board.outcome or not board.stock_count
    assert board.moves_made < 500


def test_a_bot_plays_all_foundation_moves_before_it_gives_up() -> None:
    for seed in DEALS:
        board = play(game("streets"), LEVELS[2], seed).board
        assert not any(move.target == FOUNDATION for move in board.legal_moves)


def test_a_bot_that_overlooks_a_move_draws() -> None:
    board = Board.deal(game("lucas"), deck_of_number(32_001))
    rng = random.Random(1)
    choices = {next_moves(board, LEVELS[1], rng) for _ in range(50)}
    assert len(choices) == 2
    assert (DRAW,) in choices


def test_a_higher_level_is_faster() -> None:
    paces = [level.seconds for level in LEVELS.values()]
    assert paces == sorted(paces, reverse=True)
