import pytest

from fortythieves_server.common.counters import Histogram, Slowest


def test_a_histogram_counts_values_up_to_each_bound() -> None:
    seen = Histogram((1, 2.5))
    for value in (0.5, 1, 2, 3, 100):
        seen.add(value)
    assert list(seen.buckets()) == [("1", 2), ("2.5", 3), ("+Inf", 5)]
    assert seen.total == 106.5


def test_the_slowest_names_are_kept_for_a_minute_or_two() -> None:
    slowest = Slowest()
    for name, seconds, now in (("one", 0.1, 1000), ("two", 0.3, 1001), ("one", 0.2, 1002), ("one", 0.1, 1003)):
        slowest.add(name, seconds, now)
    assert slowest.worst(5, 1004) == [("two", 0.3), ("one", 0.2)]
    assert slowest.worst(1, 1004) == [("two", 0.3)]
    slowest.add("three", 0.1, 1070)
    assert slowest.worst(5, 1070) == [("two", 0.3), ("one", 0.2), ("three", 0.1)]
    assert slowest.worst(5, 1130) == [("three", 0.1)]
    assert slowest.worst(5, 5000) == []


def test_a_quantile_covers_values_since_a_time() -> None:
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
    assert seen.quantile(1, then) == 4
