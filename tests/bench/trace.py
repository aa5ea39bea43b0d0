"""The trace of Chromium (Trace Event Format, times in microseconds)."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

Event = Mapping[str, Any]

#: Drawing (viz), the tasks of threads (toplevel), the events and frames of a page.
CATEGORIES = ("viz", "toplevel", "devtools.timeline")

MAIN, COMPOSITOR = "CrRendererMain", "Compositor"


class Trace(NamedTuple):
    events: Sequence[Event]

    @classmethod
    def read(cls, written: bytes) -> "Trace":
        return cls(json.loads(written)["traceEvents"])

    def named(self, name: str) -> list[Event]:
        """All events of this name, the earliest first."""
        return sorted(
            (one for one in self.events if one["name"] == name and one["ph"] == "X"), key=lambda one: one["ts"]
        )

    def heard(self, *kinds: str) -> list[Event]:
        """The DOM events that the page handled, such as `pointermove`."""
        return [one for one in self.named("EventDispatch") if one["args"]["data"]["type"] in kinds]

    def tasks(self, page: int, *names: str) -> list[Event]:
        """The tasks of these threads of a page."""
        told = [one for one in self.events if one["name"] == "thread_name" and one["pid"] == page]
        threads = {one["tid"] for one in told if one["args"]["name"] in names}
        ran = self.named("ThreadControllerImpl::RunTask")
        return [one for one in ran if one["pid"] == page and one["tid"] in threads]


def cpu(tasks: Sequence[Event]) -> float:
    """The CPU time of tasks, ms."""
    return float(sum(task.get("tdur", 0) for task in tasks)) / 1000
