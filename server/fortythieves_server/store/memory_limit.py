"""The memory limit of Redis. Operators are warned before it is reached, and then only running races may add to it.

At its limit, Redis refuses commands that need memory, so moves would have to wait.
"""

import logging
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from fortythieves_server.common.prices import IF_SHORT

log = logging.getLogger(__name__)

#: Up to this share of the limit, everybody may add. Above it, only running races may. A move takes about 27 bytes
#: (10.5 KB for a race of two with 190 moves each, docs/CAPACITY.md), so the last fifth of 512 MB has room for four
#: million moves. 10,000 racers need a quarter of an hour for these, about as long as running races last.
OPEN_UP_TO = 0.8
#: Below this share the warning ends. It is lower, so that the messages do not repeat all the time.
WELL_BELOW = 0.75


class Memory(NamedTuple):
    """The memory of a Redis server in bytes, and its limit (0: none)."""

    used: int
    limit: int
    #: The policy at the limit. Every one except ``noeviction`` deletes rooms.
    policy: str

    @property
    def share(self) -> float:
        return self.used / self.limit if self.limit else 0.0

    @property
    def is_short(self) -> bool:
        """Whether only running races may add to it."""
        return self.share >= OPEN_UP_TO

    def __str__(self) -> str:
        return f"{self.used / 1e6:.0f} of {self.limit / 1e6:.0f} MB"


def fullest(infos: Sequence[Mapping[str, Any]]) -> Memory:
    """Of several servers (INFO memory), the one that is nearest to its limit."""
    found = [Memory(int(one["used_memory"]), int(one["maxmemory"]), str(one["maxmemory_policy"])) for one in infos]
    return max(found, key=lambda memory: (memory.share, memory.used))


_NEWS = {
    "full": (logging.ERROR, "Redis has reached its memory limit (%s): commits wait"),
    "short": (logging.WARNING, "Redis is near its memory limit (%s): only running races go on"),
    "well": (logging.WARNING, "Redis has memory again (%s): races and rooms begin again"),
}


class MemoryWatch:
    """Logs each change that operators must know, once."""

    def __init__(self) -> None:
        #: The latest measurement. None before the first.
        self.now: Memory | None = None
        self._logged = "well"

    @property
    def is_short(self) -> bool:
        return self.now is not None and self.now.is_short

    def price(self, size: int) -> int:
        """How many bytes an address pays for, if it adds so many."""
        return size * IF_SHORT if self.is_short else size

    def grew(self, size: int) -> None:
        """Count the bytes that were added since the latest measurement, so that no burst passes unnoticed."""
        if self.now is not None:
            self.now = self.now._replace(used=self.now.used + size)

    def learn(self, memory: Memory) -> None:
        first, self.now = self.now is None, memory
        if first and not memory.limit:
            log.warning("Redis has no memory limit (maxmemory), so nothing warns before the machine runs out of it")
        elif first and memory.policy != "noeviction":
            log.error("Redis deletes rooms at its memory limit: set maxmemory-policy to noeviction")
        state = "full" if memory.share >= 1 else "short" if memory.is_short else "well"
        if state != self._logged and (state != "well" or memory.share < WELL_BELOW):
            self._logged = state
            log.log(*_NEWS[state], memory)
