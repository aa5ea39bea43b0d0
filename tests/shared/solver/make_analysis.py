"""Write shared/vectors/analysis.json: what was still possible at each point of some logs.

    python -m tests.shared.solver.make_analysis

Python and JavaScript read the same file, so the page and the command line say the same. A test fails when this would
write anything else. Each log is an object:

- ``game`` and ``number``: the deal; ``entries``: what the racer did, taking moves back sometimes;
- ``width``: of the searches;
- ``values``: the most cards home that were possible before the first entry and after each one; ``points``: after how
  many entries a search began.
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
WIDTH = 6


def vectors() -> Iterator[dict[str, Any]]:
    """All vectors, game by game."""
    for game in GAMES.values():
        for number in (32_001, 32_002):
            log = some_log(game, number, Dice(number), 40 + number % 2 * 80)
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
    """What a greedy player does who sometimes takes a move back."""
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
    """What the file says: one log on a line."""
    return "[\n" + ",\n".join(json.dumps(vector) for vector in vectors()) + "\n]\n"


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
