"""The benchmark runs, judges by its bars, and reads traces rightly."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import redis

from fortythieves_server.process.embedded_redis import EmbeddedRedis
from fortythieves_server.store.schema import of_room
from tests.bench import bare
from tests.bench.__main__ import GROUPS, group
from tests.bench.drag import read
from tests.bench.figures import Figure, Found, Row, table
from tests.bench.page import work_of_taps
from tests.bench.trace import Trace

PAGE, SCREEN = 7, 8


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


def test_the_benchmark_of_the_rules_runs() -> None:
    command = [sys.executable, "-m", "tests.bench", "rules", "--part", "0.02"]
    assert "validate and apply one move" in subprocess.run(command, check=True, capture_output=True, text=True).stdout


async def test_moves_of_the_limit_are_committed_by_the_script_of_the_server(tmp_path: Path) -> None:
    async with EmbeddedRedis(tmp_path) as embedded:
        with redis.Redis.from_url(embedded.url) as client:
            sha, seats = bare.open_room(client, "BARE1")
            for seat in seats * 3:
                seat.take(client.execute_command(*seat.command(sha)))
            assert client.llen(of_room("BARE1", "moves", 1, 4)) == 3


def event(name: str, at: float, pid: int = PAGE, tid: int = 1, **more: Any) -> dict[str, Any]:
    return {"name": name, "ph": "X", "ts": at * 1000, "pid": pid, "tid": tid, **more}


def thread(tid: int, name: str) -> dict[str, Any]:
    return {"name": "thread_name", "ph": "M", "pid": PAGE, "tid": tid, "args": {"name": name}}


def dispatched(kind: str, at: float) -> dict[str, Any]:
    return event("EventDispatch", at, args={"data": {"type": kind}})


def task(at: float, ms: float, tid: int = 1, pid: int = PAGE) -> dict[str, Any]:
    return event("ThreadControllerImpl::RunTask", at, pid, tid, dur=ms * 1000, tdur=ms * 1000)


def test_frames_and_work_between_the_first_move_and_the_last_one_count() -> None:
    threads = [thread(1, "CrRendererMain"), thread(2, "Compositor"), thread(3, "ThreadPoolForegroundWorker")]
    drawn = [event("Display::DrawAndSwap", at, SCREEN) for at in (50, 101, 117, 133, 166, 182, 300)]
    tasks = [task(60, 1000), task(110, 6), task(120, 4, tid=2), task(120, 50, tid=3), task(120, 50, pid=SCREEN)]
    drag = read(Trace([*threads, dispatched("pointermove", 100), *drawn, *tasks, dispatched("pointermove", 190)]))
    assert drag.late == pytest.approx(25), "one of four came after 33 ms"
    assert drag.work == pytest.approx(10 / 5)


def test_of_a_tap_counts_the_work_until_its_frame_is_handed_on() -> None:
    tasks = [task(80, 5), task(99, 4), task(110, 6), task(115, 30, tid=2), task(140, 7)]
    frames = [event("Layerize", 50), event("Layerize", 114), event("Layerize", 145)]
    touches = [dispatched("pointerdown", 100), dispatched("pointerup", 111), dispatched("pointerdown", 300)]
    assert work_of_taps(Trace([thread(1, "CrRendererMain"), *tasks, *frames, *touches])) == [pytest.approx(10)]
