"""Stores for tests, and an operator who breaks their Redis."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence, Sized
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Self

import redis.asyncio
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from fortythieves.rules.race_rules import Outcome
from fortythieves.rules.settings import Settings
from fortythieves.times import Ms
from fortythieves_server.core import events
from fortythieves_server.core.playthrough import NO_LOG, Progress, extended
from fortythieves_server.process.embedded_redis import EmbeddedRedis
from fortythieves_server.store import redis_url
from fortythieves_server.store.clock import Clock
from fortythieves_server.store.group_commit import settle
from fortythieves_server.store.move_batches import Made, PendingMove, RaceRef
from fortythieves_server.store.schema import Notification
from fortythieves_server.store.store import Store
from tests.server.tables import CODE, SECRET

#: A test that hangs ends after this time.
SECONDS = 120

#: The times of a race that always runs.
ALWAYS = (Ms(0), Ms(2**53))


async def until(condition: Callable[[], object], seconds: float = SECONDS) -> None:
    async def check() -> object:
        return condition()

    await until_it_is(check, seconds)


async def until_there(things: Sized, count: int) -> None:
    await until(lambda: len(things) >= count)


async def until_it_is(condition: Callable[[], Awaitable[object]], seconds: float = SECONDS) -> None:
    """Wait until the asynchronous condition is true. The pauses grow, because many conditions take CPU time."""
    pause = 0.002
    async with asyncio.timeout(seconds):
        while not await condition():
            await asyncio.sleep(pause)
            pause = min(1.2 * pause, 0.05)


class Admin:
    def __init__(self, url: str) -> None:
        # Any: redis-py types every answer as bytes or str, and here they are bytes.
        once = Retry(NoBackoff(), 0)
        self._cluster = redis_url.parse(url).kind == "cluster"
        if self._cluster:
            host, port = redis_url.parse(url).hosts[0]
            self.redis: Any = redis.asyncio.RedisCluster(host=host, port=port)
        else:
            self.redis = redis.asyncio.from_url(url, retry=once)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.redis.aclose()

    async def list(self, *parts: object, code: str = CODE) -> list[bytes]:
        found: list[bytes] = await self.redis.lrange(key(*parts, code=code), 0, -1)
        return found

    async def store_draw(self, at: Ms) -> None:
        """Store a first draw of seat 1, as another process would."""
        await self.redis.rpush(key("moves", 1, 1), f"{at} draw")
        await self.redis.hset(key("progress", 1), "1", f"1 0 {at} 63 1 - {at} {extended(NO_LOG, at, 'draw')}")

    async def now(self) -> Ms:
        seconds, microseconds = await self.redis.eval("return redis.call('TIME')", 1, "ft:due")
        return Ms(int(seconds) * 1000 + int(microseconds) // 1000)

    async def kill(self, kind: str) -> None:
        await self._everywhere("CLIENT", "KILL", "TYPE", kind, "SKIPME", "yes")

    async def _everywhere(self, *words: str) -> None:
        if not self._cluster:
            await self.redis.execute_command(*words)
            return
        await self.redis.initialize()
        for node in self.redis.get_primaries():
            alone: Any = redis.asyncio.Redis(host=node.host, port=node.port)
            await alone.execute_command(*words)
            await alone.aclose()

    async def publish(self, channel: str, data: str) -> None:
        await self.redis.execute_command("SPUBLISH" if self._cluster else "PUBLISH", channel, data)

    async def calls(self, command: str) -> int:
        stats = await self.redis.info("commandstats")
        return int(stats.get(f"cmdstat_{command}", {"calls": 0})["calls"])


def key(*parts: object, code: str = CODE) -> str:
    return ":".join((f"ft:{{{code}}}", *map(str, parts)))


def kill(redis_: EmbeddedRedis) -> None:
    """Kill it, like a power cut."""
    assert redis_.pid is not None
    os.kill(redis_.pid, signal.SIGKILL)


def pause(redis_: EmbeddedRedis) -> Callable[[], None]:
    pid = redis_.pid
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    return lambda: os.kill(pid, signal.SIGCONT)


class Cutter:
    """A proxy that loses answers: Redis makes the commits, but the store gets no answer."""

    def __init__(self, target: str, url: str) -> None:
        self.url = url
        #: The number of pipelines that get no answer.
        self.cuts = 0
        self._target = target

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        redis_reader, redis_writer = await asyncio.open_unix_connection(self._target)
        doomed = asyncio.Event()

        async def ask() -> None:
            while data := await reader.read(1 << 20):
                if self.cuts and b"EVALSHA" in data:
                    self.cuts -= 1
                    doomed.set()
                redis_writer.write(data)
            redis_writer.close()

        async def answer() -> None:
            while data := await redis_reader.read(1 << 20):
                if doomed.is_set():
                    break
                writer.write(data)
            writer.close()

        with suppress(ConnectionError):
            await asyncio.gather(ask(), answer())
        for end in (writer, redis_writer):
            end.close()


@asynccontextmanager
async def cutting(url: str, directory: Path) -> AsyncIterator[Cutter]:
    path = directory / "cutter.sock"
    cutter = Cutter(url.removeprefix("unix://"), f"unix://{path}")
    async with await asyncio.start_unix_server(cutter.serve, path):
        yield cutter


class Recorder:
    def __init__(self, store: Store) -> None:
        self.store = store
        self.notifications: list[Notification] = []
        self.ups: list[bool] = []
        #: The rooms with a possible gap.
        self.gaps: list[str] = []
        store.notifications.on_notification = self.notifications.append
        store.on_change = lambda: self.ups.append(store.up)
        store.notifications.on_gap = self.gaps.append


@asynccontextmanager
async def opened(url: str, process: str = "one") -> AsyncIterator[Store]:
    store = Store(url, process, Clock())
    await store.open()
    try:
        yield store
    finally:
        await store.close()


def created(code: str = CODE) -> events.Created:
    return events.Created(code, Settings(), SECRET)


def joined(seat: int) -> events.Joined:
    return events.Joined(seat, f"guest {seat}", f"Name {seat}", False, "one/1")


def progress(moves: int, *, reached_at: Ms = Ms(0), outcome: Outcome = "") -> Progress:
    return Progress(moves, moves // 2, reached_at, 64 - moves, moves, outcome, Ms(0))


class Move(PendingMove, eq=False):
    made: asyncio.Future[Made]


def answer_each(moves: Sequence[Move], answers: Sequence[Made | Exception]) -> None:
    for move, answer in zip(moves, answers, strict=True):
        settle(move.made, answer)


class Log:
    def __init__(self, store: Store, epoch: str, at: Ms, last: str, code: str = CODE) -> None:
        self.store = store
        self.code = code
        self.epoch = epoch
        self.n = 1
        self.at = at
        #: The time and id of the last event.
        self.last = last
        self.seats: dict[tuple[int, int], tuple[int, str]] = {}

    @classmethod
    async def create(cls, store: Store, code: str = CODE) -> "Log":
        epoch, at = await store.logs.create(code, created(code))
        stored = await store.logs.read(code)
        assert stored is not None
        return cls(store, epoch, at, stored.last, code)

    def by(self, store: Store) -> "Log":
        other = Log(store, self.epoch, self.at, self.last, self.code)
        other.n, other.seats = self.n, dict(self.seats)
        return other

    async def commit(
        self,
        *decided: events.Event,
        sealed: dict[int, int] | None = None,
        race: int = 1,
        is_wanted: Callable[[], bool] = lambda: True,
    ) -> Ms:
        self.at, self.last = await self.store.logs.commit(
            self.code, self.epoch, self.n, self.last, self.at, race, decided, sealed or {}, is_wanted
        )
        self.n += len(decided)
        return self.at

    async def move(
        self,
        text: str = "draw",
        *,
        seat: int = 1,
        race: int = 1,
        window: tuple[Ms, Ms] = ALWAYS,
        after: Progress | None = None,
    ) -> Ms:
        n, held = self.seats.get((race, seat), (0, NO_LOG))
        where = RaceRef.of(self.code, self.epoch, self.n, self.at, race, *window, answer_each)
        move = Move(seat, n, held, text, after or progress(n + 1), asyncio.get_running_loop().create_future())
        self.store.moves.put(where, move, self.at)
        made = await move.made
        self.seats[race, seat] = n + 1, made.log_hash
        return made.at


async def keys_of(admin: Admin, code: str = CODE) -> list[bytes]:
    return [name async for name in admin.redis.scan_iter(match=f"*{code}*")]


async def looks(admin: Admin) -> dict[str, Ms]:
    return {code.decode(): Ms(at) for code, at in await admin.redis.zrange("ft:due", 0, -1, withscores=True)}
