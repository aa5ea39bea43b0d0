"""When a pipeline of commits is sent."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fortythieves_server.store.group_commit import BUSY, COUNTED, LONGEST, SHORTEST, TOGETHER, Window


def after(a_second: float, seconds: float) -> tuple[Window, float]:
    window, now, count = Window(), 1000.0, round(a_second * seconds)
    for n in range(count):
        now = 1000 + n / a_second
        window.sent(1, now)
    return window, now


def test_a_few_moves_never_wait() -> None:
    window, now = after(BUSY / 2, 2.0)
    assert window.wait(now) == 0


def test_with_many_moves_the_next_one_waits() -> None:
    window, now = after(2 * BUSY, 2.0)
    wait = window.wait(now)
    assert SHORTEST < wait <= LONGEST
    assert window.wait(now + wait / 3) == pytest.approx(wait * 2 / 3)
    assert window.wait(now + wait) == window.wait(now + 1) == 0


@pytest.mark.parametrize("a_second", [1_000, 1_500, 2_000])
def test_a_pipeline_has_about_the_same_number_of_moves_at_any_rate(a_second: int) -> None:
    window, now = after(a_second, 2.0)
    assert window.wait(now) * a_second == pytest.approx(TOGETHER, rel=0.05)


@given(st.integers(round(1.3 * BUSY), 10_000))
def test_more_moves_never_make_the_wait_longer(a_second: int) -> None:
    (fewer, then), (more, now) = after(a_second / 1.1, 1.0), after(a_second, 1.0)
    rounding = 1e-9
    assert SHORTEST - rounding <= more.wait(now) <= fewer.wait(then) + rounding <= LONGEST + 2 * rounding


def test_each_move_of_a_pipeline_counts() -> None:
    window = Window()
    for n in range(1000):
        window.sent(10, 1000 + n * 10 / (2 * BUSY))
    assert window.wait(1000 + 999 * 10 / (2 * BUSY)) == pytest.approx(TOGETHER / (2 * BUSY), rel=0.05)


def test_an_old_burst_does_not_make_later_moves_wait() -> None:
    window, now = after(2 * BUSY, 2.0)
    window.sent(1, now + COUNTED)
    assert window.wait(now + COUNTED) == 0


def test_commits_without_moves_never_make_moves_wait() -> None:
    window = Window()
    for n in range(5_000):
        window.sent(0, 1000 + n / 5_000)
    window.sent(1, 1001)
    assert window.wait(1001) == 0
