from collections.abc import Sequence
from typing import NamedTuple

import pytest

from fortythieves.rules.board import Board
from fortythieves.rules.cards import Card
from fortythieves.rules.deal import deck_of_number
from fortythieves.rules.games import GAMES, game
from fortythieves.rules.move_notation import DRAW, FOUNDATION, REDEAL, Move
from fortythieves_client.bot.search import Effort, best_plan, sensible_moves
from fortythieves_client.bot.value import value

HARD = Effort(8, 20, 1_500)
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


class Planned(NamedTuple):
    """A position, its plan, and whether the board is unchanged."""

    full: Board
    mine: Board
    plan: Sequence[Move]
    left_alone: bool


def planned_in(full: Board, mine: Board) -> Planned:
    before = mine.position, mine.moves_made
    plan = best_plan(mine, HARD)
    return Planned(full, mine, plan, (mine.position, mine.moves_made) == before)


@pytest.fixture(scope="module", params=GAMES)
def planned(request: pytest.FixtureRequest) -> list[Planned]:
    """Some positions of a game, made once for all tests because a search is slow."""
    return [planned_in(full, mine) for full, mine in positions(request.param)[::8]]


def test_a_plan_is_legal_and_only_its_last_move_reveals_a_card(planned: list[Planned]) -> None:
    for full, _, plan, _ in planned:
        board = full.copy()
        turning = [bool(board.play(move)) for move in plan]
        assert not any(turning[:-1])


def test_a_plan_improves_the_position(planned: list[Planned]) -> None:
    for full, mine, plan, _ in planned:
        before = value(mine)
        if plan:
            board, seen = full.copy(), mine.copy()
            turned: tuple[int, ...] = ()
            for move in plan:
                turned = board.play(move)
                seen.play(move, turned)
            assert turned or value(seen) < before


def test_a_search_does_not_change_the_board(planned: list[Planned]) -> None:
    assert all(one.left_alone for one in planned)


@pytest.mark.parametrize("planned", ["number-ten", "indian"], indirect=True)
def test_face_down_cards_do_not_change_a_plan(planned: list[Planned]) -> None:
    for full, _, plan, _ in planned:
        assert best_plan(full, HARD) == plan


def test_the_last_cards_are_moved_home(planned: list[Planned]) -> None:
    for full, mine, plan, _ in planned:
        only_home = [move for move in mine.legal_moves if move.target == FOUNDATION]
        if len(only_home) == len(list(sensible_moves(mine))) > 0:
            assert plan[0] in only_home
        assert full.home == mine.home


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
