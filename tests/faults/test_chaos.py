"""Processes are killed one after the other while bots race, as users can see for themselves with these two commands."""

import asyncio
import contextlib
import io
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from fortythieves_client.load import Figures, Load, run_load

SECONDS = 240

#: Seconds between two kills: most of the time all processes are there.
EVERY = 3

LIMITS = "times=1000"


@contextlib.asynccontextmanager
async def supervised(data: Path, pids: Path, workers: int, *, limits: str = LIMITS) -> AsyncIterator[str]:
    """The address of a server of several processes that may be killed."""
    options = ("--port", "0", "--host", "127.0.0.1", "--data", str(data), "--pids", str(pids), "--limits", limits)
    server = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "fortythieves_server", "serve", "--workers", str(workers), *options),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    assert server.stdout is not None
    try:
        async with asyncio.timeout(SECONDS):
            yield (await server.stdout.readline()).decode().split()[-1]
    finally:
        with contextlib.suppress(ProcessLookupError):
            server.terminate()
        await server.communicate()


async def load(address: str, *options: str) -> dict[str, Any]:
    bots = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "fortythieves_server", "load", address, *options),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, errors = await bots.communicate()
    assert bots.returncode == 0, (out, errors)
    figures: dict[str, Any] = json.loads(out)
    return figures


async def test_whatever_is_killed_nothing_is_lost_or_doubled_and_all_races_end(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    figures = Figures()

    def enough() -> bool:
        return figures.kills >= 10 and figures.reconnects > 0 and figures.acknowledged > 500

    async with supervised(tmp_path / "data", pids, 3) as address:
        many = Load(address, rooms=12, players=4, watchers=1, rate=1, seconds=5, seed=3, chaos=pids, every=EVERY)
        # A few are bots of the program itself, which has somebody killed, too.
        few = (
            "--rooms",
            "1",
            "--players",
            "3",
            "--rate",
            "1",
            "--seconds",
            "15",
            "--chaos",
            str(pids),
            "--every",
            "10",
        )
        loading = asyncio.create_task(load(address, *few))
        await run_load(many, io.StringIO(), figures, enough)
        said = await loading
    assert figures.good
    assert (figures.lost, figures.doubled, figures.gone) == (0, 0, {})
    assert figures.ended == 12
    assert (said["good"], said["lost"], said["doubled"], said["gone"], said["races_ended"]) == (True, 0, 0, {}, 1)
    assert said["kills"] > 0
    assert not pids.exists(), "it goes with the server"


async def test_a_load_that_cannot_begin_says_why(tmp_path: Path) -> None:
    for options, sentence in {
        ("http://127.0.0.1:1",): "forty-thieves: The load on http://127.0.0.1:1 cannot run: ",
        ("x", "--rooms", "9000", "--players", "9"): "forty-thieves: One load has at most 20,000 bots.",
        ("x", "--rate", "0"): "forty-thieves load: argument --rate: '0' is not a number from 0.01 to 60",
    }.items():
        bots = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "fortythieves_server", "load", *options), stderr=asyncio.subprocess.PIPE
        )
        _, errors = await bots.communicate()
        assert bots.returncode == 2
        assert errors.decode().startswith(sentence)
        assert errors.count(b"\n") == 1
