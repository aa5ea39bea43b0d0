"""How good a position looks to somebody who knows these games: lower is better, nothing left to do is 0.

A pile is worth the same wherever it lies, so piles are looked up and a position is mostly a sum. The weights were
found by playing: random changes were kept when they brought more cards home over hundreds of random deals.
"""

from collections.abc import Sequence
from functools import lru_cache

from fortythieves.board import Board
from fortythieves.cards import HIDDEN, Card, rank, suit
from fortythieves.games import BUILD_RULES

#: A card that is not home.
NOT_HOME = 1.0
#: A card that lies on a lower one of its own suit: it has to go elsewhere before that one can go home.
BLOCKS = 1.0
#: The same in the waste, which all cards leave in the order they came.
BLOCKS_WASTE = 0.6
#: A card on a lower one of any suit, for each rank between, up to `FAR`.
BURIES = 0.05
BURIES_WASTE = 0.035
FAR = 6
#: A card that lies where the building rule wants it: it neither is in the way nor needs a place.
BUILT = -0.3
#: A card that is not known yet.
FACE_DOWN = 0.5
#: Stands for a card that is just being turned up: it is there, and nothing is known for or against it.
TURNING: Card = -2
#: The first empty column, and each further one.
EMPTY, MORE_EMPTY = -1.5, -1.0


@lru_cache(maxsize=200_000)
def column_value(column: tuple[Card, ...], build: str) -> float:
    """What is wrong with a column."""
    suits_meet = BUILD_RULES[build].suits_meet
    value = 0.0
    lowest_of_suit = [FAR * 10] * 4
    lowest = FAR * 10
    below = HIDDEN
    for card in column:
        if card < 0:
            value += FACE_DOWN if card == HIDDEN else 0.0
            continue
        height, its_suit = rank(card), suit(card)
        if lowest_of_suit[its_suit] < height:
            value += BLOCKS
        if lowest < height:
            value += BURIES * min(FAR, height - lowest)
        if below >= 0 and rank(below) == height + 1 and suits_meet(card, below):
            value += BUILT
        lowest_of_suit[its_suit] = min(lowest_of_suit[its_suit], height)
        lowest = min(lowest, height)
        below = card
    return value


@lru_cache(maxsize=50_000)
def waste_value(waste: tuple[Card, ...]) -> float:
    """What is wrong with the waste."""
    value = 0.0
    lowest_of_suit = [FAR * 10] * 4
    lowest = FAR * 10
    for card in waste:
        height, its_suit = rank(card), suit(card)
        if lowest_of_suit[its_suit] < height:
            value += BLOCKS_WASTE
        if lowest < height:
            value += BURIES_WASTE * min(FAR, height - lowest)
        lowest_of_suit[its_suit] = min(lowest_of_suit[its_suit], height)
        lowest = min(lowest, height)
    return value


def value_of(columns: Sequence[tuple[Card, ...]], waste: tuple[Card, ...], home: int, build: str) -> float:
    """What is wrong with a position."""
    value = (104 - home) * NOT_HOME + waste_value(waste)
    empty = 0
    for column in columns:
        if column:
            value += column_value(column, build)
        else:
            value += MORE_EMPTY if empty else EMPTY
            empty += 1
    return value


def value(board: Board) -> float:
    """What is wrong with a board as its player sees it."""
    return value_of(board.columns, board.waste, board.home, board.game.build)
