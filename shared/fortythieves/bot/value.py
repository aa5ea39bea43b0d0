"""The value of a position for an experienced player: lower is better, and 0 is a win.

A column has the same value in any place, so columns are looked up and a position is mostly a sum. The weights come from
play: random changes were kept if they brought more cards home in a hundred random deals of each game. The results were
rounded and checked on other deals (tests/tools). A bonus for well-built sequences was tried and made no difference.
"""

from collections.abc import Sequence
from functools import lru_cache

from fortythieves.rules.board import Board
from fortythieves.rules.cards import ACE, HIDDEN, PACKS, Card, suit
from fortythieves.rules.games import order

#: For each card that is not home.
NOT_HOME = 1.0
#: For each card in a column above a lower card of its suit: it must move away before that one can go home.
BLOCKS = 0.9
#: For each card above a lower card of any suit, per rank of difference, up to `FAR`.
BURIES = 0.02
BURIES_IN_WASTE = 0.1
FAR = 6
#: For each card in the waste, which can only leave one at a time and in order.
IN_WASTE = 0.2
#: For each unknown card.
FACE_DOWN = 4.4
#: For the first empty column, and for each further one.
EMPTY, MORE_EMPTY = -2.0, -0.2

#: The placeholder of a card that is being revealed.
TURNING: Card = -2

_NO_CARD = 99


@lru_cache(maxsize=200_000)
def column_value(column: tuple[Card, ...], base: int = ACE) -> float:
    value = 0.0
    lowest_of_suit = [_NO_CARD] * 4
    lowest = _NO_CARD
    for card in column:
        if card < 0:
            value += FACE_DOWN if card == HIDDEN else 0.0
            continue
        height, its_suit = order(card, base), suit(card)
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
def waste_value(waste: tuple[Card, ...], base: int = ACE) -> float:
    value = IN_WASTE * len(waste)
    lowest = _NO_CARD
    for card in waste:
        height = order(card, base)
        if lowest < height:
            value += BURIES_IN_WASTE * min(FAR, height - lowest)
        else:
            lowest = height
    return value


def value_of(columns: Sequence[tuple[Card, ...]], waste: tuple[Card, ...], home: int, base: int = ACE) -> float:
    """``base``: the rank of the first card of each foundation."""
    value = (len(PACKS) - home) * NOT_HOME + waste_value(waste, base)
    empty = 0
    for column in columns:
        if column:
            value += column_value(column, base)
        else:
            value += MORE_EMPTY if empty else EMPTY
            empty += 1
    return value


def value(board: Board) -> float:
    return value_of(board.columns, board.waste, board.home, board.base)
