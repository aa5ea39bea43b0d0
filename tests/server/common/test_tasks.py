import asyncio
import contextlib

from fortythieves_server.common.tasks import end


async def test_a_task_that_swallows_a_cancellation_is_cancelled_twice() -> None:
    swallowed = 0

    async def deaf() -> None:
        nonlocal swallowed
        while swallowed < 2:
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.Event().wait()
            swallowed += 1
        await asyncio.Event().wait()

    task = asyncio.create_task(deaf())
    await asyncio.sleep(0)
    await end([task])
    assert task.cancelled()
    assert swallowed == 2
