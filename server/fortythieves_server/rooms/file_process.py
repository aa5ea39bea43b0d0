"""A child process that makes big files (`file_jobs`), one at a time.

A thread would not do: Python runs one at a time, and a second of its work is a second in which moves wait. The process
starts when there is something to do and ends when there is nothing for a while. It knows no token and no address of
Redis: it is given the logs.
"""

import asyncio
import contextlib
import logging
import os
import struct
import sys
import time
import traceback
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple, NoReturn

import msgspec

from fortythieves.errors import Refused
from fortythieves_server.common.fair_queue import Slots
from fortythieves_server.rooms import file_jobs

log = logging.getLogger(__name__)

#: Seconds without anything to do after which the process ends, and gives back its 50 MB.
IDLE = 60.0
#: Seconds that a job may take. The longest record there may be takes about five, on a slow machine.
TIMEOUT = 60.0
#: Jobs that wait for their turn. Each takes a fraction of a second.
WAITING = 200

#: Of the environment it has only what Python itself may need.
_ENVIRONMENT = ("PATH", "PYTHONPATH", "PYTHONHOME", "LANG", "LC_ALL", "SYSTEMROOT")

#: What comes before a job: how many bytes it has. Before what is made: the same, how many seconds of the processor it
#: took, and whether it was made (0), refused (1) or failed (2).
_JOB = struct.Struct(">Q")
_DONE = struct.Struct(">QdB")

#: A job by its name, and its arguments.
Job = tuple[str, tuple[Any, ...]]


class Made(NamedTuple):
    """What came of a job, and how many seconds of the processor it took."""

    body: bytes
    seconds: float


class FileProcess:
    """The process, from the side of the server."""

    def __init__(self, waiting: int = WAITING, idle: float = IDLE) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._slots = Slots(1, waiting=waiting)
        self._idle_seconds = idle
        self._idle: asyncio.TimerHandle | None = None

    @property
    def process(self) -> asyncio.subprocess.Process | None:
        """The process, from its first job on until it ends."""
        return self._process

    async def do(self, prepare: Callable[[], Awaitable[Job]], address: str = "", timeout: float = TIMEOUT) -> Made:  # noqa: ASYNC109
        """Have a job done, for an address: addresses take turns, so none keeps the others waiting.

        ``prepare`` gets together what is needed for it, when it is its turn: of no two jobs that is in memory at once.
        Raises `Refused`: "too-fast" where too many wait, or the process ended in the middle; or what the job is refused
        with.
        """
        async with self._slots.turn(address):
            return await self._do(await prepare(), timeout)

    async def _do(self, job: Job, timeout: float) -> Made:  # noqa: ASYNC109
        if self._idle is not None:
            self._idle.cancel()
        process = self._process
        if process is None or process.returncode is not None:
            process = self._process = await _start()
        assert process.stdin is not None
        assert process.stdout is not None
        done = False
        try:
            async with asyncio.timeout(timeout):
                packed = msgspec.msgpack.encode(job)
                process.stdin.writelines((_JOB.pack(len(packed)), packed))
                await process.stdin.drain()
                size, seconds, state = _DONE.unpack(await process.stdout.readexactly(_DONE.size))
                body = await process.stdout.readexactly(size)
            done = True
        except (asyncio.IncompleteReadError, ConnectionError, TimeoutError) as error:
            log.warning("the process that makes files ended in the middle of %s: %r", job[0], error)
            raise Refused("too-fast") from None  # It can be asked for again.
        finally:
            if not done:  # Whoever asks next must not be told what comes of this.
                self._process = None
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
        self._idle = asyncio.get_running_loop().call_later(self._idle_seconds, self._rest)
        if state == 1:
            raise Refused(body.decode())
        if state == 2:
            raise RuntimeError(f"{job[0]} failed: {body.decode()}")
        return Made(body, seconds)

    def _rest(self) -> None:
        """There has been nothing to do for a while: the process ends when it hears no more."""
        if self._slots.are_free and self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
            self._process = None

    async def close(self) -> None:
        """End the process."""
        if self._idle is not None:
            self._idle.cancel()
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()


async def _start() -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", __name__),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env={name: os.environ[name] for name in _ENVIRONMENT if name in os.environ},
        start_new_session=True,
    )


def _serve() -> NoReturn:
    """Do what is asked for on standard input, one thing after the other, until nobody is there any more."""
    with contextlib.suppress(OSError, AttributeError):
        os.nice(10)  # Moves come first.
    heard, said = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # Nothing else gets in between.
    while len(head := heard.read(_JOB.size)) == _JOB.size:
        name, arguments = msgspec.msgpack.decode(heard.read(*_JOB.unpack(head)))
        began, state = time.process_time(), 0
        try:
            body = file_jobs.do(name, arguments)
        except Refused as refused:
            body, state = refused.code.encode(), 1
        except Exception:  # noqa: BLE001 - the server logs it.
            body, state = traceback.format_exc().encode(), 2
        del arguments
        said.write(_DONE.pack(len(body), time.process_time() - began, state) + body)
        said.flush()
    sys.exit()


if __name__ == "__main__":
    _serve()
