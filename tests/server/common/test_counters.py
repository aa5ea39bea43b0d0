import pytest

from fortythieves_server.common.counters import Histogram, Slowest


def test_a_histogram_counts_how_many_are_not_above_each_bound() -> None:
    seen = Histogram((1, 2.5))
    for value in (0.5, 1, 2, 3, 100):
        seen.add(value)
    assert list(seen.buckets()) == [("1", 2), ("2.5", 3), ("+Inf", 5)]
    assert seen.total == 106.5


def test_what_took_longest_is_known_for_a_minute_or_two() -> None:
    slowest = Slowest()
    for name, seconds, now in (("one", 0.1, 1000), ("two", 0.3, 1001), ("one", 0.2, 1002), ("one", 0.1, 1003)):
        slowest.add(name, seconds, now)
    assert slowest.worst(5, 1004) == [("two", 0.3), ("one", 0.2)]
    assert slowest.worst(1, 1004) == [("two", 0.3)]
    slowest.add("three", 0.1, 1070)
    assert slowest.worst(5, 1070) == [("two", 0.3), ("one", 0.2), ("three", 0.1)]
    assert slowest.worst(5, 1130) == [("three", 0.1)]
    assert slowest.worst(5, 5000) == []


def test_a_share_of_what_came_since_some_time_was_not_above_a_value() -> None:
    seen = Histogram((1, 2, 4))
    seen.add(0.5)
    then = seen.counts
    assert seen.quantile(0.5, then) is None
    for value in (1.5, 1.5, 3, 3):
        seen.add(value)
    assert seen.quantile(0.5, then) == 2
    assert seen.quantile(0.75, then) == 3
    assert seen.quantile(0.99, then) == pytest.approx(3.96)
    seen.add(1000)
    assert seen.quantile(1, then) == 4, "it was more, but by how much is not known"
