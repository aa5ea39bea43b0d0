"""The possible results: how many cards a racer could still have brought home at each point of the log.

These are the best values that searches found from some points, with all cards known. What can be reached from a later
point can also be reached from an earlier one, so they never rise.
"""

from collections.abc import Iterator, Sequence
from itertools import accumulate, islice, pairwise
from typing import Final, NamedTuple

from fortythieves.errors import Refused
from fortythieves.rules.board import Board
from fortythieves.rules.cards import PACKS, Card
from fortythieves.rules.games import Game
from fortythieves.rules.move_notation import Move, parse_move
from fortythieves.rules.race_rules import play, wins
from fortythieves.rules.settings import Undo
from fortythieves.solver.search import search

#: The width of the searches: with it, the analysis of a long log takes some seconds (`python -m tests.bench.solver`).
WIDTH: Final = 64
#: The number of points of the log that it searches first.
POINTS: Final = 15
#: The number of further searches for the moves at which the values fall; more, if the first ones meet a win soon.
SEARCHES: Final = 20


class Log(NamedTuple):
    """The log of one racer, with the winning line of the deal."""

    game: Game
    deck: Sequence[Card]
    undo: Undo
    #: Texts of moves, or `race_rules.UNDO`.
    entries: Sequence[str]
    #: Moves that win the deal, if any are known.
    line: Sequence[str] = ()

    def boards(self) -> Iterator[Board]:
        """The one board before the first entry and after each. Raises `Refused` with ``at`` for a wrong entry."""
        board = Board.deal(self.game, self.deck)
        yield board
        for n, text in enumerate(self.entries):
            try:
                play(board, self.undo, text)
            except Refused as refused:
                raise Refused(refused.code, **refused.details, at=n) from None
            yield board

    def board(self, at: int) -> Board:
        """The board after ``n`` entries. Raises `Refused` as `boards` does."""
        return next(islice(self.boards(), at, None))


class Point(NamedTuple):
    """The result of a search at an entry of the log."""

    at: int
    #: How many cards can be home in the end, by this search.
    best: int
    moves: tuple[Move, ...]


class Fall(NamedTuple):
    """An entry after which less was possible."""

    #: Its index in the log.
    at: int
    #: The value before it, with the moves that lead there, and the value after it.
    before: int
    after: int
    moves: tuple[Move, ...]

    @property
    def cost(self) -> int:
        """How many cards."""
        return self.before - self.after


class Analysis(NamedTuple):
    """The possible cards of one racer."""

    #: How many cards were home in the end.
    home: int
    #: How many cards could be home in the end, before the first entry and after each one, as found.
    values: tuple[int, ...]
    #: The points that were searched, in the order of the log.
    points: tuple[Point, ...]
    #: All entries at which the values are known to fall, the dearest first.
    falls: tuple[Fall, ...]
    #: How many positions were expanded.
    positions: int

    @property
    def possible(self) -> int:
        """The value at the start."""
        return self.values[0]

    @property
    def last_win(self) -> Point | None:
        """The last point from which a win was found. None if there is no such point."""
        return next((point for point in reversed(self.points) if point.best == len(PACKS)), None)

    @property
    def hindsight(self) -> int:
        """How much of the value at the start is home, in per cent."""
        return percent(self.home, self.possible)


def percent(part: int, of: int) -> int:
    """So much of the whole in per cent, rounded down; all of nothing is 100."""
    return 100 * part // of if of else 100


def analysis(log: Log, width: int = WIDTH) -> Analysis:
    """Find the values. Raises `Refused` with ``at`` if an entry of the log is not allowed."""
    return _Analysis(log, width).run()


def common(one: Sequence[object], other: Sequence[object]) -> int:
    """How many entries are the same from the beginning on."""
    shorter = min(len(one), len(other))
    return next((at for at in range(shorter) if one[at] != other[at]), shorter)


def parted(one: Sequence[str], other: Sequence[str]) -> int | None:
    """The index of the first entry in which two logs differ. None if one log is the beginning of the other."""
    at = common(one, other)
    return at if at < min(len(one), len(other)) else None


class _Analysis:
    """One analysis. It is used once."""

    def __init__(self, log: Log, width: int) -> None:
        self._log, self._width = log, width
        #: How many cards were home before the first entry and after each one.
        self._reached = [board.home for board in log.boards()]
        self._found: dict[int, Point] = {}
        self._positions = 0
        last = len(log.entries)
        #: The first points, from the end: if a win was possible at a point, it was so before, too.
        self._first = sorted({last * n // (POINTS - 1) for n in range(POINTS)}, reverse=True)
        self._steps = 0

    def run(self) -> Analysis:
        known = self._follow_line()
        for at in self._first:
            if at <= known or self._search(at).best == len(PACKS):
                break
        while self._steps < len(self._first) + SEARCHES:
            gap = next((fall for fall in self._falls() if fall[1] - fall[0] > 1), None)
            if gap is None:
                break
            self._search(sum(gap) // 2)
        values = self._values()
        falls = (
            Fall(one, values[one], values[other], self._found[one].moves)
            for one, other in self._falls()
            if other - one == 1
        )
        points = tuple(self._found[at] for at in sorted(self._found))
        return Analysis(self._reached[-1], tuple(values), points, tuple(falls), self._positions)

    def _follow_line(self) -> int:
        """Up to which point the log is the beginning of the line, if that wins. -1 if it does not."""
        line, at = self._log.line, common(self._log.line, self._log.entries)
        if not wins(self._log.board(at), line[at:]):
            return -1
        self._found[at] = Point(at, len(PACKS), tuple(map(parse_move, line[at:])))
        return at

    def _search(self, at: int) -> Point:
        found = search(self._log.board(at), self._width)
        self._positions += found.positions
        self._steps += 1
        point = self._found[at] = Point(at, found.home, found.moves)
        return point

    def _values(self) -> list[int]:
        """The value after each entry: the best that was reached or found there or later."""
        best = self._reached[:]
        for at, point in self._found.items():
            best[at] = max(best[at], point.best)
        return list(accumulate(reversed(best), max))[::-1]

    def _falls(self) -> list[tuple[int, int]]:
        """The neighbouring points between which the values fall, the widest fall first, and then the first one."""
        values = self._values()
        falls = [(one, other) for one, other in pairwise(sorted(self._found)) if values[one] > values[other]]
        return sorted(falls, key=lambda fall: (values[fall[1]] - values[fall[0]], fall[0]))
