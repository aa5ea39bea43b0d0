"""How a process learns what other processes did in a room."""

import contextlib

from fortythieves.errors import Refused
from fortythieves.protocol.to_client import Close
from fortythieves_server.rooms.cached_room import CachedRoom
from fortythieves_server.rooms.people import People
from fortythieves_server.rooms.recovery import Recovery
from fortythieves_server.rooms.schedule import Schedule
from fortythieves_server.rooms.seat import Seats
from fortythieves_server.store.redis_errors import Closed, Lost, Newer, StoreDown
from fortythieves_server.store.store import Store


class CatchUp:
    def __init__(self, cached: CachedRoom, people: People, seats: Seats, schedule: Schedule, store: Store) -> None:
        self._cached = cached
        self._people = people
        self._seats = seats
        self._schedule = schedule
        self.recovery = Recovery(cached, people, seats, store)
        self._store = store

    def hear_of_events(self) -> None:
        """Another process has committed to the room log."""
        if not self._cached.stale:
            self._cached.stale = True
            self._cached.soon(self.look())

    def hear_of_trouble(self, answer: Closed | Lost, epoch: str) -> None:
        """A move was decided in ``epoch`` but not made, because the room is not as this process knows it."""
        if isinstance(answer, Closed):
            self.hear_of_events()
        else:
            self._cached.soon(self.recovery.recover_from(epoch))

    async def look(self) -> None:
        """Read what was missed, then do what is due."""
        self._cached.stale = True
        with contextlib.suppress(StoreDown, Refused):
            async with self._cached.lock:
                try:
                    await self.read()
                except Lost:
                    await self.recovery.recover()
            await self._schedule.tick()

    async def read(self) -> None:
        """Read what was missed. The caller holds the lock. Raises `Lost`, `Newer`, `StoreDown`."""
        cached = self._cached
        if not cached.stale:
            return
        cached.stale = False
        try:
            # The last known entry is read, too. If the log was cut and grew again, this entry differs.
            stored = await self._store.logs.read(cached.room.code, cached.room.n - 1)
            if stored is None or stored.epoch != cached.epoch or not stored.entries:
                raise Lost
            (at, _), *missed = stored.entries
            if at != cached.room.at:
                raise Lost
            if missed:
                self._people.apply(missed)
            number, known = cached.room.race.number, {seat: row.moves for seat, row in cached.progress.items()}
            progress = await self._store.logs.progress(cached.room.code, number)
            if any(seat not in progress or progress[seat].moves < moves for seat, moves in known.items()):
                raise Lost  # a failover has cut the log, which is noticed here even if that seat never moves again
        except Newer as newer:
            self._people.close(Close.GOING_AWAY, str(newer))
            raise
        except BaseException:
            cached.stale = True
            raise
        for seat, row in progress.items():
            self._seats.hear(cached.room.race.number, seat, row)
