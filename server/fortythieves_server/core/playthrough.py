"""Judge the moves of one seat. Its board follows from its move log. Pure.

A log entry is a move in its text form, or ``undo``, with the store's timestamp.
"""

from array import array
from collections.abc import Iterable, MutableSequence, Sequence
from functools import lru_cache
from hashlib import sha1

import msgspec

from fortythieves.errors import Refused
from fortythieves.rules.board import Board
from fortythieves.rules.cards import Card, names
from fortythieves.rules.games import Game
from fortythieves.rules.race_rules import MOST_ENTRIES, Outcome, is_over_before, outcome_of, play
from fortythieves.rules.settings import Undo
from fortythieves.times import Ms

#: The hash of a log without entries.
NO_LOG = "-"


class Progress(msgspec.Struct, frozen=True, gc=False):
    """The public progress of a racer. All other figures of a race follow from these."""

    moves: int  # entries in the log, including undo
    home: int  # cards on the foundations
    reached_at: Ms  # since when
    stock: int
    revealed: int  # the most cards of the stock and the columns that were revealed at a time
    outcome: Outcome  # "solved"; "stuck" if no move and no allowed undo can ever help; otherwise ""
    at: Ms  # when the last entry was made
    log_hash: str = NO_LOG  # the hash of all entries (`extended`)


def extended(log: str, at: Ms, text: str) -> str:
    """The hash of a log with one more entry. Two logs with the same hash are equal. `moves.lua` makes the same hash."""
    return sha1(f"{log}{at} {text}".encode(), usedforsecurity=False).hexdigest()[:16]


#: In place of the time of the entry itself, which only the store knows.
THEN = Ms(0)


@lru_cache(8192)
def _entry(text: str, turned: str) -> tuple[str, str]:
    """An entry of a playthrough. Equal entries share one object, because a server keeps all entries of all racers."""
    return text, turned


@lru_cache(256)
def _start(columns: tuple[tuple[Card, ...], ...]) -> tuple[str, ...]:
    """The names of the cards as dealt. All racers on the same deal share one object."""
    return tuple(names(column) for column in columns)


class Playthrough:
    """The board of one seat, and its log.

    ``play`` is one entry ahead of the log. ``confirm`` adds the time once the entry is on disk. If the entry cannot
    be committed, the playthrough is discarded and rebuilt from the log; no client has seen it.
    """

    __slots__ = (
        *("_home_before", "at", "board", "entries", "homes", "log_hash", "outcome", "reached_at", "revealed", "start"),
        *("times", "undo"),
    )

    def __init__(self, game: Game, deck: Sequence[Card], undo: Undo, started_at: Ms) -> None:
        self.board = Board.deal(game, deck)
        #: The columns as dealt, as the player sees them.
        self.start = _start(self.board.start())
        self.undo = undo
        #: Every entry with the cards that it revealed, as on the wire: ("draw", "TH").
        self.entries: list[tuple[str, str]] = []
        #: When each entry was made.
        self.times: MutableSequence[Ms] = array("q")  # type: ignore[assignment]  # typeshed only allows int
        #: How many cards were home as dealt, and after each entry.
        self.homes = bytearray((self.board.home,))
        #: The most hidden cards that were revealed at a time. Free undo can hide them again.
        self.revealed = 0
        self.outcome: Outcome = ""
        self.at = self.reached_at = started_at
        #: The hash of the entries that have a time.
        self.log_hash = NO_LOG
        self._home_before = self.board.home

    def play(self, text: str) -> tuple[str, Progress]:
        """Make one entry, or raise `Refused`. Returns the revealed cards, and the progress at the time `THEN`."""
        if self.outcome:
            raise Refused("finished")
        turned = self._make(text)
        self.outcome = outcome_of(self.board, self.undo)
        board = self.board
        home = board.home
        reached_at = self.reached_at if home == self._home_before else THEN
        stock, revealed = board.stock_count, self.revealed
        return turned, Progress(len(self.entries), home, reached_at, stock, revealed, self.outcome, THEN)

    def _make(self, text: str) -> str:
        """Make one entry, even after the end."""
        if len(self.entries) >= MOST_ENTRIES:
            raise Refused("log-full")
        home = self.board.home
        turned = play(self.board, self.undo, text)
        self._home_before = home
        if turned:
            self.revealed = max(self.revealed, self.board.revealed)
        self.entries.append(_entry(text, turned))
        return turned

    def confirm(self, at: Ms, log_hash: str) -> Progress:
        """The last entry is in the log since ``at``. Returns the progress with it. ``log_hash``: that of the log."""
        self._stamp(at, log_hash)
        return self.progress

    def _stamp(self, at: Ms, log_hash: str) -> None:
        self.at = at
        self.log_hash = log_hash
        self.times.append(at)
        self.homes.append(self.board.home)
        if self.board.home != self._home_before:
            self.reached_at = at

    def follow(self, log: Iterable[tuple[Ms, str]]) -> None:
        """Make the next entries of a log of (time, text). Raises `Refused` if it cannot be a log of this deal."""
        for at, text in log:
            if is_over_before(self.board, self.undo, text):
                raise Refused("finished")
            self._make(text)
            self._stamp(at, extended(self.log_hash, at, text))
        self.outcome = outcome_of(self.board, self.undo)

    @property
    def progress(self) -> Progress:
        home, stock = self.board.home, self.board.stock_count
        return Progress(
            len(self.entries), home, self.reached_at, stock, self.revealed, self.outcome, self.at, self.log_hash
        )
