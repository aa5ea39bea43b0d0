"""The three house bots: a level is a row, and all of them look ahead in the same way, some further."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from fortythieves.rules.board import Board
from fortythieves.rules.moves import DRAW, FOUNDATION, REDEAL
from fortythieves_client.bot.search import Effort, Plan, best_plan


@dataclass(frozen=True, slots=True)
class Level:
    """How well and how fast somebody plays."""

    effort: Effort
    #: The effort when every card has been drawn: then nothing is unknown, and there is nothing else to do.
    last_effort: Effort
    #: How often, from 0 to 1, a chance is overlooked and the next card drawn instead.
    overlooks: float
    #: Seconds from one move to the next, in the mean.
    seconds: float


#: Level 1 takes the next best thing, if it sees it; level 2 thinks two moves ahead, most of the time; level 3 plans.
#: How well that goes is measured by tests/tools/measure_bots.py.
LEVELS: Mapping[int, Level] = MappingProxyType(
    {
        1: Level(Effort(1, 1, 100), Effort(1, 1, 100), overlooks=0.3, seconds=3.0),
        2: Level(Effort(2, 3, 80), Effort(2, 6, 200), overlooks=0.15, seconds=2.0),
        3: Level(Effort(8, 20, 1500), Effort(14, 30, 3000), overlooks=0.0, seconds=1.0),
    }
)


def next_moves(board: Board, level: Level, rng: random.Random) -> Plan:
    """What to play now: some moves in a row, of which only the last may turn a card; empty to give up."""
    turning = DRAW if board.stock_count else REDEAL if REDEAL in board.legal_moves else None
    if turning and rng.random() < level.overlooks:
        return (turning,)
    if plan := best_plan(board, level.effort if turning else level.last_effort):
        return plan
    if turning:
        return (turning,)
    # However good it looks to keep a card: in the end it is the cards at home that count.
    return next(((move,) for move in board.legal_moves if move.target == FOUNDATION), ())
