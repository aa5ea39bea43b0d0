"""Processes are paused and replaced during races."""

import asyncio
import io
import os
import signal
from pathlib import Path

import pytest

from fortythieves_client.load import Load, Results, run_load
from tests.faults.test_chaos import LIMITS, SECONDS
from tests.server.programs import started
from tests.server.stores import until

#: Seconds that a process is paused.
PAUSE = 6


def bots(address: str, seconds: int) -> Load:
    return Load(address, rooms=4, players=4, rate=2, seconds=seconds, seed=5)


def read(pids: Path) -> list[int]:
    """The two workers and Redis; nothing while the file is being written."""
    found = [int(line) for line in pids.read_text().split()]
    return found if len(found) == 3 else []


async def all_there(pids: Path) -> list[int]:
    await until(lambda: read(pids))
    return read(pids)


@pytest.mark.long
async def test_players_race_on_while_processes_are_paused_and_replaced(tmp_path: Path) -> None:
    """A pause first, then `kill -USR1` as after an update. No move is lost."""
    pids, results, before = tmp_path / "pids", Results(), list[int]()
    reconnects = 0

    def replaced() -> bool:
        """Whether all bots have changed their process at least once."""
        now = read(pids)
        return bool(before and now) and not set(before[:2]) & set(now) and results.reconnects >= reconnects + 16

    options = ("--workers", "2", "--pids", str(pids), "--limits", LIMITS)
    async with asyncio.timeout(SECONDS), started(tmp_path / "data", *options) as server:
        loading = asyncio.create_task(
            run_load(bots(server.address, PAUSE + 5), io.StringIO(), results, replaced, leaving=True)
        )
        await until(lambda: results.acknowledged > 50)
        worker, *_ = await all_there(pids)
        os.kill(worker, signal.SIGSTOP)
        await asyncio.sleep(PAUSE)
        os.kill(worker, signal.SIGCONT)
        await until(lambda: max(results.latency_ms) > PAUSE * 500)  # A bot had to wait.
        before += await all_there(pids)
        assert worker in before, "the paused worker continues"
        reconnects = results.reconnects
        os.kill(server.pid, signal.SIGUSR1)
        await loading
        assert replaced()
        assert (await all_there(pids))[2] == before[2], "Redis stays"
    assert results.good
    assert results.gone == {}
