"""The program that measures the steps of its tasks: ``python -m tests.bench.stepping FILE serve ...``.

FILE has one number: the CPU seconds of the longest step since somebody wrote 0 there. CPU time depends little on what
else the machine does.
"""

import asyncio
import mmap
import struct
import sys
from pathlib import Path
from typing import Any

import uvloop

from fortythieves_server.__main__ import main
from fortythieves_server.common.loop_share import metered

_SECONDS = struct.Struct("d")


class Steps:
    """The number in a file."""

    def __init__(self, path: Path) -> None:
        if not path.exists():
            path.write_bytes(bytes(_SECONDS.size))
        with path.open("r+b") as file:
            self._memory = mmap.mmap(file.fileno(), _SECONDS.size)

    @property
    def longest(self) -> float:
        return float(*_SECONDS.unpack(self._memory))

    @longest.setter
    def longest(self, seconds: float) -> None:
        _SECONDS.pack_into(self._memory, 0, seconds)

    def task(self, loop: asyncio.AbstractEventLoop, work: Any, **options: Any) -> asyncio.Task[Any]:
        async def measured() -> Any:
            return await metered(work, self._add)

        task = asyncio.Task(measured(), loop=loop, **options)
        task.add_done_callback(lambda _: work.close())  # it never began if the task was cancelled before
        return task

    def _add(self, seconds: float) -> None:
        self.longest = max(self.longest, seconds)


if __name__ == "__main__":
    steps, new_loop = Steps(Path(sys.argv[1])), uvloop.new_event_loop

    def watched() -> asyncio.AbstractEventLoop:
        loop: asyncio.AbstractEventLoop = new_loop()
        loop.set_task_factory(steps.task)
        return loop

    setattr(uvloop, "new_event_loop", watched)  # noqa: B010 - mypy
    sys.exit(main(sys.argv[2:]))
