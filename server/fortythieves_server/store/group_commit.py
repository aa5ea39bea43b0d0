"""Group commit: one task and one connection make all commits, or in a cluster all commits of one node.

All waiting commits are sent as one pipeline, and the next pipeline follows when it returns. With many moves a second,
pipelines are some milliseconds apart (`Window`). With ``appendfsync always``, one fsync covers the whole pipeline
before any reply. If the connection breaks, or a key has moved to another node, or is about to, the commits are repeated
on the node that then has their keys. That is safe: a script that finds its own entry in the log gives the same answer
as before.
"""

import asyncio
import contextlib
import logging
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec
from redis.exceptions import AskError, MovedError, NoScriptError, TryAgainError
from redis.exceptions import ConnectionError as RedisConnectionError

from fortythieves_server.common.counters import Histogram
from fortythieves_server.common.tasks import end
from fortythieves_server.store.connections import Connections
from fortythieves_server.store.redis_connection import Command, RedisConnection
from fortythieves_server.store.redis_errors import LOST_CONNECTION, StoreDown, is_passing
from fortythieves_server.store.schema import of_replication
from fortythieves_server.store.scripts import Script

log = logging.getLogger(__name__)

T_ = TypeVar("T_")

#: The most commits that wait for a node while it is away. More are refused. A guess.
WAITING_LIMIT = 20_000
#: The most commits in one pipeline. A guess.
BATCH = 512
#: From this rate of moves per second on, pipelines are some time apart, because the two wake-ups of each cost more than
#: its moves (measured). Other commits do not count, or strangers could make moves wait.
BUSY = 300.0
#: The moves that a pipeline should have, and the bounds in seconds between two pipelines. At 400 moves a second, a
#: server needs a quarter less CPU with 20 ms than without pauses, and a move is answered 10 ms later (measured).
TOGETHER, SHORTEST, LONGEST = 10, 0.005, 0.020
#: Seconds over which the rate is measured. A guess.
COUNTED = 0.25
#: Seconds between two attempts to reach a Redis that is away.
RETRY = 0.25
#: Milliseconds in which replicas must confirm a commit, if that is required.
REPLICATED_MS = 1000
#: The bounds of the histograms: the seconds of a pipeline, and its number of commits.
SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0)
SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
#: Seconds in which running commits must finish when the process stops.
LAST_SECONDS = 3.0

_ASKING: Command = ("ASKING",)
#: Errors that concern the keys of one slot, and say nothing about the node.
_OF_A_SLOT = (AskError, TryAgainError)


class Commit(msgspec.Struct, eq=False):
    """A script to run. Until it is ``sent``, keys and arguments may be added."""

    script: Script
    keys: list[str]
    arguments: list[str | bytes | int]
    sent: bool
    #: Whether it is sent to a node that does not have the slot of its keys yet, because they are already there.
    asking: bool

    @property
    def moves(self) -> int:
        """The number of moves in it."""
        return 0

    def arguments_now(self) -> list[str | bytes | int]:
        """The arguments with which it is sent, perhaps not for the first time."""
        return self.arguments

    def answered(self, answer: list[bytes] | Exception) -> None:
        """Called with the answer once the result is on disk, or with an exception."""
        raise NotImplementedError


class _Awaited(Commit):
    done: asyncio.Future[list[bytes]]
    latest: Callable[[], list[str | bytes | int]]

    def arguments_now(self) -> list[str | bytes | int]:
        return self.latest()

    def answered(self, answer: list[bytes] | Exception) -> None:
        settle(self.done, answer)


class _Notification(Commit):
    def answered(self, answer: list[bytes] | Exception) -> None:
        """Nothing: notifications may be lost."""


class Window:
    """Decides how long the next pipeline collects commits."""

    __slots__ = ("_last", "_rate")

    def __init__(self) -> None:
        #: Moves per second; old ones have less weight.
        self._rate = 0.0
        self._last = 0.0

    def wait(self, now: float) -> float:
        """For how many seconds a pipeline should collect commits."""
        if self._rate < BUSY:
            return 0.0
        apart = min(max(TOGETHER / self._rate, SHORTEST), LONGEST)
        return max(0.0, self._last + apart - now)

    def sleep(self) -> None:
        """Let the whole process sleep until the next pipeline is due."""
        time.sleep(self.wait(time.perf_counter()))

    def sent(self, moves: int, now: float) -> None:
        """A pipeline with this number of moves has been sent."""
        passed, self._last = min(now - self._last, COUNTED), now
        self._rate += (moves - self._rate * passed) / COUNTED


@dataclass(slots=True, eq=False)
class _Queue:
    """The commits that wait for one node."""

    node: str
    waiting: list[Commit] = field(default_factory=list)
    wake: asyncio.Event = field(default_factory=asyncio.Event)
    connection: RedisConnection | None = None
    #: When the running pipeline was first sent. None if there is none.
    since: float | None = None
    flusher: asyncio.Task[None] | None = None
    window: Window = field(default_factory=Window)


