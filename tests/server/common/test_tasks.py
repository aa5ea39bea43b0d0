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


async def test_an_ended_task_keeps_its_result() -> None:
    async def answer() -> int:
        return 42

    async def fail() -> None:
        raise ValueError

    good, bad = asyncio.create_task(answer()), asyncio.create_task(fail())
    await asyncio.wait([good, bad])
    await end([good, bad])
    assert good.result() == 42
    assert isinstance(bad.exception(), ValueError)
