"""When news that may wait a moment is sent: for all rooms of a process at the same time.

Each time a process wakes up, and whomever it writes to, costs as much as what is then done. So all rooms that have
some to tell at about the same time tell it in one go.
"""

import asyncio
import logging
from collections.abc import Callable

log = logging.getLogger(__name__)

#: Seconds between two frames to the same people: among a few, and at most where there are many in other rooms.
SHORTEST, LONGEST = 0.05, 1.0
#: Frames a second that all people of a process are told together, unless they are too many; and those of one room at
#: most.
FRAMES, AT_MOST = 1_000, 2_000
#: How many times in that time some rooms have their turn.
TURNS = 5


def pace(here: int, in_all: int) -> float:
    """Seconds that news of a room of so many people wait, of so many whom the process serves, for more in one frame."""
    return max(SHORTEST, min(in_all / FRAMES, LONGEST), here / AT_MOST)


class Pacing:
    """Calls that are made together. One a process."""

    def __init__(self) -> None:
        #: How many are connected to all rooms.
        self.people = 0
        #: What is to be called, by the time of the loop.
        self._turns: dict[float, list[Callable[[], None]]] = {}

    def soon(self, here: int, call: Callable[[], None]) -> None:
        """Call something for a room of so many people once others have had time to bring more news."""
        loop = asyncio.get_running_loop()
        wait = pace(here, self.people)
        apart = wait / TURNS
        at = ((loop.time() + wait) // apart + 1) * apart
        if at not in self._turns:
            self._turns[at] = []
            loop.call_at(at, self._have_turn, at)
        self._turns[at].append(call)

    def _have_turn(self, at: float) -> None:
        for call in self._turns.pop(at):
            try:
                call()
            except Exception:  # What goes wrong in one room is no affair of the others.
                log.exception("what was to be told soon was not")
