"""The three levels of house bots, and their names. All levels use the same search with different effort."""

import random
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import count
from types import MappingProxyType

from fortythieves.rules.board import Board
from fortythieves.rules.move_notation import DRAW, FOUNDATION, REDEAL
from fortythieves_client.bot.search import Effort, Plan, best_plan


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


def next_moves(board: Board, level: Level, rng: random.Random) -> Plan:
    """The next moves, of which only the last may reveal a card. Empty to give up."""
    turning = DRAW if board.stock_count else REDEAL if REDEAL in board.legal_moves else None
    if turning and rng.random() < level.overlooks:
        return (turning,)
    if plan := best_plan(board, level.effort if turning else level.last_effort):
        return plan
    if turning:
        return (turning,)
    # Keeping a card may look better, but only the cards on the foundations count in the end.
    return next(((move,) for move in board.legal_moves if move.target == FOUNDATION), ())


#: By level, from the tale that gave the game its name and from the Arabian Nights: the forgetful, the lucky, the wise.
NAMES: Mapping[int, tuple[str, ...]] = MappingProxyType(
    {
        1: ("Kasim", "Mustafa", "Maruf", "Hasan", "Jalila", "Bakbuk"),
        2: ("Ali", "Sindbad", "Aladdin", "Abdallah", "Zubayda", "Badr"),
        3: ("Morgiana", "Shahrazad", "Dunyazad", "Tawaddud", "Zumurrud", "Dalila"),
    }
)


def level_of(name: str) -> int:
    """The level of a bot with this name. 2 for other names."""
    return next((level for level, names in NAMES.items() if name.split(" ", maxsplit=1)[0] in names), 2)


def free_name(level: int, taken: Collection[str], rng: random.Random) -> str:
    """A free name. If all are taken, one with a number."""
    names = NAMES[level]
    free = [name for name in names if name not in taken]
    if free:
        return rng.choice(free)
    numbered = (f"{name} {number}" for number in count(2) for name in names)
    return next(name for name in numbered if name not in taken)
