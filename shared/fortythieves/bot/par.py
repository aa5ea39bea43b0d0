"""Par: how many cards three house bots bring home on a deal. Each sees only the cards that a racer sees."""

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from itertools import count

from fortythieves.bot.levels import LEVELS, Level, next_moves
from fortythieves.rules.board import Board
from fortythieves.rules.cards import Card, names
from fortythieves.rules.games import Game

#: The bots play at this level. Three of them need 0.2 s for a deal on average, and up to 1 s (measured).
LEVEL = LEVELS[2]


def par(game: Game, deck: Sequence[Card]) -> tuple[int, tuple[int, ...]]:
    """The par of a deal, and the cards of each bot, of which it is the middle one. The same everywhere."""
    homes = tuple(_home(game, deck, bot) for bot in range(3))
    return sorted(homes)[1], homes


def play_on(board: Board, seen: Board, level: Level, chance: Callable[[], float]) -> None:
    """Let a bot play until it gives up or the game ends. ``seen``: the board as its player sees it."""
    while board.outcome is None and (plan := next_moves(seen, level, chance)):
        for move in plan:
            seen.play(move, board.play(move))


def _home(game: Game, deck: Sequence[Card], bot: int) -> int:
    board = Board.deal(game, deck)
    play_on(board, Board.of_start(game, board.start()), LEVEL, _chances(f"{bot} {names(deck)}").__next__)
    return board.home


def _chances(seed: str) -> Iterator[float]:
    """Numbers from 0 to 1 that follow from the seed."""
    for n in count():
        yield int.from_bytes(sha256(f"{seed} {n}".encode()).digest()[:8]) / 2**64
