"""Players and decks for tests. They depend only on their arguments."""

import random
from collections.abc import Sequence
from typing import TypeVar

from fortythieves.rules.board import Board
from fortythieves.rules.cards import ACE, PACKS, Card
from fortythieves.rules.games import Game, order
from fortythieves.rules.move_notation import DRAW, FOUNDATION, Move

T = TypeVar("T")


class Dice:
    """Random numbers that are the same in every version of Python: only `Random.random` guarantees this."""

    def __init__(self, seed: int) -> None:
        self._next = random.Random(seed).random

    def below(self, n: int) -> int:
        return int(self._next() * n)

    def one_of(self, things: Sequence[T]) -> T:
        return things[self.below(len(things))]

    def happens(self, chance: float) -> bool:
        return self._next() < chance


def any_deck(dice: Dice) -> list[Card]:
    deck = list(PACKS)
    for i in range(103, 0, -1):
        j = dice.below(i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def easy_deck(game: Game, dice: Dice, swaps: int = 6) -> list[Card]:
    """A deck that is often easy to win: low cards on high ones in the tableau, and the other cards drawn from the
    lowest to the highest. A few cards trade places.
    """
    by_rank, in_tableau = _by_rank(game), sum(game.heights)
    aces, others = (by_rank[:8], by_rank[8:]) if game.bases_out else ([], by_rank)
    return _with_swaps(others[: -in_tableau - 1 : -1] + others[:-in_tableau] + aces, dice, swaps)


def hard_deck(game: Game, dice: Dice, swaps: int = 6) -> list[Card]:
    """A deck that is soon stuck: the lowest cards at the bottom of the columns, the kings on top of them."""
    by_rank, below_kings = _by_rank(game), max(0, sum(game.heights) - 8)
    aces, others = (by_rank[:8], by_rank[8:-8]) if game.bases_out else ([], by_rank[:-8])
    stock = others[below_kings:] + aces
    shuffled = [stock.pop(dice.below(len(stock))) for _ in range(len(stock))]
    return _with_swaps(others[:below_kings] + by_rank[-8:] + shuffled, dice, swaps)


def _by_rank(game: Game) -> list[Card]:
    """The cards in the order in which they go home."""
    return sorted(PACKS, key=lambda card: order(card, game.base or ACE))


def _with_swaps(deck: list[Card], dice: Dice, swaps: int) -> list[Card]:
    for _ in range(swaps):
        i, j = dice.below(104), dice.below(104)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def greedy_move(board: Board, dice: Dice) -> Move:
    """A legal move: to a foundation if possible, else mostly a draw, else any move."""
    moves = sorted(board.legal_moves)
    home = [move for move in moves if move.target == FOUNDATION]
    if home:
        return dice.one_of(home)
    if DRAW in moves and dice.happens(0.8):
        return DRAW
    return dice.one_of(moves)
