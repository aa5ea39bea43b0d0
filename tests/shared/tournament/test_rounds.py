"""When a round counts, and drawing lots."""

from collections import Counter

from fortythieves.tournament.rounds import Round, by_lot
from tests.shared.tournament.play import chance_of, race_of


def test_a_round_counts_when_it_was_raced_and_was_not_skipped() -> None:
    races = (race_of({1: 5}),)
    assert Round(1, (1,), races=races).counts
    assert not Round(1, (1,)).counts
    assert not Round(1, (1,), races=races, skipped=True).counts


def test_the_same_chance_gives_the_same_order_whoever_comes_first() -> None:
    assert by_lot(chance_of(1), [3, 1, 2]) == by_lot(chance_of(1), [1, 2, 3])
    assert sorted(by_lot(chance_of(1), range(1, 50))) == list(range(1, 50))


def test_every_order_is_as_likely_as_any_other() -> None:
    orders = Counter(tuple(by_lot(chance_of(n), (1, 2, 3))) for n in range(1200))
    assert len(orders) == 6
    assert min(orders.values()) > 140
