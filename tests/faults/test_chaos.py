"""Processes are killed one after another while bots race, as with the two commands of OPERATING.md."""

import json
from pathlib import Path

import pytest

from tests.faults import scattered
from tests.server.programs import run, started

SECONDS = 240

#: Seconds of play, and between two kills. Long runs kill less often, because a process that dies often restarts more
#: slowly.
PLAYED, EVERY = 6, 1.5
PLAYED_OF_SOAK, EVERY_OF_SOAK = 600, 5

LIMITS = "times=1000"
ROOMS = 3


@pytest.mark.long
async def test_killed_processes_lose_and_double_nothing_and_all_races_end(tmp_path: Path, soak: bool) -> None:
    """Nothing depends on which process serves a room: here, connections come to any."""
    pids = tmp_path / "pids"
    seconds, every = (PLAYED_OF_SOAK, EVERY_OF_SOAK) if soak else (PLAYED, EVERY)
    options = ("--workers", "2", "--pids", str(pids), "--limits", LIMITS)
    async with started(tmp_path / "data", *options, command=scattered.COMMAND) as server:
        load = ("--rooms", f"{ROOMS}", "--players", "4", "--watchers", "1", "--rate", "2", "--seconds", f"{seconds}")
        chaos = ("--chaos", str(pids), "--every", f"{every}")
        code, out, errors = await run("load", server.address, *load, *chaos, seconds=seconds + SECONDS)
    assert code == 0, (out, errors)
    found = json.loads(out)
    assert (found["good"], found["lost"], found["doubled"], found["gone"]) == (True, 0, 0, {})
    assert found["races_ended"] == ROOMS and found["kills"] > 2 and found["reconnects"] > 0
