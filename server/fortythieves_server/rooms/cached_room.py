"""A room as this process has read it. All other modules of a room use it."""

import asyncio
import logging
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any

from fortythieves.times import Ms
from fortythieves_server.common.logs import about
from fortythieves_server.core.playthrough import Progress
from fortythieves_server.core.room_state import Room
from fortythieves_server.store.room_logs import Head

log = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class CachedRoom:
    """The state of a room after the part of its log that was read, and the progress of each seat."""

    room: Room
    epoch: str
    #: The progress of each seat that has moved.
    progress: dict[int, Progress]
    #: Whether this process no longer serves the room.
    gone: bool = False
    #: Whether the log may have more entries than were read.
    stale: bool = False
    #: Held while the log is appended to, or read further.
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    tasks: set[asyncio.Task[None]] = field(default_factory=set)

    @property
    def active_at(self) -> Ms:
        """When the last event or move happened."""
        return max([self.room.at, *(row.at for row in self.progress.values())])

    def moves_of(self, seat: int) -> int:
        """How many entries a seat's log has, as far as this process knows."""
        return self.progress[seat].moves if seat in self.progress else 0

    def is_at(self, head: Head | None) -> bool:
        """Whether the stored room has exactly this state."""
        return head == (self.epoch, self.room.n, self.active_at)

    def soon(self, work: Coroutine[Any, Any, None]) -> None:
        """Do some work in the background."""
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self.tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("room %s: a task failed", self.room.code, exc_info=error, extra=about(self.room.code))
