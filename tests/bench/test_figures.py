"""The table has a row for everything that has a bar, and the cheap parts of it can be measured."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from fortythieves.rules.games import GAMES
from tests.bench.__main__ import GROUPS, group
from tests.bench.figures import Figure, Found, Row, table

#: What a server, a page and their operators must know; "group.key".
WANTED = {
    *("rules.move", "rules.fold"),
    *(f"solver.{key.replace('-', '_')}" for key in GAMES),
    *("moves.rooms_of_four", "moves.one_room", "moves.throughput"),
    *("pace.pace", "pace.pace_awake", "pace.pace_redis"),
    *("latency.p50", "latency.p99"),
    "winnable.p99",
    *("growth.some", "growth.all", "growth.fours"),
    *("watchers.10", "watchers.100", "watchers.1000"),
    *("memory.racer", "memory.process", "memory.redis"),
    *("resume.fours", "resume.one"),
    *("workers.two", "workers.proxied", "workers.two_all_out", "workers.proxied_all_out", "workers.wall"),
    *("workers.together", "workers.killed", "workers.back", "workers.set_up_p50", "workers.set_up_p99"),
    *("cluster.node", "cluster.second", "cluster.threads"),
    *("entrance.all", "entrance.p99"),
    *("hostile.p99_1", "hostile.memory_1", "hostile.honest_1"),
    *("hostile.p99_100", "hostile.memory_100", "hostile.honest_100"),
    *("wire.move", "wire.four", "wire.many"),
    *("page.bytes", "page.requests", "page.paint", "page.tap", "page.slow_tap", "page.tap_work"),
    *("page.late_desktop", "page.late_phone", "page.drag_desktop", "page.drag_phone"),
    *("overlay.lanes", "overlay.board"),
}


def test_the_table_has_a_row_for_every_figure() -> None:
    assert {f"{name}.{row.key}" for name in GROUPS for row in group(name).ROWS} == WANTED


def test_a_figure_held_against_a_limit_says_what_the_limit_is() -> None:
    for row in (row for name in GROUPS for row in group(name).ROWS):
        assert row.limit or row.by == "value", row


@pytest.mark.parametrize(
    ("row", "found", "met"),
    [
        (Row("", "", "us", bar=10, aim=6), Found([5, 6, 90]), "aim"),
        (Row("", "", "us", bar=10, aim=6), Found([7, 7, 1]), "bar"),
        (Row("", "", "us", "echo", "ratio", 5, 2.5), Found([60, 30], [10, 5]), "no"),
        (Row("", "", "us", "echo", "ratio", 0.5, 0.7, more=True), Found([6], [10]), "bar"),
        (Row("", "", "ms", "commit", "excess", 1), Found([3.5, 9], [3, 8]), "bar"),
        (Row("", "", "x"), Found([1]), ""),
    ],
)
def test_bars_are_for_the_median_of_all_rounds(row: Row, found: Found, met: str) -> None:
    assert Figure(row, found).met == met


def test_a_ratio_is_that_of_each_round_to_its_own_limit() -> None:
    """A round in which the machine did something else is slow in both."""
    found = Found([10, 50, 11], [5, 25, 5.5])
    assert found.ratio == 2
    assert "2.00" in table([Figure(Row("", "a move", "us", "echo", "ratio", 3), found)])


def test_nothing_is_so_many_times_nothing() -> None:
    found = Found([0.05, 0.03], [0.0, 0.01])
    assert found.ratio is None
    assert "late" in table([Figure(Row("", "late frames", "%", "bare", "excess", 0.05), found)])


def test_what_needs_no_server_can_be_measured(tmp_path: Path) -> None:
    told = tmp_path / "build" / "bench.json"
    command = [sys.executable, "-m", "tests.bench", "rules", "--part", "0.02", "--json", str(told)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert "validate and apply one move" in done.stdout
    assert [figure["key"] for figure in json.loads(told.read_text())["figures"]] == ["move", "fold"]
