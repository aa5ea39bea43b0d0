"""Plain numbers that are counted up where something happens, and looked at only when an operator asks (`metrics`)."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence


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

    def buckets(self) -> Iterator[tuple[str, int]]:
        """Each bound as text, and how many values are not above it."""
        count = 0
        for bound, more in zip((*map(str, self._bounds), "+Inf"), self._counts, strict=True):
            count += more
            yield bound, count


class Counts:
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
