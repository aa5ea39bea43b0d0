"""Who came where in a round, and who won a pair."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from fortythieves.tournament.results import Outcome, beaten, decided, field, outcome
from fortythieves.tournament.rounds import Entrant, Played, Round
from tests.shared.tournament.play import ABSENT, IDLE, entrants_of, race_of, solved

DONE = Round(1, (1, 2, 3, 4), races=({1: solved(90), **race_of({2: 7, 3: 7, 4: 3})},))


def test_equals_share_a_place_and_the_next_one_counts_on() -> None:
    assert field(entrants_of(4), DONE) == {1: 1, 2: 2, 3: 2, 4: 4}
    assert beaten(entrants_of(4), DONE) == {1: 3, 2: 1, 3: 1, 4: 0}


def test_who_is_disqualified_is_in_nobody_s_way() -> None:
    entrants = {**entrants_of(4), 1: Entrant("N1", state="disqualified")}
    assert field(entrants, DONE) == {2: 1, 3: 1, 4: 3}


def test_a_round_that_does_not_count_has_no_places() -> None:
    skipped = Round(1, (1, 2), races=DONE.races, skipped=True)
    assert field(entrants_of(4), skipped) == beaten(entrants_of(4), Round(1, (1, 2))) == {}


def test_a_pair_is_won_drawn_or_open() -> None:
    entrants = entrants_of(6)
    assert outcome(entrants, DONE, (4, 1)) == Outcome(1)
    assert outcome(entrants, DONE, (2, 3)) == Outcome(None, tied=True, equal=True)
    assert outcome(entrants, DONE, (5, 6)) == Outcome(None, tied=True)
    assert outcome(entrants, DONE, (4, 6)) == Outcome(4)
    assert outcome(entrants, Round(1, (1, 4), ((1, 4),)), (1, 4)) == Outcome(None)


@pytest.mark.parametrize("absent", [ABSENT, IDLE], ids=["not there", "no move"])
def test_who_did_not_start_is_behind_all_who_did(absent: Played) -> None:
    done = Round(1, (1, 2), ((1, 2),), races=({**race_of({1: 0}), 2: absent},))
    assert outcome(entrants_of(2), done, (2, 1)) == Outcome(1)
    assert field(entrants_of(2), done) == {1: 1}


def test_by_the_rule_of_the_first_records_who_gave_up_without_a_move_was_there() -> None:
    before = replace(IDLE, rule=1)
    done = Round(1, (1, 2, 3), races=({**race_of({1: 0}), 2: before, 3: replace(ABSENT, rule=1)},))
    assert field(entrants_of(3), done) == {1: 2, 2: 1}


def test_a_tie_that_nobody_can_race_on_goes_to_the_better_seed() -> None:
    gone = {seat: Entrant(f"N{seat}", state="withdrawn") for seat in (1, 2)}
    done = Round(1, (1, 2), ((2, 1),), races=(race_of({1: 3, 2: 3}),))
    assert decided(gone, done, (2, 1)) == Outcome(2)


@given(st.dictionaries(st.integers(1, 30), st.integers(0, 3)))
def test_as_many_are_beaten_as_have_a_place_behind(homes: dict[int, int]) -> None:
    entrants = entrants_of(30)
    done = Round(1, tuple(homes), races=(race_of(homes),))
    places = field(entrants, done)
    assert beaten(entrants, done) == {s: sum(other > place for other in places.values()) for s, place in places.items()}
