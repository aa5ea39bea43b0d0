"""A child process that makes large files (`file_jobs`), one at a time.

A thread would not help: Python runs one thread at a time, so moves would wait during its work. The process starts with
the first job, and ends after it was idle for a while. It gets the logs as input, but neither a token nor the address of
Redis.
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
from typing import Any, NoReturn

import msgspec

from fortythieves.errors import Refused
from fortythieves_server.common import child_process
from fortythieves_server.common.child_process import Process, close_input
from fortythieves_server.common.fair_queue import Slots
from fortythieves_server.common.prices import NOBODY, Account
from fortythieves_server.rooms import file_jobs
from fortythieves_server.store.redis_errors import StoreDown

log = logging.getLogger(__name__)

#: Seconds without a job after which the process ends, which frees 50 MB (measured).
IDLE = 60.0
#: Seconds in which it must end by itself. It has nothing to do then.
_GRACE = 3.0
#: Seconds that a job may take. The largest record takes about five on a slow machine.
TIMEOUT = 60.0
#: The most waiting jobs. Each takes a fraction of a second.
WAITING = 200

#: The header of a job: its length in bytes. The header of a result: its length, the seconds of CPU time it took, and
#: whether the job succeeded (0), was refused (1) or failed (2).
_JOB = struct.Struct(">Q")
_DONE = struct.Struct(">QdB")

Job = tuple[str, tuple[Any, ...]]


class FileProcess:
    def __init__(self) -> None:
        self.process: Process | None = None
        self._slots = Slots(1, waiting=WAITING)
        self._idle: asyncio.TimerHandle | None = None
        self._resting: asyncio.Task[None] | None = None
        #: Held by the job that writes to the process and reads from it.
        self._using = asyncio.Lock()

    async def do(self, job: Job | Callable[[], Awaitable[Job]], account: Account = NOBODY) -> bytes:
        """Do a job, and charge its CPU time. Addresses take turns, so none can block the others.

        A function collects the arguments when it is the job's turn, so only one job's arguments are in memory.
        Raises `Refused`: "too-fast" if too many jobs wait or the process ended, "store-down" if the function raises
        `StoreDown`, or the refusal of the job.
        """
        async with self._slots.turn(account.address):
            try:
                job = job if isinstance(job, tuple) else await job()
            except StoreDown:
                raise Refused("store-down") from None
            async with self._using:
                return await self._do(job, account)

    async def _do(self, job: Job, account: Account) -> bytes:
        if self._idle is not None:
            self._idle.cancel()
        process = self.process
        if process is None or process.returncode is not None:
            process = self.process = await child_process.start_helper(sys.executable, "-m", __name__)
        requests, results = child_process.pipes(process)
        done = False
        try:
            async with asyncio.timeout(TIMEOUT):
                packed = msgspec.msgpack.encode(job)
                requests.writelines((_JOB.pack(len(packed)), packed))
                await requests.drain()
                size, seconds, state = _DONE.unpack(await results.readexactly(_DONE.size))
                body = await results.readexactly(size)
            done = True
        except (asyncio.IncompleteReadError, ConnectionError, TimeoutError) as error:
            log.warning("the process for files ended during %s: %r", job[0], error)
            raise Refused("too-fast") from None  # the caller can repeat the request
        finally:
            if not done:  # the next caller must not get this result
                self.process = None
                await child_process.end(process)
        self._idle = asyncio.get_running_loop().call_later(IDLE, self.rest)
        if state == 1:
            raise Refused(body.decode())
        if state == 2:
            raise RuntimeError(f"{job[0]} failed: {body.decode()}")
        account.charge_work(seconds)
        return body

    def rest(self) -> None:
        """There was no job for a while: the process ends."""
        if not self._slots.count and self.process is not None:
            process, self.process = self.process, None
            self._resting = asyncio.create_task(child_process.end(process, ask=close_input, seconds=_GRACE))

    async def close(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
        if self._resting is not None:
            await self._resting
        process, self.process = self.process, None
        if process is not None:
            child_process.kill(process)
            async with self._using:  # its job fails now
                await child_process.end(process)


def _serve() -> NoReturn:
    """Do the jobs on standard input, one after the other, until it closes."""
    with contextlib.suppress(OSError, AttributeError):
        os.nice(10)  # moves come first
    requests, results = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing else may write between the results
    while len(head := requests.read(_JOB.size)) == _JOB.size:
        name, arguments = msgspec.msgpack.decode(requests.read(*_JOB.unpack(head)))
        began, state = time.process_time(), 0
        try:
            body = file_jobs.do(name, arguments)
        except Refused as refused:
            body, state = refused.code.encode(), 1
        except Exception:  # noqa: BLE001 - the server logs it
            body, state = traceback.format_exc().encode(), 2
        del arguments
        results.write(_DONE.pack(len(body), time.process_time() - began, state) + body)
        results.flush()
    sys.exit()


if __name__ == "__main__":
    _serve()
