"""The processes that are measured: the server as its operator starts it, its Redis, and others of our own."""

import asyncio
import contextlib
import multiprocessing
import os
import platform
import pstats
import re
import resource
import signal
import sys
import tempfile
import time
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import psutil

from fortythieves_server.process.embedded_redis import EmbeddedRedis

#: Everybody here shares one address, and some play as fast as the disk writes.
FAST = "100000/s+100000"
LIMITS = f"times=10000 messages={FAST}"
#: Seconds to end as one should.
TIMEOUT = 30.0
#: Functions that a profile names.
PROFILED = 40


def cpu(pid: int | None = None) -> float:
    """The CPU seconds, user and system, that a process has had: this one, or another."""
    if platform.system() == "Linux":
        # What clock_getcpuclockid(3) answers: a clock in nanoseconds, where /proc counts hundredths of a second.
        return time.clock_gettime((~(pid or os.getpid()) << 3) | 2)
    times = psutil.Process(pid).cpu_times()
    return float(times.user + times.system)


def memory(pid: int) -> int:
    """The bytes of a process that are in memory."""
    return int(psutil.Process(pid).memory_info().rss)


def many_files() -> None:
    """A thousand connections have two ends each."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


class Redis:
    """The Redis that the server starts for whoever has none: every answer means that it is on disk."""

    def __init__(self, embedded: EmbeddedRedis) -> None:
        assert embedded.pid
        self.url = embedded.url
        self.pid = embedded.pid


@contextlib.asynccontextmanager
async def redis() -> AsyncIterator[Redis]:
    with tempfile.TemporaryDirectory() as directory:
        async with EmbeddedRedis(Path(directory)) as embedded:
            yield Redis(embedded)


class Program:
    """``forty-thieves serve``, of one process or several."""

    def __init__(self, process: Process, address: str, workers: int) -> None:
        self._process = process
        self.address = address
        own = psutil.Process(process.pid)
        #: Those who serve.
        self.pids = [child.pid for child in own.children()] if workers > 1 else [process.pid]

    def cpu(self) -> float:
        return sum(map(cpu, self.pids))

    def memory(self) -> int:
        return sum(map(memory, self.pids))

    async def kill(self) -> None:
        """End it without warning."""
        self._process.kill()
        await self._process.wait()

    async def stop(self) -> None:
        if self._process.returncode is None:
            self._process.send_signal(signal.SIGTERM)
            await asyncio.wait_for(self._process.wait(), TIMEOUT)


@contextlib.asynccontextmanager
async def program(
    url: str,
    *,
    workers: int = 1,
    profile: bool = False,
    limits: str = LIMITS,
    port: int = 0,
    started: Sequence[str] = ("fortythieves_server",),
    options: Sequence[str] = (),
    winnable: int = 0,
) -> AsyncIterator[Program]:
    """The server, with a Redis that runs already. A profile of it is written to standard error when it has ended.

    ``started``: as which module, with what before its own arguments. ``options``: more of these.
    ``winnable``: how many winnable deals of each game it prepares.
    """
    with tempfile.TemporaryDirectory() as directory:
        stats = Path(directory) / "profile"
        module = ("tests.bench.profiled", str(stats)) if profile else started
        command = [sys.executable, "-m", *module, "serve", "--host", "127.0.0.1"]
        command += ["--port", str(port), "--redis", url, "--workers", str(workers), "--bots", "no"]
        command += ["--winnable", str(winnable)]
        command += ["--limits", limits, *options]
        process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
        assert process.stdout is not None
        try:
            said = (await process.stdout.readline()).decode()
            found = re.search(r"http://\S+", said)
            assert found, f"the server did not start: {said!r}"
            running = Program(process, found[0], workers)
            yield running
        finally:
            if process.returncode is None:
                process.send_signal(signal.SIGTERM)
                await asyncio.wait_for(process.wait(), TIMEOUT)
        if profile:
            pstats.Stats(str(stats), stream=sys.stderr).sort_stats("tottime").print_stats(PROFILED)


class Child:
    """A process of ours that does some work when it is asked to."""

    def __init__(self, pid: int, pipe: Connection) -> None:
        self.pid = pid
        self._pipe = pipe

    async def ask(self, question: object) -> Any:
        self._pipe.send(question)
        return await asyncio.to_thread(self._pipe.recv)

    def cpu(self) -> float:
        return cpu(self.pid)


@contextlib.asynccontextmanager
async def child(work: Any, *arguments: Any) -> AsyncIterator[tuple[Child, Any]]:
    """A process that runs ``work(pipe, ...)``, and what it said first. It is told None when it is to end."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=work, args=(there, *arguments))
    process.start()
    assert process.pid is not None
    try:
        yield Child(process.pid, here), await asyncio.to_thread(here.recv)
    finally:
        here.send(None)
        await asyncio.to_thread(process.join)
