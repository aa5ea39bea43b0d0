"""The games that everybody plays here: by the rules, by a seed, all nine of them, and never over."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgpack

from fortythieves.rules.board import Board
from fortythieves.rules.deal import deck_of_number
from fortythieves.rules.games import GAMES
from tests.bench.websocket import framed
from tests.shared.players import Dice, greedy_move

#: The open deal of all of them, and how many ways there are of playing it.
NUMBER, WALKS = 32001, 4
#: Cards home with which somebody takes moves back, so as not to win.
NEARLY = 90
#: The moves that win a deal of each game.
WINS: Mapping[str, Any] = {
    win["game"]: win for win in json.loads((Path(__file__).parents[2] / "shared/vectors/wins.json").read_text())
}


def walk(key: str, seed: int, entries: int) -> list[str]:
    """Entries of a log as a player makes them who sends home what he can, and takes moves back when he is stuck."""
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
    """The moves of the first race of a room, ready to be sent."""
    return [framed(msgpack.packb(["move", 1, n, text])) for n, text in enumerate(texts)]


@cache
def played(entries: int) -> dict[str, list[list[bytes]]]:
    """Of each game some ways to play it, ready to be sent."""
    return {key: [frames(walk(key, seed, entries)) for seed in range(WALKS)] for key in GAMES}
