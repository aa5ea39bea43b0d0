"""Moves, and their one text form: ``draw``, ``redeal``, ``W-F`` (waste to its foundation), ``W-3`` (waste to column 3),
``3-F``, ``3-7`` (one card) and ``3-7x4`` (a sequence of four).
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from fortythieves.errors import Refused, shown
from fortythieves.rules.cards import KING
from fortythieves.rules.games import MOST_COLUMNS

#: The pile numbers that are not columns. The columns are 1, 2, 3 ...
STOCK, FOUNDATION, WASTE = -2, -1, 0

_LETTERS = {FOUNDATION: "F", WASTE: "W"}


class Move(NamedTuple):
    """One move. It prints as its text: ``Move(3, 7, 4)`` is ``3-7x4``."""

    source: int
    target: int
    count: int = 1  # type: ignore[assignment]  # replaces tuple.count, which has no use here

    def __str__(self) -> str:
        if self == DRAW:
            return "draw"
        if self == REDEAL:
            return "redeal"
        source, target = (_LETTERS.get(pile, str(pile)) for pile in (self.source, self.target))
        return f"{source}-{target}" if self.count == 1 else f"{source}-{target}x{self.count}"

    def __repr__(self) -> str:
        return str(self)


#: Draws the next cards of the stock, as many as the game draws at a time.
DRAW = Move(STOCK, WASTE)
#: Turns the waste over into the stock.
REDEAL = Move(WASTE, STOCK)


def _every_move() -> Iterator[Move]:
    yield DRAW
    yield REDEAL
    columns = range(1, MOST_COLUMNS + 1)
    for source in (WASTE, *columns):
        yield Move(source, FOUNDATION)
        for target in columns:
            if target != source:
                # A sequence has one card of each rank at most. From the waste, only one card moves at a time.
                for count in range(1, KING + 1 if source != WASTE else 2):
                    yield Move(source, target, count)


#: Every text that is a move in some game. Each move has exactly one text.
MOVES: Mapping[str, Move] = MappingProxyType({str(move): move for move in _every_move()})


def parse_move(text: str) -> Move:
    """The move with this text. Raises `Refused` for any other text."""
    try:
        return MOVES[text]
    except (KeyError, TypeError):
        raise Refused("bad-move", move=shown(text)) from None
