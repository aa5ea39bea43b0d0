"""The timer of a room: what is due by its rules, the start of a race, and what spectators may see next."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from fortythieves.errors import Refused
from fortythieves.times import Ms, ms_of
from fortythieves_server.common.logs import about
from fortythieves_server.core import decide
from fortythieves_server.rooms.cached_room import CachedRoom
from fortythieves_server.rooms.heats import BEHIND
from fortythieves_server.rooms.seat import AGAIN, Seats
from fortythieves_server.rooms.spectators import Spectators
from fortythieves_server.store.clock import Clock
from fortythieves_server.store.redis_errors import StoreDown

log = logging.getLogger(__name__)

HOUR = ms_of(3600)
#: An arena is open for eight hours at most.
LONGEST_ARENA = ms_of(8 * 3600)
#: Later than any time.
NEVER = Ms(2**53)


class Keep(NamedTuple):
    """How long a room is kept after its last event."""

    #: If it never had a race.
    unplayed: Ms
    #: If it has results.
    played: Ms


class Schedule:
    """The timer of one room. ``decide_due`` decides what is due by the rules."""

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
        #: When the room must be checked again: something is due, or it is idle and may be deleted.
        self.next_look = NEVER
        #: The last race for which boards were sent to everybody.
        self._dealt = 0

    @property
    def active_until(self) -> Ms:
        """When the last event happened, or the next one is planned."""
        room = self._cached.room
        held = room.tournament
        planned = held.next_at or (held.arena.closes_at(held.plan) if held.is_arena else None) if held else None
        return max(room.at, room.race.ends_at or Ms(0), planned or Ms(0))

    @property
    def expires_at(self) -> Ms:
        """When the room is deleted, if nothing happens and nobody is there."""
        room = self._cached.room
        played = bool(room.past) or room.race.starts_at is not None or (room.tournament and room.tournament.begun)
        # The races of an arena are there as long as the arena, which may go on for so long.
        longer = LONGEST_ARENA if room.of_arena is not None else Ms(0)
        return self.active_until + longer + (self._keep.played if played else self._keep.unplayed)

    def start_over(self) -> None:
        """Start with the current state. Everybody has already received the board of a running race."""
        race = self._cached.room.race
        self._dealt = race.number if race.running(self._clock.now()) else 0
        self.set()

    def set(self) -> None:
        """Set the timer again, after a change that may affect it."""
        self.cancel()
        room = self._cached.room
        race = room.race
        due = decide.next_due(room, self._cached.progress, watched=bool(self._spectators.viewers))
        if (
            due is not None
            and room.tournament is not None
            and room.tournament.is_arena
            and not self._seats.peers.seated
        ):
            due += BEHIND
        idle = not any(person.here for person in room.people.values())  # a room with people is not deleted
        self.next_look = min(NEVER if due is None else due, self.expires_at if idle else NEVER)
        starts_at = race.starts_at if race.on and not race.revealing and self._dealt != race.number else None
        times = (due, starts_at, self._spectators.next_change(room))
        at = min((time for time in times if time is not None), default=None)
        if at is not None and not self._cached.gone:
            delay = self._clock.seconds_until(at)
            self._timer = asyncio.get_running_loop().call_later(delay, lambda: self._cached.soon(self.tick()))

    def cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    async def tick(self) -> None:
        cached = self._cached
        try:
            race = cached.room.race
            if self._dealt != race.number and race.running(self._clock.now()):
                self._dealt = race.number
                for number in self._seats.peers.seated:
                    cached.soon(self._seats.of(number).send_board())
            await self._decide_due()
            await self._spectators.refresh_if_any()
        except (Refused, StoreDown) as refused:
            if not cached.gone:
                code = cached.room.code
                log.debug("room %s: what is due must wait: %s", code, refused, extra=about(code))
                await asyncio.sleep(AGAIN)
        except Exception:
            log.exception("room %s: what is due failed", cached.room.code, extra=about(cached.room.code))
            await asyncio.sleep(AGAIN)
        finally:
            self.set()

    def show_soon(self) -> None:
        if self._spectators.viewers:
            self._cached.soon(self._show())

    async def _show(self) -> None:
        with contextlib.suppress(StoreDown):  # the next update reads it
            await self._spectators.refresh_if_any()
        self.set()

    async def show_again(self) -> None:
        """Update spectators who came while Redis was away, as soon as it is back."""
        while self._spectators.viewers and not self._cached.gone:
            await asyncio.sleep(AGAIN)
            with contextlib.suppress(StoreDown):
                await self._spectators.refresh_if_any()
                self.set()
                return
