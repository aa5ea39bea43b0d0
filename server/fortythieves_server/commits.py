"""Group commit: one task and one connection own all commits.

What is waiting goes out as one pipeline, the next one when that returns; with ``appendfsync always`` one fsync serves
all of it before any reply. If Redis goes away, the batch is sent again once it is back. That is safe, because a script
that finds its own entry in place answers as it did the first time.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from redis.asyncio.client import Redis
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import NoScriptError

from fortythieves_server.answers import LOST_CONNECTION, StoreDown, is_passing
from fortythieves_server.scripts import Script

log = logging.getLogger(__name__)

#: The most commits that wait while Redis is away; past this they are refused.
WAITING_LIMIT = 20_000
#: The most commits in one pipeline.
BATCH = 512
#: Seconds between two tries to reach a Redis that is away.
RETRY = 0.25
#: Seconds that what is being committed has when the process stops.
LAST_SECONDS = 3.0


class _Commit(NamedTuple):
    script: Script
    keys: Sequence[str]
    arguments: Sequence[str | bytes | int]
    done: asyncio.Future[list[bytes]]


class Commits:
    """All commits of a process. ``say_up`` is told whether they arrive, and if not, why."""

    def __init__(self, redis: Redis, say_up: Callable[[bool, object], None]) -> None:
        self._redis = redis
        self._say_up = say_up
        self._waiting: list[_Commit] = []
        self._wake = asyncio.Event()
        self._flusher: asyncio.Task[None] | None = None
        self._closing = False

    def open(self) -> None:
        """Begin to send."""
        self._flusher = asyncio.create_task(self._flush(), name="flush")

    async def close(self) -> None:
        """Finish what is being committed, and refuse the rest."""
        self._closing = True
        self._wake.set()
        if self._flusher is not None:
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._flusher, LAST_SECONDS)
        for commit in self._waiting:
            if not commit.done.done():
                commit.done.set_exception(StoreDown("the server is stopping"))

    async def make(self, script: Script, keys: Sequence[str], arguments: Sequence[str | bytes | int]) -> list[bytes]:
        """Run a script, and wait until what it did is on disk; its answer. Whoever stops waiting stops nothing."""
        if self._closing or len(self._waiting) >= WAITING_LIMIT:
            raise StoreDown("too much waits for Redis")
        done: asyncio.Future[list[bytes]] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Commit(script, keys, arguments, done))
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
            except LOST_CONNECTION as error:
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
            self._say_up(True, None)
            _hand_out(batch, answers)

    async def _hang_up(self) -> None:
        """Have the next commits go over a new connection: on the old one answers may be on their way."""
        with contextlib.suppress(*LOST_CONNECTION):
            await self._redis.connection_pool.disconnect()

    async def _send(self, batch: Sequence[_Commit]) -> list[Any]:
        answers = await self._pipeline(batch, "EVALSHA")
        unknown = [i for i, answer in enumerate(answers) if isinstance(answer, NoScriptError)]
        if unknown:  # Redis was started anew: EVAL teaches it the script again.
            again = await self._pipeline([batch[i] for i in unknown], "EVAL")
            for i, answer in zip(unknown, again, strict=True):
                answers[i] = answer
        if any(is_passing(answer) for answer in answers):
            raise RedisConnectionError("; ".join({str(answer) for answer in answers if is_passing(answer)}))
        return answers

    async def _pipeline(self, batch: Sequence[_Commit], command: str) -> list[Any]:
        pipeline = self._redis.pipeline(transaction=False)
        for script, keys, arguments, _ in batch:
            name = script.sha if command == "EVALSHA" else script.text
            pipeline.execute_command(command, name, len(keys), *keys, *arguments)
        return await pipeline.execute(raise_on_error=False)


def _hand_out(batch: Sequence[_Commit], answers: Sequence[Any]) -> None:
    """Tell everybody who still waits what became of a commit."""
    for commit, answer in zip(batch, answers, strict=True):
        if commit.done.done():
            continue
        if isinstance(answer, Exception):
            commit.done.set_exception(answer)
        else:
            commit.done.set_result(answer)
