"""The clock of Redis, which all races go by, is set while everybody races."""

import asyncio
import io
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from fortythieves_client.load import Figures, Load, run_load
from tests.server.redises import LASTING, LIBFAKETIME, Node, clock
from tests.server.stores import until, until_it_is
from tests.serving import serving

pytestmark = pytest.mark.skipif(LIBFAKETIME is None, reason="libfaketime has wheels for few machines")

#: Seconds that the bots play at least.
SECONDS = 6

#: Seconds by which two readings of one clock may differ when nothing lies between them.
CLOCKS = 0.01


class Wound:
    """A Redis whose clock can be set."""

    def __init__(self, folder: Path) -> None:
        self._setting = folder / "setting"
        told = clock(FAKETIME_TIMESTAMP_FILE=str(self._setting), FAKETIME_NO_CACHE="1")
        self.node = Node(folder / "redis", LASTING, environment=told)
        self.set(0)

    def set(self, seconds: int) -> None:
        """Put the clock this far ahead of the true one."""
        self._setting.write_text(f"{seconds:+}")

    async def is_ahead(self, seconds: int) -> bool:
        """Whether it is so many seconds ahead of the true one."""
        earliest = time.time()
        told, micros = await self.node.ask("TIME")
        return bool(earliest - CLOCKS <= told + micros / 1e6 - seconds <= time.time() + CLOCKS)


@pytest.fixture
async def wound(tmp_path: Path) -> AsyncIterator[Wound]:
    wound = Wound(tmp_path)
    await wound.node.start()
    yield wound
    await wound.node.close()


async def raced(wound: Wound, folder: Path, *jumps: int) -> Figures:
    """What bots saw that raced while the clock jumped, this far each time."""
    figures, left = Figures(), list(jumps)
    async with serving(folder, redis=f"redis://127.0.0.1:{wound.node.port}") as address:
        load = Load(address, rooms=3, players=3, rate=4, seconds=SECONDS, seed=11)
        racing = asyncio.create_task(run_load(load, io.StringIO(), figures, lambda: not left, leaving=True))
        for jump in jumps:
            before = figures.acknowledged
            await until(lambda before=before: figures.acknowledged > before + 40 or racing.done())  # type: ignore[misc]
            wound.set(jump)
            # Redis may first read the file a moment later: three questions later, of 3,000 times (measured).
            await until_it_is(lambda jump=jump: wound.is_ahead(jump))  # type: ignore[misc]
        left.clear()
        await racing
    return figures


async def test_a_clock_that_jumps_back_and_forth_loses_and_doubles_nothing(wound: Wound, tmp_path: Path) -> None:
    figures = await raced(wound, tmp_path, 6, -3, 0)
    assert figures.good
    assert (figures.gone, figures.refused) == ({}, {})


async def test_a_clock_that_jumps_past_the_time_limit_ends_all_races_alike(wound: Wound, tmp_path: Path) -> None:
    figures = await raced(wound, tmp_path, 3600)
    assert figures.good
    assert set(figures.refused) <= {"over", "finished"}
