"""Games for the clients of the benchmarks: all nine, from a seed, without an end."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import msgpack

from fortythieves.rules.board import Board
from fortythieves.rules.deal import deck_of_number
from fortythieves.rules.games import GAMES
from tests.bench.websocket import framed
from tests.shared.players import Dice, greedy_move
from tests.shared.vectors import read

#: The deal number, and how many games are played on it.
NUMBER, WALKS = 32001, 4
#: With more cards home, the player takes moves back, so that the game does not end.
NEARLY = 90
#: The moves that win a deal of each game.
WINS: Mapping[str, Any] = {win["game"]: win for win in read("wins")}


def walk(key: str, seed: int, entries: int) -> list[str]:
    """Entries of a log: good moves, and undos when the player is stuck."""
    dice = Dice(seed)
    board = Board.deal(GAMES[key], deck_of_number(NUMBER))
    texts: list[str] = []
    back = 0
    while len(texts) < entries:
        if board.moves_made and (back or board.outcome or board.home > NEARLY or dice.happens(0.02)):
            back = (back or dice.below(20) + 1) - 1
            board.undo()
            texts.append("undo")
        else:
            back = 0
            move = greedy_move(board, dice)
            board.play(move)
            texts.append(str(move))
    return texts


def frames(texts: Sequence[str]) -> list[bytes]:
    """Frames with these moves for the first race of a room."""
    return [framed(msgpack.packb(["move", 1, n, text])) for n, text in enumerate(texts)]


@cache
def played(entries: int) -> dict[str, list[list[bytes]]]:
    return {key: [frames(walk(key, seed, entries)) for seed in range(WALKS)] for key in GAMES}
