"""The store's clock, read without asking the store.

Races start and end by the clock of the store, which is the same for every process. A process learns the difference to
its own monotonic clock by asking from time to time. Of the last few answers, the fastest one is used, because its error
is at most half its round trip.
"""

import time
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from fortythieves.times import Ms, Seconds

#: A drift of 50 ppm (a guess for bad hardware) is 3 ms a minute, so an answer must not be used for many minutes.
_SAMPLES = 8

#: If the store's clock is set back by more than this, ours jumps, too. Waiting that long would stop every race.
STEP = Ms(60_000)


class _Sample(NamedTuple):
    round_trip: float
    offset: float


class Clock:
    """Milliseconds since the epoch by the store's clock.

    Before the first sample, this is the machine's own clock. After that it never goes backwards. If it turns out to be
    ahead, it stands still until it is right, unless it is ahead by more than `STEP`.
    """

    __slots__ = ("_last", "_monotonic", "_offset", "_rate", "_samples")

    def __init__(
        self, monotonic: Callable[[], float] = time.monotonic, wall: Callable[[], float] = time.time, speed: float = 1
    ) -> None:
        """Both functions give seconds. ``speed``: how many times as fast the store's clock runs: 1 except in tests."""
        self._monotonic = monotonic
        #: Milliseconds of the store in one local second.
        self._rate = 1000 * speed
        self._offset = wall() * 1000 - monotonic() * self._rate
        self._samples: deque[_Sample] = deque(maxlen=_SAMPLES)
        self._last: Ms | None = None

    def learn(self, server: Ms, sent: Seconds, received: Seconds) -> None:
        """The store answered ``server`` to a question that was sent and answered at these monotonic seconds."""
        self._samples.append(_Sample(received - sent, server / Ms(1) - (sent + received) / 2 * self._rate))
        newest = self._samples[-1].offset
        if max(abs(sample.offset - newest) for sample in self._samples) > int(STEP):
            # The store's clock was set, or another store took over, so earlier samples are of another clock.
            self._samples = deque([self._samples[-1]], maxlen=_SAMPLES)
        self._offset = min(self._samples).offset

    def now(self) -> Ms:
        """The time by the store's clock."""
        now = Ms(self._monotonic() * self._rate + self._offset)
        if not self._samples:
            return now
        if self._last is None or not now < self._last <= now + STEP:
            self._last = now
        return self._last

    def seconds_until(self, at: Ms) -> float:
        """The local seconds until the store's clock shows ``at``."""
        return max(0, int(at - self.now())) / self._rate
