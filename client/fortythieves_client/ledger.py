"""What a racer was told of its log in one race. Load tests and the simulation compare it with the log."""

from collections.abc import Sequence
from typing import TypeVar

from fortythieves.solver.analysis import common
from fortythieves_client.reconnecting import Gap

E = TypeVar("E")


class Ledger(list[E]):
    """The acknowledged entries, in order."""

    def acknowledge(self, n: int, entry: E) -> bool:
        """Entry number ``n`` is acknowledged. Returns whether that is new.

        Raises `Gap` if it is not the next one, and not the one that had this number before.
        """
        if n == len(self) + 1:
            self.append(entry)
            return True
        if self[n - 1 : n] != [entry]:
            raise Gap
        return False

    def replace(self, log: Sequence[E]) -> tuple[int, int]:
        """After a reconnect, the whole log is told. Returns how many entries are gone, and how many are new."""
        kept, known = common(log, self), len(self)
        self[:] = log
        return known - kept, len(log) - kept

    def differences(self, log: Sequence[E], unanswered: E | None) -> tuple[int, int]:
        """The number of acknowledged entries that a log lacks, and of its other extra entries. ``unanswered``: an entry
        that was sent but not answered, which may be in the log or not.
        """
        kept = common(log, self)
        extra = list(log[kept:])
        if kept == len(self) and extra[:1] == [unanswered]:
            extra.pop(0)
        return len(self) - kept, len(extra)
