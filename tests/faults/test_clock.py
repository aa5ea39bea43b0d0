"""The clock of Redis jumps during races."""

import asyncio
import io
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from fortythieves_client.load import Load, Results, run_load
from tests.server.redises import LASTING, LIBFAKETIME, Node, clock
from tests.server.stores import until, until_it_is
from tests.serving import serving

pytestmark = pytest.mark.skipif(LIBFAKETIME is None, reason="libfaketime has wheels for few machines")

#: The least seconds of play.
SECONDS = 6

#: The difference between two readings of one clock, s.
CLOCKS = 0.01


class Wound:
    """A Redis with an adjustable clock."""

    def __init__(self, folder: Path) -> None:
        self._setting = folder / "setting"
        told = clock(FAKETIME_TIMESTAMP_FILE=str(self._setting), FAKETIME_NO_CACHE="1")
        self.node = Node(folder / "redis", LASTING, environment=told)
        self.set(0)

    def set(self, seconds: int) -> None:
        """Put the clock this far ahead of the true one."""
        self._setting.write_text(f"{seconds:+}")

    async def is_ahead(self, seconds: int) -> bool:
        """Whether the clock is ahead by this time."""
        earliest = time.time()
        told, micros = await self.node.ask("TIME")
        return bool(earliest - CLOCKS <= told + micros / 1e6 - seconds <= time.time() + CLOCKS)


@pytest.fixture
async def wound(tmp_path: Path) -> AsyncIterator[Wound]:
    wound = Wound(tmp_path)
    async with wound.node:
        yield wound


async def raced(wound: Wound, folder: Path, *jumps: int) -> Results:
    """The results of bots that raced while the clock jumped."""
    results, left = Results(), list(jumps)
    async with serving(folder, redis=f"redis://127.0.0.1:{wound.node.port}") as address:
        load = Load(address, rooms=3, players=3, rate=4, seconds=SECONDS, seed=11)
        racing = asyncio.create_task(run_load(load, io.StringIO(), results, lambda: not left, leaving=True))
        for jump in jumps:
            before = results.acknowledged
            await until(lambda before=before: results.acknowledged > before + 40 or racing.done())  # type: ignore[misc]
            wound.set(jump)
            # Redis reads the file with a delay: after three questions in 3,000 cases (measured).
            await until_it_is(lambda jump=jump: wound.is_ahead(jump))  # type: ignore[misc]
        left.clear()
        await racing
    return results


async def test_a_clock_that_jumps_back_and_forth_loses_and_doubles_nothing(wound: Wound, tmp_path: Path) -> None:
    results = await raced(wound, tmp_path, 6, -3, 0)
    assert results.good
    assert (results.gone, results.refused) == ({}, {})


async def test_a_clock_that_jumps_past_the_time_limit_ends_all_races_alike(wound: Wound, tmp_path: Path) -> None:
    results = await raced(wound, tmp_path, 3600)
    assert results.good
    assert set(results.refused) <= {"over", "finished"}
