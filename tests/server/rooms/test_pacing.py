"""When news that may wait a moment is told."""

import asyncio
import logging
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fortythieves_server.rooms.pacing import AT_MOST, FRAMES, LONGEST, SHORTEST, Pacing, pace


def test_a_few_friends_are_told_twenty_times_a_second() -> None:
    assert pace(4, 4) == pace(2, 25) == pace(4, 50) == SHORTEST == 1 / 20


def test_where_a_process_serves_hundreds_each_is_told_twice_a_second_whatever_the_room_and_else_once() -> None:
    assert pace(500, 500) == pace(4, 500) == 1 / 2
    assert pace(4, 2_000) == pace(4, 100_000) == LONGEST == 1


@given(st.integers(50, 1_000), st.integers(1, 100))
def test_in_between_a_process_writes_as_many_frames_however_many_people_there_are(people: int, here: int) -> None:
    assert round(people / pace(here, people), 6) == FRAMES


@given(st.integers(1, 10_000), st.integers(0, 10_000))
def test_the_people_of_one_room_are_never_told_more_than_is_bearable(here: int, elsewhere: int) -> None:
    assert round(here / pace(here, here + elsewhere), 6) <= AT_MOST


@given(st.integers(1, 10_000), st.integers(0, 10_000), st.integers(0, 10_000))
def test_nobody_is_told_more_often_because_more_have_come(here: int, elsewhere: int, more: int) -> None:
    before = pace(here, here + elsewhere)
    assert pace(here, here + elsewhere + more) >= before
    assert pace(here + more, here + more + elsewhere) >= before


async def test_all_rooms_in_which_something_has_just_happened_are_told_of_it_in_one_go() -> None:
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


async def test_nobody_is_told_too_soon_and_the_own_room_counts_before_the_process_has_counted() -> None:
    loop, pacing, told = asyncio.get_running_loop(), Pacing(), asyncio.Queue[tuple[str, float]]()
    began = loop.time()

    def tell(name: str) -> None:
        told.put_nowait((name, loop.time() - began))

    pacing.soon(1_000, partial(tell, "hundreds"))
    pacing.soon(4, partial(tell, "four"))
    pacing.count(300)
    pacing.soon(4, partial(tell, "four of hundreds"))
    names, times = zip(*[await told.get() for _ in range(3)], strict=True)
    assert names == ("four", "four of hundreds", "hundreds")
    assert all(time >= least for time, least in zip(times, (pace(4, 0), pace(4, 300), pace(1_000, 0)), strict=True))


async def test_what_goes_wrong_in_one_room_keeps_nothing_from_another(caplog: pytest.LogCaptureFixture) -> None:
    pacing, told = Pacing(), asyncio.Event()

    def fail() -> None:
        raise ZeroDivisionError

    pacing.soon(4, fail)
    pacing.soon(4, told.set)
    with caplog.at_level(logging.ERROR):
        await told.wait()
    assert "ZeroDivisionError" in caplog.text
