"""Search over the visible cards for the best series of moves before the next unknown card is revealed.

It is a beam search: of all positions after some moves, only the best few are searched further. It stops when a card is
revealed, because that card is unknown. A series is only returned if it ends better than it began, so a bot never
moves in circles.
"""

from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple

from fortythieves.bot.value import TURNING, value, value_of
from fortythieves.rules.board import Board
from fortythieves.rules.cards import Card
from fortythieves.rules.move_notation import FOUNDATION, STOCK, WASTE, Move

Plan = tuple[Move, ...]

#: A plan must improve the position by more than the rounding error of sums in different order.
BETTER = 1e-6


class Effort(NamedTuple):
    """The limits of a search: moves ahead, positions kept at each step, and positions examined in total."""

    depth: int
    width: int
    positions: int


class _Node(NamedTuple):
    value: float
    board: Board
    plan: Plan


class _Child(NamedTuple):
    value: float
    node: _Node
    move: Move
    #: Whether a card is revealed, so that the search cannot go on.
    turns: bool


def best_plan(board: Board, effort: Effort) -> Plan:
    """The moves to the best position found. Empty if the present one is the best."""
    best, plan = value(board) - BETTER, Plan()
    seen = {_key(board.columns, board.waste)}
    nodes = [_Node(best, board, plan)]
    looked_at = 0
    for _ in range(effort.depth):
        children: list[_Child] = []
        for node in nodes:
            if looked_at >= effort.positions:
                return plan
            for child in _children(node, seen):
                looked_at += 1
                if child.value < best:
                    best, plan = child.value - BETTER, (*node.plan, child.move)
                if not child.turns:
                    children.append(child)
        children.sort(key=lambda child: child.value)
        nodes = [_played(child) for child in children[: effort.width]]
    return plan


def _children(node: _Node, seen: set[int]) -> Iterator[_Child]:
    """The position after each move, if it is new."""
    board = node.board
    for move in sensible_moves(board):
        if board.reveals(move):
            yield _Child(_value_when_turned(board, move), node, move, turns=True)
            continue
        board.play(move)
        columns, waste, home = board.columns, board.waste, board.home
        board.undo()
        key = _key(columns, waste)
        if key not in seen:
            seen.add(key)
            yield _Child(value_of(columns, waste, home, board.base), node, move, turns=False)


def _played(child: _Child) -> _Node:
    board = child.node.board.copy()
    board.play(child.move)
    return _Node(child.value, board, (*child.node.plan, child.move))


def sensible_moves(board: Board) -> Iterator[Move]:
    """The legal moves of visible cards, but only one of several equal ones to empty columns."""
    columns = board.columns
    first_empty = columns.index(()) + 1 if () in columns else None
    for move in board.legal_moves:
        source, target, count = move
        if source == STOCK or target == STOCK:
            continue
        if target > WASTE and not columns[target - 1]:
            if target != first_empty:
                continue
            if source != WASTE and count == len(columns[source - 1]):
                continue
        yield move


def _key(columns: tuple[tuple[Card, ...], ...], waste: tuple[Card, ...]) -> int:
    """Equal for positions that differ only in the order of the columns."""
    return sum(map(_pile_key, columns)) + 3 * _pile_key(waste)


@lru_cache(maxsize=200_000)
def _pile_key(pile: tuple[Card, ...]) -> int:
    """A number for a pile, the same everywhere. The sum of two changes when they swap their last cards."""
    return int.from_bytes(sha256(repr(pile).encode()).digest()[:8])


def _value_when_turned(board: Board, move: Move) -> float:
    """The value of the position after a move that reveals one unknown card."""
    source, target, count = move
    columns, home = list(board.columns), board.home
    column = columns[source - 1]
    columns[source - 1] = (*column[: -count - 1], TURNING)
    if target == FOUNDATION:
        home += count
    else:
        columns[target - 1] += column[-count:]
    return value_of(columns, board.waste, home, board.base)
