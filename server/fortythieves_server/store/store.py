"""The log in Redis, which is the only truth. One implementation, which always speaks to a real Redis.

The keys are those of `schema`, what is done with them at once that of `scripts`; `group_commit` sees to it that
it is on disk.
"""

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from redis.exceptions import RedisError, ResponseError

from fortythieves_server.common.tasks import end
from fortythieves_server.core import events
from fortythieves_server.core.judge_moves import Progress
from fortythieves_server.core.room_list import OF_ONE_ADDRESS, Listing
from fortythieves_server.store import schema, scripts
from fortythieves_server.store.bulk_reads import Reads
from fortythieves_server.store.canary import Canary
from fortythieves_server.store.clock import Clock
from fortythieves_server.store.connections import connections
from fortythieves_server.store.group_commit import Commits, settle
from fortythieves_server.store.memory_limit import OPEN_UP_TO, Memory, MemoryWatch, fullest
from fortythieves_server.store.move_batches import Entry, MoveBatches, Where
from fortythieves_server.store.notifications import FOLLOW_WITHIN, RETRY, Notifications
from fortythieves_server.store.redis_errors import (
    LOST_CONNECTION,
    Behind,
    Closed,
    Lost,
    Newer,
    StoreDown,
    is_passing,
    reason,
)
from fortythieves_server.store.schema import (
    DUE,
    KEY,
    KEY_RING,
    PUBLIC,
    RECORD_KEY,
    REPORTS,
    Notification,
    of_process,
    of_room,
)

__all__ = [
    "Behind",
    "Closed",
    "Entry",
    "Full",
    "Head",
    "Lost",
    "Newer",
    "Notification",
    "RoomLog",
    "Store",
    "StoreDown",
    "Taken",
    "Where",
]

log = logging.getLogger(__name__)

#: Events of a room that are asked for at once. While they are parsed nobody else has a turn: a millisecond or two.
PAGE = 2_000
#: How many read at the same time; whoever comes later waits, so many seconds at most.
READERS, READ_WITHIN = 16, 10.0
#: Entries of a log that are read at once where all of it is, in about two milliseconds of the event loop.
WINDOW = 10_000
#: Seconds between two times that a process says that it is alive, and until it no longer counts as that.
BEAT, PROCESS_TTL = 2, 15
#: Seconds that the number of watchers is kept after somebody last said it.
WATCHERS_TTL = 600
#: Seconds that it is kept who watches with a password, after somebody last said it: results are kept for seven days.
LET_IN_TTL = 7 * 86_400
#: Seconds that reports to operators are kept after the last process has written one.
REPORTS_TTL = 600

#: What `_say` is told about that is no node.
_BEAT = "beat"


class Taken(Exception):
    """There is a room with this code."""


class _Awaited(Entry, eq=False):
    """A move that somebody waits for."""

    done: asyncio.Future[int]

    def answered(self, answer: int | Exception) -> None:
        """It is on disk, or will not be."""
        settle(self.done, answer)


class Full(Exception):
    """Redis is so near its memory limit that no new room is opened."""


class RoomLog(NamedTuple):
    """What is stored of a room from some position on."""

    epoch: str
    #: How many entries the log has in all.
    length: int
    entries: list[tuple[int, events.Event]]


class Head(NamedTuple):
    """How far a stored room is: how many events its log has, and when the last of them or a move happened (ms)."""

    epoch: str
    n: int
    last: int


