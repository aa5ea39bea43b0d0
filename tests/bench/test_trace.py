"""Late frames, and the work of a page for frames and taps, from a trace."""

from typing import Any

import pytest

from tests.bench.drag import read
from tests.bench.page import work_of_taps
from tests.bench.trace import Trace

PAGE, SCREEN = 7, 8


def event(name: str, at: float, pid: int = PAGE, tid: int = 1, **more: Any) -> dict[str, Any]:
    return {"name": name, "ph": "X", "ts": at * 1000, "pid": pid, "tid": tid, **more}


def thread(tid: int, name: str) -> dict[str, Any]:
    return {"name": "thread_name", "ph": "M", "pid": PAGE, "tid": tid, "args": {"name": name}}


def heard(kind: str, at: float) -> dict[str, Any]:
    return event("EventDispatch", at, args={"data": {"type": kind}})


def task(at: float, ms: float, tid: int = 1, pid: int = PAGE) -> dict[str, Any]:
    return event("ThreadControllerImpl::RunTask", at, pid, tid, dur=ms * 1000, tdur=ms * 1000)


def test_frames_and_work_between_the_first_move_and_the_last_one_count() -> None:
    threads = [thread(1, "CrRendererMain"), thread(2, "Compositor"), thread(3, "ThreadPoolForegroundWorker")]
    drawn = [event("Display::DrawAndSwap", at, SCREEN) for at in (50, 101, 117, 133, 166, 182, 300)]
    tasks = [task(60, 1000), task(110, 6), task(120, 4, tid=2), task(120, 50, tid=3), task(120, 50, pid=SCREEN)]
    drag = read(Trace([*threads, heard("pointermove", 100), *drawn, *tasks, heard("pointermove", 190)]))
    assert drag.late == pytest.approx(25), "one of four came after 33 ms"
    assert drag.work == pytest.approx(10 / 5)


def test_of_a_tap_counts_the_work_until_its_frame_is_handed_on() -> None:
    tasks = [task(80, 5), task(99, 4), task(110, 6), task(115, 30, tid=2), task(140, 7)]
    frames = [event("Layerize", 50), event("Layerize", 114), event("Layerize", 145)]
    touches = [heard("pointerdown", 100), heard("pointerup", 111), heard("pointerdown", 300)]
    trace = Trace([thread(1, "CrRendererMain"), *tasks, *frames, *touches])
    assert work_of_taps(trace) == [pytest.approx(10)]
