"""Groups and their rounds, compared with FIDE's tables."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fortythieves.tournament.berger import count_of, largest, levels, rounds_in, snake, table

#: FIDE Handbook C.05, annex 1, without colours: the rounds of 3 or 4, 5 or 6, and 7 or 8 players.
FIDE = {
    4: "1-4 2-3, 4-3 1-2, 2-4 3-1",
    6: "1-6 2-5 3-4, 6-4 5-3 1-2, 2-6 3-1 4-5, 6-5 1-4 2-3, 3-6 4-2 5-1",
    8: "1-8 2-7 3-6 4-5, 8-5 6-4 7-3 1-2, 2-8 3-1 4-7 5-6, 8-6 7-5 1-4 2-3, 3-8 4-2 5-1 6-7, "
    "8-7 1-6 2-5 3-4, 4-8 5-3 6-2 7-1",
}


@pytest.mark.parametrize("size", FIDE)
def test_the_rounds_of_a_group_are_those_of_fide(size: int) -> None:
    rounds = [[sorted(map(int, pair.split("-"))) for pair in row.split()] for row in FIDE[size].split(", ")]
    assert [[[*pair] for pair in table(size, number)] for number in range(1, size)] == rounds
    odd = [[[one if one < size else None for one in pair] for pair in row] for row in rounds]
    assert [[[*pair] for pair in table(size - 1, number)] for number in range(1, size)] == odd
    assert table(size, 0) == table(size, size) == []


@given(st.integers(2, 1000), st.integers(1, 32), st.integers(0, 8))
def test_there_are_as_many_groups_as_can_have_somebody_more_than_go_on(entrants: int, groups: int, best: int) -> None:
    count = count_of(entrants, groups, best)
    least = min(map(len, snake(range(entrants), count)))
    assert count == 1 or least >= max(2, best + 1)
    assert count == groups or entrants < (count + 1) * max(2, best + 1)


@pytest.mark.parametrize("rounds", range(3, 31))
def test_the_largest_group_is_the_largest(rounds: int) -> None:
    assert rounds_in(largest(rounds)) <= rounds < rounds_in(largest(rounds) + 1)


def test_the_levels_of_a_bracket_are_how_often_it_is_halved() -> None:
    assert [levels(count) for count in (0, 1, 2, 3, 4, 5, 8, 9, 256)] == [0, 0, 1, 2, 2, 3, 3, 4, 8]
