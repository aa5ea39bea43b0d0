"""Finds winning lines of open deals for `shared/vectors/wins.json`, and keeps the shortest one of each game.

    python -m tests.tools.find_wins lucas 32001 32010 --width 300

A beam search like that of the bots (`fortythieves_client.bot.search`), but with all cards known. The lines in the file
come from wider searches (up to 15,000 positions a step) over 600 to 2,000 deals a game, in a faster language.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from fortythieves.rules.board import Board
from fortythieves.rules.deal import deck_of_number
from fortythieves.rules.games import GAMES, Game, game
from fortythieves.rules.moves import DRAW, REDEAL, Move
from fortythieves_client.bot.search import sensible_moves
from fortythieves_client.bot.value import value

WINS = Path(__file__).parents[2] / "shared" / "vectors" / "wins.json"

#: A browser test plays the line, so it must be short.
LONGEST = 260


class Line(NamedTuple):
    """A position, and how it came about."""

    promise: float
    board: Board
    moves: tuple[Move, ...]


def find_win(of: Game, number: int, width: int) -> tuple[Move, ...] | None:
    """A winning line of an open deal, or None: then there may be one all the same."""
    lines = [Line(0.0, Board.deal(of, deck_of_number(number)), ())]
    seen = set[int]()
    for _ in range(LONGEST):
        found: list[tuple[float, Line, Move]] = []
        for line in lines:
            for move in _moves(line.board):
                board = line.board
                board.play(move)
                key, promise, outcome = hash(board.position), _promise(board), board.outcome
                board.undo()
                if outcome == "won":
                    return (*line.moves, move)
                if outcome is None and key not in seen:
                    seen.add(key)
                    found.append((promise, line, move))
        found.sort(key=lambda child: child[0])
        lines = [_after(*child) for child in found[:width]]
    return None


def _moves(board: Board) -> Iterator[Move]:
    yield from sensible_moves(board)
    yield from (move for move in (DRAW, REDEAL) if move in board.legal_moves)


def _promise(board: Board) -> float:
    """Less is better: the value of the board and the remaining draws."""
    return value(board) + board.stock_count / board.game.draw + 3 * (board.game.redeals - board.redeals_left)


def _after(promise: float, line: Line, move: Move) -> Line:
    board = line.board.copy()
    board.play(move)
    return Line(promise, board, (*line.moves, move))


def keep(key: str, number: int, moves: tuple[Move, ...]) -> None:
    """Write a win down if it is the shortest one of its game."""
    wins: dict[str, Any] = {win["game"]: win for win in json.loads(WINS.read_text())}
    if key not in wins or len(moves) < len(wins[key]["moves"]):
        wins[key] = {"game": key, "number": number, "moves": [str(move) for move in moves]}
        rows = (json.dumps(wins[key]) for key in GAMES if key in wins)
        WINS.write_text("[\n  " + ",\n  ".join(rows) + "\n]\n")


def main() -> None:
    parser = argparse.ArgumentParser(description="Look for winning lines of open deals.")
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int)
    parser.add_argument("--width", type=int, default=300, help="positions kept at each step (300)")
    options = parser.parse_args()
    for number in range(options.first, options.last + 1):
        moves = find_win(game(options.game), number, options.width)
        print(number, "nothing found" if moves is None else f"won in {len(moves)} moves", flush=True)
        if moves is not None:
            keep(options.game, number, moves)


if __name__ == "__main__":
    main()
