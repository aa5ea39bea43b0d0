"""Fills the pool of winnable deals (`store/winnable_pool`), and finds the deals of the day, while the processor has
nothing else to do.

A child process searches (`deal_search`). All processes on a machine that share a Redis have one child together: that of
the process that holds a lock. The child has neither a token nor the address of Redis. It ends when the pool is full.
While players make moves, all processes touch the file of that lock, and the child rests most of the time.
"""

import asyncio
import contextlib
import fcntl
import hashlib
import logging
import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from fortythieves.rules.games import FAVOURITES
from fortythieves.solver.effort import PREPARED, Stars
from fortythieves_server.common import child_process
from fortythieves_server.common.child_process import PAUSES, Backoff, Process, own_program
from fortythieves_server.common.tasks import end
from fortythieves_server.process.runtime_directory import shared_directory
from fortythieves_server.rooms.days import Days
from fortythieves_server.store import redis_url
from fortythieves_server.store.redis_errors import StoreDown
from fortythieves_server.store.winnable_pool import NEEDED, Deal, WinnablePool

log = logging.getLogger(__name__)

COMMAND = own_program("fortythieves_server.process.deal_search")


class Times(NamedTuple):
    #: Between two looks at the pool or at the lock.
    look: float = 5.0
    #: After which a search is taken to hang. It needs up to five seconds of CPU time, and while players make moves it
    #: gets a hundredth of a core at most.
    timeout: float = 1800.0
    #: Between two looks whether players make moves.
    look_at_moves: float = 1.0
    pauses: Sequence[float] = PAUSES


TIMES = Times()
#: How often the child may end during the search for the deal of a day. Then that day has a deal without a promise.
FAILURES = 3


class _Answer(msgspec.Struct):
    """The report of the child about one attempt. Without a secret, the deck was not won."""

    secret: str = ""
    line: tuple[str, ...] = ()
    stars: Stars = 1


class MachineLock:
    """A lock that one process of this user on this machine holds at a time.

    The system releases it when all processes that have its descriptor have ended. ``folder``: where its file is, if not
    in the directory that all processes of this user share.
    """

    def __init__(self, name: str, folder: Path | None = None) -> None:
        self._name = f"{name}.lock"
        self._folder = folder
        #: The open file, if this process holds the lock. Children that inherit it hold the lock, too.
        self.descriptor: int | None = None
        self._said = False

    @property
    def path(self) -> Path:
        """The file. Raises `OSError` if there is no directory for it."""
        return (self._folder or shared_directory()) / self._name

    def take(self) -> bool:
        """Whether this process holds the lock, or could take it just now."""
        if self.descriptor is not None:
            return True
        try:
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if not os.fstat(descriptor).st_nlink:
                    raise BlockingIOError("its last holder has deleted it")
            except OSError:
                os.close(descriptor)
                raise
        except OSError as error:
            if not isinstance(error, BlockingIOError) and not self._said:
                log.warning("no winnable deals are prepared here, because there is no lock: %s", error)
                self._said = True
            return False
        self.descriptor = descriptor
        return True

    def touch(self) -> None:
        """Set the time of the file to now, also if another process holds the lock. The holder sees it in `os.fstat`."""
        with contextlib.suppress(OSError):  # no process holds the lock
            os.utime(self.path, follow_symlinks=False)

    def release(self) -> None:
        """Let others take the lock, once no child has the descriptor, and delete its file."""
        if self.descriptor is not None:
            with contextlib.suppress(OSError):
                (path := self.path).unlink(missing_ok=True)
                if self._folder is None:
                    path.parent.rmdir()
            with contextlib.suppress(OSError):
                os.close(self.descriptor)
            self.descriptor = None


def name_of_redis(url: str) -> str:
    """A name for what this address leads to, the same for all processes of a server. It contains no password."""
    parsed = redis_url.parse(url)
    place = parsed.hosts or parsed.address.rpartition("@")[2].partition("?")[0]
    return hashlib.sha256(repr((parsed.kind, place, parsed.service)).encode()).hexdigest()[:16]


