"""The end that comes by itself. The race for it begins before all other tests: see `hourglass` in conftest.py."""

import asyncio

from playwright.async_api import expect

from tests.e2e.conftest import Take
from tests.e2e.prepared import Seat

#: The countdown, the minute of the race, and some time for a slow machine, ms.
LONGEST = 75_000


async def test_when_time_runs_out_the_race_is_over(hourglass: asyncio.Task[Seat], take: Take) -> None:
    ann = await take(await hourglass)
    await expect(ann.at("end")).to_be_visible(timeout=LONGEST)
    assert [row[2:] for row in await ann.results()] == [["time ran out", "1:00.0", "0", "1"]]
    await expect(ann.page.get_by_role("heading", name="0 cards home")).to_be_visible()
