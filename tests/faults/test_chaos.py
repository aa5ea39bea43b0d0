"""Processes are killed one after another while bots race, as with the two commands of OPERATING.md."""

import asyncio
import io
import json
import random
from pathlib import Path

import pytest

from fortythieves_client.load import Load, Results, run_load
from fortythieves_client.load.run import kill_now_and_then
from fortythieves_server.common.tasks import end
from tests.faults import scattered
from tests.server.programs import run, started
from tests.server.stores import until

SECONDS = 240

#: Seconds between two kills, and their number. Long runs kill less often, because a process that
#: dies often restarts more slowly.
EVERY, KILLS = 1.5, 5
EVERY_OF_SOAK, KILLS_OF_SOAK = 5, 120
#: Kills after all bots have given up, while the races wait for ten seconds.
LAST_KILLS = 2

LIMITS = "times=1000"
ROOMS = 6


async def end_one_after_the_other(pids: Path, kills: int, every: float, results: Results) -> None:
    """Kill one process after another while all bots play."""
    await until(lambda: results.acknowledged > 50)
    killing = asyncio.create_task(kill_now_and_then(pids, every, random.Random("chaos"), results))
    try:
        await until(lambda: results.kills >= kills, 2 * kills * every + SECONDS)
    finally:
        await end([killing])


@pytest.mark.long
async def test_killed_processes_lose_and_double_nothing_and_all_races_end(tmp_path: Path, soak: bool) -> None:
    pids, results = tmp_path / "pids", Results()
    kills, every = (KILLS_OF_SOAK, EVERY_OF_SOAK) if soak else (KILLS, EVERY)

    def enough() -> bool:
        return results.kills >= kills - LAST_KILLS and results.reconnects > 0 and results.acknowledged > 300

    options = ("--workers", "3", "--pids", str(pids), "--limits", LIMITS)
    async with asyncio.timeout(2 * kills * every + SECONDS), started(tmp_path / "data", *options) as server:
        seconds = int(kills * every) if soak else 5
        load = Load(server.address, rooms=ROOMS, players=4, watchers=1, rate=2, seconds=seconds, seed=3)
        chaos = asyncio.create_task(end_one_after_the_other(pids, kills, every, results))
        try:
            await run_load(load, io.StringIO(), results, enough)
            await chaos
        finally:
            await end([chaos])
    assert results.good
    assert (results.lost, results.doubled, results.gone, results.races_ended) == (0, 0, {}, ROOMS)
    assert not pids.exists(), "it goes with the server"


@pytest.mark.long
async def test_a_load_test_kills_processes_and_nothing_depends_on_which_one_serves_a_room(
    tmp_path: Path, soak: bool
) -> None:
    pids = tmp_path / "pids"
    seconds, every = (600, 30) if soak else (8, 3)
    options = ("--workers", "3", "--pids", str(pids), "--limits", LIMITS)
    async with started(tmp_path / "data", *options, command=scattered.COMMAND) as server:
        load = ("--rooms", f"{ROOMS}", "--players", "4", "--watchers", "1", "--rate", "2", "--seconds", f"{seconds}")
        chaos = ("--chaos", str(pids), "--every", f"{every}")
        code, out, errors = await run("load", server.address, *load, *chaos, seconds=seconds + SECONDS)
    assert code == 0, (out, errors)
    found = json.loads(out)
    assert (found["good"], found["lost"], found["doubled"], found["gone"]) == (True, 0, 0, {})
    assert found["races_ended"] == ROOMS and found["kills"] > 1


async def test_a_load_that_cannot_begin_says_why(tmp_path: Path) -> None:
    for options, sentence in {
        ("http://127.0.0.1:1",): "forty-thieves: The load test of http://127.0.0.1:1 cannot run: ",
        ("x", "--rooms", "9000", "--players", "9"): "forty-thieves: A load test has at most 20,000 bots.",
        ("x", "--rate", "0"): "forty-thieves load: argument --rate: '0' is not a number from 0.01 to 60",
    }.items():
        code, _, errors = await run("load", *options)
        assert code == 2
        assert errors.startswith(sentence)
        assert errors.count("\n") == 1
