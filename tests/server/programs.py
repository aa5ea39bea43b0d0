"""The server as a program of its own, started as an operator starts it."""

import asyncio
import contextlib
import re
import signal
import sys
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import NamedTuple

import psutil
from aiohttp import ClientSession

from tests.server.stores import until

COMMAND = (sys.executable, "-m", "fortythieves_server")
PIPE = asyncio.subprocess.PIPE

#: Far more than any of this takes; a test that hangs ends here.
SECONDS = 60


#: Bytes of its log that are kept until a test reads them, however much it logs.
LOGGED = 100_000_000


class Done(NamedTuple):
    code: int | None
    out: str
    errors: str


class Program(NamedTuple):
    process: asyncio.subprocess.Process
    address: str
    announced: str

    @property
    def pid(self) -> int:
        return self.process.pid

    async def is_well(self) -> bool:
        async with ClientSession() as session, session.get(f"{self.address}/healthz") as answer:
            return bool((await answer.json())["ok"])

    async def errors(self) -> str:
        assert self.process.stderr is not None
        return (await self.process.stderr.read()).decode()

    async def logged(self, text: str) -> str:
        """Wait for a text in its log; what it has logged up to there, since the last time."""
        assert self.process.stderr is not None
        async with asyncio.timeout(SECONDS):
            return (await self.process.stderr.readuntil(text.encode())).decode()

    async def workers(self) -> list[int]:
        return sorted(child.pid for child in children_with("--worker", self.pid))

    async def stop(self, number: signal.Signals = signal.SIGTERM) -> Done:
        self.process.send_signal(number)
        async with asyncio.timeout(SECONDS):
            out, errors = await self.process.communicate()
        return Done(self.process.returncode, out.decode(), errors.decode())


def children_with(word: str, parent: int | None = None) -> list[psutil.Process]:
    """The processes that a process has started, or this one, with a word in their command."""
    found = []
    for child in psutil.Process(parent).children():
        with contextlib.suppress(psutil.Error):
            if word in child.cmdline():
                found.append(child)
    return found


async def run(*arguments: str, seconds: float = SECONDS) -> Done:
    process = await asyncio.create_subprocess_exec(*COMMAND, *arguments, stdout=PIPE, stderr=PIPE)
    try:
        async with asyncio.timeout(seconds):
            out, errors = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
    return Done(process.returncode, out.decode(), errors.decode())


@contextlib.asynccontextmanager
async def started(
    data: Path,
    *arguments: str,
    host: str = "127.0.0.1",
    descriptors: int | None = None,
    command: Sequence[str] = COMMAND,
) -> AsyncIterator[Program]:
    limited = () if descriptors is None else ("sh", "-c", f'ulimit -n {descriptors} && exec "$@"', "sh")
    process = await asyncio.create_subprocess_exec(
        *(*limited, *command, "serve", "--host", host, "--port", "0", "--data", str(data), *arguments),
        stdout=PIPE,
        stderr=PIPE,
        start_new_session=True,
        limit=LOGGED,
    )
    assert process.stdout is not None and process.stderr is not None
    announced = ""
    try:
        async with asyncio.timeout(SECONDS):
            while "Ctrl-C" not in announced:
                line = (await process.stdout.readline()).decode()
                assert line, f"it did not start: {(await process.stderr.read()).decode()}"
                announced += line
        here = re.search(r"http://[\w.]+:\d+", announced)
        assert here is not None
        yield Program(process, here[0], announced)
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        await process.communicate()


async def until_ended(pid: int) -> None:
    await until(lambda: not psutil.pid_exists(pid))
