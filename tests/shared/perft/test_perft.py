"""Count positions, as chess programs do: a test of the rules that also measures their speed.

Each line of perft.txt has the key of a game, the number of a deal, how often the stock is drawn first ("r" after it: to
its end, followed by a redeal), a depth, and how many different positions can be reached in at most that many moves.
After an intended change of the rules, ``python -m tests.shared.perft.test_perft`` writes new counts.
"""

from collections.abc import Hashable
from pathlib import Path
from typing import NamedTuple

import pytest

from fortythieves.rules.board import Board
from fortythieves.rules.deal import deck_of_number
from fortythieves.rules.games import GAMES
from fortythieves.rules.move_notation import DRAW, REDEAL

FILE = Path(__file__).with_name("perft.txt")


class Line(NamedTuple):
    game: str
    number: int
    draws: int
    redeals: int
    depth: int
    positions: int

    def __str__(self) -> str:
        drawn = f"{self.draws}{'r' * self.redeals}"
        return f"{self.game:14} {self.number:>21} {drawn:>4} {self.depth:2} {self.positions:6}"


def read() -> list[Line]:
    lines = []
    for line in FILE.read_text("utf-8").splitlines():
        game, number, drawn, depth, positions = line.split()
        redeals = drawn.count("r")
        lines.append(Line(game, int(number), int(drawn.rstrip("r")), redeals, int(depth), int(positions)))
    return lines


def count(line: Line) -> int:
    board = Board.deal(GAMES[line.game], deck_of_number(line.number))
    for move in [DRAW] * line.draws + [REDEAL] * line.redeals:
        board.play(move)
    reached: set[Hashable] = {board.position}
    edge = [board]
    for _ in range(line.depth):
        beyond = []
        for board in edge:
            for move in list(board.legal_moves):
                board.play(move)
                position = board.position
                if position not in reached:
                    reached.add(position)
                    beyond.append(board.copy())
                board.undo()
        edge = beyond
    return len(reached)


LINES = read()


@pytest.mark.parametrize("line", LINES, ids=lambda line: " ".join(str(line).split()[:4]))
def test_so_many_positions_can_be_reached(line: Line) -> None:
    assert count(line) == line.positions


def test_every_game_is_counted() -> None:
    assert {line.game for line in LINES} == set(GAMES)


if __name__ == "__main__":
    FILE.write_text("".join(f"{line._replace(positions=count(line))}\n" for line in LINES), "utf-8")
