"""Finds winning lines of open deals for `shared/vectors/wins.json`, and keeps the shortest one of each game.

python -m tests.tools.find_wins lucas 32001 32010 --effort 256
"""

import argparse
import json
from pathlib import Path
from typing import Any

from fortythieves.rules.board import Board
from fortythieves.rules.deal import deck_of_number
from fortythieves.rules.games import GAMES
from fortythieves.solver.effort import EFFORT, solve

WINS = Path(__file__).parents[2] / "shared" / "vectors" / "wins.json"

#: A browser test plays the line, so it must be short.
LONGEST = 260


def keep(key: str, number: int, moves: list[str]) -> None:
    """Write a win down if it is the shortest one of its game."""
    wins: dict[str, Any] = {win["game"]: win for win in json.loads(WINS.read_text())}
    if len(moves) < len(wins[key]["moves"] if key in wins else range(LONGEST)):
        wins[key] = {"game": key, "number": number, "moves": moves}
        rows = (json.dumps(wins[key]) for key in GAMES if key in wins)
        WINS.write_text("[\n  " + ",\n  ".join(rows) + "\n]\n")


def main() -> None:
    parser = argparse.ArgumentParser(description="Look for winning lines of open deals.")
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int)
    parser.add_argument("--effort", type=int, default=EFFORT, help=f"the width of the widest search ({EFFORT})")
    options = parser.parse_args()
    for number in range(options.first, options.last + 1):
        solved = solve(Board.deal(GAMES[options.game], deck_of_number(number)), options.effort)
        print(number, f"won in {len(solved.moves)} moves" if solved.won else "nothing found", flush=True)
        if solved.won:
            keep(options.game, number, [*map(str, solved.moves)])


if __name__ == "__main__":
    main()
