"""A round, and when it counts."""

from fortythieves.tournament.rounds import Round
from tests.shared.tournament.play import race_of


def test_a_round_counts_when_it_was_raced_and_was_not_skipped() -> None:
    races = (race_of({1: 5}),)
    assert Round(1, (1,), races=races).counts
    assert not Round(1, (1,)).counts
    assert not Round(1, (1,), races=races, skipped=True).counts
