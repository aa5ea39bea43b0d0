"""Group commit: one task and one connection own all commits, or of a cluster those of each node.

What is waiting goes out as one pipeline, the next one when that returns; with ``appendfsync always`` one fsync serves
all of it before any reply. If Redis goes away, or a key has moved to another node, the batch is sent again, by the
queues that it belongs to by then. That is safe, because a script that finds its own entry in place answers as it did
the first time.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import NoScriptError

from fortythieves_server.answers import LOST_CONNECTION, StoreDown, is_passing
from fortythieves_server.connect import Connections
from fortythieves_server.scripts import Script
from fortythieves_server.tasks import end

log = logging.getLogger(__name__)

#: The most commits that wait while Redis is away; past this they are refused.
WAITING_LIMIT = 20_000
#: The most commits in one pipeline.
BATCH = 512
#: Seconds between two tries to reach a Redis that is away.
RETRY = 0.25
#: Milliseconds that replicas have to say that they have what was committed, where that is asked of them.
REPLICATED_MS = 1000
#: Seconds that what is being committed has when the process stops.
LAST_SECONDS = 3.0


class _Commit(NamedTuple):
    script: Script
    keys: Sequence[str]
    arguments: Sequence[str | bytes | int]
    done: asyncio.Future[list[bytes]]


class _Queue:
    """The commits that wait for one node."""

    __slots__ = ("flusher", "node", "waiting", "wake")

    def __init__(self, node: str) -> None:
        self.node = node
        self.waiting: list[_Commit] = []
        self.wake = asyncio.Event()
        self.flusher: asyncio.Task[None] | None = None


class Commits:
    """All commits of a process. ``say`` is told of each node whether they arrive there, and if not, why."""

    def __init__(self, connections: Connections, say: Callable[[str, object], None]) -> None:
        self._connections = connections
        self._say = say
        self._queues: dict[str, _Queue] = {}
        self._closing = False

    async def close(self) -> None:
        """Finish what is being committed, and refuse the rest."""
        self._closing = True
        for queue in self._queues.values():
            queue.wake.set()
        if flushers := [queue.flusher for queue in self._queues.values() if queue.flusher is not None]:
            await asyncio.wait(flushers, timeout=LAST_SECONDS)
            await end(flushers)
        for queue in self._queues.values():
            for commit in queue.waiting:
                if not commit.done.done():
                    commit.done.set_exception(StoreDown("the server is stopping"))

    async def make(self, script: Script, keys: Sequence[str], arguments: Sequence[str | bytes | int]) -> list[bytes]:
        """Run a script, and wait until what it did is on disk; its answer. Whoever stops waiting stops nothing."""
        if self._closing or sum(len(queue.waiting) for queue in self._queues.values()) >= WAITING_LIMIT:
            raise StoreDown("too much waits for Redis")
        done: asyncio.Future[list[bytes]] = asyncio.get_running_loop().create_future()
        queue = self._queue_of(keys[0])
        queue.waiting.append(_Commit(script, keys, arguments, done))
        queue.wake.set()
        return await done

    def _queue_of(self, key: str) -> _Queue:
        node = self._connections.node_of(key)
        if node not in self._queues:
            queue = self._queues[node] = _Queue(node)
            queue.flusher = asyncio.create_task(self._flush(queue), name=f"flush {node}")
        return self._queues[node]

    async def _flush(self, queue: _Queue) -> None:
        """Send what waits, all at once, again and again."""
        failures = 0
        while True:
            if not queue.waiting:
                if self._closing:
                    return
                queue.wake.clear()
                await queue.wake.wait()
                continue
            batch, queue.waiting = queue.waiting[:BATCH], queue.waiting[BATCH:]
            try:
                answers = await self._send(queue.node, batch)
            except LOST_CONNECTION as error:
                queue.waiting = batch + queue.waiting
                if self._closing:
                    return
                failures += 1
                if failures > 1:  # The first one may be a connection that was idle for too long.
                    self._say(queue.node, error)
                await self._hang_up(queue.node)
                if failures > 1:
                    await asyncio.sleep(RETRY)
                await self._connections.look_again()
                self._sort_again(queue)
                if queue.waiting:
                    continue
            except Exception as error:
                # Such a batch would fail for ever, and everybody else's commits behind it.
                log.exception("a batch of commits failed")
                _hand_out(batch, [error] * len(batch))
                await self._hang_up(queue.node)
            except asyncio.CancelledError:
                queue.waiting = batch + queue.waiting
                raise
            else:
                _hand_out(batch, answers)
            failures = 0
            self._say(queue.node, None)

    def _sort_again(self, queue: _Queue) -> None:
        """Give the commits of a queue to those of the nodes that write them now."""
        waiting, queue.waiting = queue.waiting, []
        for commit in waiting:
            other = self._queue_of(commit.keys[0])
            other.waiting.append(commit)
            other.wake.set()

    async def _hang_up(self, node: str) -> None:
        """Have the next commits go over a new connection: on the old one answers may be on their way."""
        with contextlib.suppress(*LOST_CONNECTION):
            await self._connections.committer(node).connection_pool.disconnect()

    async def _send(self, node: str, batch: Sequence[_Commit]) -> list[Any]:
        answers = await self._pipeline(node, batch, "EVALSHA")
        unknown = [i for i, answer in enumerate(answers) if isinstance(answer, NoScriptError)]
        if unknown:  # Redis was started anew: EVAL teaches it the script again.
            again = await self._pipeline(node, [batch[i] for i in unknown], "EVAL")
            for i, answer in zip(unknown, again, strict=True):
                answers[i] = answer
        if any(is_passing(answer) for answer in answers):
            raise RedisConnectionError("; ".join({str(answer) for answer in answers if is_passing(answer)}))
        return answers

    async def _pipeline(self, node: str, batch: Sequence[_Commit], command: str) -> list[Any]:
        pipeline = self._connections.committer(node).pipeline(transaction=False)
        for script, keys, arguments, _ in batch:
            name = script.sha if command == "EVALSHA" else script.text
            pipeline.execute_command(command, name, len(keys), *keys, *arguments)
        wanted = self._connections.replicas
        if wanted:
            pipeline.execute_command("WAIT", wanted, REPLICATED_MS)
        answers = await pipeline.execute(raise_on_error=False)
        if wanted:
            have_it = answers.pop()
            if not isinstance(have_it, int) or have_it < wanted:
                raise RedisConnectionError(f"{have_it} of {wanted} replicas have it")
        return answers


def _hand_out(batch: Sequence[_Commit], answers: Sequence[Any]) -> None:
    """Tell everybody who still waits what became of a commit."""
    for commit, answer in zip(batch, answers, strict=True):
        if commit.done.done():
            continue
        if isinstance(answer, Exception):
            commit.done.set_exception(answer)
        else:
            commit.done.set_result(answer)
