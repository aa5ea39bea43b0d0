"""The order of results."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fortythieves.rules.race_rules import Ending
from fortythieves.rules.ranking import Result, places
from fortythieves.times import Ms
from tests.shared.tournament.naive import better

#: Few values, so that ties are common.
small = st.integers(0, 2)
results = st.builds(
    Result, state=st.sampled_from(["solved", "timed_out"]), when=small, home=small, reached_at=small, moves=small
)
fields = st.dictionaries(st.integers(1, 9), results, max_size=7)


@given(results, results)
def test_one_result_is_ahead_of_another_as_the_rules_say(one: Result, other: Result) -> None:
    ranked = places({1: one, 2: other})
    ahead = [better(a, b) for a, b in ((one, other), (other, one))]
    assert [ranked[1] < ranked[2], ranked[2] < ranked[1]] == ahead


@pytest.mark.parametrize("state", ["did_not_start", "gave_up", "timed_out"])
def test_a_racer_without_a_move_or_disqualified_is_not_ranked(state: Ending) -> None:
    ranked = [Result(*how, Ms(0)).is_ranked for how in ((state, Ms(0), 0, 0), (state, Ms(0), 0, 1))]
    assert ranked == [False, True] and not Result("disqualified", Ms(0), 9, 100, Ms(0)).is_ranked


@given(fields)
def test_a_place_is_one_more_than_the_number_of_those_ahead(field: dict[int, Result]) -> None:
    ranked = places(field)
    assert ranked.keys() == field.keys()
    for place in ranked.values():
        assert place == 1 + sum(other < place for other in ranked.values())
