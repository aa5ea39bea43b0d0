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


async def test_changed_rooms_broadcast_together(monkeypatch: pytest.MonkeyPatch) -> None:
    pacing, wakeups = Pacing(), list[float]()
    monkeypatch.setattr(asyncio.get_running_loop(), "call_at", lambda at, *_: wakeups.append(at))
    for _ in range(100):
        pacing.soon(4, lambda: None)
    assert len(wakeups) in {1, 2}, "two if the turn of others came while they asked"


async def test_an_error_in_one_room_does_not_stop_others(caplog: pytest.LogCaptureFixture) -> None:
    pacing, told = Pacing(), asyncio.Event()

    def fail() -> None:
        raise ZeroDivisionError

    pacing.soon(4, fail)
    pacing.soon(4, told.set)
    with caplog.at_level(logging.ERROR):
        await told.wait()
    assert "ZeroDivisionError" in caplog.text
