from collections.abc import Sequence

import pytest

from fortythieves.board import Board
from fortythieves.cards import Card
from fortythieves.deal import deck_of_number
from fortythieves.games import GAMES, game
from fortythieves.moves import DRAW, FOUNDATION, REDEAL, Move
from fortythieves_client.bot.search import Effort, best_plan, sensible_moves
from fortythieves_client.bot.value import value

HARD = Effort(8, 20, 1_500)
EASY = Effort(2, 4, 50)


def positions(key: str, number: int = 32_001) -> list[tuple[Board, Board]]:
    """Positions of a game as somebody plays it who follows the plans: with all cards, and with those that are seen."""
    full = Board.deal(game(key), deck_of_number(number))
    mine = Board.of_start(game(key), full.start())
    found = []
    while full.outcome is None and full.stock_count:
        found.append((full.copy(), mine.copy()))
        for move in best_plan(mine, EASY) or (DRAW,):
            mine.play(move, full.play(move))
    return found


@pytest.mark.parametrize("key", GAMES)
def test_a_plan_can_be_played_and_only_its_last_move_turns_a_card(key: str) -> None:
    for full, mine in positions(key)[::8]:
        plan = best_plan(mine, HARD)
        turning = [bool(full.play(move)) for move in plan]
        assert not any(turning[:-1])


@pytest.mark.parametrize("key", GAMES)
def test_a_plan_ends_better_than_it_begins_so_nobody_goes_round_in_circles(key: str) -> None:
    for full, mine in positions(key)[::8]:
        before = value(mine)
        if plan := best_plan(mine, HARD):
            turned: tuple[int, ...] = ()
            for move in plan:
                turned = full.play(move)
                mine.play(move, turned)
            assert turned or value(mine) < before


@pytest.mark.parametrize("key", ["lucas", "rank-and-file", "little-forty"])
def test_looking_ahead_leaves_the_board_as_it_was(key: str) -> None:
    for _, mine in positions(key)[::8]:
        before = mine.position, mine.moves_made
        best_plan(mine, HARD)
        assert (mine.position, mine.moves_made) == before


@pytest.mark.parametrize("key", ["number-ten", "indian"])
def test_who_knows_the_cards_that_lie_face_down_plans_no_better(key: str) -> None:
    for full, mine in positions(key)[::8]:
        assert best_plan(full, HARD) == best_plan(mine, HARD)


@pytest.mark.parametrize("key", GAMES)
def test_a_card_that_can_go_home_to_an_end_goes_home(key: str) -> None:
    for full, mine in positions(key)[::8]:
        only_home = [move for move in mine.legal_moves if move.target == FOUNDATION]
        if len(only_home) == len(list(sensible_moves(mine))) > 0:
            assert best_plan(mine, HARD)[0] in only_home
        assert full.home == mine.home


def test_moves_that_only_swap_what_is_alike_are_not_looked_at() -> None:
    board = Board.deal(game("lucas"), deck_of_number(32_001))
    while () not in board.columns:
        board.play(next(iter((*best_plan(board, HARD), DRAW))))
    empty = board.columns.index(()) + 1
    for move in sensible_moves(board):
        assert move not in (DRAW, REDEAL)
        if move.target > 0 and not board.columns[move.target - 1]:
            assert move.target == empty
            assert move.source == 0 or move.count < len(board.columns[move.source - 1])


def test_no_more_moves_are_looked_at_than_the_effort_allows() -> None:
    looked_at = 0

    class Counting(Board):
        def play(self, move: Move, turned: Sequence[Card] = ()) -> tuple[Card, ...]:
            nonlocal looked_at
            looked_at += 1
            return super().play(move, turned)

    board = Counting.deal(game("little-forty"), deck_of_number(32_001))
    best_plan(board, Effort(50, 1_000, 300))
    assert 0 < looked_at < 400
