"""The time of broadcasts that may wait."""

import asyncio
import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fortythieves_server.rooms.pacing import AT_MOST, FRAMES, LONGEST, SHORTEST, Pacing


def pace(here: int, in_all: int) -> float:
    pacing = Pacing()
    pacing.count(in_all)
    return pacing.wait(here)


def test_small_processes_broadcast_twenty_times_a_second_and_busy_ones_once_or_twice() -> None:
    assert pace(4, 4) == pace(2, 25) == pace(4, 50) == SHORTEST == 1 / 20
    assert pace(500, 500) == pace(4, 500) == 1 / 2
    assert pace(4, 2_000) == pace(4, 100_000) == LONGEST == 1


@given(st.integers(1, 10_000), st.integers(0, 10_000), st.integers(0, 10_000))
def test_frames_are_limited_and_more_people_never_shorten_the_interval(here: int, elsewhere: int, more: int) -> None:
    in_all, before = here + elsewhere, pace(here, here + elsewhere)
    assert round(here / before, 6) <= AT_MOST
    if in_all <= FRAMES * LONGEST:
        assert round(in_all / before, 6) <= FRAMES
    assert pace(here, in_all + more) >= before
    assert pace(here + more, in_all + more) >= before


async def test_changed_rooms_broadcast_together() -> None:
    loop, pacing, goes = asyncio.get_running_loop(), Pacing(), asyncio.Queue[int]()
    told = 0

    def tell() -> None:
        nonlocal told
        told += 1
        if told == 1:
            loop.call_soon(end_of_go)

    def end_of_go() -> None:
        nonlocal told
        goes.put_nowait(told)
        told = 0

    for _ in range(100):
        pacing.soon(4, tell)
    first = await goes.get()
    # Unless two turns met while they asked.
    assert first == 100 or first + await goes.get() == 100


async def test_an_error_in_one_room_does_not_stop_others(caplog: pytest.LogCaptureFixture) -> None:
    pacing, told = Pacing(), asyncio.Event()

    def fail() -> None:
        raise ZeroDivisionError

    pacing.soon(4, fail)
    pacing.soon(4, told.set)
    with caplog.at_level(logging.ERROR):
        await told.wait()
    assert "ZeroDivisionError" in caplog.text
