"""Rooms are spread evenly over processes, and few of them move when a process joins or leaves."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fortythieves_server.core.affinity import preferred
from fortythieves_server.rooms.registry import LENGTH, LETTERS
from tests.examples import examples

CODES = st.text(LETTERS, min_size=LENGTH, max_size=LENGTH)
PROCESSES = st.sets(st.integers(0, 255), min_size=1, max_size=12)

#: Codes as any others, always the same.
MANY = [f"{LETTERS[n % 20]}{LETTERS[n // 20 % 20]}{LETTERS[n // 400 % 20]}BCD" for n in range(4000)]


@examples(40)
@given(CODES, PROCESSES)
def test_the_preferred_process_depends_only_on_the_set_of_processes(code: str, processes: set[int]) -> None:
    found = preferred(code, processes)
    assert found in processes
    assert found == preferred(code, sorted(processes)) == preferred(code, sorted(processes, reverse=True))


@examples(40)
@given(CODES, PROCESSES, st.data())
def test_a_process_that_leaves_moves_only_its_rooms(code: str, processes: set[int], data: st.DataObject) -> None:
    gone = data.draw(st.sampled_from(sorted(processes)))
    before = preferred(code, processes)
    if before != gone:
        assert preferred(code, processes - {gone}) == before


@examples(40)
@given(CODES, PROCESSES, st.integers(0, 255))
def test_a_process_that_joins_only_gets_rooms(code: str, processes: set[int], joined: int) -> None:
    assert preferred(code, processes | {joined}) in {preferred(code, processes), joined}


@pytest.mark.parametrize("count", [2, 3, 4, 8])
def test_rooms_are_spread_evenly(count: int) -> None:
    share = len(MANY) / count
    rooms = Counter(preferred(code, range(count)) for code in MANY)
    assert all(abs(rooms[process] - share) < 5 * share**0.5 for process in range(count))


@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_a_process_that_joins_gets_its_share(count: int) -> None:
    moved = sum(preferred(code, range(count + 1)) != preferred(code, range(count)) for code in MANY)
    share = len(MANY) / (count + 1)
    assert abs(moved - share) < 5 * share**0.5


def test_without_processes_there_is_no_preferred_one() -> None:
    with pytest.raises(ValueError):
        preferred("KQXWVD", [])
