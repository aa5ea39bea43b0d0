"""How long to wait before a process that has ended is started again.

Libraries for that (tenacity, backoff) repeat a call that fails; here it matters for how long the process had run.
"""

from collections.abc import Sequence

#: Seconds before the starts that follow a failure, the last one before all later ones.
PAUSES = (0.0, 0.2, 0.5, 1.0, 2.0)
#: A process that ran for so many seconds did not fail.
A_WHILE = 10.0


class Backoff:
    """That of one process."""

    def __init__(self, pauses: Sequence[float] = PAUSES, a_while: float = A_WHILE) -> None:
        self._pauses = pauses
        self._a_while = a_while
        #: How many times in a row it has failed.
        self.failures = 0

    @property
    def pause(self) -> float:
        """Seconds to wait before the next start."""
        return self._pauses[min(self.failures, len(self._pauses) - 1)]

    def ended(self, lived: float) -> None:
        """It has ended, after so many seconds."""
        self.failures = 0 if lived > self._a_while else self.failures + 1

    def failed(self) -> None:
        """It could not even be started."""
        self.failures += 1
