"""Several server processes. Their parent starts them, and restarts those that end.

The parent serves no players, so little in it can fail. A worker gets its settings on its standard input, which stays
open: when it closes, the parent is gone, and the worker ends, too. A worker writes one line of JSON when it serves, or
to say why it cannot.
"""

import asyncio
import contextlib
import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from fortythieves_server.common import child_process
from fortythieves_server.common.child_process import PAUSES, Backoff, Process, how_it_ended
from fortythieves_server.common.errors import StartError
from fortythieves_server.common.tasks import end
from fortythieves_server.process.dispatcher import Dispatcher, pair

log = logging.getLogger(__name__)

#: Give up after this many failed starts of a worker in a row if no other worker is serving.
MOST_FAILURES = 6
#: Seconds that a worker has to begin, and to end: it drains within five.
_BEGIN_SECONDS, _END_SECONDS = 60.0, 7.0


class _Worker(NamedTuple):
    process: Process
    addresses: list[str]
    began: float


@dataclass(slots=True, eq=False)
class Supervisor:
    """Processes that run one command, each with its own settings. The dispatcher hands connections to serving ones."""

    _command: Sequence[str]
    _settings: Sequence[bytes]
    _dispatcher: Dispatcher
    _pauses: Sequence[float] = PAUSES
    _workers: dict[int, _Worker] = field(default_factory=dict, init=False)
    _renewing: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)

    @property
    def pids(self) -> list[int]:
        return [worker.process.pid for worker in self._workers.values() if worker.process.returncode is None]

    async def start(self) -> list[str]:
        """Start all workers and wait until they serve. Returns the addresses. Raises `StartError`."""
        starting = [asyncio.create_task(self._start(number)) for number in range(len(self._settings))]
        try:
            await asyncio.gather(*starting)
        except BaseException:
            await end(starting)
            await self.stop()
            raise
        return self._workers[0].addresses

    async def run(self) -> None:
        """Keep all workers running. Raises `StartError` if they cannot be started."""
        keeping = [asyncio.create_task(self._keep(number)) for number in self._workers]
        try:
            await asyncio.gather(*keeping)
        finally:
            await end(keeping)

    async def renew(self) -> None:
        """Replace each worker, one after the other. The port is served all the time."""
        async with self._renewing:
            for number in range(len(self._settings)):
                old = self._workers[number]
                try:
                    await self._start(number)
                except StartError as error:
                    log.warning("The workers go on as they are: %s", error)
                    return
                await _end(old.process)

    async def stop(self) -> None:
        """End all workers, by force if they hang. `run` must have ended."""
        await _end(*(worker.process for worker in self._workers.values()))
        self._dispatcher.close()

    async def _keep(self, number: int) -> None:
        loop = asyncio.get_running_loop()
        backoff = Backoff(self._pauses)
        while True:
            worker = self._workers[number]
            await worker.process.wait()
            if self._workers[number] is not worker:
                continue  # There is another one in its place already.
            self._dispatcher.remove(number)
            backoff.ended(loop.time() - worker.began)
            how = how_it_ended(worker.process)
            log.warning("A worker (process %s) ended %s and is started again.", worker.process.pid, how)
            died = 0
            while True:
                await asyncio.sleep(backoff.pause)
                try:
                    await self._start(number)
                    break
                except _Died as how:
                    backoff.failed()
                    died += 1
                    if died >= MOST_FAILURES and not self.pids:
                        raise StartError(
                            f"A worker ended {died} times in a row before it served, the last time {how}: what it said "
                            "stands above."
                        ) from None
                except StartError as error:  # Its text names the cause: Redis is away.
                    backoff.failures = max(backoff.failures, 1)
                    log.warning("%s", error)

    async def _start(self, number: int) -> None:
        """Start a worker and wait until it serves. Raises `StartError` with the worker's own sentence, or `_Died`."""
        async with contextlib.AsyncExitStack() as undo:
            ours, theirs = pair()
            undo.callback(ours.close)
            with theirs:
                process = await child_process.start(
                    *(*self._command, str(theirs.fileno())),
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    pass_fds=[theirs.fileno()],
                    # Ctrl-C in a terminal signals the whole process group. The parent passes it on itself.
                    start_new_session=True,
                )
            undo.push_async_callback(_end, process)
            requests, answers = child_process.pipes(process)
            settings = self._settings[number]
            requests.write(len(settings).to_bytes(4, "big") + settings)
            try:
                async with asyncio.timeout(_BEGIN_SECONDS):
                    said = await answers.readline()
            except TimeoutError:
                raise _Died("because it did not begin") from None
            if not said:
                await process.communicate()
                raise _Died(how_it_ended(process))
            answer = json.loads(said)
            if "error" in answer:
                raise StartError(answer["error"])
            log.info("worker %s serves (process %s)", number + 1, process.pid)
            self._workers[number] = _Worker(process, answer["addresses"], asyncio.get_running_loop().time())
            self._dispatcher.add(number, ours)
            undo.pop_all()


class _Died(StartError):
    """A worker ended before it served. Its text names the reason."""


async def _end(*processes: Process) -> None:
    """SIGTERM lets them drain; those that hang are killed."""
    await child_process.end(*processes, ask=child_process.terminate, seconds=_END_SECONDS)
