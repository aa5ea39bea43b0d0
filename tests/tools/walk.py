"""The walk of a move, and that of a room command, through the modules of the server.

    python -m tests.tools.walk

Both are followed on a real server with two clients. `LEFT_OUT` and `DATA` are left out, and other calls of
the event loop. `make docs` writes that of a move into CONTRIBUTING.md.
"""

import asyncio
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

from fortythieves_client.client import Client
from tests.serving import serving

SERVER = "fortythieves_server."
#: Modules that limit, the clock, and modules with only properties and names.
LEFT_OUT = ("common.", "core.event_limits", "store.memory_limit", "store.clock")
DATA = ("core.room_state", "core.rule_context", "store.schema")
#: The modules that the event loop calls for a move or a command. Periodic work begins in others, or in `PERIODIC`.
ROOTS, PERIODIC = ("web.", "store.group_commit", "store.redis_connection"), {"_check_some"}


class Call(NamedTuple):
    """A call from one module to another. ``depth``: how many modules lie between it and the event loop."""

    depth: int
    module: str
    function: str


#: The calls that follow from one call of the event loop.
Step = list[Call]


class Trace:
    """The calls from one module of the server to another."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self._coroutines: list[FrameType] = []

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        module = _module(frame)
        if event != "call" or not module:
            return
        callers, above = [module], frame.f_back
        while above is not None:
            if (caller := _module(above)) and caller != callers[-1]:
                callers.append(caller)
            above = above.f_back
        if frame.f_back is None or not _module(frame.f_back):
            self.steps.append([])
        elif _module(frame.f_back) == module or any(frame is known for known in self._coroutines):
            return  # a coroutine that continues is called twice
        self._coroutines.append(frame)
        call = Call(len(callers) - 1, module, frame.f_code.co_name)
        if call not in self.steps[-1] and not call.function.startswith("<"):
            self.steps[-1].append(call)


def _module(frame: FrameType) -> str:
    name = str(frame.f_globals.get("__name__", ""))
    module = name.removeprefix(SERVER)
    return "" if name == module or module.startswith(LEFT_OUT) or module in DATA else module


@contextmanager
def traced() -> Iterator[Trace]:
    trace = Trace()
    sys.setprofile(trace)
    try:
        yield trace
    finally:
        sys.setprofile(None)


async def walks(address: str) -> tuple[list[Step], list[Step]]:
    """The walk of a move, and that of a command, at the server with this address."""
    async with Client(address) as ann, Client(address) as bob:
        room = await ann.create("Ann", countdown=3, auto_start=False)
        await bob.join("Bob", room.code)
        command = await _followed(lambda: ann.lock(locked=True))
        await ann.ready()
        await bob.ready()
        await ann.start()
        await ann.until(lambda: ann.race)
        await ann.play("draw")
        await bob.until(lambda: (anns := bob.progress.get(1)) and anns.moves)  # so that no broadcast is pending
        move = await _followed(lambda: ann.play("draw"))
    return move, command


async def _followed(act: Callable[[], Awaitable[object]]) -> list[Step]:
    with traced() as trace:
        await act()
    roots = [(step[0], step) for step in trace.steps if step]
    steps = [step for root, step in roots if root.module.startswith(ROOTS) and root.function not in PERIODIC]
    ends = [n for n, step in enumerate(steps) if step[0].function == "_write_all"]
    return steps[: ends[-1] + 1] if ends else steps


def modules_that_pass_on(walk: Iterable[Step]) -> list[str]:
    """The modules that call another one, in their order. All others only answer."""
    found = [call.module for step in walk for call, following in pairwise(step) if following.depth > call.depth]
    return list(dict.fromkeys(found))


def shown(walk: Iterable[Step]) -> str:
    """A walk as text. Each call of the event loop is at the margin."""
    calls = [call for step in walk for call in step]
    lines = [f"{'    ' * call.depth}{call.module:<{38 - 4 * call.depth}}  {call.function}" for call in calls]
    return "\n".join(lines)


async def walks_of_own_server() -> tuple[str, str]:
    """Both walks as text, at a server that runs only for them."""
    with tempfile.TemporaryDirectory() as directory:
        async with serving(Path(directory)) as address:
            move, command = await walks(address)
    return shown(move), shown(command)


if __name__ == "__main__":
    print(*asyncio.run(walks_of_own_server()), sep="\n\n")
