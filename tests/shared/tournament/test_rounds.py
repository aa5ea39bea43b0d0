"""Rounds that count, replayed matches, and drawing lots. test_standings.py compares results with a slow computation."""

from collections import Counter

from msgspec.structs import replace

from fortythieves.tournament.results import is_replayed, outcome
from fortythieves.tournament.rounds import Correction, Entrant, Round, by_lot
from tests.shared.tournament.play import chance_of, entrants_of, race_of


def test_a_round_counts_when_it_was_raced_and_was_not_skipped() -> None:
    races = (race_of({1: 5}),)
    assert Round(1, (1,), races=races).counts
    assert not Round(1, (1,)).counts
    assert not Round(1, (1,), races=races, skipped=True).counts


def test_the_races_of_a_pair_before_it_races_again_count_for_nobody() -> None:
    entrants, race = entrants_of(4), race_of({1: 9, 2: 7, 3: 7, 4: 3})
    done = Round(1, (1, 2, 3, 4), ((1, 4), (2, 3)), (), (race,), corrections=(Correction(4, 1), Correction(1, 0)))
    again = done.played_again((1, 4))
    assert again.corrections == () and again.replayed == {1: 1, 4: 1}
    assert is_replayed(entrants, again, (1, 4)) and not is_replayed(entrants, again, (2, 3))
    assert not is_replayed({**entrants, 1: Entrant("N1", state="withdrawn")}, again, (1, 4))
    raced = replace(again, races=(*again.races, race_of({4: 9, 1: 8})))
    assert not is_replayed(entrants, raced, (1, 4)) and outcome(entrants, raced, (1, 4)).winner == 4
    assert raced.with_races((race, raced.races[1])) == raced


def test_the_same_chance_gives_the_same_order_and_every_order_is_as_likely() -> None:
    assert by_lot(chance_of(1), [3, 1, 2]) == by_lot(chance_of(1), [1, 2, 3])
    assert sorted(by_lot(chance_of(1), range(1, 50))) == list(range(1, 50))
    orders = Counter(tuple(by_lot(chance_of(n), (1, 2, 3))) for n in range(1200))
    assert len(orders) == 6 and min(orders.values()) > 140
