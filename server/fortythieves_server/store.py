"""The log in Redis, the only truth. One implementation, and it speaks to a real Redis, always.

Keys; those of one room share a hash tag, so one script touches one slot of a cluster:

    ft:{CODE}:meta            hash    epoch, last (time of the last entry, ms), summary (JSON), sealed:RACE:SEAT
    ft:{CODE}:log             list    "TIME ID JSON" one event an entry (`events`)
    ft:{CODE}:moves:RACE:SEAT list    "TIME TEXT" one move an entry
    ft:{CODE}:watchers        hash    process -> how many people watch by way of it
    ft:{CODE}:progress:RACE   hash    seat -> "MOVES HOME REACHED_AT STOCK OUTCOME AT"
    ft:due                    zset    code -> when somebody has to look at the room (ms); early is harmless
    ft:public                 zset    code -> until when the front page lists the room (ms)
    ft:process:ID             string  there while the process is alive
    ft:key                    string  what guest passes are signed with
    ft:record-key             string  the seed of the Ed25519 key that records are signed with

Group commit: one task and one connection own all commits. What is waiting goes out as one pipeline, the
next one when that returns; with ``appendfsync always`` one fsync serves all of it before any reply. If Redis
goes away, the batch is sent again once it is back. That is safe, because a script that finds its own entry in
place answers as it did the first time.
"""

import asyncio
import contextlib
import logging
import re
import secrets
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
import redis.asyncio
from redis.asyncio.client import PubSub, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import (
    ClusterDownError,
    MasterDownError,
    NoScriptError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisError,
    ResponseError,
    TryAgainError,
)
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from fortythieves_server import events
from fortythieves_server.clock import Clock
from fortythieves_server.tasks import end
from fortythieves_server.track import Progress

log = logging.getLogger(__name__)

#: The most commits that wait while Redis is away; past this they are refused.
WAITING_LIMIT = 20_000
#: The most commits in one pipeline.
BATCH = 512
#: Seconds between two tries to reach a Redis that is away.
RETRY = 0.25
#: Connections for reading; whoever finds all of them taken waits for one.
READERS = 16
#: Seconds until Redis must have said that it will tell of a room.
FOLLOW_WITHIN = 3.0
#: Seconds that a process counts as alive after it last said so.
PROCESS_TTL = 15

#: Seconds that the number of watchers is kept after somebody last said it.
WATCHERS_TTL = 600

DUE = "ft:due"
PUBLIC = "ft:public"
KEY = "ft:key"
RECORD_KEY = "ft:record-key"

# What every script does first: the epoch must be the room's, and time never goes back within a room.
_HEAD = """
local meta = redis.call('HMGET', KEYS[1], 'epoch', 'last')
if not meta[1] then return {'gone'} end
if meta[1] ~= ARGV[1] then return {'epoch', meta[1]} end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if meta[2] and tonumber(meta[2]) > now then now = tonumber(meta[2]) end
local at = string.format('%.0f', now)
"""

# What comes after the head of a script that appends to a log at KEYS[2], which has to be at ARGV[2], its last entry of
# the time ARGV[3]. A log that lost its end and grew again has entries of other times.
_POSITION = """
local n = redis.call('LLEN', KEYS[2])
local expected = tonumber(ARGV[2])
if n < expected then return {'lost'} end
if expected > 0 then
  local stamp = string.match(redis.call('LINDEX', KEYS[2], expected - 1), '^%d+')
  if stamp ~= ARGV[3] then return {'lost'} end
end
"""

