"""When a pipeline of commits is sent."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fortythieves_server.store.group_commit import BUSY, COUNTED, LONGEST, SHORTEST, TOGETHER, Window


def after(a_second: float, seconds: float) -> tuple[Window, float]:
    """A window after so many moves a second, each sent alone, and the time of the last one."""
    window, now, count = Window(), 1000.0, round(a_second * seconds)
    for n in range(count):
        now = 1000 + n / a_second
        window.sent(1, now)
    return window, now


def test_the_first_move_goes_at_once() -> None:
    assert Window().wait(1000.0) == 0


def test_a_few_moves_never_wait() -> None:
    window, now = after(BUSY / 2, 2.0)
    assert window.wait(now) == 0


def test_of_many_moves_the_next_one_waits_for_others() -> None:
    window, now = after(2 * BUSY, 2.0)
    wait = window.wait(now)
    assert SHORTEST < wait <= LONGEST
    assert window.wait(now + wait / 3) == pytest.approx(wait * 2 / 3)
    assert window.wait(now + wait) == window.wait(now + 1) == 0


@pytest.mark.parametrize("a_second", [1_000, 1_500, 2_000])
def test_about_as_many_are_sent_together_however_many_come(a_second: int) -> None:
    window, now = after(a_second, 2.0)
    assert window.wait(now) * a_second == pytest.approx(TOGETHER, rel=0.05)


@given(st.integers(round(1.3 * BUSY), 10_000))
def test_nobody_waits_longer_because_more_moves_come(a_second: int) -> None:
    (fewer, then), (more, now) = after(a_second / 1.1, 1.0), after(a_second, 1.0)
    rounding = 1e-9
    assert SHORTEST - rounding <= more.wait(now) <= fewer.wait(then) + rounding <= LONGEST + 2 * rounding


def test_moves_that_were_sent_together_count_as_many() -> None:
    window = Window()
    for n in range(1000):
        window.sent(10, 1000 + n * 10 / (2 * BUSY))
    assert window.wait(1000 + 999 * 10 / (2 * BUSY)) == pytest.approx(LONGEST, rel=0.05)


def test_a_burst_alone_opens_no_window_for_those_who_come_after_it() -> None:
    window, now = after(2 * BUSY, 2.0)
    window.sent(1, now + COUNTED)
    assert window.wait(now + COUNTED) == 0


def test_commits_without_moves_never_make_moves_wait() -> None:
    window = Window()
    for n in range(5_000):
        window.sent(0, 1000 + n / 5_000)
    window.sent(1, 1001)
    assert window.wait(1001) == 0
