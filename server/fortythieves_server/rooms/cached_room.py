"""A room as this process has read it: its state, the move logs of its race, and their locks.

All other modules of a room use it. A part of a room that needs something done at a certain time does not call the parts
above it: it asks the room to act (`act_by`), and the sweeper then lets the room act.
"""

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from functools import reduce
from typing import Any

from msgspec.structs import replace

from fortythieves.errors import Refused
from fortythieves.times import Ms
from fortythieves_server.common.logs import about
from fortythieves_server.common.tasks import end
from fortythieves_server.core import events, evolve
from fortythieves_server.core.playthrough import NO_LOG, Playthrough, Progress, extended
from fortythieves_server.core.room_state import Race, Room
from fortythieves_server.store.redis_errors import StoreDown
from fortythieves_server.store.store import Store

log = logging.getLogger(__name__)

#: Events applied in a row: about 3 ms in a room of 600, because each copies the list of people. Measured.
SLICE = 250
NOW = Ms(0)
#: Seconds between two attempts to read while Redis is away.
RETRY_AFTER = 1.0


class FifoLock:
    """A first-come-first-served lock that both callbacks and tasks can wait for."""

    __slots__ = ("_waiting", "locked")

    def __init__(self) -> None:
        self.locked = False
        #: The waiting callbacks and tasks. None if there are none, which is nearly always.
        self._waiting: deque[Callable[[], None] | asyncio.Future[None]] | None = None

    @property
    def waiting(self) -> int:
        return len(self._waiting or ())

    @contextlib.asynccontextmanager
    async def acquired(self) -> AsyncIterator[None]:
        if self.locked:
            turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self.enqueue(turn)
            try:
                await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled():
                    self.release()
                raise
        self.locked = True
        try:
            yield
        finally:
            self.release()

    def enqueue(self, waiting: Callable[[], None] | asyncio.Future[None]) -> None:
        """Call the callback, or wake up the task, when it is next. A callback may keep the lock when it returns."""
        if self._waiting is None:
            self._waiting = deque()
        self._waiting.append(waiting)

    def release(self) -> None:
        """Let the next ones run, until one of them keeps the lock."""
        self.locked = False
        while self._waiting and not self.locked:
            first = self._waiting.popleft()
            if not isinstance(first, asyncio.Future):
                first()
            elif not first.done():
                self.locked = True
                first.set_result(None)
        self._waiting = self._waiting or None


class SeatLog(FifoLock):
    """The move log of one seat, and its lock. It is locked while a move is being committed or the log is being read."""

    __slots__ = ("_cached", "number", "playthrough")

    def __init__(self, number: int, cached: "CachedRoom") -> None:
        super().__init__()
        self.number = number
        self._cached = cached
        #: The entries that were read. None: not read. A move that is being committed is already its last entry.
        self.playthrough: Playthrough | None = None

    @property
    def is_current(self) -> bool:
        return self._cached.seat_log(self.number) is self

    async def up_to_date(self, *, sure: bool = False) -> Playthrough | None:
        """The playthrough, with all entries that this process knows of. ``sure``: read the log even without news.

        Only entries with a time are on disk. None if there is another race by now. Raises `StoreDown`.
        """
        found = self.playthrough
        if sure or found is None or len(found.times) < self._cached.moves_of(self.number):
            async with self.acquired():
                if self.is_current:
                    found = await self.read(sure=sure)
        return found if self.is_current else None

    async def read(self, *, sure: bool) -> Playthrough:
        """Read the rest of the log. The caller has locked it. Raises `StoreDown`."""
        cached, room, found = self._cached, self._cached.room, self.playthrough
        if found is None:
            found = new_playthrough(room.race)
        known = len(found.entries)
        if sure or known < cached.moves_of(self.number):
            self.playthrough = None  # in case reading fails, or the log does not fit this deal
            entries, log_hash = await cached.store.logs.seat_log(room.code, room.race.number, self.number, known)
            shown, row = found.progress, cached.progress.get(self.number, found.progress)
            ahead, fits = max(0, row.moves - known), True
            with contextlib.suppress(Refused):
                for part in entries[:ahead], entries[ahead:]:
                    found.follow(part)
                    fits = fits and (len(found.entries) != row.moves or found.log_hash == row.log_hash)
            if not fits or len(found.entries) < row.moves or found.log_hash != log_hash:
                # Clients were shown entries of another log. The next commit decides whether data is lost.
                if known:
                    cached.progress[self.number] = shown
                cached.note_loss(cached.epoch)
                raise StoreDown("the log of a seat does not fit its board")
        self.playthrough = found
        return found


