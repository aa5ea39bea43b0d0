"""Rooms are spread evenly over workers, and as few as possible move when a worker dies or comes back."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fortythieves_server.core.affinity import ranked
from fortythieves_server.rooms.registry import LENGTH, LETTERS

CODES = st.text(LETTERS, min_size=LENGTH, max_size=LENGTH)
WORKERS = st.sets(st.integers(0, 255), min_size=1, max_size=12)

#: Codes as any others, always the same.
MANY = [f"{LETTERS[n % 20]}{LETTERS[n // 20 % 20]}{LETTERS[n // 400 % 20]}BCD" for n in range(4000)]


@given(CODES, WORKERS, st.data())
def test_when_a_worker_dies_the_order_of_the_others_stays(code: str, workers: set[int], data: st.DataObject) -> None:
    gone = data.draw(st.sampled_from(sorted(workers)))
    order = ranked(code, sorted(workers, reverse=True))
    assert sorted(order) == sorted(workers)
    assert ranked(code, workers - {gone}) == [worker for worker in order if worker != gone]


@pytest.mark.parametrize("count", [2, 3, 4, 8])
def test_rooms_are_spread_evenly(count: int) -> None:
    share = len(MANY) / count
    rooms = Counter(ranked(code, range(count))[0] for code in MANY)
    assert all(abs(rooms[worker] - share) < 5 * share**0.5 for worker in range(count))