# KEYS meta log; ARGV epoch n last id channel nudge summary, count of events, events, then seat-move-log checks:
# (KEYS[2+i]) expected length, seal field.
COMMIT = (
    _HEAD
    + _POSITION
    + """
if n > expected then
  local stamp = string.match(redis.call('LINDEX', KEYS[2], expected), '^(%d+) ' .. ARGV[4] .. ' ')
  if stamp then return {'ok', stamp} end
  return {'behind'}
end
local count = tonumber(ARGV[8])
for i = 3, #KEYS do
  local check = 8 + count + (i - 3) * 2
  if redis.call('LLEN', KEYS[i]) ~= tonumber(ARGV[check + 1]) then return {'behind'} end
end
for i = 3, #KEYS do
  redis.call('HSET', KEYS[1], ARGV[8 + count + (i - 3) * 2 + 2], 1)
end
for i = 1, count do
  redis.call('RPUSH', KEYS[2], at .. ' ' .. ARGV[4] .. ' ' .. ARGV[8 + i])
end
redis.call('HSET', KEYS[1], 'last', at, 'summary', ARGV[7])
redis.call('PUBLISH', ARGV[5], ARGV[6])
return {'ok', at}
"""
)

# KEYS meta moves progress; ARGV epoch n last text starts_at ends_at seal-field seat channel nudge-head
# moves home reached_at stock outcome (reached_at 0: the time of this entry)
MOVE = (
    _HEAD
    + _POSITION
    + """
if n > expected then
  local stamp, text = string.match(redis.call('LINDEX', KEYS[2], expected), '^(%d+) (.*)$')
  if n == expected + 1 and text == ARGV[4] then return {'ok', stamp} end
  return {'behind'}
end
if redis.call('HEXISTS', KEYS[1], ARGV[7]) == 1 then return {'sealed'} end
if now < tonumber(ARGV[5]) then return {'early'} end
if now >= tonumber(ARGV[6]) then return {'late'} end
redis.call('RPUSH', KEYS[2], at .. ' ' .. ARGV[4])
local reached = ARGV[13]
if reached == '0' then reached = at end
local row = ARGV[11] .. ' ' .. ARGV[12] .. ' ' .. reached .. ' ' .. ARGV[14] .. ' ' .. ARGV[15] .. ' ' .. at
redis.call('HSET', KEYS[3], ARGV[8], row)
redis.call('HSET', KEYS[1], 'last', at)
redis.call('PUBLISH', ARGV[9], ARGV[10] .. ' ' .. row)
return {'ok', at}
"""
)

# KEYS meta log, and all others of the room; ARGV epoch n last
DELETE = (
    _HEAD
    + _POSITION
    + """
if n > expected then return {'behind'} end
for i = 1, #KEYS do redis.call('UNLINK', KEYS[i]) end
return {'ok', at}
"""
)

# KEYS meta log; ARGV epoch id event summary
CREATE = """
if redis.call('EXISTS', KEYS[1]) == 1 then
  local head = redis.call('HGET', KEYS[1], 'epoch')
  if head ~= ARGV[1] then return {'taken'} end
  return {'ok', redis.call('HGET', KEYS[1], 'created')}
end
local time = redis.call('TIME')
local at = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
redis.call('HSET', KEYS[1], 'epoch', ARGV[1], 'created', at, 'last', at, 'summary', ARGV[4])
redis.call('RPUSH', KEYS[2], at .. ' ' .. ARGV[2] .. ' ' .. ARGV[3])
return {'ok', at}
"""

# KEYS meta; ARGV old epoch, new epoch
RENEW = """
if redis.call('HGET', KEYS[1], 'epoch') ~= ARGV[1] then return {'epoch'} end
redis.call('HSET', KEYS[1], 'epoch', ARGV[2])
return {'ok'}
"""

_SCRIPTS = {"create": CREATE, "commit": COMMIT, "move": MOVE, "renew": RENEW, "delete": DELETE}

#: RuntimeError is what uvloop says of a connection that is closed.
_LOST_CONNECTION = (RedisConnectionError, RedisTimeoutError, OSError, RuntimeError)

#: What Redis refuses for now: it is loading, its disk or its memory is full, it is a replica or has none.
_PASSING = re.compile(
    # Redis 6 says it behind the words that the script failed.
    r"(^|-)(LOADING|MISCONF|OOM|READONLY|NOREPLICAS|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|BUSY)\b"
)


class StoreDown(Exception):
    """Redis cannot be reached, or too much waits for it already."""


