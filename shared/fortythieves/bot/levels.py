"""The three levels of house bots. All levels use the same search with different effort."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from fortythieves.bot.search import Effort, Plan, best_plan
from fortythieves.rules.board import Board
from fortythieves.rules.move_notation import DRAW, FOUNDATION, REDEAL


@dataclass(frozen=True, slots=True)
class Level:
    effort: Effort
    #: The effort after all cards have been drawn: then nothing is unknown, and there is nothing else to do.
    last_effort: Effort
    #: The probability that it overlooks a move and draws the next card instead.
    overlooks: float
    #: Seconds between two moves, on average.
    seconds: float


#: Level 1 plays the next best move, if it sees it. Level 2 usually thinks two moves ahead. Level 3 plans.
LEVELS: Mapping[int, Level] = MappingProxyType(
    {
        1: Level(Effort(1, 1, 100), Effort(1, 1, 100), overlooks=0.3, seconds=3.0),
        2: Level(Effort(2, 3, 80), Effort(2, 6, 200), overlooks=0.15, seconds=2.0),
        3: Level(Effort(8, 20, 1500), Effort(14, 30, 3000), overlooks=0.0, seconds=1.0),
    }
)


def next_moves(board: Board, level: Level, chance: Callable[[], float]) -> Plan:
    """The next moves, of which only the last may reveal a card. Empty to give up. ``chance``: 0 to 1, without 1."""
    turning = DRAW if board.stock_count else REDEAL if REDEAL in board.legal_moves else None
    if turning and chance() < level.overlooks:
        return (turning,)
    if plan := best_plan(board, level.effort if turning else level.last_effort):
        return plan
    if turning:
        return (turning,)
    # Keeping a card may look better, but only the cards on the foundations count in the end.
    return next(((move,) for move in board.legal_moves if move.target == FOUNDATION), ())
