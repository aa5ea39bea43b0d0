"""The store's clock, read without asking the store.

Races start and end by the clock of the store, which is the same for every process. A process learns the difference to
its own monotonic clock by asking from time to time. When an answer arrives, the store's clock has moved on. So our
clock is never ahead, and cards are never dealt before the store accepts moves. It is behind by the time that the answer
took. Of the last few answers, the fastest one is used.

The store's clock may be set. But the time of a room never goes back: it runs on from the last event of the room, by the
monotonic clock of each process, and each commit tells the store how late it is in the room.
"""

import time
from collections import deque
from collections.abc import Callable

from fortythieves.times import Ms, Seconds

#: A drift of 50 ppm (a guess for bad hardware) is 3 ms a minute, so an answer must not be used for many minutes.
_SAMPLES = 8

#: If the store's clock was certainly set by more than this, ours jumps, too.
STEP = Ms(1_000)


class Clock:
    """Milliseconds since the epoch by the store's clock.

    Before the first sample, this is the machine's own clock. After that, a clock that is ahead stops until it is right,
    unless the store's clock was set back by more than `STEP`.
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
        self._last = Ms(0)

    def learn(self, server: Ms, sent: Seconds, received: Seconds) -> None:
        """The store has answered ``server``. It was asked, and the answer arrived, at these monotonic seconds."""
        least, most = (server / Ms(1) - at * self._rate for at in (received, sent))
        if not least - int(STEP) < self._offset < most + int(STEP) or not self._offsets:
            # The store's clock was set, or another store took over, so earlier answers are of another clock.
            self._offsets.clear()
            self._last = Ms(0)
        self._offsets.append(least)
        self._offset = max(self._offsets)

    def now(self, offset: float = 0) -> Ms:
        """``offset``: that of a room, whose time may be later."""
        local = self._monotonic() * self._rate
        now = Ms(local + self._offset)
        if now < self._last:
            now = self._last
        else:
            self._last = now
        return now if offset <= self._offset else max(now, Ms(local + offset))

    def ahead(self, offset: float) -> Ms:
        """By how much a room is ahead of the store's clock, if that was set. Ours is always a little behind it."""
        ahead = Ms(offset - self._offset)
        return ahead if ahead > STEP else Ms(0)

    def offset_of(self, at: Ms) -> float:
        """The offset of a room where it is ``at``, to local milliseconds."""
        return int(at) - self._monotonic() * self._rate

    def seconds_until(self, at: Ms, offset: float = 0) -> float:
        """The local seconds until it is ``at``. ``offset``: as above."""
        return max(0, int(at - self.now(offset))) / self._rate
