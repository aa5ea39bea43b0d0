"""Our own race: the board follows from the log that the server keeps for us."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from fortythieves.rules.board import Board
from fortythieves.rules.cards import Card, parse_cards
from fortythieves.rules.games import Game
from fortythieves.rules.move_notation import parse_move
from fortythieves.rules.race_rules import UNDO


class Entry(NamedTuple):
    """One entry of the log: a move or `UNDO`, and the cards that it revealed."""

    text: str
    turned: tuple[Card, ...]


class Progress(NamedTuple):
    """The public progress of a rival."""

    moves: int
    home: int
    stock: int


class OwnRace:
    """Our own board, as far as the server has confirmed it."""

    __slots__ = ("board", "log", "number")

    def __init__(self, number: int, game: Game, start: Sequence[str], moves: Iterable[Sequence[str]] = ()) -> None:
        self.number = number
        self.board = Board.of_start(game, [parse_cards(column) for column in start])
        self.log: list[Entry] = []
        for text, turned in moves:
            self.append(text, turned)

    def append(self, text: str, turned: str) -> Entry:
        """Add the next entry of the log. ``turned``: the revealed cards, written as ``TH4C``."""
        entry = Entry(text, parse_cards(turned))
        if text == UNDO:
            self.board.undo()
        else:
            self.board.play(parse_move(text), entry.turned)
        self.log.append(entry)
        return entry
