"""The cost of a move on a board in memory, and of replaying a log."""

import time
from collections.abc import Callable

from fortythieves.rules.board import Board
from fortythieves.rules.deal import deck_of_number
from fortythieves.rules.games import GAMES
from fortythieves.rules.move_notation import parse_move
from fortythieves.times import Ms
from tests.bench.figures import Found, Row, Run
from tests.bench.games import walk
from tests.server.tables import fold
from tests.shared.players import Dice, greedy_move

MOVES = 250

ROWS = [
    Row("move", "validate and apply one move, nine games mixed", "us", bar=10),
    Row("fold", f"fold a {MOVES}-move log into a board", "ms", bar=2),
]


async def measure(run: Run) -> dict[str, Found]:
    """Parse, check and play moves, like a server."""
    numbers = range(32_001, 32_001 + run.many(12))
    lines = {(key, number): _line(key, number) for key in GAMES for number in numbers}
    starts = {(key, number): Board.deal(GAMES[key], deck_of_number(number)) for key, number in lines}
    moves = sum(map(len, lines.values()))

    def play() -> None:
        for deal, texts in lines.items():
            board = starts[deal].copy()
            for text in texts:
                board.play(parse_move(text))

    decks = {key: deck_of_number(32_001) for key in GAMES}
    logs = {key: [(Ms(n), text) for n, text in enumerate(walk(key, 1, MOVES))] for key in GAMES}

    def fold_all() -> None:
        for key, log in logs.items():
            fold(GAMES[key], decks[key], "free", Ms(0), log)

    a_move = [_seconds(play) / moves * 1e6 for _ in run.rounds(9)]
    a_fold = [_seconds(fold_all) / len(logs) * 1e3 for _ in run.rounds(9)]
    return {"move": Found(a_move), "fold": Found(a_fold)}


def _line(key: str, number: int) -> list[str]:
    """A game, up to its end or this number of moves."""
    board, dice = Board.deal(GAMES[key], deck_of_number(number)), Dice(number)
    texts: list[str] = []
    while board.outcome is None and len(texts) < MOVES:
        move = greedy_move(board, dice)
        board.play(move)
        texts.append(str(move))
    return texts


def _seconds(work: Callable[[], None]) -> float:
    before = time.process_time()
    work()
    return time.process_time() - before
