"""The store's clock, read without asking the store.

Races start and end by the clock of the store, which is the same for every process. A process learns how far its own
monotonic clock is from it by asking now and then: of the last few answers, the one that came back fastest is the one
that can be wrong by the least (half its round trip).
"""

import time
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

#: A drift of 50 parts in a million is 3 ms a minute, so an answer must not count for many minutes.
_SAMPLES = 8

#: A store whose clock was set back by more than this takes us along. Standing still that long would stop every race.
STEP_MS = 60_000


class _Sample(NamedTuple):
    round_trip: float
    offset: float


class Clock:
    """Milliseconds since the epoch by the store's clock.

    Before the first sample this is the machine's own clock. From then on it never goes backwards: where a better
    sample says that it is ahead it stands still until it is right, unless it is ahead by more than `STEP_MS`.
    """

    __slots__ = ("_last", "_monotonic", "_offset", "_rate", "_samples")

    def __init__(
        self,
        monotonic: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
        speed: float = 1,
    ) -> None:
        """Both functions give seconds; `monotonic` is also the clock that the times of `learn` are read from.

        ``speed``: how many times as fast as these the store's clock runs, which is more than once only in tests.
        """
        self._monotonic = monotonic
        #: Milliseconds of the store in a second of ours.
        self._rate = 1000 * speed
        self._offset = wall() * 1000 - monotonic() * self._rate
        self._samples: deque[_Sample] = deque(maxlen=_SAMPLES)
        self._last: int | None = None

    def learn(self, server_ms: float, sent: float, received: float) -> None:
        """Take in that the store answered `server_ms` to a question sent and answered at these monotonic seconds."""
        self._samples.append(_Sample(received - sent, server_ms - (sent + received) / 2 * self._rate))
        newest = self._samples[-1].offset
        if max(abs(sample.offset - newest) for sample in self._samples) > STEP_MS:
            # The store's clock was set, or another store took over: what was learned before is about another clock.
            self._samples = deque([self._samples[-1]], maxlen=_SAMPLES)
        self._offset = min(self._samples).offset

    @property
    def uncertainty(self) -> float | None:
        """How many milliseconds `now` can be wrong, or None before the first sample."""
        return min(self._samples).round_trip / 2 * self._rate if self._samples else None

    def now(self) -> int:
        """The time by the store's clock, in milliseconds since the epoch."""
        now = int(self._monotonic() * self._rate + self._offset)
        if not self._samples:
            return now
        if self._last is None or not now < self._last <= now + STEP_MS:
            self._last = now
        return self._last

    def seconds_until(self, at: int) -> float:
        """How many seconds of ours it takes until the store's clock shows ``at`` (ms)."""
        return max(0, at - self.now()) / self._rate
