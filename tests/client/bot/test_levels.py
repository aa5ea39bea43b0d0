import random

import pytest

from fortythieves.errors import CODES
from fortythieves.rules.board import Board
from fortythieves.rules.deal import deck_of_number
from fortythieves.rules.games import GAMES, game
from fortythieves.rules.move_notation import DRAW, FOUNDATION
from fortythieves_client.bot.levels import LEVELS, NAMES, free_name, level_of, next_moves
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


# names


def test_every_level_has_its_own_names_which_are_not_too_long() -> None:
    assert NAMES.keys() == LEVELS.keys()
    every = [name for names in NAMES.values() for name in names]
    assert len(set(every)) == len(every)
    assert "1 to 24 characters" in CODES["bad-name"]
    assert all(1 <= len(name) <= 20 for name in every)  # and a number behind


def test_no_used_name_is_taken_and_more_bots_are_numbered() -> None:
    assert free_name(3, NAMES[3][1:], random.Random(1)) == NAMES[3][0]
    taken: set[str] = set()
    for _ in range(20):
        taken.add(free_name(3, taken, random.Random(1)))
    assert len(taken) == 20 and "Morgiana 2" in taken


def test_a_name_gives_the_level() -> None:
    assert all(level_of(name) == level_of(f"{name} 2") == level for level, names in NAMES.items() for name in names)
    assert level_of("Ann") in LEVELS
