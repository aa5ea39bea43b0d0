"""What was still possible: how many cards a racer could still have brought home at each point of the log.

A search from some points finds how many cards can still be brought home there, with all cards known. What can be
reached from a later point can also be reached from an earlier one, so the values never rise. They are the best that was
found: more may have been possible.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from fortythieves.errors import Refused
from fortythieves.rules.board import Board
from fortythieves.rules.cards import PACKS, Card
from fortythieves.rules.games import Game
from fortythieves.rules.moves import Move, parse_move
from fortythieves.rules.race_rules import play
from fortythieves.rules.settings import Undo
from fortythieves.solver.search import search

#: The width of the searches: with it, the analysis of a long log takes some seconds (`python -m tests.bench.solver`).
WIDTH: Final = 64
#: From so many points of the log it searches first.
POINTS: Final = 15
#: So many more searches find the moves at which the values fall.
SEARCHES: Final = 20


class Log(NamedTuple):
    """What one racer did."""

    game: Game
    deck: Sequence[Card]
    undo: Undo
    #: Texts of moves, or `race_rules.UNDO`.
    entries: Sequence[str]
    #: Moves that are said to win the deal, if there are any.
    line: Sequence[str] = ()

    def board(self, at: int) -> Board:
        """The board after so many entries. Raises `Refused` with ``at`` if an entry before that is not allowed."""
        board = Board.deal(self.game, self.deck)
        for n, text in enumerate(self.entries[:at]):
            try:
                play(board, self.undo, text)
            except Refused as refused:
                raise Refused(refused.code, **refused.details, at=n) from None
        return board


class Point(NamedTuple):
    """What a search has found after so many entries of the log."""

    at: int
    #: How many cards can be home in the end.
    best: int
    #: The moves that lead there from this point. Empty if no better ones were found than those of a later point.
    moves: tuple[Move, ...]


class Fall(NamedTuple):
    """An entry after which less was possible."""

    #: Its index in the log.
    at: int
    #: What was possible before it, with the moves that lead there, and what after it.
    before: int
    after: int
    moves: tuple[Move, ...]

    @property
    def cost(self) -> int:
        """How many cards."""
        return self.before - self.after


class Analysis(NamedTuple):
    """What was still possible for one racer."""

    #: How many cards were home in the end.
    home: int
    #: The points that were searched, in the order of the log. The first entry of the log comes after the point 0.
    points: tuple[Point, ...]
    #: All entries at which the values are known to fall, the dearest first.
    falls: tuple[Fall, ...]
    #: How many positions were expanded.
    positions: int
    #: Whether it was stopped before it was done.
    stopped: bool

    @property
    def possible(self) -> int:
        """What was possible at the start."""
        return self.points[0].best

    @property
    def last_win(self) -> Point | None:
        """The last point from which a win was found. None if there is no such point."""
        return next((point for point in reversed(self.points) if point.best == len(PACKS)), None)

    def best_at(self, at: int) -> int:
        """What was possible after so many entries, as far as it was found."""
        return next((point.best for point in self.points if point.at >= at), self.home)

    @property
    def hindsight(self) -> int:
        """How much of what was possible at the start is home, in per cent."""
        return percent(self.home, self.possible)


def percent(part: int, of: int) -> int:
    """So much of the whole in per cent, rounded down; all of nothing is 100."""
    return 100 * part // of if of else 100


def analysis(
    log: Log,
    width: int = WIDTH,
    should_stop: Callable[[], bool] | None = None,
    progress: Callable[[float], None] | None = None,
) -> Analysis:
    """Find out what was still possible. Raises `Refused` with ``at`` if an entry of the log is not allowed.

    ``should_stop``: as `search` has it; what was found so far is returned. ``progress`` is told the share that is done.
    """
    return _Analysis(log, width, should_stop, progress).run()


def parted(one: Sequence[str], other: Sequence[str]) -> int | None:
    """The index of the first entry in which two logs differ. None if one log is the beginning of the other."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)


class _Analysis:
    """One analysis. It is used once."""

    def __init__(
        self,
        log: Log,
        width: int,
        should_stop: Callable[[], bool] | None,
        progress: Callable[[float], None] | None,
    ) -> None:
        self._log = log
        self._width = width
        self._should_stop = should_stop
        self._progress = progress
        self._found: dict[int, Point] = {}
        self._positions = 0
        self._stopped = False

    def run(self) -> Analysis:
        last = len(self._log.entries)
        home = self._log.board(last).home
        known = self._follow_line()
        # From the end: if a win was possible at a point, it was so before, too.
        first = sorted({last * n // (POINTS - 1) for n in range(POINTS)}, reverse=True)
        steps = 0
        for at in first:
            if at <= known:
                break
            won = self._search(at).best == len(PACKS)
            steps += 1
            self._say(steps / (POINTS + SEARCHES))
            if won or self._stopped:
                break
        for _ in range(SEARCHES):
            gap = self._widest_gap()
            if gap is None or self._stopped:
                break
            self._search(sum(gap) // 2)
            steps += 1
            self._say(steps / (POINTS + SEARCHES))
        points = self._points()
        return Analysis(home, points, self._falls(points), self._positions, self._stopped)

    def _follow_line(self) -> int:
        """Up to which point the log is the beginning of the line, if that wins. -1 if it does not."""
        line, entries = self._log.line, self._log.entries
        at = next(
            (n for n, (a, b) in enumerate(zip(line, entries, strict=False)) if a != b), min(len(line), len(entries))
        )
        board = self._log.board(at)
        try:
            for text in line[at:]:
                board.play(parse_move(text))
        except Refused:
            return -1
        if board.home < len(PACKS):
            return -1
        self._found[at] = Point(at, len(PACKS), tuple(map(parse_move, line[at:])))
        return at

    def _search(self, at: int) -> Point:
        board = self._log.board(at)
        found = search(board, self._width, None, self._asked)
        self._positions += found.positions
        point = self._found[at] = Point(at, found.home, found.moves)
        return point

    def _asked(self) -> bool:
        if self._should_stop is not None and self._should_stop():
            self._stopped = True
        return self._stopped

    def _say(self, share: float) -> None:
        if self._progress is not None:
            self._progress(share)

    def _points(self) -> tuple[Point, ...]:
        """The points, with 0 as the first one. What was found at a later point counts for an earlier one."""
        points: list[Point] = []
        best = 0
        for at in sorted({0, *self._found}, reverse=True):
            found = self._found.get(at)
            if found is not None and found.best > best:
                best = found.best
                points.append(found)
            else:
                points.append(Point(at, best, ()))
        return tuple(reversed(points))

    def _widest_gap(self) -> tuple[int, int] | None:
        """The two neighbouring points between which the values fall most, and there are others. None if nowhere."""
        gaps = [
            (one.best - other.best, -one.at, other.at)
            for one, other in pairwise(self._points())
            if one.best > other.best and other.at - one.at > 1
        ]
        if not gaps:
            return None
        _, one, other = max(gaps)
        return -one, other

    def _falls(self, points: Sequence[Point]) -> tuple[Fall, ...]:
        falls = [
            Fall(one.at, one.best, other.best, one.moves)
            for one, other in pairwise(points)
            if one.best > other.best and other.at - one.at == 1
        ]
        return tuple(sorted(falls, key=lambda fall: (-fall.cost, fall.at)))
