"""What the bots of a load play: moves that are known to be legal before the race, so that making one costs nothing."""

import random
from collections.abc import Iterator, Sequence

from fortythieves.rules.board import Board
from fortythieves.rules.deal import deck_of_number
from fortythieves.rules.games import game

GAME = "forty-thieves"
#: The open deals that are played, and how many ways of playing each.
DEALS, WAYS = tuple(str(number) for number in range(32_001, 32_009)), 6
#: After so many moves a bot goes back and forth.
LONGEST = 150


def way_of_playing(deal: str, seed: str) -> list[str]:
    """Moves of an open deal, by chance; after the last one the game can still go on."""
    dice = random.Random(seed)
    board = Board.deal(game(GAME), deck_of_number(int(deal)))
    played: list[str] = []
    while len(played) < LONGEST:
        moves = list(board.legal_moves)
        others = [move for move in moves if str(move) != "draw"]
        move = dice.choice(others if others and dice.random() < 0.4 else moves)
        board.play(move)
        if board.outcome is not None:
            break  # A bot that is done would be of no more use.
        played.append(str(move))
    return played


def ways(seed: int) -> dict[str, list[list[str]]]:
    """Some ways of playing each deal."""
    return {deal: [way_of_playing(deal, f"{seed} {deal} {way}") for way in range(WAYS)] for deal in DEALS}


def for_ever(way: Sequence[str]) -> Iterator[str]:
    """A way of playing, and then its last move back and forth, where every undo is allowed."""
    yield from way
    while True:
        yield "undo"
        yield way[-1]
