"""Send people to the process that should serve their room, so that it is served by one process only.

A room is served by several after one of them has failed or was busy, and by the wrong one after another has joined.
Clients then only have to connect again: their address names the room. That waits until nobody moves, and only a few
rooms move at a time.
"""

import asyncio
import logging
from collections.abc import Callable

from fortythieves.times import Ms
from fortythieves_server.common.logs import about
from fortythieves_server.core.affinity import LARGE
from fortythieves_server.rooms.live_room import LiveRoom
from fortythieves_server.rooms.registry import Registry
from fortythieves_server.store.clock import Clock

log = logging.getLogger(__name__)

#: Milliseconds for which nothing has happened in a room, and for which nobody has moved in a race. A guess.
SETTLED, NO_MOVE = Ms(2_000), Ms(10_000)
#: How many people are sent at a time, but at least those of one room. Each takes about 1 ms of CPU there. A guess.
AT_ONCE = 50
#: Seconds until a room is looked at again whose people may come back to this process, doubled each time, and the most.
AGAIN, LAST = 10.0, 600.0


class Gathering:
    """``is_here``: whether a room should be served by this process."""

    def __init__(self, registry: Registry, clock: Clock, is_here: Callable[[str], bool]) -> None:
        self._registry = registry
        self._clock = clock
        self._is_here = is_here
        #: By code: when a room may be looked at again (by the clock of the event loop), and the pause after that.
        self._again: dict[str, tuple[float, float]] = {}
        #: How many people were sent to another process so far.
        self.sent = 0

    def look(self) -> None:
        """Send the people of some rooms that should be served elsewhere, if there are any. Call it once a second."""
        wrong = {room.room.code: room for room in self._registry.rooms() if not self._is_here(room.room.code)}
        self._again = {code: when for code, when in self._again.items() if code in wrong}
        now, before = asyncio.get_running_loop().time(), self.sent
        for code, room in wrong.items():
            if self.sent - before >= AT_ONCE:
                return
            due, pause = self._again.get(code, (now, AGAIN))
            if now >= due and self._is_quiet(room) and (count := room.send_elsewhere()):
                self.sent += count
                self._again[code] = now + pause, min(pause * 2, LAST)
                log.debug("room %s: %s people are sent to another process", code, count, extra=about(code))

    def _is_quiet(self, room: LiveRoom) -> bool:
        quiet_for = self._clock.now() - room.cached.active_at
        return len(room.room.people) < LARGE and quiet_for >= (NO_MOVE if room.room.race.on else SETTLED)
