"""The measured processes: the server, its Redis, and helpers."""

import asyncio
import contextlib
import multiprocessing
import os
import platform
import resource
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
from tests.server import programs

#: All clients share one address, and some are as fast as the disk.
FAST = "100000/s+100000"
LIMITS = f"times=10000 messages={FAST}"


def cpu(pid: int | None = None) -> float:
    if platform.system() == "Linux":
        # The clock of clock_getcpuclockid(3), in nanoseconds; /proc has hundredths of a second.
        return time.clock_gettime((~(pid or os.getpid()) << 3) | 2)
    times = psutil.Process(pid).cpu_times()
    return float(times.user + times.system)


def memory(pid: int) -> int:
    return int(psutil.Process(pid).memory_info().rss)


def many_files() -> None:
    """Allow enough files for both ends of a thousand connections."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


@contextlib.asynccontextmanager
async def redis() -> AsyncIterator[EmbeddedRedis]:
    """The embedded Redis: every answer means that the data is on disk."""
    with tempfile.TemporaryDirectory() as directory:
        async with EmbeddedRedis(Path(directory)) as embedded:
            yield embedded


class Program:
    def __init__(self, process: Process, address: str, workers: int) -> None:
        self.process = process
        self.address = address
        #: The processes that serve players.
        self.pids = [child.pid for child in psutil.Process(process.pid).children()] if workers > 1 else [process.pid]

    def cpu(self) -> float:
        return sum(map(cpu, self.pids))

    def memory(self) -> int:
        return sum(map(memory, self.pids))


@contextlib.asynccontextmanager
async def program(
    url: str,
    *options: str,
    workers: int = 1,
    limits: str = LIMITS,
    winnable: int = 0,
    started: Sequence[str] = ("fortythieves_server",),
) -> AsyncIterator[Program]:
    """A server on this Redis. ``started``: the module and its first arguments."""
    named = {"redis": url, "workers": workers, "bots": "no", "winnable": winnable, "limits": limits}
    words = [word for name, value in named.items() for word in (f"--{name}", str(value))]
    with tempfile.TemporaryDirectory() as data:
        command = (sys.executable, "-m", *started)
        async with programs.started(Path(data), *words, *options, command=command) as running:
            yield Program(running.process, running.address, workers)


class Child:
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
