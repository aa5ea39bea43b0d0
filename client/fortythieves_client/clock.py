"""An estimate of the server's clock."""

import time
from collections import deque
from statistics import median

#: How many pings are kept: enough for a median that one late packet does not change.
SAMPLES = 9


def local_ms() -> float:
    """This machine's clock in milliseconds. It never jumps, and starts anywhere."""
    return time.monotonic() * 1000


class ServerClock:
    """Server time from pings: the median of samples. The server's reading is taken as the middle of a round trip."""

    __slots__ = ("_offsets",)

    def __init__(self) -> None:
        self._offsets: deque[float] = deque(maxlen=SAMPLES)

    def sample(self, sent: float, server: float, received: float) -> None:
        """Add one ping: local time sent, server's time, local time received, all in ms."""
        self._offsets.append(server - (sent + received) / 2)

    def now(self) -> float:
        """The server's time in ms. Raises `ValueError` before the first sample."""
        if not self._offsets:
            raise ValueError("No ping has been answered yet.")
        return local_ms() + median(self._offsets)
