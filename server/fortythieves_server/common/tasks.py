"""End tasks that run forever."""

import asyncio
from collections.abc import Iterable
from typing import Any


async def end(tasks: Iterable[asyncio.Task[Any] | None]) -> None:
    """Cancel these tasks until they have ended. None: it never began.

    One cancellation is not enough. `asyncio.wait_for` swallows one that arrives together with the result (before Python
    3.12, https://github.com/python/cpython/issues/86296), and redis-py waits with it.
    """
    pending = [task for task in tasks if task is not None and not task.done()]
    while pending:
        for task in pending:
            task.cancel()
        await asyncio.wait(pending, timeout=0.1)
        pending = [task for task in pending if not task.done()]
