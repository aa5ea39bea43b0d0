"""Pacing: when broadcasts that may wait are sent, for all rooms of a process at the same time.

Each wake-up of a process, and each write to a client, costs as much as the work that is then done. So all rooms with
something to send at about the same time send it together.
"""

import asyncio
import logging
import time
from collections.abc import Callable

log = logging.getLogger(__name__)

#: Seconds between two frames to the same people: in a small process, and the most in a large one.
SHORTEST, LONGEST = 0.05, 1.0
#: Frames per second to all people of a process together, as far as `LONGEST` allows, and the most to one room.
FRAMES, AT_MOST = 1_000, 2_000
#: The part of an interval after which progress does not wait for its end if there is a move to acknowledge. A guess.
EARLY = 0.25
#: Into how many groups the rooms are divided in that time.
TURNS = 5


class Pacing:
    """Calls that are made together. One per process."""

    def __init__(self) -> None:
        #: The seconds for which a small room collects changes, and after which they are sent with an acknowledgement.
        self._shortest = self.early = SHORTEST
        #: The calls to make, by time of the event loop.
        self._turns: dict[float, list[Callable[[], None]]] = {}

    def count(self, people: int) -> None:
        """Note how many people are connected to all rooms."""
        self._shortest = max(SHORTEST, min(people / FRAMES, LONGEST))
        self.early = max(SHORTEST, EARLY * self._shortest)

    def wait(self, here: int) -> float:
        """The seconds for which a room of ``here`` people collects changes now."""
        return max(self._shortest, here / AT_MOST)

    def soon(self, here: int, call: Callable[[], None], since: float | None = None) -> None:
        """Call something for a room of ``here`` people, after other changes had time to arrive.

        ``since``: when the first change arrived, if not now, by `time.monotonic`, which is the clock of the event loop.
        """
        wait = self.wait(here)
        apart = wait / TURNS
        at = (((time.monotonic() if since is None else since) + wait) // apart + 1) * apart
        if at not in self._turns:
            self._turns[at] = []
            asyncio.get_running_loop().call_at(at, self._have_turn, at)
        self._turns[at].append(call)

    def _have_turn(self, at: float) -> None:
        for call in self._turns.pop(at):
            try:
                call()
            except Exception:  # a failure in one room must not affect the others
                log.exception("deferred broadcast failed")
