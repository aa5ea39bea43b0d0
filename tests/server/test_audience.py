"""How often everybody in a room is told how far the racers are."""

from hypothesis import given
from hypothesis import strategies as st

from fortythieves_server.audience import FRAMES_MOST, TICK_FEW, TICK_MANY, pace


def test_a_few_friends_are_told_twenty_times_a_second() -> None:
    assert pace(4, 4) == pace(2, 25) == TICK_FEW == 1 / 20


def test_where_a_process_serves_hundreds_each_is_told_four_times_a_second_whatever_the_room() -> None:
    assert pace(500, 500) == pace(4, 500) == pace(4, 5_000) == TICK_MANY == 1 / 4


@given(st.integers(1, 10_000), st.integers(0, 10_000))
def test_the_people_of_one_room_are_never_told_more_than_is_bearable(here: int, elsewhere: int) -> None:
    assert round(here / pace(here, here + elsewhere), 6) <= FRAMES_MOST


@given(st.integers(1, 10_000), st.integers(0, 10_000), st.integers(0, 10_000))
def test_nobody_is_told_more_often_because_more_have_come(here: int, elsewhere: int, more: int) -> None:
    before = pace(here, here + elsewhere)
    assert pace(here, here + elsewhere + more) >= before
    assert pace(here + more, here + more + elsewhere) >= before
