"""How long to wait before a process that ended is restarted.

Libraries for backoff (tenacity, backoff) repeat a call that fails. Here it matters how long the process had run.
"""

from collections.abc import Sequence

#: Seconds before each restart after failures in a row. The last one repeats. A guess.
PAUSES = (0.0, 0.2, 0.5, 1.0, 2.0)
#: A process that ran for this many seconds did not fail. A guess.
A_WHILE = 10.0


class Backoff:
    """The backoff of one process. Both parameters are in seconds."""

    def __init__(self, pauses: Sequence[float] = PAUSES, a_while: float = A_WHILE) -> None:
        self._pauses = pauses
        self._a_while = a_while
        self.failures = 0

    @property
    def pause(self) -> float:
        """Seconds to wait before the next start."""
        return self._pauses[min(self.failures, len(self._pauses) - 1)]

    def ended(self, lived: float) -> None:
        self.failures = 0 if lived > self._a_while else self.failures + 1

    def failed(self) -> None:
        self.failures += 1
