"""Start and end child processes so that none is left behind.

asyncio leaves a process and its pipes behind if a caller is cancelled while it starts one or waits for its end. Here a
cancellation takes effect when that is done.
"""

import asyncio
import contextlib
import logging
import os
import signal
import sys
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any

Process = asyncio.subprocess.Process

log = logging.getLogger(__name__)

#: The environment variables that our own programs get: where Python and the system's libraries are.
ENVIRONMENT = (
    *("PATH", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "LD_LIBRARY_PATH"),
    *("LANG", "LC_ALL", "TZ", "SYSTEMROOT"),
)

#: Seconds before each restart after failures in a row. The last one repeats. A guess.
PAUSES = (0.0, 0.2, 0.5, 1.0, 2.0)
#: A process that ran for this many seconds did not fail. A guess.
A_WHILE = 10.0


def own_program(module: str) -> tuple[str, ...]:
    """The command that runs a module of ours. With -P, Python loads no code from the working directory."""
    return (sys.executable, "-P", "-m", module)


async def start(*command: str, **options: Any) -> Process:
    """`asyncio.create_subprocess_exec`, with its options. Raises `OSError` if the process cannot be started."""
    starting = asyncio.ensure_future(asyncio.create_subprocess_exec(*command, **options))
    try:
        return await asyncio.shield(starting)
    except asyncio.CancelledError:
        await _finished(_end_once_started(starting))
        raise


async def start_helper(*command: str, **options: Any) -> Process:
    """Start one of our own programs, with pipes. Most environment variables are left out: they may hold passwords."""
    return await start(
        *command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env={name: os.environ[name] for name in ENVIRONMENT if name in os.environ},
        start_new_session=True,  # Ctrl-C in a terminal must not reach it directly
        **options,
    )


def pipes(process: Process) -> tuple[asyncio.StreamWriter, asyncio.StreamReader]:
    """The standard input and output of a process that has both as pipes."""
    assert process.stdin is not None
    assert process.stdout is not None
    return process.stdin, process.stdout


def kill(process: Process, number: signal.Signals = signal.SIGKILL) -> None:
    """Send a signal, unless the process has ended.

    `Process.send_signal` polls the process first, and then asyncio does not learn the exit code.
    """
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, number)


def terminate(process: Process) -> None:
    kill(process, signal.SIGTERM)


def close_input(process: Process) -> None:
    """Ask a process to end that reads its standard input."""
    assert process.stdin is not None
    process.stdin.close()


async def end(*processes: Process, ask: Callable[[Process], None] = kill, seconds: float = 0.0) -> None:
    """Ask processes to end, kill the others after ``seconds``, and close their pipes."""
    await _finished(_end(processes, ask, seconds))


def how_it_ended(process: Process) -> str:
    """The end of a sentence."""
    code = process.returncode
    return f"by signal {-code}" if code is not None and code < 0 else f"with code {code}"


async def _end(processes: Sequence[Process], ask: Callable[[Process], None], seconds: float) -> None:
    for process in processes:
        if process.returncode is None:
            ask(process)
        if process.stdin is not None:
            process.stdin.close()  # a child of an ended process may read it, and hold the output open
    # `wait` is not enough: the rest of the output must be read before the pipes are closed.
    waiting = {asyncio.create_task(process.communicate()): process for process in processes}
    if seconds and waiting:
        _, late = await asyncio.wait(waiting, timeout=seconds)
        for task in late:
            log.warning("process %s does not stop and is killed", waiting[task].pid)
            kill(waiting[task])
    await asyncio.gather(*waiting)


async def _end_once_started(starting: asyncio.Future[Process]) -> None:
    with contextlib.suppress(OSError):
        await end(await starting)


async def _finished(work: Coroutine[Any, Any, None]) -> None:
    """Finish some work even if the caller is cancelled. The cancellation takes effect afterwards."""
    task = asyncio.create_task(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        task.exception()  # or asyncio would log that it was never retrieved
        raise cancelled
    task.result()


@dataclass(slots=True, eq=False)
class Backoff:
    """How long to wait before a process that ended is restarted. The times are in seconds.

    Libraries for backoff (tenacity, backoff) repeat a call that fails. Here it matters how long the process had run.
    """

    _pauses: Sequence[float] = PAUSES
    _a_while: float = A_WHILE
    failures: int = 0

    @property
    def pause(self) -> float:
        """Seconds to wait before the next start."""
        return self._pauses[min(self.failures, len(self._pauses) - 1)]

    def ended(self, lived: float) -> None:
        self.failures = 0 if lived > self._a_while else self.failures + 1

    def failed(self) -> None:
        self.failures += 1
