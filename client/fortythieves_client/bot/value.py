"""How good a position looks to somebody who knows these games: lower is better, nothing left to do is 0.

A column is worth the same wherever it lies, so columns are looked up and a position is mostly a sum. The weights were
found by playing: random changes were kept when they brought more cards home over a hundred random deals of each game,
and what came out was rounded and held against other deals. A bonus for cards that are built as the rule wants it was
tried, and came out as nothing: that a card is in nobody's way says it all.
"""

from collections.abc import Sequence
from functools import lru_cache

from fortythieves.rules.board import Board
from fortythieves.rules.cards import HIDDEN, PACKS, Card, rank, suit

#: A card that is not home.
NOT_HOME = 1.0
#: A card in a column that lies on a lower one of its own suit: it has to go elsewhere before that one can go home.
BLOCKS = 0.9
#: A card on a lower one of any suit, for each rank between, up to `FAR`.
BURIES = 0.02
BURIES_IN_WASTE = 0.1
FAR = 6
#: A card in the waste, from where cards go only one by one and in their order.
IN_WASTE = 0.2
#: A card that is not known yet.
FACE_DOWN = 4.4
#: The first empty column, and each further one.
EMPTY, MORE_EMPTY = -2.0, -0.2

#: Stands for a card that is just being turned up: it is there, and nothing is known for or against it.
TURNING: Card = -2

_NO_CARD = 99


@lru_cache(maxsize=200_000)
def column_value(column: tuple[Card, ...]) -> float:
    """What is wrong with a column."""
    value = 0.0
    lowest_of_suit = [_NO_CARD] * 4
    lowest = _NO_CARD
    for card in column:
        if card < 0:
            value += FACE_DOWN if card == HIDDEN else 0.0
            continue
        height, its_suit = rank(card), suit(card)
        if lowest_of_suit[its_suit] < height:
            value += BLOCKS
        else:
            lowest_of_suit[its_suit] = height
        if lowest < height:
            value += BURIES * min(FAR, height - lowest)
        else:
            lowest = height
    return value


@lru_cache(maxsize=50_000)
def waste_value(waste: tuple[Card, ...]) -> float:
    """What is wrong with the waste."""
    value = IN_WASTE * len(waste)
    lowest = _NO_CARD
    for card in waste:
        height = rank(card)
        if lowest < height:
            value += BURIES_IN_WASTE * min(FAR, height - lowest)
        else:
            lowest = height
    return value


def value_of(columns: Sequence[tuple[Card, ...]], waste: tuple[Card, ...], home: int) -> float:
    """What is wrong with a position."""
    value = (len(PACKS) - home) * NOT_HOME + waste_value(waste)
    empty = 0
    for column in columns:
        if column:
            value += column_value(column)
        else:
            value += MORE_EMPTY if empty else EMPTY
            empty += 1
    return value


def value(board: Board) -> float:
    """What is wrong with a board as its player sees it."""
    return value_of(board.columns, board.waste, board.home)