class Store:
    """Rooms in Redis, as a few async verbs. One a process.

    ``on_up(bool)`` is called when Redis goes away and comes back; ``on_nudge`` for what other processes
    commit; ``on_gap`` when notifications may have been missed.
    """

    def __init__(
        self, url: str, process: str, clock: Clock, *, follow_within: float = FOLLOW_WITHIN, window: int = WINDOW
    ) -> None:
        """``follow_within``: seconds that `follow` waits for Redis. ``window``: how much of a log is read at once."""
        self.process = process
        self.clock = clock
        self._window = window
        self.up = True
        self.on_up: Callable[[bool], None] = lambda up: None
        self.on_notification: Callable[[Notification], None] = lambda notification: None
        self.on_gap: Callable[[], None] = lambda: None
        self._connections = connections(url)
        self._redis = self._connections.reader
        self._readers = asyncio.Semaphore(READERS)
        self._scripts = scripts.load()
        self.commits = Commits(self._connections, self._say)
        self._reads = Reads(self._connections)
        self._notifications = Notifications(self._connections, process, follow_within)
        self._batches = MoveBatches(self.commits, self._scripts["moves"], process, self._notifications.listeners)
        self.canary = Canary(self.commits, self._notifications, self._scripts["canary"], process)
        #: What cannot be done for now, and why: commits at a node, or asking for the time.
        self._away: dict[str, object] = {}
        # They may be set later than this.
        self._notifications.on_notification = lambda notification: self.on_notification(notification)
        self._notifications.on_gap = lambda: self.on_gap()
        self._memory = MemoryWatch()
        self._beater: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Connect. Raises `StoreDown` with the reason in words if Redis cannot be reached."""
        try:
            await self._connections.open()
            await self.heartbeat()
            await self._look_at_memory()
        except (RedisError, *LOST_CONNECTION) as error:
            await self._connections.close()
            raise StoreDown(reason(error)) from error
        self._beater = asyncio.create_task(self._beat(), name="beat")
        try:
            await self._notifications.open()
        except StoreDown:
            await self.close()
            raise

    async def close(self) -> None:
        """Finish what is being committed, say goodbye, disconnect."""
        await self.canary.close()
        await self.commits.close()
        await self._reads.close()
        await self._notifications.close()
        if self._beater is not None:
            await end([self._beater])
        with contextlib.suppress(RedisError, *LOST_CONNECTION):
            await self._redis.delete(of_process(self.process))
        await self._connections.close()

    def slow_rooms(self, count: int) -> list[tuple[str, float]]:
        """The rooms whose moves took longest to be on disk in the last minute or two, and how many seconds that was."""
        return self._batches.slowest.worst(count, time.perf_counter())

    @property
    def memory(self) -> Memory | None:
        """How much Redis holds, of a cluster the fullest node; None before anybody has looked."""
        return self._memory.now

    # --- commits ---------------------------------------------------------------------------------------------

    async def create(self, code: str, event: events.Created, summary: Mapping[str, Any]) -> tuple[str, int]:
        """Open a room; returns its epoch and the time. Raises `Taken`, `Full`, `StoreDown`."""
        epoch = secrets.token_hex(6)
        names = (of_room(code, "meta"), of_room(code, "log"))
        arguments = (epoch, secrets.token_hex(6), events.encode(event), msgspec.json.encode(summary), str(OPEN_UP_TO))
        answer = await self._commit("create", names, arguments)
        if answer[0] == b"taken":
            raise Taken
        if answer[0] == b"full":
            raise Full
        return epoch, int(answer[1])

    async def commit(
        self,
        code: str,
        epoch: str,
        n: int,
        last: int,
        race: int,
        decided: Sequence[events.Event],
        sealed: Mapping[int, int],
        summary: Mapping[str, Any],
    ) -> int:
        """Append events to the room log if it is at ``n``, and seal the move logs of seats of ``race``.

        ``last``: the time of the last of these ``n`` entries.
        ``sealed``: seat -> how many entries its log must have for the events to be true.
        Returns the time of the events. Raises `Behind`, `Lost`, `StoreDown`.
        """
        names = [of_room(code, "meta"), of_room(code, "log")]
        checks: list[str | int] = []
        for seat, moves in sealed.items():
            names.append(of_room(code, "moves", race, seat))
            checks += [moves, f"sealed:{race}:{seat}"]
        encoded = [events.encode(event) for event in decided]
        notification = f"{self.process} room"
        commit = (
            secrets.token_hex(6),
            of_room(code, "nudge"),
            notification,
            msgspec.json.encode(summary),
            len(encoded),
        )
        return self._stamp(await self._commit("commit", names, (epoch, n, last, *commit, *encoded, *checks)))

    async def move(self, where: Where, entry: Entry) -> int:
        """Append a move to a seat's log if it is where it was when that was decided, and now is in the race's window.

        Returns the time of the move. Raises `Behind`, `Closed`, `Lost`, `StoreDown`.
        """
        done: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self.put_move(where, _Awaited(entry.seat, entry.n, entry.last, entry.text, entry.progress, done))
        return await done

    def put_move(self, where: Where, entry: Entry) -> None:
        """The same; it is the entry that is told of the answer. Raises `StoreDown`."""
        self._batches.put(where, entry)

    def _stamp(self, answer: list[bytes]) -> int:
        match answer:
            case [b"ok", at]:
                return int(at)
            case [b"behind"]:
                raise Behind
        raise Lost

    async def _commit(self, name: str, names: Sequence[str], arguments: Sequence[str | bytes | int]) -> list[bytes]:
        return await self.commits.make(self._scripts[name], names, arguments)

    def _say(self, what: str, error: object) -> None:
        """Take in that something can be done (then there is no error), or cannot."""
        if error is None:
            self._away.pop(what, None)
        else:
            self._away[what] = error
        up = not self._away
        if up == self.up:
            return
        self.up = up
        if up:
            log.warning("Redis is back")
        else:
            log.error("Redis is away, what is to be saved waits: %s", error)
        self.on_up(up)

    # --- reads -----------------------------------------------------------------------------------------------

    async def read(self, code: str, start: int = 0) -> RoomLog | None:
        """The room log from position ``start`` on, or None if there is no such room. Raises `Newer`."""
        known, happened = None, list[tuple[int, events.Event]]()
        while True:
            first = start + len(happened)
            async with self._reading():
                pipeline = self._redis.pipeline(transaction=False)
                pipeline.hget(of_room(code, "meta"), "epoch")
                pipeline.lrange(of_room(code, "log"), first, first + PAGE - 1)
                pipeline.llen(of_room(code, "log"))
                epoch, entries, length = await pipeline.execute()
            # Read in this order: what is appended in between is counted and not there, which is no loss.
            if epoch is None:
                return None
            if known not in (None, epoch):
                known, happened = None, []  # Data was lost meanwhile, or it is another room.
                continue
            known = epoch
            try:
                happened += map(schema.event_of, entries)
            except msgspec.ValidationError:
                raise Newer(code) from None
            if len(entries) < PAGE:
                return RoomLog(epoch.decode(), length, happened)

    async def heads(self, codes: Sequence[str]) -> list[Head | None]:
        """How far each of these rooms is; None where there is none, or it cannot be read."""
        async with self._reading():
            ends = [("HMGET", of_room(code, "meta"), "epoch", "last") for code in codes]
            lengths = [("LLEN", of_room(code, "log")) for code in codes]
            found = await self._reads.ask([command for both in zip(ends, lengths, strict=True) for command in both])
        return [_head(meta, n) for meta, n in zip(found[::2], found[1::2], strict=True)]

    async def progress(self, code: str, race: int) -> dict[int, Progress]:
        """How far each seat of a race is; a seat without a move is not there."""
        async with self._reading():
            rows: dict[bytes, bytes] = await self._redis.hgetall(of_room(code, "progress", race))
        return {int(seat): schema.progress_of(row) for seat, row in rows.items()}

    async def lengths(self, code: str, race: int, seats: Iterable[int]) -> dict[int, int]:
        """How many entries the move logs of these seats have."""
        names = {seat: of_room(code, "moves", race, seat) for seat in seats}
        async with self._reading():
            pipeline = self._redis.pipeline(transaction=False)
            for name in names.values():
                pipeline.llen(name)
            return dict(zip(names, await pipeline.execute(), strict=True))

    async def raw_log(self, code: str) -> bytes:
        """All of a room's log as it is stored, entries joined by newlines; no bytes if there is no such room."""
        async with self._reading():
            length = await self._redis.llen(of_room(code, "log"))
        return b"\n".join([part async for part in self._raw([(of_room(code, "log"), length)])])

    async def raw_moves(self, code: str, race: int, lengths: Mapping[int, int]) -> dict[int, bytes]:
        """The move logs of these seats, so many entries of each, as they are stored, joined by newlines."""
        parts: dict[int, list[bytes]] = {seat: [] for seat in lengths}
        spans = [(of_room(code, "moves", race, seat), length) for seat, length in lengths.items()]
        seats = [seat for seat, length in lengths.items() for _ in range(0, length, self._window)]
        async for part in self._raw(spans):
            parts[seats.pop(0)].append(part)
        return {seat: b"\n".join(found) for seat, found in parts.items()}

    async def _raw(self, lists: Iterable[tuple[str, int]]) -> AsyncIterator[bytes]:
        """Lists of these lengths from their beginnings, so many entries at a time that nobody else waits for it."""
        for name, length in lists:
            for start in range(0, length, self._window):
                async with self._reading():
                    entries: list[bytes] = await self._redis.lrange(name, start, min(length, start + self._window) - 1)
                yield b"\n".join(entries)

    async def moves(self, code: str, race: int, seat: int, start: int = 0) -> list[tuple[int, str]]:
        """A seat's move log from an entry on: (time, text)."""
        async with self._reading():
            entries: list[bytes] = await self._redis.lrange(of_room(code, "moves", race, seat), start, -1)
        return [schema.move_of(entry) for entry in entries]

    @contextlib.asynccontextmanager
    async def _reading(self) -> AsyncIterator[None]:
        try:
            async with asyncio.timeout(READ_WITHIN):
                await self._readers.acquire()
        except TimeoutError:
            raise StoreDown("too many wait for Redis") from None
        try:
            yield
        except LOST_CONNECTION as error:
            raise StoreDown(reason(error)) from error
        except ResponseError as error:
            if is_passing(error):
                raise StoreDown(str(error)) from error
            raise
        finally:
            self._readers.release()

    # --- rooms as a whole ------------------------------------------------------------------------------------

    async def renew(self, code: str, epoch: str) -> None:
        """Give a room that lost data a new epoch, once, so that everybody notices."""
        await self._commit("renew", (of_room(code, "meta"),), (epoch, secrets.token_hex(6)))

    async def delete(self, code: str, epoch: str, n: int, last: int, races: Mapping[int, Iterable[int]]) -> None:
        """Forget a room whose log is at ``n``: all of it. ``races``: the seats of each race by its number.

        Raises `Behind` (then somebody has come after all), `Lost`, `StoreDown`.
        """
        names = [of_room(code, what) for what in ("meta", "log", "watchers", "let-in")]
        for race, seats in races.items():
            names += [of_room(code, "progress", race), *(of_room(code, "moves", race, seat) for seat in seats)]
        answer = await self._commit("delete", names, (epoch, n, last))
        if answer != [b"gone"]:
            self._stamp(answer)
        async with self._reading():
            await self._redis.zrem(DUE, code)

    async def look_at(self, rooms: Mapping[str, int], *, sooner: bool = False) -> None:
        """Have some process look at each room at its time (ms); ``sooner``: unless it will anyway before that."""
        async with self._reading():
            await self._redis.zadd(DUE, dict(rooms), lt=sooner)

    async def forget(self, code: str) -> None:
        """Have nobody look at a room that is not there."""
        async with self._reading():
            await self._redis.zrem(DUE, code)

    async def due(self, now: int, limit: int = 100) -> list[str]:
        """The rooms that somebody has to look at."""
        async with self._reading():
            codes: list[bytes] = await self._redis.zrangebyscore(DUE, "-inf", now, start=0, num=limit)
        return [code.decode() for code in codes]

    async def publish(self, listings: Sequence[Listing], now: int) -> None:
        """Have the front page list rooms, or no longer; of one address a few at most."""
        rows = [part for row in listings for part in (row.address, row.code, row.active_at, row.until)]
        async with self._reading():
            await self._redis.eval(self._scripts["list"].text, len(PUBLIC), *PUBLIC, now, OF_ONE_ADDRESS, *rows)

    async def public(self, now: int, limit: int = 50) -> list[dict[str, Any]]:
        """The summaries of the rooms that the front page lists, those first in which something has happened last."""
        async with self._reading():
            found = await self._redis.eval(self._scripts["listed"].text, len(PUBLIC), *PUBLIC, now, limit)
            codes = sorted(((int(active_at), code.decode()) for code, active_at in found), reverse=True)[:limit]
            pipeline = self._redis.pipeline(transaction=False)
            for _, code in codes:
                pipeline.hget(of_room(code, "meta"), "summary")
            summaries = await pipeline.execute()
        return [msgspec.json.decode(summary) for summary in summaries if summary]

    async def watched(self, here: Mapping[str, int]) -> dict[str, dict[str, int]]:
        """Say how many watch each of these rooms by way of this process; returns of each what every process said."""
        keys_of = {code: of_room(code, "watchers") for code in here}
        async with self._reading():
            pipeline = self._redis.pipeline(transaction=False)
            for code, count in here.items():
                if count:
                    pipeline.hset(keys_of[code], self.process, count)
                    pipeline.expire(keys_of[code], WATCHERS_TTL)
            for key in keys_of.values():
                pipeline.hgetall(key)
            answers = (await pipeline.execute(raise_on_error=False))[-len(here) :]
            said = {code: _counts(rows) for code, rows in zip(here, answers, strict=True)}
            for code, count in here.items():
                if not count and said[code].pop(self.process, 0):  # The last one has just gone.
                    await self._redis.hdel(keys_of[code], self.process)
        return said

    async def let_in(self, code: str, guest: str) -> None:
        """Remember that a guest has said the room's password, as long as anybody has for so long."""
        async with self._reading():
            await self._redis.sadd(of_room(code, "let-in"), guest)
            await self._redis.expire(of_room(code, "let-in"), LET_IN_TTL)

    async def is_let_in(self, code: str, guest: str) -> bool:
        """Whether a guest has said the room's password."""
        async with self._reading():
            return bool(await self._redis.sismember(of_room(code, "let-in"), guest))

    async def signing_key(self) -> bytes:
        """What guest passes were first signed with."""
        return await self._drawn_once(KEY)

    async def record_key(self) -> bytes:
        """The seed of the key that records were first signed with."""
        return await self._drawn_once(RECORD_KEY)

    async def _drawn_once(self, name: str) -> bytes:
        """32 bytes from a cryptographic generator, the same for every process and after a restart."""
        return await self._first(name, secrets.token_bytes(32))

    async def _first(self, name: str, value: bytes) -> bytes:
        """What was stored first under a name: this, if nothing was."""
        async with self._reading():
            await self._redis.set(name, value, nx=True)
            stored: bytes = await self._redis.get(name)
        return stored

    async def key_ring(self, name: str, first: bytes) -> bytes:
        """A ring of keys (`key_history`), which begins as ``first``."""
        return await self._first(KEY_RING + name, first)

    async def change_key_ring(self, name: str, before: bytes, after: bytes) -> bool:
        """Put another ring in the place of one; whether it was still there."""
        return await self._commit("swap", (KEY_RING + name,), (before, after)) == [b"ok"]

    # --- processes and notifications --------------------------------------------------------------------------------

    async def alive(self, processes: Sequence[str]) -> frozenset[str]:
        """Which of these processes are alive."""
        if not processes:
            return frozenset()
        async with self._reading():
            pipeline = self._redis.pipeline(transaction=False)
            for process in processes:
                pipeline.exists(of_process(process))
            found = await pipeline.execute()
        return frozenset(process for process, there in zip(processes, found, strict=True) if there)

    async def report(self, report: bytes) -> None:
        """Have operators read this of us, until the next time."""
        async with self._reading():
            await self._redis.hset(REPORTS, self.process, report)
            await self._redis.expire(REPORTS, REPORTS_TTL)

    async def reports(self) -> dict[str, bytes]:
        """What every process said last."""
        async with self._reading():
            found: dict[bytes, bytes] = await self._redis.hgetall(REPORTS)
        return {process.decode(): report for process, report in found.items()}

    async def unreport(self, processes: Sequence[str]) -> None:
        """Forget what these processes said."""
        async with self._reading():
            await self._redis.hdel(REPORTS, *processes)

    async def heartbeat(self) -> None:
        """Say once that this process is alive, and learn what time it is by Redis. Raises what redis-py does."""
        sent = time.monotonic()
        # In a cluster every process has to ask the same node, for each has a clock of its own; so a key says which.
        seconds, microseconds = await self._redis.eval("return redis.call('TIME')", 1, DUE)
        self.clock.learn(int(seconds) * 1000 + int(microseconds) / 1000, sent, time.monotonic())
        await self._redis.set(of_process(self.process), "1", ex=PROCESS_TTL)

    async def _look_at_memory(self) -> None:
        try:
            self._memory.learn(fullest(await self._connections.memory()))
        except (RedisError, *LOST_CONNECTION) as error:
            log.debug("nobody knows how much memory Redis has: %s", error)

    async def _beat(self) -> None:
        """Say that this process is alive, learn Redis's time, and notice when Redis goes away."""
        while True:
            try:
                await self.heartbeat()
                self._say(_BEAT, None)
            except (RedisError, *LOST_CONNECTION) as error:
                self._say(_BEAT, error)
            await self._look_at_memory()
            await asyncio.sleep(BEAT if self.up else RETRY)

    async def follow(self, code: str) -> None:
        """Hear of what other processes commit to a room from now on."""
        await self._notifications.follow(code)

    async def unfollow(self, code: str) -> None:
        """No longer hear of a room."""
        await self._notifications.unfollow(code)


def _counts(rows: object) -> dict[str, int]:
    """How many watch by way of each process; none where that cannot be read."""
    return {process.decode(): int(n) for process, n in rows.items()} if isinstance(rows, dict) else {}


def _head(meta: object, n: object) -> Head | None:
    match meta, n:
        case [bytes(epoch), bytes(last)], int(n):
            return Head(epoch.decode(), n, int(last))
    return None
