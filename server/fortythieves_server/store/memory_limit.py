"""How much memory Redis has left: it is said before the limit is reached, and no new rooms are opened then.

At its limit Redis refuses whatever needs more memory, so moves would have to wait. New rooms are refused earlier, and
what is left is for the races that go on.
"""

import logging
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

log = logging.getLogger(__name__)

#: The part of the limit up to which rooms are opened. A move takes some 27 bytes (10.5 KB for a race of two with 190
#: moves each, docs/CAPACITY.md), so the last fifth of 512 MB is room for four million: 10,000 racers need a quarter of
#: an hour for these, about as long as the races last that are on.
OPEN_UP_TO = 0.8
#: Below this part it is said that all is well again; a little less, so that it is not said again and again.
WELL_BELOW = 0.75

_MB = 1_000_000


class Memory(NamedTuple):
    """What a Redis server holds, in bytes, and how much it may; 0: there is no limit."""

    used: int
    limit: int
    #: What it does at its limit: anything but ``noeviction`` throws away rooms.
    policy: str

    @property
    def share(self) -> float:
        return self.used / self.limit if self.limit else 0.0

    @property
    def is_short(self) -> bool:
        """Whether no new rooms are opened for it."""
        return self.share >= OPEN_UP_TO

    def __str__(self) -> str:
        return f"{self.used / _MB:.0f} of {self.limit / _MB:.0f} MB"


def fullest(said: Sequence[Mapping[str, Any]]) -> Memory:
    """Of what servers say of their memory (INFO memory), that of the one that is nearest to its limit."""
    found = [Memory(int(one["used_memory"]), int(one["maxmemory"]), str(one["maxmemory_policy"])) for one in said]
    return max(found, key=lambda memory: (memory.share, memory.used))


class MemoryWatch:
    """Tells operators once whenever something about it changes that they have to know."""

    def __init__(self) -> None:
        #: As it was last; None before anybody has looked.
        self.now: Memory | None = None
        self._said = ""

    def learn(self, memory: Memory) -> None:
        """Take in how it is now."""
        first, self.now = self.now is None, memory
        if first and not memory.limit:
            log.warning("Redis has no memory limit (maxmemory): nothing is said before the machine has none left")
        if first and memory.limit and memory.policy != "noeviction":
            log.error("Redis throws away rooms at its memory limit: set maxmemory-policy to noeviction")
        state = "full" if memory.share >= 1 else "short" if memory.is_short else "well"
        if state == self._said or (state == "well" and (not self._said or memory.share >= WELL_BELOW)):
            return
        self._said = state
        match state:
            case "full":
                log.error("Redis has reached its memory limit (%s): what is to be saved waits", memory)
            case "short":
                log.warning("Redis is near its memory limit (%s): no new rooms are opened", memory)
            case _:
                log.warning("Redis has memory again (%s): new rooms are opened", memory)
