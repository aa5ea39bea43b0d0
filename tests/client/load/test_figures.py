"""What is lost and what is doubled, and the percentiles of everything."""

import pytest

from fortythieves_client.load.figures import Figures, held_against, percentiles


@pytest.mark.parametrize(
    ("record", "acknowledged", "unanswered", "found"),
    [
        (["a", "b"], ["a", "b"], None, (0, 0)),
        ([], [], None, (0, 0)),
        (["a", "b", "c"], ["a", "b"], "c", (0, 0)),
        (["a", "b"], ["a", "b"], "c", (0, 0)),
        (["a", "b", "b"], ["a", "b"], None, (0, 1)),
        (["a", "b", "c", "c"], ["a", "b"], "c", (0, 1)),
        (["a"], ["a", "b"], None, (1, 0)),
        ([], ["a", "b"], "c", (2, 0)),
        (["a", "a", "b"], ["a", "b"], None, (1, 2)),
    ],
)
def test_a_record_is_held_against_what_a_bot_was_told(
    record: list[str], acknowledged: list[str], unanswered: str | None, found: tuple[int, int]
) -> None:
    assert held_against(record, acknowledged, unanswered) == found


def test_percentiles_are_values_that_were_measured() -> None:
    assert percentiles([]) == {}
    assert percentiles([3]) == {"p50": 3, "p99": 3, "p99.9": 3, "max": 3}
    assert percentiles(range(1, 1001)) == {"p50": 500, "p99": 990, "p99.9": 999, "max": 1000}


def test_it_is_good_only_if_every_promise_was_kept() -> None:
    assert Figures(races=2, ended=2).good
    assert not Figures(races=2, ended=1).good
    assert not Figures(races=2, ended=2, lost=1).good
    assert not Figures(races=2, ended=2, doubled=1).good
