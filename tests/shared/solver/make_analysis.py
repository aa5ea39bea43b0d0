"""Write shared/vectors/analysis.json: how many cards could still get home at each point of some logs.

    python -m tests.shared.solver.make_analysis

Python and JavaScript read the same file, so the page and the command line agree. A test fails if this program
would write another file. Each log is an object:

- ``game`` and ``number``: the deal; ``entries``: the log, with some undos;
- ``width``: the width of the searches;
- ``values``: the most cards home that were possible before the first entry and after each one; ``points``: the
  entries at which a search began.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fortythieves.rules.board import Board
from fortythieves.rules.deal import deck_of_number
from fortythieves.rules.games import GAMES, Game
from fortythieves.rules.race_rules import UNDO
from fortythieves.solver.analysis import Log, analysis
from tests.shared.players import Dice, greedy_move

FILE = Path(__file__).parents[3] / "shared" / "vectors" / "analysis.json"

#: Narrow, so that a test takes milliseconds.
WIDTH = 3


def vectors() -> Iterator[dict[str, Any]]:
    """All vectors, game by game."""
    for game in GAMES.values():
        number = 32_001
        log = some_log(game, number, Dice(number), 60)
        found = analysis(log, WIDTH)
        yield {
            "game": game.key,
            "number": number,
            "entries": list(log.entries),
            "width": WIDTH,
            "values": list(found.values),
            "points": [point.at for point in found.points],
        }


def some_log(game: Game, number: int, dice: Dice, most: int) -> Log:
    """The log of a greedy player with some undos."""
    deck = deck_of_number(number)
    board = Board.deal(game, deck)
    entries: list[str] = []
    while len(entries) < most and board.legal_moves and board.outcome is None:
        if board.moves_made and dice.happens(0.15):
            board.undo()
            entries.append(UNDO)
        else:
            move = greedy_move(board, dice)
            board.play(move)
            entries.append(str(move))
    return Log(game, deck, "free", entries)


def text() -> str:
    """The file: one log on each line."""
    return "[\n" + ",\n".join(json.dumps(vector) for vector in vectors()) + "\n]\n"


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
