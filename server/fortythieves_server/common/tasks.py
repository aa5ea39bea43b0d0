"""How what runs for ever is ended, a task or a process; and how what takes long lets others have their turn."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Any, TypeVar

T = TypeVar("T")

#: How many events are applied in a row: some three milliseconds in a room of 600, where each copies who is there.
SLICE = 250


async def end(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Cancel these tasks until they have ended.

    Once is not enough: `asyncio.wait_for` swallows a cancellation that comes together with the result (before Python
    3.12, https://github.com/python/cpython/issues/86296), and redis-py waits like that.
    """
    pending = {task for task in tasks if not task.done()}
    while pending:
        for task in pending:
            task.cancel()
        _, pending = await asyncio.wait(pending, timeout=0.1)


def ending(process: asyncio.subprocess.Process) -> str:
    """How a process has ended, as the end of a sentence."""
    code = process.returncode
    return f"by signal {-code}" if code is not None and code < 0 else f"with code {code}"


async def slices(items: Sequence[T], size: int = SLICE) -> AsyncIterator[Sequence[T]]:
    """All of these, so many at a time. Between two slices everything else that waits goes on."""
    for start in range(0, len(items), size):
        if start:
            await asyncio.sleep(0)
        yield items[start : start + size]
