"""Counters and histograms of this process. `ops/metrics` reads them when an operator asks."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence

#: In seconds.
MINUTE = 60.0


class Histogram:
    """How many values there were up to each bound, and how much they are in all."""

    __slots__ = ("_bounds", "_counts", "total")

    def __init__(self, bounds: Sequence[float]) -> None:
        self._bounds = tuple(bounds)
        self._counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def add(self, value: float) -> None:
        """Count one more value."""
        self._counts[bisect_left(self._bounds, value)] += 1
        self.total += value

    @property
    def counts(self) -> tuple[int, ...]:
        """How many there were in each bucket so far, for `quantile` to begin from later."""
        return tuple(self._counts)

    def quantile(self, share: float, since: Sequence[int]) -> float | None:
        """The value that this share of all since then was not above, as far as buckets tell; None: there was none."""
        fresh = [now - then for now, then in zip(self._counts, since, strict=True)]
        rank, below, count = share * sum(fresh), 0.0, 0
        for bound, more in zip((*self._bounds, self._bounds[-1]), fresh, strict=True):
            if more and count + more >= rank:
                return below + (bound - below) * (rank - count) / more
            below, count = bound, count + more
        return None

    def buckets(self) -> Iterator[tuple[str, int]]:
        """Each bound as text, and how many values are not above it."""
        count = 0
        for bound, more in zip((*map(str, self._bounds), "+Inf"), self._counts, strict=True):
            count += more
            yield bound, count


class Slowest:
    """What took longest, by name: of the last one or two minutes, so that there are never many names."""

    __slots__ = ("_before", "_now", "_until")

    def __init__(self) -> None:
        self._now: dict[str, float] = {}
        self._before: dict[str, float] = {}
        self._until = 0.0

    def add(self, name: str, seconds: float, now: float) -> None:
        """Something took so long, and has just ended; ``now`` in seconds, by any clock."""
        self._turn(now)
        if seconds > self._now.get(name, 0.0):
            self._now[name] = seconds

    def worst(self, count: int, now: float) -> list[tuple[str, float]]:
        """The names that took longest, and how long that was."""
        self._turn(now)
        both = {name: max(self._now.get(name, 0.0), self._before.get(name, 0.0)) for name in self._before | self._now}
        return sorted(both.items(), key=lambda row: row[1], reverse=True)[:count]

    def _turn(self, now: float) -> None:
        if now >= self._until:
            # Whoever has not been here for two minutes has none of them.
            self._before = self._now if now < self._until + MINUTE else {}
            self._now, self._until = {}, now + MINUTE


class Counters:
    """What the connections of a process have come to."""

    __slots__ = ("closed", "moves", "refused", "turned_away")

    def __init__(self) -> None:
        #: Moves that were acknowledged.
        self.moves = 0
        #: Connections that the limits of an address did not let in.
        self.turned_away = 0
        #: What was refused, moves among it, by the code that was said.
        self.refused = Counter[str]()
        #: Connections that the server closed, by the code of the WebSocket.
        self.closed = Counter[int]()
