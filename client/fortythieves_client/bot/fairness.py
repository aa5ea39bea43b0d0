"""The avoidable cost of moves, compared with the best house bot, which sees only the cards that the racer saw."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from fortythieves.bot.levels import LEVELS, next_moves
from fortythieves.bot.par import play_on
from fortythieves.rules.board import Board
from fortythieves.rules.move_notation import Move, parse_move
from fortythieves.rules.race_rules import UNDO
from fortythieves.solver.analysis import WIDTH, Fall, Log, percent
from fortythieves.solver.search import search

#: The number of the most costly moves to judge. The others are ignored.
JUDGED: Final = 10


class Judged(NamedTuple):
    """A costly move, and the moves of the bot in its place."""

    fall: Fall
    #: The moves of the bot, up to the next unknown card. Empty if it would have given up.
    plan: tuple[Move, ...]
    #: The cards that the move cost more than the bot's.
    cost: int


def judged(log: Log, falls: Sequence[Fall], width: int = WIDTH) -> list[Judged]:
    """Compare the most costly moves of a log with the bot's. ``falls``: the most costly first."""
    return [_judged(log, fall, width) for fall in falls[:JUDGED]]


def left_over(log: Log) -> int:
    """The number of cards that the bot still brings home from the end of the log."""
    board, seen = log.board(len(log.entries)), seen_board(log, len(log.entries))
    home = board.home
    play_on(board, seen, LEVELS[3], _certain)
    return max(0, board.home - home)


def fair(home: int, moves: Sequence[Judged], left: int) -> int:
    """The cards at home, in per cent of those that the bot would have brought home. ``left``: from `left_over`."""
    return percent(home, home + sum(move.cost for move in moves) + left)


def seen_board(log: Log, at: int) -> Board:
    """The board as its racer saw it after ``at`` entries."""
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
    return next_moves(seen, LEVELS[3], _certain)


def _certain() -> float:
    return 0.0  # the best bot overlooks nothing
