"""Processes that are paused and go on, and that are all replaced while everybody races."""

import asyncio
import io
import os
import signal
from pathlib import Path

from fortythieves_client.load import Figures, Load, run_load
from tests.faults.test_chaos import BACK_WITHIN_MS, supervised
from tests.server.stores import until

#: Seconds that a process is paused.
PAUSE = 10


def bots(address: str, seconds: int) -> Load:
    return Load(address, rooms=8, players=4, rate=2, seconds=seconds, seed=5)


async def read(pids: Path) -> list[int]:
    return [int(line) for line in (await asyncio.to_thread(pids.read_text)).split()]


async def test_a_process_that_is_paused_and_goes_on_harms_nobody(tmp_path: Path) -> None:
    pids, figures = tmp_path / "pids", Figures()
    async with supervised(tmp_path / "data", pids, 2) as address:
        loading = asyncio.create_task(run_load(bots(address, PAUSE + 5), io.StringIO(), figures))
        await until(lambda: figures.acknowledged > 50)
        worker, *_ = await read(pids)
        os.kill(worker, signal.SIGSTOP)
        await asyncio.sleep(PAUSE)
        os.kill(worker, signal.SIGCONT)
        await loading
    assert figures.good
    assert figures.gone == {}
    assert max(figures.latency) > PAUSE * 500, "somebody had to wait"


async def test_all_processes_are_replaced_in_the_middle_of_a_race(tmp_path: Path) -> None:
    """What `kill -USR1` does after an update: each drains within five seconds, and no move is lost on the way."""
    pids, figures = tmp_path / "pids", Figures()
    async with supervised(tmp_path / "data", pids, 2) as address:
        loading = asyncio.create_task(run_load(bots(address, 9), io.StringIO(), figures))
        await until(lambda: figures.acknowledged > 50)
        before = await read(pids)
        os.kill(await parent(before[0]), signal.SIGUSR1)
        plain = await loading
        after = await read(pids)
    assert figures.good
    assert figures.gone == {}
    assert figures.reconnects >= 32, "everybody was sent to another process once, at least"
    assert plain["back_to_play_ms"]["p99"] < BACK_WITHIN_MS
    assert not set(before[:2]) & set(after)
    assert before[2] == after[2], "Redis stays"


async def parent(pid: int) -> int:
    asked = await asyncio.create_subprocess_exec(*("ps", "-o", "ppid=", "-p", str(pid)), stdout=asyncio.subprocess.PIPE)
    out, _ = await asked.communicate()
    return int(out)