class GroupCommit:
    """All commits of a process. ``report(node, error)`` is called when a node fails, and with None when it works.

    ``publish``: the script of notifications.
    """

    def __init__(self, connections: Connections, report: Callable[[str, object], None], publish: Script) -> None:
        self._connections = connections
        self._report = report
        self._publish = publish
        self._queues: dict[str, _Queue] = {}
        self._closing = False
        #: Of all answered groups.
        self.seconds = Histogram(SECONDS)
        self.sizes = Histogram(SIZES)

    @property
    def waits_for_replicas(self) -> bool:
        """Whether replicas may lack a commit until it is answered. Then nobody may be notified of it earlier."""
        return self._connections.replicas > 0

    @property
    def waiting(self) -> int:
        """The number of commits that have not been sent yet."""
        return sum(len(queue.waiting) for queue in self._queues.values())

    @property
    def oldest(self) -> float:
        """The seconds for which the oldest running commit has waited."""
        now = time.perf_counter()
        return max((now - queue.since for queue in self._queues.values() if queue.since is not None), default=0.0)

    async def close(self) -> None:
        """Finish the running commits, and refuse the others."""
        self._closing = True
        for queue in self._queues.values():
            queue.wake.set()
        if flushers := [queue.flusher for queue in self._queues.values() if queue.flusher is not None]:
            await asyncio.wait(flushers, timeout=LAST_SECONDS)
            await end(flushers)
        for queue in self._queues.values():
            self._disconnect(queue)
        for queue in self._queues.values():
            for commit in queue.waiting:
                commit.answered(StoreDown("the server is stopping"))

    def reconnect(self) -> None:
        """Use new connections. Running commits are repeated on these."""
        for queue in self._queues.values():
            self._disconnect(queue)

    async def make(
        self, script: Script, keys: Sequence[str], arguments: Callable[[], list[str | bytes | int]]
    ) -> list[bytes]:
        """Run a script. Returns its answer when the result is on disk. Cancelling the caller does not stop it.

        ``arguments`` is called for each attempt.
        """
        done: asyncio.Future[list[bytes]] = asyncio.get_running_loop().create_future()
        self.put(_Awaited(script, [*keys], [], False, False, done, arguments))
        return await done

    def publish(self, channel: str, notification: str | bytes) -> None:
        """Notify other processes of a commit that was answered."""
        with contextlib.suppress(StoreDown):
            self.put(_Notification(self._publish, [channel], [notification], False, False))

    def put(self, commit: Commit) -> None:
        """Queue a commit. Raises `StoreDown` if it cannot be queued."""
        if self._closing:
            raise StoreDown("the server is stopping")
        queue = self._queue_of(commit.keys[0])
        if len(queue.waiting) >= WAITING_LIMIT:
            raise StoreDown("too many commits wait for Redis")
        self._put_into(queue, commit)

    def _queue_of(self, key: str) -> _Queue:
        return self._queue(self._connections.node_of(key))

    def _queue(self, node: str) -> _Queue:
        if node not in self._queues:
            queue = self._queues[node] = _Queue(node)
            queue.flusher = asyncio.create_task(self._flush(queue), name=f"flush {node}")
        return self._queues[node]

    async def _flush(self, queue: _Queue) -> None:
        """Send all waiting commits, one pipeline after the other."""
        failures = 0
        while True:
            if not queue.waiting:
                if self._closing:
                    return
                queue.wake.clear()
                await queue.wake.wait()
                continue
            if queue.window.wait(time.perf_counter()):
                await _gather_moves(queue.window)
            batch, queue.waiting = queue.waiting[:BATCH], queue.waiting[BATCH:]
            began = time.perf_counter()
            queue.window.sent(sum(commit.moves for commit in batch), began)
            queue.since = queue.since or began
            try:
                answers = await self._send(queue, batch)
            except LOST_CONNECTION as error:
                queue.waiting = batch + queue.waiting
                if self._closing:
                    return
                failures += 1
                if failures > 1:  # the first failure may be a connection that was idle for too long
                    self._report(queue.node, error)
                self._disconnect(queue)
                if failures > 1:
                    await asyncio.sleep(RETRY)
                await self._connections.refresh_nodes()
                self._move_to_their_nodes(queue)
                if queue.waiting:
                    continue
            except Exception as error:
                # This group would fail forever, and block all other commits.
                log.exception("a group of commits failed")
                await self._deliver(batch, [error] * len(batch))
                self._disconnect(queue)
            except asyncio.CancelledError:
                queue.waiting = batch + queue.waiting
                raise
            else:
                self.seconds.add(time.perf_counter() - began)
                self.sizes.add(len(batch))
                await self._deliver(batch, answers)
            failures, queue.since = 0, None
            self._report(queue.node, None)

    def _move_to_their_nodes(self, queue: _Queue) -> None:
        """Move the commits of a queue to the nodes that now own their keys."""
        waiting, queue.waiting = queue.waiting, []
        self._put_again(waiting)

    def _disconnect(self, queue: _Queue) -> None:
        """Use a new connection for the next commits. Answers may still arrive on the old one."""
        if queue.connection is not None:
            queue.connection.close()
            queue.connection = None

    async def _send(self, queue: _Queue, batch: Sequence[Commit]) -> list[Any]:
        answers = await self._pipeline(queue, batch, "EVALSHA")
        if not any(isinstance(answer, Exception) for answer in answers):
            return answers
        unknown = [i for i, answer in enumerate(answers) if isinstance(answer, NoScriptError)]
        if unknown:  # Redis was restarted; EVAL loads the script
            loaded = await self._pipeline(queue, [batch[i] for i in unknown], "EVAL")
            for i, answer in zip(unknown, loaded, strict=True):
                answers[i] = answer
        if all(is_passing(answer) and not isinstance(answer, _OF_A_SLOT) for answer in answers):
            raise RedisConnectionError("; ".join({str(answer) for answer in answers}))
        return answers

    async def _deliver(self, batch: Sequence[Commit], answers: Sequence[Any]) -> None:
        """Answer commits. Those of a slot that moves to another node are repeated there, or later if only some of their
        keys have moved. The others must not wait.
        """
        again: list[Commit] = []
        has_moved = False
        for commit, answer in zip(batch, answers, strict=True):
            if isinstance(answer, AskError) and answer.host and not commit.asking and not self._closing:
                commit.asking = True  # which changes nothing if the whole slot has moved
                has_moved = has_moved or isinstance(answer, MovedError)
                self._put_into(self._queue(f"{answer.host}:{answer.port}"), commit)
            elif is_passing(answer):
                commit.asking = False
                again.append(commit)
            else:
                commit.answered(answer)
        if again or has_moved:
            await self._connections.refresh_nodes()
        if again:
            asyncio.get_running_loop().call_later(RETRY, self._put_again, again)

    def _put_again(self, commits: Sequence[Commit]) -> None:
        for commit in commits:
            if self._closing:
                commit.answered(StoreDown("the server is stopping"))
            else:
                self._put_into(self._queue_of(commit.keys[0]), commit)

    def _put_into(self, queue: _Queue, commit: Commit) -> None:
        queue.waiting.append(commit)
        queue.wake.set()

    async def _pipeline(self, queue: _Queue, batch: Sequence[Commit], command: str) -> list[Any]:
        commands: list[Command] = []
        places: list[int] = []  # of their answers
        sharded, wanted = self._connections.is_sharded, self._connections.replicas
        new = [commit for commit in batch if not commit.sent] if wanted else []
        for commit in batch:
            if commit.asking:
                commands.append(_ASKING)
            places.append(len(commands))
            arguments, commit.sent = commit.arguments_now(), True
            form = commit.script.sharded if sharded else commit.script.plain
            name = form.sha if command == "EVALSHA" else form.text
            commands.append((command, name, len(commit.keys), *commit.keys, *arguments))
        if wanted:
            # WAIT counts from the last write of its connection. A repeated commit writes nothing, so this does. A node
            # refuses it if the slot is about to move; then the next attempt tries another slot.
            one = random.choice(new or batch)
            commands += [_ASKING] * one.asking
            commands.append(("SET", of_replication(one.keys[0], asking=one.asking), "", "PX", REPLICATED_MS))
            commands.append(("WAIT", wanted, REPLICATED_MS))
        if queue.connection is None:
            queue.connection = await RedisConnection.open(self._connections.client(queue.node))
        answers = await queue.connection.execute(commands)
        found = [answers[place] for place in places]
        if wanted:
            written, replicas = answers[-2:]
            if not isinstance(replicas, int) or replicas < wanted:
                raise RedisConnectionError(f"only {replicas} of {wanted} replicas have the commits")
            repeated = (answer for commit, answer in zip(batch, found, strict=True) if commit not in new)
            if isinstance(written, Exception) and not all(map(is_passing, repeated)):
                raise RedisConnectionError(f"replicas may lack the commits: {written}")
        return found


async def _gather_moves(window: Window) -> None:
    """Handle all moves of a window together. To wake up for each costs more than the move: at 1,000 moves a second, a
    process that sleeps needs 10 to 25 % less CPU, and a move is answered 1 ms later (measured).
    """
    for _ in range(2):  # the answers to the last pipeline are written first
        await asyncio.sleep(0)
    window.sleep()
    await asyncio.sleep(0)  # the moves that have arrived are read


def settle(done: asyncio.Future[T_], answer: T_ | Exception) -> None:
    """Set a result or an exception, unless the future is done."""
    if done.done():
        return
    if isinstance(answer, Exception):
        done.set_exception(answer)
    else:
        done.set_result(answer)
