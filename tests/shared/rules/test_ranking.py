"""Who came before whom."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fortythieves.rules.ranking import Result, is_ranked, places, rule_of_record

#: Few values, so that ties are common.
small = st.integers(0, 2)
results = st.builds(Result, solved=st.booleans(), when=small, home=small, reached_at=small, moves=small)
fields = st.dictionaries(st.integers(1, 9), results, max_size=7)


def unsolved(home: int, reached_at: int = 0, moves: int = 0, when: int = 0) -> Result:
    return Result(False, when, home, reached_at, moves)


def solved(when: int, moves: int = 100) -> Result:
    return Result(True, when, 104, when, moves)


def test_whoever_solved_it_comes_before_whoever_did_not() -> None:
    assert places({1: unsolved(103), 2: solved(900)}) == {2: 1, 1: 2}


def test_of_those_who_solved_it_the_faster_one_wins_whatever_the_moves() -> None:
    assert places({1: solved(500, moves=300), 2: solved(501, moves=200)}) == {1: 1, 2: 2}


def test_of_the_others_more_cards_home_win_however_late_they_came() -> None:
    assert places({1: unsolved(30, reached_at=10), 2: unsolved(31, reached_at=99)}) == {2: 1, 1: 2}


def test_with_as_many_cards_home_whoever_had_them_first_wins() -> None:
    assert places({1: unsolved(30, reached_at=20, moves=1), 2: unsolved(30, reached_at=19, moves=9)}) == {2: 1, 1: 2}


def test_with_as_many_cards_at_the_same_time_fewer_moves_win() -> None:
    assert places({1: unsolved(30, 20, moves=61), 2: unsolved(30, 20, moves=60)}) == {2: 1, 1: 2}


def test_when_a_race_ended_unsolved_does_not_count() -> None:
    assert places({1: unsolved(30, when=5), 2: unsolved(30, when=500)}) == {1: 1, 2: 1}


def test_equal_in_all_is_an_equal_place_and_the_next_one_counts_on() -> None:
    assert places({4: unsolved(7), 7: unsolved(7), 9: unsolved(3)}) == {4: 1, 7: 1, 9: 3}


@pytest.mark.parametrize("state", ["did_not_start", "gave_up", "timed_out"])
def test_who_has_made_no_move_is_not_ranked_but_by_the_rule_of_the_first_records(state: str) -> None:
    assert not is_ranked(state, 0) and is_ranked(state, 1)
    assert is_ranked(state, 0, rule_of_record(1))


@pytest.mark.parametrize("version", [1, 2])
def test_who_is_disqualified_is_never_ranked(version: int) -> None:
    assert not is_ranked("disqualified", 100, rule_of_record(version))


def test_nobody_has_no_places() -> None:
    assert places({}) == {}


@given(fields)
def test_a_place_is_one_more_than_the_number_of_those_ahead(field: dict[int, Result]) -> None:
    ranked = places(field)
    assert ranked.keys() == field.keys()
    for place in ranked.values():
        assert place == 1 + sum(other < place for other in ranked.values())


@given(results, results, results)
def test_the_order_is_total_and_transitive(a: Result, b: Result, c: Result) -> None:
    def ahead_or_equal(x: Result, y: Result) -> bool:
        ranked = places({1: x, 2: y})
        return ranked[1] <= ranked[2]

    assert ahead_or_equal(a, b) or ahead_or_equal(b, a)
    if ahead_or_equal(a, b) and ahead_or_equal(b, c):
        assert ahead_or_equal(a, c)


@given(fields, results)
def test_whoever_comes_in_changes_nothing_between_the_others(field: dict[int, Result], late: Result) -> None:
    before, after = places(field), places({**field, 99: late})
    for one in field:
        for other in field:
            assert (before[one] < before[other]) == (after[one] < after[other])


@given(fields)
def test_who_sits_where_does_not_count(field: dict[int, Result]) -> None:
    mirrored = {-seat: result for seat, result in field.items()}
    assert places(mirrored) == {-seat: place for seat, place in places(field).items()}
