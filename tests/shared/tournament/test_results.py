"""The places in a round, and the winner of a pair."""

import pytest
from msgspec.structs import replace

from fortythieves.rules.ranking import Result
from fortythieves.tournament.results import beaten, decided, field, is_replayed, outcome
from fortythieves.tournament.rounds import Correction, Entrant, Met, Round
from tests.shared.tournament.play import ABSENT, IDLE, entrants_of, race_of, solved

DONE = Round(1, (1, 2, 3, 4), races=({1: solved(90), **race_of({2: 7, 3: 7, 4: 3})},))


def of(winner: int | None, *, tied: bool = False, equal: bool = False) -> tuple[int | None, bool, bool]:
    return winner, tied, equal


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
    assert outcome(entrants, DONE, (4, 1))[:3] == of(1)
    assert outcome(entrants, DONE, (2, 3))[:3] == of(None, tied=True, equal=True)
    assert outcome(entrants, DONE, (5, 6))[:3] == of(None, tied=True)
    assert outcome(entrants, DONE, (4, 6))[:3] == of(4)
    assert outcome(entrants, Round(1, (1, 4), ((1, 4),)), (1, 4))[:3] == of(None)


@pytest.mark.parametrize("absent", [ABSENT, IDLE], ids=["not there", "no move"])
def test_who_did_not_start_is_behind_all_who_did(absent: Result) -> None:
    done = Round(1, (1, 2), ((1, 2),), races=({**race_of({1: 0}), 2: absent},))
    assert outcome(entrants_of(2), done, (2, 1))[:3] == of(1)
    assert field(entrants_of(2), done) == {1: 1}


def test_a_tie_that_nobody_can_race_on_goes_to_the_better_seed() -> None:
    gone = {seat: Entrant(f"N{seat}", state="withdrawn") for seat in (1, 2)}
    done = Round(1, (1, 2), ((2, 1),), races=(race_of({1: 3, 2: 3}),))
    assert decided(gone, done, (2, 1))[:3] == of(2)


def test_of_two_who_did_not_start_nobody_goes_on() -> None:
    done = Round(1, (1, 2), ((2, 1),), races=({1: ABSENT, 2: IDLE},))
    assert decided(entrants_of(2), done, (2, 1))[:3] == of(None)
    tie = replace(done, races=(race_of({1: 3, 2: 3}), *done.races))
    assert decided(entrants_of(2), tie, (2, 1)).tied, "both started"


def test_a_host_s_result_of_a_pair_counts_instead_of_the_races() -> None:
    entrants = entrants_of(4)

    def corrected(one: float, other: float) -> Met:
        return outcome(entrants, replace(DONE, corrections=(Correction(4, one), Correction(1, other))), (4, 1))

    assert corrected(1, 0)[:3] == of(4)
    assert corrected(0, 1)[:3] == of(1)
    assert corrected(0.5, 0.5)[:3] == of(None, equal=True)
    assert corrected(0, 0)[:3] == of(None)
    out = {**entrants, 4: Entrant("N4", state="disqualified")}
    done = replace(DONE, corrections=(Correction(4, 1), Correction(1, 0)))
    assert outcome(out, done, (4, 1))[:3] == of(1), "who is disqualified wins nothing"
    assert outcome(entrants, replace(done, skipped=True), (4, 1))[:3] == of(None)


def test_the_races_of_a_pair_before_it_races_again_count_for_nobody() -> None:
    entrants = entrants_of(4)
    again = replace(DONE, pairs=((1, 4), (2, 3)), corrections=(Correction(4, 1), Correction(1, 0))).played_again((1, 4))
    assert again.corrections == () and again.replayed == {1: 1, 4: 1}
    assert is_replayed(entrants, again, (1, 4)) and not is_replayed(entrants, again, (2, 3))
    assert not is_replayed({**entrants, 1: Entrant("N1", state="withdrawn")}, again, (1, 4))
    assert field(entrants, again) == {2: 1, 3: 1}
    raced = replace(again, races=(*again.races, race_of({4: 9, 1: 8})))
    assert not is_replayed(entrants, raced, (1, 4))
    assert outcome(entrants, raced, (1, 4))[:3] == of(4)
    assert raced.with_races((*DONE.races, raced.races[1])) == raced
