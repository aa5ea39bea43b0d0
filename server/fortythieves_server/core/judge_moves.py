"""Judges the moves of one seat: its board is a fold of its move log. Pure.

A log entry is a move in its text form, or ``undo``, with the store's time stamp.
"""

from array import array
from collections.abc import Iterable, Sequence
from functools import lru_cache

import msgspec

from fortythieves.errors import Refused
from fortythieves.rules.board import Board
from fortythieves.rules.cards import Card, names
from fortythieves.rules.games import Game
from fortythieves.rules.race_rules import MOST_ENTRIES, Outcome, is_over_before, outcome_of, play
from fortythieves.rules.settings import Undo


class Progress(msgspec.Struct, frozen=True, gc=False):
    """What everybody may know of a racer. All other figures of a race are folds over these."""

    #: Entries in the log, an undo included.
    moves: int
    #: Cards on the foundations, since when (ms).
    home: int
    reached_at: int
    #: Cards left in the stock.
    stock: int
    #: "solved"; "stuck" once no move and no undo that is allowed could ever help; else "".
    outcome: Outcome
    #: When the last entry was made (ms).
    at: int


#: Stands for the time of the entry itself, which only the store knows.
THEN = 0


@lru_cache(8192)
def _entry(text: str, turned: str) -> tuple[str, str]:
    """An entry of a track: the same one for all whose moves have the same words, for a server keeps all of all."""
    return text, turned


@lru_cache(256)
def _start(columns: tuple[tuple[Card, ...], ...]) -> tuple[str, ...]:
    """The names of the cards as they were dealt: the same ones for all who race on the same deal."""
    return tuple(names(column) for column in columns)


class Track:
    """The board of one seat and how it came about.

    ``play`` goes ahead of the log by one entry and ``confirm`` gives it its time once it is on disk. A track
    whose entry could not be committed is thrown away and folded anew: nobody has seen it.
    """

    __slots__ = ("_home_before", "at", "board", "entries", "outcome", "reached_at", "start", "times", "undo")

    def __init__(self, game: Game, deck: Sequence[Card], undo: Undo, started_at: int) -> None:
        self.board = Board.deal(game, deck)
        #: The columns as they were dealt, as the player sees them.
        self.start = _start(self.board.start())
        self.undo = undo
        #: Every entry with the cards it turned up, as on the wire: ("draw", "TH").
        self.entries: list[tuple[str, str]] = []
        #: When each entry was made, in ms.
        self.times = array("q")
        self.outcome: Outcome = ""
        self.at = self.reached_at = started_at
        self._home_before = self.board.home

    def play(self, text: str) -> str:
        """Make one entry and return the cards it turned up. Raises `Refused`; then nothing happened."""
        if self.outcome:
            raise Refused("finished")
        turned = self._make(text)
        self.outcome = outcome_of(self.board, self.undo)
        return turned

    def _make(self, text: str) -> str:
        """Make one entry, whatever comes of it."""
        if len(self.entries) >= MOST_ENTRIES:
            raise Refused("log-full")
        home = self.board.home
        turned = play(self.board, self.undo, text)
        self._home_before = home
        self.entries.append(_entry(text, turned))
        return turned

    def confirm(self, at: int) -> None:
        """The entry made last is in the log since ``at``."""
        self.at = at
        self.times.append(at)
        if self.board.home != self._home_before:
            self.reached_at = at

    def follow(self, log: Iterable[tuple[int, str]]) -> None:
        """Make the next entries of a log of (time, text). Raises `Refused` if it is not one of this deal."""
        for at, text in log:
            if is_over_before(self.board, self.undo, text):
                raise Refused("finished")
            self._make(text)
            self.confirm(at)
        self.outcome = outcome_of(self.board, self.undo)

    @property
    def progress(self) -> Progress:
        """Progress up to the last entry, which is confirmed."""
        board = self.board
        return Progress(len(self.entries), board.home, self.reached_at, board.stock_count, self.outcome, self.at)

    @property
    def progress_ahead(self) -> Progress:
        """Progress with the entry just made and not yet confirmed: its time is `THEN`."""
        board = self.board
        home = board.home
        reached_at = self.reached_at if home == self._home_before else THEN
        return Progress(len(self.entries), home, reached_at, board.stock_count, self.outcome, THEN)


def fold(game: Game, deck: Sequence[Card], undo: Undo, started_at: int, log: Iterable[tuple[int, str]]) -> Track:
    """The track that a log of (time, text) leads to. Raises `Refused` if the log is not one of this deal."""
    track = Track(game, deck, undo, started_at)
    track.follow(log)
    return track
