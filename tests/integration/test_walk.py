"""One move, followed through the server: CONTRIBUTING shows its walk."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import pytest

from fortythieves_client.client import Client

pytestmark = pytest.mark.asyncio(loop_scope="module")

SERVER = "fortythieves_server."
#: What is counted and limited on the way is left out.
LEFT_OUT = "common."
#: What the event loop calls for a move; whatever else it calls meanwhile, such as a heartbeat, is left out.
ROOTS = ("feed_data", "data_received", "_flush", "_write_all")


class Trace:
    """The calls from one module of the server to another, by what the event loop called."""

    def __init__(self) -> None:
        #: Of each call: how many modules deep, the module, and the function.
        self.steps: list[list[tuple[int, str, str]]] = []
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
            return  # A coroutine that goes on is called again.
        self._coroutines.append(frame)
        self.steps[-1].append((len(callers) - 1, module, frame.f_code.co_name))

    def of_a_move(self) -> Iterator[list[tuple[int, str, str]]]:
        """The steps without those of others: a ping comes in like a move and is answered, but reaches no seat."""
        answered = False
        for step in self.steps:
            name, seat = step[0][2], any(module == "rooms.seats" for _, module, _ in step)
            if name not in ROOTS or (name == "feed_data" and not seat) or (name == "_write_all" and not answered):
                continue
            yield step
            if name == "_write_all":
                return
            answered = seat and name == "_flush"


def _module(frame: FrameType) -> str:
    name = str(frame.f_globals.get("__name__", ""))
    module = name.removeprefix(SERVER)
    return "" if name == module or module.startswith(LEFT_OUT) else module


@contextmanager
def traced() -> Iterator[Trace]:
    trace = Trace()
    sys.setprofile(trace)
    try:
        yield trace
    finally:
        sys.setprofile(None)


async def walk_of_a_move(address: str) -> list[list[tuple[int, str, str]]]:
    async with Client(address) as ann, Client(address) as bob:
        room = await ann.create("Ann", countdown=3)
        await bob.join("Bob", room.code)
        await ann.ready()
        await bob.ready()
        await ann.until(lambda: ann.race)
        await ann.play("draw")
        await bob.until(lambda: (anns := bob.progress.get(1)) and anns.moves)  # so that no broadcast is pending
        with traced() as trace:
            await ann.play("draw")
        return [*trace.of_a_move()]


async def test_a_move_passes_each_module_once_on_its_way_in_and_once_on_its_way_out(address: str) -> None:
    walk = await walk_of_a_move(address)
    lines = [f"{'    ' * (depth + 1)}{module:<{40 - 4 * depth}}{name}" for step in walk for depth, module, name in step]
    print("\n".join(lines))
    for step in walk:
        modules = [module for _, module, _ in step]
        assert len(set(modules)) == len(modules)
