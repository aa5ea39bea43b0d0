"""An estimate of the server's clock."""

import time
from collections import deque
from collections.abc import Callable
from statistics import median

from fortythieves.times import Ms, Seconds, ms_of, seconds_of

#: The number of pings to keep: enough for a median that one late packet does not change.
SAMPLES = 9


class ServerClock:
    """Server time from pings: the median of samples. The server's reading is taken as the middle of a round trip."""

    __slots__ = ("_monotonic", "_offsets")

    def __init__(self, monotonic: Callable[[], Seconds] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._offsets: deque[Seconds] = deque(maxlen=SAMPLES)

    def sample(self, sent: Seconds, server: Ms, received: Seconds) -> None:
        """Add one ping: the local time when it was sent, the server's time, and when it was answered."""
        self._offsets.append(seconds_of(server) - (sent + received) / 2)

    def now(self) -> Ms:
        """The server's time. Raises `ValueError` before the first sample."""
        if not self._offsets:
            raise ValueError("No ping has been answered yet.")
        return ms_of(self._monotonic() + median(self._offsets))
