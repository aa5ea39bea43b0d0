"""The timer of a room: what its rules say is due, the start of a race, more that spectators may see."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from fortythieves.errors import Refused
from fortythieves_server.common.logs import about
from fortythieves_server.core import decide
from fortythieves_server.rooms.cached_room import CachedRoom
from fortythieves_server.rooms.seat import AGAIN, Seats
from fortythieves_server.rooms.spectators import Spectators
from fortythieves_server.store.clock import Clock
from fortythieves_server.store.redis_errors import StoreDown

log = logging.getLogger(__name__)

#: In ms.
HOUR = 3_600_000
#: Later than any time.
NEVER = 2**53


class Keep(NamedTuple):
    """How long a room is kept after its last event, in ms."""

    #: One in which no race was ever started.
    unplayed: int
    #: One that has results.
    played: int


class Schedule:
    """The timer of one room. ``decide_due`` decides on what is due by the rules."""

    def __init__(
        self,
        cached: CachedRoom,
        seats: Seats,
        spectators: Spectators,
        clock: Clock,
        keep: Keep,
        decide_due: Callable[[], Awaitable[None]],
    ) -> None:
        self._cached = cached
        self._seats = seats
        self._spectators = spectators
        self._clock = clock
        self._keep = keep
        self._decide_due = decide_due
        self._timer: asyncio.TimerHandle | None = None
        #: When somebody has to look at the room again (ms): something is due, or it is idle and may go.
        self.next_look = NEVER
        #: The last race in which everybody was sent the board.
        self._dealt = 0

    @property
    def active_until(self) -> int:
        """When the last event happened, or the next one is planned (ms)."""
        room = self._cached.room
        planned = room.tournament.next_at if room.tournament else None
        return max(room.at, room.race.ends_at or 0, planned or 0)

    @property
    def expires_at(self) -> int:
        """When the room is forgotten (ms), if nothing happens and nobody is there."""
        room = self._cached.room
        played = bool(room.past) or room.race.starts_at is not None
        return self.active_until + (self._keep.played if played else self._keep.unplayed)

    def start_over(self) -> None:
        """Begin with the room as it is: whoever is there has been sent the board of a race that is on."""
        race = self._cached.room.race
        self._dealt = race.number if race.running(self._clock.now()) else 0
        self.set()

    def set(self) -> None:
        """Set the timer anew: something has changed that says when something is due."""
        self.cancel()
        room = self._cached.room
        race = room.race
        due = decide.next_due(room, self._cached.progress)
        idle = not any(person.here for person in room.people.values())  # Somebody who is here has to go first.
        self.next_look = min(NEVER if due is None else due, self.expires_at if idle else NEVER)
        starts_at = race.starts_at if race.on and not race.revealing and self._dealt != race.number else None
        times = (due, starts_at, self._spectators.next_change(room))
        at = min((time for time in times if time is not None), default=None)
        if at is not None and not self._cached.gone:
            delay = self._clock.seconds_until(at)
            self._timer = asyncio.get_running_loop().call_later(delay, lambda: self._cached.soon(self.tick()))

    def cancel(self) -> None:
        """Do nothing any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    async def tick(self) -> None:
        """Do what has to be done by now."""
        cached = self._cached
        try:
            race = cached.room.race
            if self._dealt != race.number and race.running(self._clock.now()):
                self._dealt = race.number
                for number in self._seats.audience.seated:
                    cached.soon(self._seats.of(number).send_board())
            await self._decide_due()
            await self._spectators.refresh_if_any()
        except (Refused, StoreDown) as refused:
            if not cached.gone:
                code = cached.room.code
                log.debug("room %s: what is due has to wait: %s", code, refused, extra=about(code))
                await asyncio.sleep(AGAIN)
        except Exception:
            log.exception("room %s: what is due cannot be done", cached.room.code, extra=about(cached.room.code))
            await asyncio.sleep(AGAIN)
        finally:
            self.set()

    def show_soon(self) -> None:
        """Show spectators what has happened."""
        if self._spectators.viewers:
            self._cached.soon(self._show())

    async def _show(self) -> None:
        with contextlib.suppress(StoreDown):  # What was not read is read the next time.
            await self._spectators.refresh_if_any()
        self.set()

    async def show_again(self) -> None:
        """Show those who came while Redis was away what there is, as soon as it can be read."""
        while self._spectators.viewers and not self._cached.gone:
            await asyncio.sleep(AGAIN)
            with contextlib.suppress(StoreDown):
                await self._spectators.refresh_if_any()
                self.set()
                return