class Taken(Exception):
    """There is a room with this code."""


class Behind(Exception):
    """The log has moved on since the decision: read it and decide again."""


class Lost(Exception):
    """Redis has lost data of this room: its log is shorter than it was, of another epoch, or gone."""


class Closed(Exception):
    """A move that came too early, too late, or after its log was sealed; ``code`` is the error's for the player."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Script(NamedTuple):
    """A Lua script, by its name and hash."""

    name: str
    text: str
    sha: str


class RoomLog(NamedTuple):
    """What is stored of a room from some position on."""

    epoch: str
    #: How many entries the log has in all.
    length: int
    entries: list[tuple[int, events.Event]]


class Nudge(NamedTuple):
    """Another process has committed something: a room event, or a seat's move and its progress."""

    code: str
    race: int | None
    seat: int | None
    progress: Progress | None


class _Commit(NamedTuple):
    script: Script
    keys: Sequence[str]
    arguments: Sequence[str | bytes | int]
    done: asyncio.Future[list[bytes]]


def _key(code: str, *parts: object) -> str:
    return ":".join((f"ft:{{{code}}}", *map(str, parts)))


def _row(progress: Progress) -> tuple[str | int, ...]:
    return progress.moves, progress.home, progress.reached_at, progress.stock, progress.outcome or "-"


def _progress(row: bytes) -> Progress:
    moves, home, reached_at, stock, outcome, at = row.split(b" ")
    return Progress(int(moves), int(home), int(reached_at), int(stock), _OUTCOMES[outcome], int(at))


_OUTCOMES: Mapping[bytes, Any] = {b"-": "", b"solved": "solved", b"stuck": "stuck"}