class CachedRoom:
    """The state of a room after the part of its log that was read, and the progress of each seat."""

    def __init__(
        self, room: Room, epoch: str, last: str, progress: dict[int, Progress], store: Store, due: asyncio.Queue[str]
    ) -> None:
        """``due``: gets the code of the room when it must act."""
        self.room = room
        self.epoch = epoch
        #: The time and id of the last entry that was read.
        self.last = last
        #: The progress of each seat that has moved.
        self.progress = progress
        self.store = store
        self._clock = store.clock
        #: Whether this process no longer serves the room.
        self.gone = False
        #: Whether the log may have more entries than were read.
        self.stale = False
        #: The epoch in which a move failed because data of the room is missing in Redis. "": none.
        self.lost_epoch = ""
        #: Locked while the log is appended to, or read further.
        self.lock = asyncio.Lock()
        self._tasks: dict[asyncio.Task[None], None] = {}
        self._is_stopped = False
        self._seat_logs: dict[int, SeatLog] = {}
        self._due = due
        self._acts_at: Ms | None = None
        self._timer: asyncio.TimerHandle | None = None
        #: By how much the time of the room is more than the local one, if it runs on from the last known entry.
        self._offset = 0.0
        self.run_on()

    def now(self) -> Ms:
        """The time in the room: that of the store, or later if the store's clock was set back after an entry."""
        return self._clock.now(self._offset)

    @property
    def ahead(self) -> Ms:
        """By how much the time of the room is ahead of the store's clock."""
        return self._clock.ahead(self._offset)

    def run_on(self) -> None:
        """There may be later entries, from which the time of the room runs on."""
        self._offset = max(self._offset, self._clock.offset_of(self.active_at))

    @property
    def active_at(self) -> Ms:
        return max([self.room.at, *(row.at for row in self.progress.values())])

    @property
    def moves(self) -> int:
        """How many entries all logs of the race have, as far as this process knows."""
        return sum(row.moves for row in self.progress.values())

    def moves_of(self, seat: int) -> int:
        """How many entries a seat's log has, as far as this process knows."""
        return self.progress[seat].moves if seat in self.progress else 0

    def seat_log(self, seat: int) -> SeatLog:
        found = self._seat_logs.get(seat)
        if found is None:
            found = self._seat_logs[seat] = SeatLog(seat, self)
        return found

    async def playthrough(self, race: int, seat: int) -> Playthrough | None:
        """The playthrough of a seat. None if there is another race by now. Raises `StoreDown`."""
        return await self.seat_log(seat).up_to_date() if race == self.room.race.number else None

    def forget_boards(self, progress: dict[int, Progress]) -> None:
        """Forget all boards: there is another race, or the known state is invalid."""
        self.progress = progress
        self._seat_logs.clear()

    def close(self) -> None:
        self.gone = True
        self.forget_boards({})  # frees memory now, without waiting for the garbage collector
        self.act_at(None)

    # Later work

    def run_soon(self, work: Coroutine[Any, Any, None]) -> None:
        """Do some work in the background. After `stop` there is no Redis for it, so nothing is done."""
        if self._is_stopped:
            work.close()
            return
        task = asyncio.get_running_loop().create_task(work)
        self._tasks[task] = None
        task.add_done_callback(self._done)

    async def stop(self) -> None:
        """End all work in the background, for good: the process ends."""
        self._is_stopped = True
        await end(self._tasks)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.pop(task, None)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("room %s: a task failed", self.room.code, exc_info=error, extra=about(self.room.code))

    def note_stale(self) -> None:
        """Another process has committed to the log of the room."""
        if not self.stale:
            self.stale = True
            self.act_by(NOW)

    def note_loss(self, epoch: str) -> None:
        """Data of the room is missing in Redis. A move that was decided in ``epoch`` showed it."""
        self.lost_epoch = epoch
        self.act_by(NOW)

    def act_by(self, at: Ms | None) -> None:
        """Let the room catch up with its log and do what is due at this time, unless it acts earlier anyway."""
        if at is not None and (self._acts_at is None or at < self._acts_at):
            self.act_at(at)

    def act_at(self, at: Ms | None) -> None:
        """Let the room act at this time, or only when something happens (None). If it must act now, it still does."""
        if self._timer is not None:
            if not self._acts_at and not self.gone:
                return
            self._timer.cancel()
        self._timer, self._acts_at = None, at
        if at is not None and not self.gone:
            delay = self._clock.seconds_until(at, self._offset)
            self._timer = asyncio.get_running_loop().call_later(delay, self._act)

    def _act(self) -> None:
        self._timer = self._acts_at = None
        self._due.put_nowait(self.room.code)


def new_playthrough(race: Race) -> Playthrough:
    return Playthrough(race.game, race.deck, race.settings.undo, race.starts_at or Ms(0))


async def read_room(code: str, store: Store) -> tuple[Room, str, str, dict[int, Progress]]:
    """A stored room: its state, its epoch, its last entry, and the progress of each seat. Raises `Refused`."""
    stored = await store.logs.read(code)
    if stored is None or not stored.entries:
        raise Refused("unknown-room", code=code)
    room = await folded(stored.entries)
    return room, stored.epoch, stored.last, await store.logs.progress(code, room.race.number)


async def folded(entries: Sequence[tuple[Ms, events.Event]]) -> Room:
    """The room after these entries of its log. For a long log, other tasks run in between."""
    room = evolve.replay(entries[:1])
    for start in range(1, len(entries), SLICE):
        if start > 1:
            await asyncio.sleep(0)
        room = evolve.replay_onto(room, entries[start : start + SLICE])
    return room


async def progress_of_logs(room: Room, store: Store) -> dict[int, Progress]:
    """The progress of each seat, from the move logs alone. Raises `StoreDown`."""
    progress = {}
    for seat in room.race.racers:
        entries = await store.logs.moves(room.code, room.race.number, seat)
        if not entries:
            continue
        found = new_playthrough(room.race)
        try:
            found.follow(entries)
        except Refused:  # this log is damaged as well; it can still be closed
            extra = about(room.code, seat)
            log.exception("room %s: the move log of seat %d is damaged", room.code, seat, extra=extra)
            found = new_playthrough(room.race)
            found.log_hash = reduce(lambda log_hash, entry: extended(log_hash, *entry), entries, NO_LOG)
        progress[seat] = replace(found.progress, moves=len(entries))
    return progress
