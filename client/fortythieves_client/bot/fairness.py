"""What a move cost that could have been known: held against the best house bot, which sees only what the racer saw."""

import random
from collections.abc import Sequence
from typing import Final, NamedTuple

from fortythieves.rules.board import Board
from fortythieves.rules.moves import Move, parse_move
from fortythieves.rules.race_rules import UNDO
from fortythieves.solver.analysis import WIDTH, Fall, Log, percent
from fortythieves.solver.search import search
from fortythieves_client.bot.levels import LEVELS, next_moves

#: So many of the dearest moves are judged. What the others cost is forgiven.
JUDGED: Final = 10


class Judged(NamedTuple):
    """A move that cost something, and what the bot would have done instead."""

    fall: Fall
    #: What the bot would have played, up to the next card that it cannot know. Empty if it would have given up.
    plan: tuple[Move, ...]
    #: How many cards the move cost more than the bot's.
    cost: int


def judged(log: Log, falls: Sequence[Fall], width: int = WIDTH) -> list[Judged]:
    """Hold the dearest moves of a log against the bot's. ``falls``: the dearest first."""
    return [_judged(log, fall, width) for fall in falls[:JUDGED]]


def left_over(log: Log) -> int:
    """How many more cards the bot brings home if it plays on from the end of the log."""
    board, seen = log.board(len(log.entries)), seen_board(log, len(log.entries))
    home = board.home
    while board.outcome is None:
        plan = _plan(seen)
        if not plan:
            break
        for move in plan:
            seen.play(move, board.play(move))
    return max(0, board.home - home)


def fair(home: int, moves: Sequence[Judged], left: int) -> int:
    """How much is home of what the bot could have brought home, in per cent: nobody is blamed for what could not be
    seen. ``left``: what `left_over` says.
    """
    return percent(home, home + sum(move.cost for move in moves) + left)


def seen_board(log: Log, at: int) -> Board:
    """The board as its racer saw it after so many entries."""
    board = Board.deal(log.game, log.deck)
    seen = Board.of_start(log.game, board.start())
    for text in log.entries[:at]:
        if text == UNDO:
            board.undo()
            seen.undo()
        else:
            move = parse_move(text)
            seen.play(move, board.play(move))
    return seen


def _judged(log: Log, fall: Fall, width: int) -> Judged:
    plan = _plan(seen_board(log, fall.at))
    if not plan or str(plan[0]) == log.entries[fall.at]:
        return Judged(fall, plan, 0)
    board = log.board(fall.at)
    for move in plan:
        board.play(move)
    kept = min(fall.before, search(board, width).home)
    return Judged(fall, plan, max(0, kept - fall.after))


def _plan(seen: Board) -> tuple[Move, ...]:
    # The best bot overlooks nothing, so no chance is involved.
    return next_moves(seen, LEVELS[3], random.Random(0))
