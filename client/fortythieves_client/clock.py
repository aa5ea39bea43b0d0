"""The server's clock, as well as it can be told from here."""

import time
from collections import deque
from statistics import median

#: So many pings are remembered: enough for a median that one late packet does not move.
SAMPLES = 9


def local_ms() -> float:
    """This machine's clock in milliseconds; it never jumps, and starts anywhere."""
    return time.monotonic() * 1000


class ServerClock:
    """Server time from pings: the median over samples, each taken to lie in the middle of its round trip."""

    __slots__ = ("_offsets",)

    def __init__(self) -> None:
        self._offsets: deque[float] = deque(maxlen=SAMPLES)

    def sample(self, sent: float, server: float, received: float) -> None:
        """Learn from one ping: local time sent, server's time, local time received (all ms)."""
        self._offsets.append(server - (sent + received) / 2)

    def now(self) -> float:
        """The server's time in ms. Before the first sample that is unknowable: `ValueError`."""
        if not self._offsets:
            raise ValueError("No ping has been answered yet.")
        return local_ms() + median(self._offsets)
