"""The measured processes: the server, its Redis, and helpers."""

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

#: All clients share one address, and some are as fast as the disk.
FAST = "100000/s+100000"
LIMITS = f"times=10000 messages={FAST}"
#: Seconds for a clean end.
TIMEOUT = 30.0
#: Functions in a profile.
PROFILED = 40


def cpu(pid: int | None = None) -> float:
    """The CPU seconds (user and system) of this process or another one."""
    if platform.system() == "Linux":
        # The clock of clock_getcpuclockid(3), in nanoseconds; /proc has hundredths of a second.
        return time.clock_gettime((~(pid or os.getpid()) << 3) | 2)
    times = psutil.Process(pid).cpu_times()
    return float(times.user + times.system)


def memory(pid: int) -> int:
    """The resident memory of a process."""
    return int(psutil.Process(pid).memory_info().rss)


def many_files() -> None:
    """Allow enough files for both ends of a thousand connections."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


class Redis:
    """The embedded Redis: every answer means that the data is on disk."""

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
        #: The processes that serve players.
        self.pids = [child.pid for child in own.children()] if workers > 1 else [process.pid]

    def cpu(self) -> float:
        return sum(map(cpu, self.pids))

    def memory(self) -> int:
        return sum(map(memory, self.pids))

    async def kill(self) -> None:
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
    """A server on this Redis. A profile is printed to standard error at the end.

    ``started``: the module and its first arguments. ``options``: more arguments.
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
    """A helper process that works on request."""

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
    """A process that runs ``work(pipe, ...)``, and its first answer. None ends it."""
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
