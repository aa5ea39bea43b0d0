from collections.abc import Sequence

import pytest

from fortythieves.bot.search import Effort, best_plan, sensible_moves
from fortythieves.bot.value import value
from fortythieves.rules.board import Board
from fortythieves.rules.cards import Card
from fortythieves.rules.deal import deck_of_number
from fortythieves.rules.games import game
from fortythieves.rules.move_notation import DRAW, FOUNDATION, REDEAL, Move
from tests.shared.kinds import KINDS

HARD = Effort(6, 10, 500)
EASY = Effort(2, 4, 50)


def positions(key: str, number: int = 32_001) -> list[tuple[Board, Board]]:
    """The positions of a game that follows the plans: with all cards, and with the visible ones."""
    full = Board.deal(game(key), deck_of_number(number))
    mine = Board.of_start(game(key), full.start())
    found = []
    while full.outcome is None and full.stock_count:
        found.append((full.copy(), mine.copy()))
        for move in best_plan(mine, EASY) or (DRAW,):
            mine.play(move, full.play(move))
    return found


@pytest.mark.parametrize("key", KINDS)
def test_a_plan_improves_the_position_and_only_its_last_move_reveals_a_card(key: str) -> None:
    for full, mine in positions(key)[::16]:
        before, moves = (mine.position, mine.moves_made), [*mine.legal_moves]
        plan = best_plan(mine, HARD)
        assert (mine.position, mine.moves_made) == before, "a search does not change the board"
        only_home = [move for move in moves if move.target == FOUNDATION]
        if len(only_home) == len(list(sensible_moves(mine))) > 0:
            assert plan[0] in only_home, "the last cards are moved home"
        if plan:
            board, seen = full.copy(), mine.copy()
            turned = [seen.play(move, board.play(move)) for move in plan]
            assert not any(turned[:-1])
            assert turned[-1] or value(seen) < value(mine)
        if key in ("number-ten", "indian"):
            assert best_plan(full, HARD) == plan, "face-down cards do not change a plan"


def test_moves_between_equal_columns_are_not_searched() -> None:
    board = Board.deal(game("lucas"), deck_of_number(32_001))
    while () not in board.columns:
        board.play(next(iter((*best_plan(board, HARD), DRAW))))
    empty = board.columns.index(()) + 1
    for move in sensible_moves(board):
        assert move not in (DRAW, REDEAL)
        if move.target > 0 and not board.columns[move.target - 1]:
            assert move.target == empty
            assert move.source == 0 or move.count < len(board.columns[move.source - 1])


def test_a_search_stops_at_its_limit_of_positions() -> None:
    looked_at = 0

    class Counting(Board):
        def play(self, move: Move, turned: Sequence[Card] = ()) -> tuple[Card, ...]:
            nonlocal looked_at
            looked_at += 1
            return super().play(move, turned)

    board = Counting.deal(game("little-forty"), deck_of_number(32_001))
    best_plan(board, Effort(50, 1_000, 300))
    assert 0 < looked_at < 400
