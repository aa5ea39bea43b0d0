"""solver.json: the results of searches from positions of all games.

Each search is an object:

- ``game`` and ``number``: the deal; ``before``: the moves from the deal to the first position;
- ``width``;
- ``won``, ``home`` (how many cards), ``positions`` (how many were expanded), and ``line``: the found moves.
"""

from collections.abc import Iterator
from typing import Any

from fortythieves.rules.board import Board
from fortythieves.rules.deal import deck_of_number
from fortythieves.rules.games import GAMES
from fortythieves.rules.move_notation import Move, parse_move
from fortythieves.solver.search import search
from tests.shared.kinds import KINDS
from tests.shared.players import Dice, greedy_move

Vector = dict[str, Any]

#: Narrow searches, which take milliseconds.
WIDTHS = (1, 4, 12)
DEALS = range(32_001, 32_003)

#: A deal, and the width of a search that wins it, of the games of which no other search here wins one.
WON = {
    "forty-thieves": (32_011, 48),
    "indian": (32_003, 8),
    "limited": (32_001, 48),
    "maria": (32_023, 48),
    "streets": (32_002, 48),
    "congress": (32_001, 16),
    "deuces": (32_003, 8),
    "little-napoleon": (32_006, 8),
    "napoleons-shoulder": (32_011, 8),
}

#: Searches also start after this many moves of a greedy player, or of a found line.
MIDDLES = (10, 60)


def vectors() -> Iterator[Vector]:
    for key in KINDS:
        lines = {}
        for number in DEALS:
            for width in WIDTHS:
                found = vector(key, number, (), width)
                lines[number, width] = tuple(map(parse_move, found["line"]))
                yield found
        early, late = MIDDLES
        yield vector(key, DEALS[0], greedy(key, DEALS[0], early), 8)
        yield vector(key, DEALS[1], lines[DEALS[1], 12][:late], 8)
        if key in WON:
            yield vector(key, WON[key][0], (), WON[key][1])


def greedy(key: str, number: int, most: int) -> tuple[Move, ...]:
    board, dice = Board.deal(GAMES[key], deck_of_number(number)), Dice(number)
    while board.outcome is None and board.moves_made < most:
        board.play(greedy_move(board, dice))
    return board.history


def vector(key: str, number: int, before: tuple[Move, ...], width: int) -> Vector:
    board = Board.deal(GAMES[key], deck_of_number(number))
    for move in before:
        board.play(move)
    found = search(board, width)
    return {
        "game": key,
        "number": number,
        "before": list(map(str, before)),
        "width": width,
        "won": found.won,
        "home": found.home,
        "positions": found.positions,
        "line": list(map(str, found.moves)),
    }
