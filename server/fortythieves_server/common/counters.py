"""Counters and histograms of this process. `ops/metrics` reads them when an operator asks."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

#: In seconds.
MINUTE = 60.0


class Histogram:
    """How many values fall below each bound, and the sum of all values."""

    __slots__ = ("_bounds", "_counts", "total")

    def __init__(self, bounds: Sequence[float]) -> None:
        self._bounds = tuple(bounds)
        self._counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def add(self, value: float) -> None:
        self._counts[bisect_left(self._bounds, value)] += 1
        self.total += value

    @property
    def counts(self) -> tuple[int, ...]:
        """The counts of all buckets so far. `quantile` can later count from here."""
        return tuple(self._counts)

    def quantile(self, share: float, since: Sequence[int]) -> float | None:
        """The smallest bound that covers this share of all values since then. None if there were no values."""
        fresh = [now - then for now, then in zip(self._counts, since, strict=True)]
        rank, below, count = share * sum(fresh), 0.0, 0
        for bound, more in zip((*self._bounds, self._bounds[-1]), fresh, strict=True):
            if more and count + more >= rank:
                return below + (bound - below) * (rank - count) / more
            below, count = bound, count + more
        return None

    def buckets(self) -> Iterator[tuple[str, int]]:
        """Each bound as text, and how many values do not exceed it."""
        count = 0
        for bound, more in zip((*map(str, self._bounds), "+Inf"), self._counts, strict=True):
            count += more
            yield bound, count


class Slowest:
    """The slowest things by name, over the last one or two minutes. So there are never many names."""

    __slots__ = ("_before", "_now", "_until")

    def __init__(self) -> None:
        self._now: dict[str, float] = {}
        self._before: dict[str, float] = {}
        self._until = 0.0

    def add(self, name: str, seconds: float, now: float) -> None:
        """Something took ``seconds`` and has just ended. ``now``: seconds of any clock."""
        self._turn(now)
        if seconds > self._now.get(name, 0.0):
            self._now[name] = seconds

    def worst(self, count: int, now: float) -> list[tuple[str, float]]:
        """The slowest names, and how many seconds they took."""
        self._turn(now)
        both = {name: max(self._now.get(name, 0.0), self._before.get(name, 0.0)) for name in self._before | self._now}
        return sorted(both.items(), key=lambda row: row[1], reverse=True)[:count]

    def _turn(self, now: float) -> None:
        if now >= self._until:
            # After two minutes without a call, the old values are out of date as well.
            self._before = self._now if now < self._until + MINUTE else {}
            self._now, self._until = {}, now + MINUTE


@dataclass(slots=True, eq=False)
class Counters:
    """Counters of the connections of this process."""

    #: Acknowledged moves.
    moves: int = 0
    #: Connections that were refused by the limits of their address.
    turned_away: int = 0
    #: Refused requests and moves, by error code.
    refused: Counter[str] = field(default_factory=Counter)
    #: Connections that the server closed, by WebSocket close code.
    closed: Counter[int] = field(default_factory=Counter)
