"""The store's clock, read without asking the store.

Races start and end by the clock of the store, which is the same for every process. A process learns the difference to
its own monotonic clock by asking from time to time. When an answer arrives, the store's clock has moved on. So our
clock is never ahead, and cards are never dealt before the store accepts moves. It is behind by the time that the answer
took. Of the last few answers, the fastest one is used.
"""

import time
from collections import deque
from collections.abc import Callable

from fortythieves.times import Ms, Seconds

#: A drift of 50 ppm (a guess for bad hardware) is 3 ms a minute, so an answer must not be used for many minutes.
_SAMPLES = 8

#: If the store's clock is set back by more than this, ours jumps, too. Waiting that long would stop every race.
STEP = Ms(60_000)


class Clock:
    """Milliseconds since the epoch by the store's clock.

    Before the first sample, this is the machine's own clock. After that it never jumps back: a clock that is ahead
    stops until it is right, unless it is ahead by more than `STEP`.
    """

    __slots__ = ("_last", "_monotonic", "_offset", "_offsets", "_rate")

    def __init__(
        self,
        monotonic: Callable[[], float] | None = None,
        wall: Callable[[], float] | None = None,
        speed: float = 1,
    ) -> None:
        """Both functions give seconds. ``speed``: how many times as fast the store's clock runs: 1 except in tests."""
        self._monotonic = monotonic or time.monotonic
        #: Milliseconds of the store in one local second.
        self._rate = 1000 * speed
        self._offset = (wall or time.time)() * 1000 - self._monotonic() * self._rate
        #: By each of the last answers, the least that the offset can be.
        self._offsets: deque[float] = deque(maxlen=_SAMPLES)
        self._last: Ms | None = None

    def learn(self, server: Ms, received: Seconds) -> None:
        """The store has answered ``server``. The answer arrived at these monotonic seconds."""
        newest = server / Ms(1) - received * self._rate
        if any(abs(offset - newest) > int(STEP) for offset in self._offsets):
            # The store's clock was set, or another store took over, so earlier answers are of another clock.
            self._offsets.clear()
        self._offsets.append(newest)
        self._offset = max(self._offsets)

    def now(self) -> Ms:
        now = Ms(self._monotonic() * self._rate + self._offset)
        if not self._offsets:
            return now
        if self._last is None or not now < self._last <= now + STEP:
            self._last = now
        return self._last

    def seconds_until(self, at: Ms) -> float:
        """The local seconds until the store's clock shows ``at``."""
        return max(0, int(at - self.now())) / self._rate
