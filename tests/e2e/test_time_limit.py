"""The end of a race by the time limit."""

import pytest
from playwright.async_api import expect

from tests.e2e.conftest import Take
from tests.e2e.prepared import alone

#: The shortest time limit is a minute; some time is added for a slow machine (ms).
LONGEST = 75_000


@pytest.mark.long
async def test_a_race_ends_at_its_time_limit(address: str, take: Take) -> None:
    ann = await take(await alone(address, ["draw"], game="streets", time_limit=60))
    await expect(ann.at("end")).to_be_visible(timeout=LONGEST)
    assert [row[2:] for row in await ann.results()] == [["not finished", "1:00.0", "0", "1"]]
    await expect(ann.page.get_by_role("heading", name="0 cards on the foundations")).to_be_visible()
