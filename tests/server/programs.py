"""The server as a program of its own, started as an operator starts it."""

import asyncio
import contextlib
import os
import re
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import NamedTuple

from aiohttp import ClientSession

COMMAND = (sys.executable, "-m", "fortythieves_server")
PIPE = asyncio.subprocess.PIPE

#: Far more than any of this takes; a test that hangs ends here.
SECONDS = 60


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

    async def workers(self) -> list[int]:
        """The processes that serve."""
        asked = await asyncio.create_subprocess_exec(*("ps", "-A", "-ww", "-o", "pid=,ppid=,args="), stdout=PIPE)
        out, _ = await asked.communicate()
        rows = [line.split(None, 2) for line in out.decode().splitlines()]
        return sorted(int(pid) for pid, parent, *args in rows if int(parent) == self.pid and "--worker" in str(args))

    async def stop(self, number: signal.Signals = signal.SIGTERM) -> Done:
        self.process.send_signal(number)
        async with asyncio.timeout(SECONDS):
            out, errors = await self.process.communicate()
        return Done(self.process.returncode, out.decode(), errors.decode())


@contextlib.asynccontextmanager
async def started(data: Path, *arguments: str, host: str = "127.0.0.1") -> AsyncIterator[Program]:
    process = await asyncio.create_subprocess_exec(
        *(*COMMAND, "serve", "--host", host, "--port", "0", "--data", str(data), *arguments),
        stdout=PIPE,
        stderr=PIPE,
        start_new_session=True,
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
    """Wait until there is no such process."""
    async with asyncio.timeout(SECONDS):
        with contextlib.suppress(ProcessLookupError):
            while True:
                os.kill(pid, 0)
                await asyncio.sleep(0.02)
