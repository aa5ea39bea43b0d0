"""The benchmark runs and judges by its bars."""

from pathlib import Path

import pytest
import redis

from fortythieves_server.process.embedded_redis import EmbeddedRedis
from fortythieves_server.store.schema import of_room
from tests.bench import bare
from tests.bench.__main__ import GROUPS, group
from tests.bench.figures import Figure, Found, Row, table


def test_every_ratio_and_every_difference_has_a_limit() -> None:
    assert [row for name in GROUPS for row in group(name).ROWS if not row.limit and row.by != "value"] == []


@pytest.mark.parametrize(
    ("row", "found", "met", "shown"),
    [
        (Row("", "", "us", bar=10), Found([5, 6, 90]), True, "6 us"),
        (Row("", "", "us", "echo", "ratio", 5), Found([60, 30], [10, 5]), False, "6.00"),
        # Each round is compared with its own limit, because other load slows both.
        (Row("", "", "us", "echo", "ratio", 3), Found([10, 50, 11], [5, 25, 5.5]), True, "2.00"),
        (Row("", "", "us", "echo", "ratio", 0.5, more=True), Found([6], [10]), True, "0.60"),
        (Row("", "", "ms", "commit", "excess", 1), Found([3.5, 9], [3, 8]), True, "+1 ms"),
        (Row("", "", "%", "bare", "excess", 0.05), Found([0.05, 0.03], [0.0, 0.01]), True, "0.04 %"),
    ],
)
def test_a_bar_applies_to_the_median_of_all_rounds(row: Row, found: Found, met: bool, shown: str) -> None:
    assert Figure(row, found).is_met == met
    assert shown in table([Figure(row, found)])


async def test_moves_of_the_limit_are_committed_by_the_script_of_the_server(tmp_path: Path) -> None:
    async with EmbeddedRedis(tmp_path) as embedded:
        with redis.Redis.from_url(embedded.url) as client:
            sha, seats = bare.open_room(client, "BARE1")
            for seat in seats * 3:
                seat.take(client.execute_command(*seat.command(sha)))
            assert client.llen(of_room("BARE1", "moves", 1, 4)) == 3
