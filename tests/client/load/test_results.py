"""Lost and doubled moves, percentiles, and the processes that may be killed."""

import os
from pathlib import Path

import pytest

from fortythieves_client.ledger import Ledger
from fortythieves_client.load.results import Results, percentiles
from fortythieves_client.load.run import processes


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
def test_a_record_is_compared_with_the_list_of_a_bot(
    record: list[str], acknowledged: list[str], unanswered: str | None, found: tuple[int, int]
) -> None:
    assert Ledger(acknowledged).differences(record, unanswered) == found


def test_percentiles_are_measured_values() -> None:
    assert percentiles([]) == {}
    assert percentiles([3]) == {"p50": 3, "p99": 3, "p99.9": 3, "max": 3}
    assert percentiles(range(1, 1001)) == {"p50": 500, "p99": 990, "p99.9": 999, "max": 1000}


def test_a_load_test_is_good_without_losses() -> None:
    assert Results(races=2, races_ended=2).good
    assert not Results(races=2, races_ended=1).good
    assert not Results(races=2, races_ended=2, lost=1).good
    assert not Results(races=2, races_ended=2, doubled=1).good


def test_only_processes_in_the_file_are_killed(tmp_path: Path) -> None:
    file = tmp_path / "pids"
    assert processes(file) == []
    file.write_text(f"123\n0\n1\n-5\n45 6\nsome\n{os.getpid()}\n{os.getppid()}\n789\n")
    assert processes(file) == [123, 789]
