"""The CPU time of some work is charged, and its waiting time is not."""

import asyncio
import contextlib
import time

import pytest

from fortythieves_server.common.metered import metered, metered_parts


def spend(seconds: float) -> None:
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


async def test_only_the_steps_of_the_work_are_charged() -> None:
    charged: list[float] = []
    others = asyncio.Event()

    async def work() -> str:
        spend(0.02)
        await others.wait()
        spend(0.02)
        return "done"

    async def other() -> None:
        spend(0.2)
        others.set()

    answer, _ = await asyncio.gather(metered(work(), charged.append), other())
    assert answer == "done"
    assert len(charged) == 2 and 0.04 <= sum(charged) < 0.2


async def test_cancelled_work_is_charged() -> None:
    charged: list[float] = []
    heard: list[str] = []

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            heard.append("interrupted")

    async def awaiting() -> None:
        await metered(work(), charged.append)

    task = asyncio.create_task(awaiting())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert heard == ["interrupted"] and len(charged) == 2


async def test_the_work_can_catch_an_error_of_an_awaited_task() -> None:
    charged: list[float] = []

    async def fails() -> None:
        spend(0.01)
        raise ValueError

    async def work() -> str:
        with contextlib.suppress(ValueError):
            await asyncio.create_task(fails())
        raise KeyError("caught")

    with pytest.raises(KeyError, match="caught"):
        await metered(work(), charged.append)
    assert len(charged) == 2 and sum(charged) < 0.01


def test_each_part_is_charged_when_it_is_made() -> None:
    charged: list[str] = []
    parts = metered_parts(iter("ab"), lambda seconds, part: charged.append(part))
    assert charged == []
    assert next(parts) == "a" and charged == ["a"]
    assert list(parts) == ["b"] and charged == ["a", "b"]
