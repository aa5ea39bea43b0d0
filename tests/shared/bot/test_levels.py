import random

import pytest

from fortythieves.bot.levels import LEVELS, Level, next_moves
from fortythieves.bot.par import play_on
from fortythieves.rules.board import Board
from fortythieves.rules.deal import SECRET_BYTES, deck_of_number, deck_of_secret
from fortythieves.rules.games import Game, game
from fortythieves.rules.move_notation import DRAW, FOUNDATION
from tests.shared.kinds import KINDS


def play(game: Game, level: Level, seed: int) -> Board:
    """The final board of a game on a secret deal, by a bot that sees what a player sees."""
    rng = random.Random(seed)
    board = Board.deal(game, deck_of_secret(rng.randbytes(SECRET_BYTES), []))
    play_on(board, Board.of_start(game, board.start()), level, rng.random)
    return board


def test_a_higher_level_brings_more_cards_home(soak: bool) -> None:
    deals = range(4 if soak else 2)
    for key in ["limited", "lucas"] if soak else ["lucas"]:
        homes = [sum(play(game(key), level, deal).home for deal in deals) for level in LEVELS.values()]
        assert homes[0] < homes[1] < homes[2]
        assert homes[2] > len(deals) * 104 / 2, "a bot that plans brings half of the cards home in these easy games"


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("key", KINDS)
def test_a_bot_ends_every_game(key: str, level: int) -> None:
    board = play(game(key), LEVELS[level], seed=1)
    assert board.outcome or not board.stock_count
    assert board.moves_made < 500


def test_a_bot_plays_all_foundation_moves_before_it_gives_up() -> None:
    for seed in range(4):
        board = play(game("streets"), LEVELS[2], seed)
        assert not any(move.target == FOUNDATION for move in board.legal_moves)


def test_a_bot_that_overlooks_a_move_draws() -> None:
    board = Board.deal(game("lucas"), deck_of_number(32_001))
    rng = random.Random(1)
    choices = {next_moves(board, LEVELS[1], rng.random) for _ in range(50)}
    assert len(choices) == 2
    assert (DRAW,) in choices
