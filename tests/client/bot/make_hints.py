"""Write shared/vectors/hints.json: the moves of the house bots in the positions of positions.json.

    python -m tests.client.bot.make_hints

The web client gives the same hints. The file is a list with one text for each position, in the same order: the moves of
the plan with a space between them, or "" if no series of moves is better than none. A test fails when this would write
anything else.
"""

import json
from pathlib import Path

from fortythieves.rules.board import Board
from fortythieves.rules.cards import parse_cards
from fortythieves.rules.games import game
from fortythieves.rules.move_notation import parse_move
from fortythieves_client.bot.search import Effort, best_plan

VECTORS = Path(__file__).parents[3] / "shared" / "vectors"
FILE = VECTORS / "hints.json"
#: Deep and wide enough for several moves ahead, and all positions still take only a second.
EFFORT = Effort(depth=4, width=8, positions=200)


def _plan(vector: dict[str, list[list[str]]], key: str) -> str:
    start = [parse_cards("".join(column)) for column in vector["start"]]
    board = Board.of_start(game(key), start)
    for text, turned in vector["moves"]:
        if text == "undo":
            board.undo()
        else:
            board.play(parse_move(text), parse_cards(turned))
    return " ".join(map(str, best_plan(board, EFFORT)))


def text() -> str:
    """The whole file."""
    vectors = json.loads((VECTORS / "positions.json").read_text("utf-8"))
    return json.dumps([_plan(vector, vector["game"]) for vector in vectors], indent=0) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