class Store:
    """Rooms in Redis, as a few async verbs. One a process.

    ``on_up(bool)`` is called when Redis goes away and comes back; ``on_nudge`` for what other processes
    commit; ``on_gap`` when nudges may have been missed.
    """

    def __init__(self, url: str, process: str, clock: Clock) -> None:
        self.process = process
        self.clock = clock
        self.up = True
        self.on_up: Callable[[bool], None] = lambda up: None
        self.on_nudge: Callable[[Nudge], None] = lambda nudge: None
        self.on_gap: Callable[[], None] = lambda: None
        once: dict[str, Any] = {"retry": Retry(NoBackoff(), 0), "socket_connect_timeout": 2, "socket_timeout": 10}
        # A connection that was idle may be closed when it is used again: what only reads tries another one.
        twice = {**once, "retry": Retry(NoBackoff(), 1), "socket_timeout": 2}
        # Any: redis-py types every answer as bytes or str, and ours are never decoded.
        pool = redis.asyncio.BlockingConnectionPool.from_url(url, max_connections=READERS, timeout=10, **twice)
        self._redis: Any = redis.asyncio.Redis.from_pool(pool)
        # One pipeline after the other goes out, so its pool never has more than one connection.
        self._committer: Redis = redis.asyncio.from_url(url, **once)
        # Left to itself redis-py would connect again, from whichever task finds the connection broken.
        never = {**once, "retry": Retry(NoBackoff(), 0, supported_errors=()), "socket_timeout": None}
        self._listener: Redis = redis.asyncio.from_url(url, **never)
        self._pubsub: PubSub | None = None
        #: The channels to listen to, and those of which Redis has yet to say that they are.
        self._followed = {self._own_channel}
        self._following: dict[str, asyncio.Future[None]] = {}
        self._was_listening = False
        self._scripts: dict[str, Script] = {}
        self._waiting: list[_Commit] = []
        self._wake = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._closing = False

    async def open(self) -> None:
        """Connect. Raises `StoreDown` with the reason in words if Redis cannot be reached."""
        try:
            for name, text in _SCRIPTS.items():
                self._scripts[name] = Script(name, text, await self._redis.script_load(text))
            await self._alive()
        except (RedisError, OSError) as error:
            await self._disconnect()
            raise StoreDown(str(error)) from error
        self._tasks = [
            asyncio.create_task(self._flush(), name="flush"),
            asyncio.create_task(self._listen(), name="listen"),
            asyncio.create_task(self._beat(), name="beat"),
        ]
        try:
            await self._listened_to(self._own_channel)
        except StoreDown:
            await self.close()
            raise

    async def close(self) -> None:
        """Finish what is being committed, say goodbye, disconnect."""
        self._closing = True
        self._wake.set()
        flush, *others = self._tasks
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(flush, 3)
        await end(others)
        for commit in self._waiting:
            if not commit.done.done():
                commit.done.set_exception(StoreDown("the server is stopping"))
        with contextlib.suppress(RedisError, OSError):
            await self._redis.delete(f"ft:process:{self.process}")
        await self._disconnect()

    async def _disconnect(self) -> None:
        for client in (self._redis, self._committer, self._listener):
            with contextlib.suppress(RedisError, OSError):
                await client.aclose()

    # --- commits ---------------------------------------------------------------------------------------------

    async def create(self, code: str, event: events.Created, summary: Mapping[str, Any]) -> tuple[str, int]:
        """Open a room; returns its epoch and the time. Raises `Taken`."""
        epoch = secrets.token_hex(6)
        keys = (_key(code, "meta"), _key(code, "log"))
        arguments = (epoch, secrets.token_hex(6), events.encode(event), msgspec.json.encode(summary))
        answer = await self._commit("create", keys, arguments)
        if answer[0] == b"taken":
            raise Taken
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
        keys = [_key(code, "meta"), _key(code, "log")]
        checks: list[str | int] = []
        for seat, moves in sealed.items():
            keys.append(_key(code, "moves", race, seat))
            checks += [moves, f"sealed:{race}:{seat}"]
        encoded = [events.encode(event) for event in decided]
        nudge = f"{self.process} room"
        commit = (secrets.token_hex(6), _key(code, "nudge"), nudge, msgspec.json.encode(summary), len(encoded))
        return self._stamp(await self._commit("commit", keys, (epoch, n, last, *commit, *encoded, *checks)))

    async def move(
        self,
        code: str,
        epoch: str,
        race: int,
        seat: int,
        n: int,
        last: int,
        text: str,
        window: tuple[int, int],
        progress: Progress,
    ) -> int:
        """Append a move to a seat's log if it is at ``n`` and now is in ``window`` (ms, the end excluded).

        ``last``: the time of the last of these ``n`` entries.
        ``progress`` is the seat's with this move; a time of 0 in it becomes the move's own.
        Returns the time of the move. Raises `Behind`, `Closed`, `Lost`, `StoreDown`.
        """
        keys = (_key(code, "meta"), _key(code, "moves", race, seat), _key(code, "progress", race))
        nudge = f"{self.process} move {race} {seat}"
        head = (epoch, n, last, text, *window, f"sealed:{race}:{seat}", seat, _key(code, "nudge"), nudge)
        return self._stamp(await self._commit("move", keys, (*head, *_row(progress))))

    def _stamp(self, answer: list[bytes]) -> int:
        match answer:
            case [b"ok", at]:
                return int(at)
            case [b"behind"]:
                raise Behind
            case [b"early"]:
                raise Closed("not-started")
            case [b"late"]:
                raise Closed("over")
            case [b"sealed"]:
                raise Closed("finished")
        raise Lost

    async def _commit(self, name: str, keys: Sequence[str], arguments: Sequence[str | bytes | int]) -> list[bytes]:
        if self._closing or len(self._waiting) >= WAITING_LIMIT:
            raise StoreDown("too much waits for Redis")
        done: asyncio.Future[list[bytes]] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Commit(self._scripts[name], keys, arguments, done))
        self._wake.set()
        return await done

    async def _flush(self) -> None:
        """Send what waits, all at once, again and again."""
        failures = 0
        while True:
            if not self._waiting:
                if self._closing:
                    return
                self._wake.clear()
                await self._wake.wait()
                continue
            batch, self._waiting = self._waiting[:BATCH], self._waiting[BATCH:]
            try:
                answers = await self._send(batch)
            except _LOST_CONNECTION as error:
                self._waiting = batch + self._waiting
                if self._closing:
                    return
                failures += 1
                if failures > 1:  # The first one may be a connection that was idle for too long.
                    self._say_up(False, error)
                await self._hang_up()
                if failures > 1:
                    await asyncio.sleep(RETRY)
                continue
            except Exception as error:
                # Such a batch would fail for ever, and everybody else's commits behind it.
                log.exception("a batch of commits failed")
                answers = [error] * len(batch)
                await self._hang_up()
            except asyncio.CancelledError:
                self._waiting = batch + self._waiting
                raise
            failures = 0
            self._say_up(True)
            for commit, answer in zip(batch, answers, strict=True):
                if commit.done.done():
                    continue
                if isinstance(answer, Exception):
                    commit.done.set_exception(answer)
                else:
                    commit.done.set_result(answer)

    async def _hang_up(self) -> None:
        """Have the next commits go over a new connection: on the old one answers may be on their way."""
        with contextlib.suppress(*_LOST_CONNECTION):
            await self._committer.connection_pool.disconnect()

    async def _send(self, batch: Sequence[_Commit]) -> list[Any]:
        answers = await self._pipeline(batch, "EVALSHA")
        unknown = [i for i, answer in enumerate(answers) if isinstance(answer, NoScriptError)]
        if unknown:  # Redis was started anew: EVAL teaches it the script again.
            again = await self._pipeline([batch[i] for i in unknown], "EVAL")
            for i, answer in zip(unknown, again, strict=True):
                answers[i] = answer
        if any(_is_passing(answer) for answer in answers):
            raise RedisConnectionError("; ".join({str(answer) for answer in answers if _is_passing(answer)}))
        return answers

    async def _pipeline(self, batch: Sequence[_Commit], command: str) -> list[Any]:
        pipeline = self._committer.pipeline(transaction=False)
        for script, keys, arguments, _ in batch:
            pipeline.execute_command(
                command, script.sha if command == "EVALSHA" else script.text, len(keys), *keys, *arguments
            )
        return await pipeline.execute(raise_on_error=False)

    def _say_up(self, up: bool, error: object = None) -> None:
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
        """The room log from position ``start`` on, or None if there is no such room."""
        async with self._reading():
            pipeline = self._redis.pipeline(transaction=False)
            pipeline.hget(_key(code, "meta"), "epoch")
            pipeline.lrange(_key(code, "log"), start, -1)
            pipeline.llen(_key(code, "log"))
            epoch, entries, length = await pipeline.execute()
        # Read in this order: what is appended in between is counted and not there, which is no loss.
        return None if epoch is None else RoomLog(epoch.decode(), length, [_event(entry) for entry in entries])

    async def progress(self, code: str, race: int) -> dict[int, Progress]:
        """How far each seat of a race is; a seat without a move is not there."""
        async with self._reading():
            rows: dict[bytes, bytes] = await self._redis.hgetall(_key(code, "progress", race))
        return {int(seat): _progress(row) for seat, row in rows.items()}

    async def moves(self, code: str, race: int, seat: int, start: int = 0) -> list[tuple[int, str]]:
        """A seat's move log from an entry on: (time, text)."""
        async with self._reading():
            entries: list[bytes] = await self._redis.lrange(_key(code, "moves", race, seat), start, -1)
        log = (entry.split(b" ", 1) for entry in entries)
        return [(int(at), text.decode()) for at, text in log]

    @contextlib.asynccontextmanager
    async def _reading(self) -> AsyncIterator[None]:
        try:
            yield
        except _LOST_CONNECTION as error:
            raise StoreDown(str(error) or "no answer in time") from error
        except ResponseError as error:
            if _is_passing(error):
                raise StoreDown(str(error)) from error
            raise

    # --- rooms as a whole ------------------------------------------------------------------------------------

    async def renew(self, code: str, epoch: str) -> None:
        """Give a room that lost data a new epoch, once, so that everybody notices."""
        await self._commit("renew", (_key(code, "meta"),), (epoch, secrets.token_hex(6)))

    async def delete(self, code: str, epoch: str, n: int, last: int, races: Mapping[int, Iterable[int]]) -> None:
        """Forget a room whose log is at ``n``: all of it. ``races``: the seats of each race by its number.

        Raises `Behind` (then somebody has come after all), `Lost`, `StoreDown`.
        """
        keys = [_key(code, "meta"), _key(code, "log"), _key(code, "watchers")]
        for race, seats in races.items():
            keys += [_key(code, "progress", race), *(_key(code, "moves", race, seat) for seat in seats)]
        answer = await self._commit("delete", keys, (epoch, n, last))
        if answer != [b"gone"]:
            self._stamp(answer)
        async with self._reading():
            await self._redis.zrem(DUE, code)
            await self._redis.zrem(PUBLIC, code)

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

    async def publish(self, code: str, until: int | None) -> None:
        """Have the front page list the room until then (ms), or no longer."""
        async with self._reading():
            if until is None:
                await self._redis.zrem(PUBLIC, code)
            else:
                await self._redis.zadd(PUBLIC, {code: until})

    async def public(self, now: int, limit: int = 50) -> list[dict[str, Any]]:
        """The summaries of the rooms that the front page lists."""
        async with self._reading():
            await self._redis.zremrangebyscore(PUBLIC, "-inf", now)
            codes: list[bytes] = await self._redis.zrevrange(PUBLIC, 0, limit - 1)
            pipeline = self._redis.pipeline(transaction=False)
            for code in codes:
                pipeline.hget(_key(code.decode(), "meta"), "summary")
            summaries = await pipeline.execute()
        return [msgspec.json.decode(summary) for summary in summaries if summary]

    async def watchers(self, code: str, here: int) -> dict[str, int]:
        """Say how many watch a room by way of this process; returns what every process said."""
        key = _key(code, "watchers")
        async with self._reading():
            if here:
                await self._redis.hset(key, self.process, here)
            else:
                await self._redis.hdel(key, self.process)
            await self._redis.expire(key, WATCHERS_TTL)
            counts = await self._redis.hgetall(key)
        return {process.decode(): int(count) for process, count in counts.items()}

    async def signing_key(self) -> bytes:
        """What guest passes are signed with."""
        return await self._drawn_once(KEY)

    async def record_key(self) -> bytes:
        """The seed of the key that records are signed with."""
        return await self._drawn_once(RECORD_KEY)

    async def _drawn_once(self, name: str) -> bytes:
        """32 bytes from a cryptographic generator, the same for every process and after a restart."""
        async with self._reading():
            await self._redis.set(name, secrets.token_bytes(32), nx=True)
            key: bytes = await self._redis.get(name)
        return key

    # --- processes and nudges --------------------------------------------------------------------------------

    async def alive(self, processes: Sequence[str]) -> frozenset[str]:
        """Which of these processes are alive."""
        if not processes:
            return frozenset()
        async with self._reading():
            pipeline = self._redis.pipeline(transaction=False)
            for process in processes:
                pipeline.exists(f"ft:process:{process}")
            found = await pipeline.execute()
        return frozenset(process for process, there in zip(processes, found, strict=True) if there)

    async def _alive(self) -> None:
        sent = time.monotonic()
        seconds, microseconds = await self._redis.time()
        self.clock.learn(seconds * 1000 + microseconds / 1000, sent, time.monotonic())
        await self._redis.set(f"ft:process:{self.process}", "1", ex=PROCESS_TTL)

    async def _beat(self) -> None:
        """Say that this process is alive, learn Redis's time, and notice when Redis goes away."""
        while True:
            try:
                await self._alive()
                self._say_up(True)
            except (RedisError, *_LOST_CONNECTION) as error:
                self._say_up(False, error)
            await asyncio.sleep(2 if self.up else RETRY)

    async def follow(self, code: str) -> None:
        """Hear of what other processes commit to a room from now on."""
        channel = _key(code, "nudge")
        self._followed.add(channel)
        with contextlib.suppress(RedisError, *_LOST_CONNECTION):  # The next connection begins with all of them.
            if (pubsub := self._listening) is not None:
                await pubsub.subscribe(channel)
        await self._listened_to(channel)

    async def unfollow(self, code: str) -> None:
        """No longer hear of a room."""
        channel = _key(code, "nudge")
        self._followed.discard(channel)
        self._following.pop(channel, None)
        with contextlib.suppress(RedisError, *_LOST_CONNECTION):
            if (pubsub := self._listening) is not None:
                await pubsub.unsubscribe(channel)

    @property
    def _listening(self) -> PubSub | None:
        """What is listened with, if it is connected; it must not connect by itself."""
        pubsub = self._pubsub
        connection: Any = pubsub and pubsub.connection  # redis-py says that it is always None
        return pubsub if connection and connection.is_connected else None

    async def _listened_to(self, channel: str) -> None:
        """Wait until Redis says that it will tell us: what it was sent first it may do last, on another connection."""
        waiting = self._following.setdefault(channel, asyncio.get_running_loop().create_future())
        async with self._reading(), asyncio.timeout(FOLLOW_WITHIN):
            await asyncio.shield(waiting)

    async def _listen(self) -> None:
        """Hand on nudges. They may be lost: after a break everybody is told to look for themselves."""
        while True:
            try:
                await self._hear()
            except (RedisError, *_LOST_CONNECTION) as error:
                log.debug("no nudges for now: %s", error)
            except Exception:
                log.exception("listening failed")
            await asyncio.sleep(RETRY)

    async def _hear(self) -> None:
        """Listen until the connection breaks."""
        pubsub = self._listener.pubsub()
        try:
            channels = frozenset(self._followed)
            await pubsub.subscribe(*channels)
            self._pubsub = pubsub
            if late := self._followed - channels:
                await pubsub.subscribe(*late)
            async for message in pubsub.listen():
                channel = message["channel"].decode()
                if message["type"] == "message":
                    self._hear_of(channel, message["data"])
                elif message["type"] == "subscribe":
                    self._listening_to(channel)
        finally:
            self._pubsub = None
            with contextlib.suppress(RedisError, *_LOST_CONNECTION):
                await pubsub.aclose()  # type: ignore[no-untyped-call]  # redis-py leaves it untyped

    def _listening_to(self, channel: str) -> None:
        waiting = self._following.pop(channel, None)
        if waiting is not None and not waiting.done():
            waiting.set_result(None)
        if channel == self._own_channel:
            if self._was_listening:
                self.on_gap()
            self._was_listening = True

    def _hear_of(self, channel: str, data: bytes) -> None:
        try:
            nudge = self._parse(channel, data)
            if nudge is not None:
                self.on_nudge(nudge)
        except Exception:
            log.exception("a nudge was not understood: %r", data)

    def _parse(self, channel: str, data: bytes) -> Nudge | None:
        code = channel.partition("{")[2].partition("}")[0]
        process, kind, *rest = data.split(b" ", 4)
        if not code or process.decode() == self.process:
            return None
        if kind == b"move":
            race, seat, row = rest
            return Nudge(code, int(race), int(seat), _progress(row))
        return Nudge(code, None, None, None)

    @property
    def _own_channel(self) -> str:
        return f"ft:process:{self.process}"


def _is_passing(answer: object) -> bool:
    """Whether Redis refuses for now, so that the same is worth another try."""
    # redis-py has classes of their own for some, and takes the word away from their texts.
    known = (ReadOnlyError, MasterDownError, ClusterDownError, OutOfMemoryError, TryAgainError)
    return isinstance(answer, known) or (isinstance(answer, ResponseError) and bool(_PASSING.search(str(answer))))


def _event(entry: bytes) -> tuple[int, events.Event]:
    at, _, event = entry.split(b" ", 2)
    return int(at), events.decode(event)
