"""What a process does when Redis has lost data of a room; and how a room is read from its log."""

import contextlib
import logging
from collections.abc import Sequence

from msgspec.structs import replace

from fortythieves.errors import Refused
from fortythieves.protocol.to_client import Close
from fortythieves.times import Ms
from fortythieves_server.common.logs import about
from fortythieves_server.common.tasks import slices
from fortythieves_server.core import events, evolve
from fortythieves_server.core.playthrough import Progress
from fortythieves_server.core.room_state import Room
from fortythieves_server.rooms.board_messages import new_playthrough
from fortythieves_server.rooms.cached_room import CachedRoom
from fortythieves_server.rooms.people import People
from fortythieves_server.rooms.seat import Seats
from fortythieves_server.store.redis_errors import StoreDown
from fortythieves_server.store.store import Store

log = logging.getLogger(__name__)


class Recovery:
    def __init__(self, cached: CachedRoom, people: People, seats: Seats, store: Store) -> None:
        self._cached = cached
        self._people = people
        self._seats = seats
        self._store = store

    async def recover_from(self, epoch: str) -> None:
        """Recover, unless the room is of a later epoch by now."""
        with contextlib.suppress(StoreDown):
            async with self._cached.lock:
                if self._cached.epoch == epoch and not self._cached.gone:
                    await self.recover()

    async def recover(self) -> None:
        """Redis has lost data: take what is left as the truth, and tell everybody. Raises `StoreDown`."""
        cached, code = self._cached, self._cached.room.code
        log.error("room %s: the log was cut or replaced; continuing with what is left", code, extra=about(code))
        cached.stale = True
        await self._store.logs.renew(code, cached.epoch)
        try:
            room, epoch, _ = await read_room(code, self._store)
        except Refused:
            self._people.close(Close.ROOM_GONE, "This room is no longer there")
            return
        if epoch == cached.epoch:
            # During a failover, two servers may both believe that they are the master. The log was read from one, and
            # written to the other.
            raise StoreDown("what was written cannot be read yet")
        progress = await self._progress_of_logs(room)
        cached.room, cached.epoch = room, epoch
        self._seats.start_over(progress)
        cached.stale = False
        self._people.start_over()

    async def _progress_of_logs(self, room: Room) -> dict[int, Progress]:
        """The progress of everybody from the move logs alone. Raises `StoreDown`."""
        progress = {}
        for number in room.race.racers:
            entries = await self._store.logs.moves(room.code, room.race.number, number)
            if not entries:
                continue
            playthrough = new_playthrough(room.race)
            try:
                playthrough.follow(entries)
            except Refused:  # this log is damaged as well; it can still be closed
                extra = about(room.code, number)
                log.exception("room %s: the move log of seat %d is damaged", room.code, number, extra=extra)
                playthrough = new_playthrough(room.race)
            progress[number] = replace(playthrough.progress, moves=len(entries))
        return progress


async def read_room(code: str, store: Store) -> tuple[Room, str, dict[int, Progress]]:
    """A stored room: its state, its epoch, and the progress of each seat. Raises `Refused` and `StoreDown`."""
    stored = await store.logs.read(code)
    if stored is None or not stored.entries:
        raise Refused("unknown-room", code=code)
    room = await folded(stored.entries)
    return room, stored.epoch, await store.logs.progress(code, room.race.number)


async def folded(log: Sequence[tuple[Ms, events.Event]]) -> Room:
    """The room after a log. For a long log, other tasks run in between."""
    room = evolve.replay(log[:1])
    async for some in slices(log[1:]):
        room = evolve.replay_onto(room, some)
    return room
