"""A file is made once for all who ask for it at the same time, and kept as long as there is room."""

import asyncio

import pytest

from fortythieves.errors import Refused
from fortythieves_server.rooms.records import FileCache
from tests.refusals import refusal_of


class Maker:
    """Makes files, and counts how often."""

    def __init__(self, size: int = 10_000) -> None:
        self.made = 0
        self.may = asyncio.Event()
        self.may.set()
        self._size = size

    async def __call__(self) -> bytes:
        self.made += 1
        await self.may.wait()
        return bytes(self._size)


async def test_concurrent_requests_share_one_file() -> None:
    kept, make = FileCache(), Maker()
    make.may.clear()
    asked = [asyncio.create_task(kept.get("a", make)) for _ in range(10)]
    await asyncio.sleep(0)
    make.may.set()
    first, *others = await asyncio.gather(*asked)
    assert all(file is first for file in others) and make.made == 1
    assert await kept.get("a", make) is first and make.made == 1


async def test_a_cancelled_request_does_not_cancel_the_file_of_others() -> None:
    kept, make = FileCache(), Maker()
    make.may.clear()
    first, second = (asyncio.create_task(kept.get("a", make)) for _ in range(2))
    await asyncio.sleep(0)
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    make.may.set()
    assert await second and make.made == 1


async def test_the_least_recently_used_file_is_dropped() -> None:
    kept, make = FileCache(most=35_000), Maker()
    for name in ("a", "b", "c", "a", "d"):
        await kept.get(name, make)
    assert make.made == 4
    await kept.get("a", make)
    assert make.made == 4
    await kept.get("b", make)
    assert make.made == 5


async def test_a_file_that_is_too_big_for_the_cache_is_made() -> None:
    kept, make = FileCache(most=5_000), Maker()
    assert await kept.get("a", make) == bytes(10_000)
    await kept.get("a", make)
    assert make.made == 2


@pytest.mark.parametrize(("code", "times"), [("huge-record", 1), ("store-down", 2)])
async def test_only_permanent_refusals_are_cached(code: str, times: int) -> None:
    kept, asked = FileCache(), 0

    async def make() -> bytes:
        nonlocal asked
        asked += 1
        raise Refused(code)

    for _ in range(2):
        assert await refusal_of(kept.get("a", make)) == code
    assert asked == times
