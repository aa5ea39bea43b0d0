"""Real processes: none is left behind, whenever its caller is cancelled."""

import asyncio
import gc
import logging
import sys
import warnings
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from fortythieves_server.common.child_process import close_input, end, how_it_ended, kill, start, terminate

PIPES: dict[str, Any] = {"stdin": asyncio.subprocess.PIPE, "stdout": asyncio.subprocess.PIPE}
#: Ends when its input is closed.
READS = (sys.executable, "-c", "input()")
#: Ends by nothing but SIGKILL, and says so when it is ready.
DEAF = (
    *(sys.executable, "-c"),
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); time.sleep(3600)",
)


def left_behind(program: Callable[[], Coroutine[Any, Any, object]]) -> list[str]:
    """What Python says of processes and pipes that a program has left open when its loop was closed."""
    gc.collect()
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        asyncio.run(program())
        gc.collect()
    # asyncio closes what it has of a process that has ended a turn later.
    return [str(one.message) for one in said if "_UnixSubprocessTransport" not in str(one.message)]


async def cancelled_after(turns: int, work: Coroutine[Any, Any, object]) -> None:
    """Cancel something after so many turns of the loop, and again in each turn after that."""
    task = asyncio.create_task(work)
    for _ in range(turns):
        await asyncio.sleep(0)
    while not task.done():
        task.cancel()
        await asyncio.sleep(0)
    await asyncio.gather(task, return_exceptions=True)


@pytest.mark.parametrize("turns", range(6))
def test_a_process_whose_start_is_cancelled_is_ended(turns: int) -> None:
    assert left_behind(lambda: cancelled_after(turns, start(*READS, **PIPES))) == []


@pytest.mark.parametrize("turns", range(6))
def test_an_end_that_is_cancelled_is_an_end(turns: int) -> None:
    async def program() -> None:
        process = await start(*READS, **PIPES)
        await cancelled_after(turns, end(process))
        assert process.returncode is not None or turns == 0, "if it never began, nobody was told"
        await end(process)

    assert left_behind(program) == []


async def test_a_cancellation_takes_effect_when_all_is_done() -> None:
    process = await start(*READS, **PIPES)
    ending = asyncio.create_task(end(process))
    await asyncio.sleep(0)
    ending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await ending
    assert process.returncode == -9


async def test_a_command_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(OSError):
        await start("no-such-program")


async def test_one_that_cannot_be_started_is_nothing_to_end_if_its_start_is_cancelled() -> None:
    starting = asyncio.create_task(start("no-such-program"))
    await asyncio.sleep(0)
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting


async def test_a_process_may_end_by_itself_in_time(caplog: pytest.LogCaptureFixture) -> None:
    process = await start(*(sys.executable, "-c", "import sys; sys.exit(len(sys.stdin.read()) + 3)"), **PIPES)
    await end(process, ask=close_input, seconds=60)
    assert how_it_ended(process) == "with code 3"
    assert caplog.text == ""


async def test_those_that_do_not_end_in_time_are_killed_and_the_operator_is_told(
    caplog: pytest.LogCaptureFixture,
) -> None:
    deaf = await start(*DEAF, **PIPES)
    assert deaf.stdout is not None
    await deaf.stdout.readline()
    with caplog.at_level(logging.WARNING):
        await end(deaf, await start(*READS, **PIPES), ask=terminate, seconds=0.05)
    assert how_it_ended(deaf) == "by signal 9"
    assert f"process {deaf.pid} does not stop and is killed" in caplog.text


@pytest.mark.parametrize("times", range(20))
async def test_how_a_process_ended_is_known_also_if_it_is_killed_again(times: int) -> None:
    process = await start(*READS, **PIPES)
    waiting = asyncio.create_task(process.wait())
    while not waiting.done():
        kill(process)
        await asyncio.sleep(0)
    await end(process)
    assert how_it_ended(process) == "by signal 9"


async def test_a_process_that_has_ended_may_be_ended_again() -> None:
    process = await start(*READS, **PIPES)
    process.kill()
    await process.wait()
    await end(process)
    await end(process)
    assert how_it_ended(process) == "by signal 9"
