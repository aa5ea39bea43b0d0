"""When a pipeline of commits is sent."""

import pytest

from fortythieves_server.store.group_commit import BUSY, COUNTED, GATHER, Window


def after(a_second: float, seconds: float) -> tuple[Window, float]:
    """A window after so many commits a second, each sent alone, and the time of the last one."""
    window, now, count = Window(), 1000.0, round(a_second * seconds)
    for n in range(count):
        now = 1000 + n / a_second
        window.sent(1, now)
    return window, now


def test_the_first_commit_goes_at_once() -> None:
    assert Window().wait(1000.0) == 0


def test_a_few_commits_never_wait() -> None:
    window, now = after(BUSY / 2, 2.0)
    assert window.wait(now) == 0


def test_of_many_commits_the_next_one_waits_for_others() -> None:
    window, now = after(2 * BUSY, 2.0)
    assert window.wait(now) == pytest.approx(GATHER)
    assert window.wait(now + GATHER / 3) == pytest.approx(GATHER * 2 / 3)
    assert window.wait(now + GATHER) == window.wait(now + 1) == 0


def test_commits_that_were_sent_together_count_as_many() -> None:
    window = Window()
    for n in range(1000):
        window.sent(10, 1000 + n * 10 / (2 * BUSY))
    assert window.wait(1000 + 999 * 10 / (2 * BUSY)) == pytest.approx(GATHER)


def test_a_burst_alone_opens_no_window_for_those_who_come_after_it() -> None:
    window, now = after(2 * BUSY, 2.0)
    window.sent(1, now + COUNTED)
    assert window.wait(now + COUNTED) == 0
