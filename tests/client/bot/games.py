"""Whole games of the house bots, without a server in between."""

import random
import time
from typing import NamedTuple

from fortythieves.rules.board import Board
from fortythieves.rules.deal import SECRET_BYTES, deck_of_secret
from fortythieves.rules.games import Game
from fortythieves_client.bot.levels import Level, next_moves


class Played(NamedTuple):
    """The final board of a game, and the CPU seconds of each decision."""

    board: Board
    thinking: list[float]


def play(game: Game, level: Level, seed: int) -> Played:
    """A game on a secret deal, by a bot that sees what a player sees."""
    rng = random.Random(seed)
    board = Board.deal(game, deck_of_secret(rng.randbytes(SECRET_BYTES), []))
    seen = Board.of_start(game, board.start())
    thinking = []
    while board.outcome is None:
        begin = time.process_time()
        moves = next_moves(seen, level, rng)
        thinking.append(time.process_time() - begin)
        for move in moves:
            seen.play(move, board.play(move))
        if not moves:
            break
    return Played(board, thinking)
