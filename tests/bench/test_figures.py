"""All rows of the table have a bar, and the benchmark runs."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bench.__main__ import GROUPS, group
from tests.bench.figures import Figure, Found, Row, table


def test_every_ratio_and_every_difference_has_a_limit() -> None:
    for row in (row for name in GROUPS for row in group(name).ROWS):
        assert row.limit or row.by == "value", row


@pytest.mark.parametrize(
    ("row", "found", "met"),
    [
        (Row("", "", "us", bar=10), Found([5, 6, 90]), True),
        (Row("", "", "us", "echo", "ratio", 5), Found([60, 30], [10, 5]), False),
        (Row("", "", "us", "echo", "ratio", 0.5, more=True), Found([6], [10]), True),
        (Row("", "", "ms", "commit", "excess", 1), Found([3.5, 9], [3, 8]), True),
    ],
)
def test_a_bar_applies_to_the_median_of_all_rounds(row: Row, found: Found, met: bool) -> None:
    assert Figure(row, found).is_met == met


def test_a_ratio_compares_each_round_with_its_own_limit() -> None:
    """Other load slows both in the same round."""
    found = Found([10, 50, 11], [5, 25, 5.5])
    assert found.ratio == 2
    assert "2.00" in table([Figure(Row("", "a move", "us", "echo", "ratio", 3), found)])


def test_a_limit_of_zero_has_no_ratio() -> None:
    found = Found([0.05, 0.03], [0.0, 0.01])
    assert found.ratio is None
    assert "late" in table([Figure(Row("", "late frames", "%", "bare", "excess", 0.05), found)])


def test_the_benchmark_of_the_rules_runs(tmp_path: Path) -> None:
    file = tmp_path / "build" / "bench.json"
    command = [sys.executable, "-m", "tests.bench", "rules", "--part", "0.02", "--json", str(file)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert "validate and apply one move" in done.stdout
    assert [figure["key"] for figure in json.loads(file.read_text())["figures"]] == ["move", "fold"]