class Filler:
    """Keeps the pool filled: ``most`` deals of each game, a third of them with each number of stars. 0: none.

    The process whose child searches holds ``lock``. ``moves`` returns how many moves players have made here.
    """

    def __init__(
        self,
        pool: WinnablePool,
        most: int,
        lock: MachineLock,
        moves: Callable[[], int],
        games: Sequence[str] = PREPARED,
        times: Times = TIMES,
        command: Sequence[str] = COMMAND,
        days: Days | None = None,
    ) -> None:
        self._pool = pool
        self._most_of_stars = most // 3
        self._lock = lock
        self._moves = moves
        self._games = games
        self._times = times
        self._command = command
        self._days = days
        self._backoff = Backoff(times.pauses)
        #: How often the child ended during a search in each game, or for a day, since the last one that did not.
        self._failed = Counter[str]()
        self._process: Process | None = None
        self._began = 0.0
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def pid(self) -> int | None:
        """The child, if there is one."""
        return None if self._process is None else self._process.pid

    def open(self) -> None:
        if self._most_of_stars:
            self._tasks = [
                asyncio.create_task(self._keep(), name="filler"),
                asyncio.create_task(self._say_when_moves_are_made(), name="filler's look at moves"),
            ]

    async def close(self) -> None:
        await end(self._tasks)
        await self._end_child()
        self._lock.release()

    async def _keep(self) -> None:
        while True:
            if self._lock.take():
                try:
                    await self._fill()
                except StoreDown as down:
                    log.debug("winnable deals are not counted now: %s", down.reason)
                except OSError as error:
                    self._backoff.failed()
                    log.warning("the process that looks for winnable deals cannot start: %s", error.strerror)
                except Exception:
                    log.exception("no winnable deals are prepared for now")
                await self._end_child()
            await asyncio.sleep(self._times.look)

    async def _say_when_moves_are_made(self) -> None:
        """Touch the file of the lock while players make moves here."""
        before = self._moves()
        while True:
            await asyncio.sleep(self._times.look_at_moves)
            now = self._moves()
            if now > before:
                self._lock.touch()
            before = now

    async def _fill(self) -> None:
        """Search until the pool is full.

        Quick games are searched twenty times a second, and to count all deals takes milliseconds, for which moves would
        wait. So they are counted again only after a while, or if another process has added some.
        """
        counts: dict[str, tuple[int, int, int]] = {}
        counted_at = float("-inf")
        while True:
            now = asyncio.get_running_loop().time()
            if now >= counted_at + self._times.look:
                counts, counted_at = await self._pool.counts_now(), now
            if self._days is not None and (search := await self._days.next_search()) is not None:
                answer = await self._attempt(question := f"{search.game} {search.stars} {search.secret.hex()}")
                if answer is not None or self._failed[question] >= FAILURES:
                    await self._days.searched(search, is_won=None if answer is None else bool(answer.secret))
                    continue
            if (key := self._next(counts)) is None:
                return
            answer = await self._attempt(key)
            if answer is None:
                continue
            self._pool.counters.tried += 1
            if not answer.secret:
                continue
            deal = Deal(bytes.fromhex(answer.secret), answer.line, answer.stars)
            if await self._pool.add(key, deal, self._most_of_stars):
                one, two, three = counts[key]
                counts[key] = (one + (deal.stars == 1), two + (deal.stars == 2), three + (deal.stars == 3))
            else:
                counted_at = float("-inf")

    def _next(self, counts: Mapping[str, tuple[int, int, int]]) -> str | None:
        """The game that lacks most: first deals for one race, then of all numbers of stars. None if all are full.

        Favourites are before other games. Where the child fails all the time, other games get their turn.
        """
        first = {key: NEEDED - sum(counts[key]) for key in self._games}
        lacking = {key: lack for key, lack in first.items() if lack > 0}
        if not lacking:
            most = self._most_of_stars
            later = {key: sum(max(0, most - count) for count in counts[key]) for key in self._games}
            lacking = {key: lack for key, lack in later.items() if lack > 0}
        return min(lacking, key=lambda key: (self._failed[key], key not in FAVOURITES, -lacking[key]), default=None)

    async def _attempt(self, question: str) -> _Answer | None:
        """One search in a game, perhaps for a day. None if the child ended."""
        if self._process is None:
            await asyncio.sleep(self._backoff.pause)
            # If this process is killed, the lock is free once its child has ended, too.
            locks = [] if self._lock.descriptor is None else [self._lock.descriptor]
            self._process = await child_process.start_helper(*self._command, *map(str, locks), pass_fds=locks)
            self._began = asyncio.get_running_loop().time()
        assert self._process is not None
        questions, answers = child_process.pipes(self._process)
        try:
            async with asyncio.timeout(self._times.timeout):
                questions.write(f"{question}\n".encode())
                await questions.drain()
                answer = msgspec.json.decode(await answers.readuntil(b"\n"), type=_Answer)
                bytes.fromhex(answer.secret)  # raises `ValueError` for nonsense
        except (EOFError, ConnectionError, TimeoutError, ValueError, asyncio.LimitOverrunError) as error:
            self._failed[question] += 1
            await self._end_child()
            self._backoff.ended(asyncio.get_running_loop().time() - self._began)
            self._pool.counters.restarts += 1
            if self._backoff.failures <= 1:  # only the first time
                log.warning(
                    "the process that looks for winnable deals failed, and is started again: %s", type(error).__name__
                )
            return None
        del self._failed[question]
        return answer

    async def _end_child(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            await child_process.end(process)
