from fortythieves_server.counts import Histogram


def test_a_histogram_counts_how_many_are_not_above_each_bound() -> None:
    seen = Histogram((1, 2.5))
    for value in (0.5, 1, 2, 3, 100):
        seen.add(value)
    assert list(seen.buckets()) == [("1", 2), ("2.5", 3), ("+Inf", 5)]
    assert seen.total == 106.5
