"""The moves of load-test bots. They are known to be legal before the race, so playing them costs nothing."""

import random
from collections.abc import Iterator, Sequence

from fortythieves.bot.levels import LEVELS, next_moves
from fortythieves.rules.board import Board
from fortythieves.rules.deal import deck_of_number
from fortythieves.rules.games import game

GAME = "forty-thieves"
#: The game of `--show`: house bots win it.
SHOWN = "lucas"
#: The numbered deals, and the number of random games for each.
DEALS, WAYS = tuple(str(number) for number in range(32_001, 32_009)), 6
#: After this many moves, a bot only moves back and forth.
LONGEST = 150


def random_game(deal: str, seed: str) -> list[str]:
    """Random moves of a numbered deal. After the last one, the game can still go on."""
    dice = random.Random(seed)
    board = Board.deal(game(GAME), deck_of_number(int(deal)))
    played: list[str] = []
    while len(played) < LONGEST:
        moves = list(board.legal_moves)
        others = [move for move in moves if str(move) != "draw"]
        move = dice.choice(others if others and dice.random() < 0.4 else moves)
        board.play(move)
        if board.outcome is not None:
            break  # a bot needs a game that is not over
        played.append(str(move))
    return played


def good_game(deal: str, level: int, seed: int) -> list[str]:
    """The game of a house bot in a numbered deal of `SHOWN`, without a last move that ends it."""
    dice = random.Random(f"{deal} {level} {seed}")
    board = Board.deal(game(SHOWN), deck_of_number(int(deal)))
    played: list[str] = []
    while board.outcome is None and (moves := next_moves(board, LEVELS[level], dice.random)):
        for move in moves:
            board.play(move)
            played.append(str(move))
    return played if board.outcome is None else played[:-1]


def ways(seed: int) -> dict[str, list[list[str]]]:
    """Some random games of each deal."""
    return {deal: [random_game(deal, f"{seed} {deal} {way}") for way in range(WAYS)] for deal in DEALS}


def endless(way: Sequence[str]) -> Iterator[str]:
    """The moves of a game, and then its last move back and forth. Needs free undo."""
    yield from way
    while True:
        yield "undo"
        yield way[-1]
