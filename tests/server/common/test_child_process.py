"""Real processes: none is left behind, whenever its caller is cancelled."""

import asyncio
import gc
import logging
import subprocess
import sys
import warnings
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from fortythieves_server.common.child_process import (
    Backoff,
    close_input,
    end,
    how_it_ended,
    kill,
    own_program,
    start,
    terminate,
)

PIPES: dict[str, Any] = {"stdin": asyncio.subprocess.PIPE, "stdout": asyncio.subprocess.PIPE}
#: Ends when its input is closed.
READS = ("cat",)
#: Ends only by SIGKILL, and prints a line when it is ready.
DEAF = (
    *(sys.executable, "-c"),
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); time.sleep(3600)",
)


def left_behind(program: Callable[[], Coroutine[Any, Any, object]]) -> list[str]:
    gc.collect()
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        asyncio.run(program())
        gc.collect()
    # asyncio closes the transport of an ended process one iteration later.
    return [str(one.message) for one in found if "_UnixSubprocessTransport" not in str(one.message)]


async def cancelled_after(turns: int, work: Coroutine[Any, Any, object]) -> None:
    """Cancel some work after ``turns`` iterations of the loop, and in each iteration after that."""
    task = asyncio.create_task(work)
    for _ in range(turns):
        await asyncio.sleep(0)
    while not task.done():
        task.cancel()
        await asyncio.sleep(0)
    await asyncio.gather(task, return_exceptions=True)


def test_no_program_of_ours_loads_code_from_the_working_directory(tmp_path: Path) -> None:
    for name in ("asyncio", "json", "msgspec"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('code of a stranger')")
    command = own_program("fortythieves_server.process.deal_search")
    done = subprocess.run(command, cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("turns", range(6))
def test_a_process_is_ended_if_its_start_is_cancelled(turns: int) -> None:
    assert left_behind(lambda: cancelled_after(turns, start(*READS, **PIPES))) == []


@pytest.mark.parametrize("turns", range(6))
def test_a_cancelled_end_still_ends_the_process(turns: int) -> None:
    async def program() -> None:
        process = await start(*READS, **PIPES)
        await cancelled_after(turns, end(process))
        assert process.returncode is not None or turns == 0
        await end(process)

    assert left_behind(program) == []


async def test_a_process_can_end_by_itself(caplog: pytest.LogCaptureFixture) -> None:
    process = await start(*(sys.executable, "-c", "import sys; sys.exit(len(sys.stdin.read()) + 3)"), **PIPES)
    await end(process, ask=close_input, seconds=60)
    assert how_it_ended(process) == "with code 3"
    assert caplog.text == ""


async def test_a_child_that_an_ended_process_leaves_behind_ends_if_it_reads_its_input() -> None:
    process = await start("/bin/sh", "-c", "exec 3<&0; cat <&3 & exit 4", **PIPES)
    while process.returncode is None:  # noqa: ASYNC110  # `wait` may wait for the child, too
        await asyncio.sleep(0.01)
    await end(process, ask=close_input, seconds=60)
    assert how_it_ended(process) == "with code 4"


async def test_processes_that_do_not_end_are_killed_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    deaf = await start(*DEAF, **PIPES)
    assert deaf.stdout is not None
    await deaf.stdout.readline()
    with caplog.at_level(logging.WARNING):
        await end(deaf, await start(*READS, **PIPES), ask=terminate, seconds=0.05)
    assert how_it_ended(deaf) == "by signal 9"
    assert f"process {deaf.pid} does not stop and is killed" in caplog.text


async def test_the_exit_code_is_known_after_several_kills() -> None:
    process = await start(*READS, **PIPES)
    waiting = asyncio.create_task(process.wait())
    while not waiting.done():
        kill(process)
        await asyncio.sleep(0)
    for _ in range(2):
        await end(process)
    assert how_it_ended(process) == "by signal 9"


def test_each_failure_in_a_row_is_followed_by_a_longer_pause_up_to_the_last_one() -> None:
    backoff = Backoff((0.0, 1.0, 2.0), 10.0)
    pauses = [backoff.pause]
    for lived in (1.0, 10.0, 0.0, 11.0):
        backoff.ended(lived)
        pauses.append(backoff.pause)
    backoff.failed()
    assert [*pauses, backoff.pause] == [0.0, 1.0, 2.0, 2.0, 0.0, 1.0]
    assert backoff.failures == 1
