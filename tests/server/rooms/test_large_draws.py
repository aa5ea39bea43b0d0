"""Large draws are made by another process, and are the same."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from fortythieves.protocol import to_server
from fortythieves_server.common.tasks import end
from fortythieves_server.core import events
from fortythieves_server.rooms.decision_inputs import DRAWS, LARGE, Rule, decide_due
from fortythieves_server.rooms.file_process import FileProcess, Job
from tests.server.tables import Table, entered


@pytest_asyncio.fixture
async def files() -> AsyncIterator[FileProcess]:
    files = FileProcess()
    yield files
    await files.close()


def due_to_be_drawn(entrants: int, form: str = "swiss") -> Table:
    table = entered(entrants, {"format": form})
    table.do(1, to_server.Round(1, "start"))
    return table


def drawn(table: Table) -> events.Drawn | None:
    """The last round that was drawn."""
    return next((event for _, event in reversed(table.log) if isinstance(event, events.Drawn)), None)


async def test_a_large_draw_is_made_by_the_process_for_files(files: FileProcess) -> None:
    table = due_to_be_drawn(LARGE + 1)

    async def decide(rule: Rule) -> None:
        table.ask(rule)

    await decide_due(decide, files)
    round_1 = drawn(table)
    assert round_1 is not None and files.process is not None
    racing = [seat for pair in round_1.pairs for seat in pair]
    assert sorted([*racing, *round_1.byes]) == list(range(2, LARGE + 3))
    assert len(round_1.byes) == 1


@pytest.mark.parametrize(("entrants", "form"), [(LARGE - 1, "swiss"), (LARGE, "points"), (LARGE, "knockout")])
async def test_a_quick_draw_is_made_in_this_process(entrants: int, form: str, files: FileProcess) -> None:
    table = due_to_be_drawn(entrants, form)

    async def decide(rule: Rule) -> None:
        table.ask(rule)

    await decide_due(decide, files)
    assert drawn(table) is not None
    assert files.process is None


@pytest.mark.parametrize("leaving", [1, DRAWS + 1])
async def test_an_entrant_who_leaves_during_the_draw_is_not_drawn(leaving: int, files: FileProcess) -> None:
    table = due_to_be_drawn(LARGE + 10)
    left: list[int] = []

    async def decide(rule: Rule) -> None:
        try:
            table.ask(rule)
        finally:
            if drawn(table) is None and len(left) < leaving:
                left.append(2 + len(left))
                table.do(left[-1], to_server.Leave(1))

    await decide_due(decide, files)
    round_1 = drawn(table)
    assert round_1 is not None
    assert not {*left} & {*round_1.seats, *round_1.byes}


async def test_a_busy_file_process_leaves_the_draw_to_this_one() -> None:
    files = FileProcess(waiting=1)
    busy = asyncio.Event()

    async def long() -> Job:
        busy.set()
        return await asyncio.Future()

    working = [asyncio.create_task(files.do(long)) for _ in range(2)]  # one waits
    await busy.wait()
    table = due_to_be_drawn(LARGE)

    async def decide(rule: Rule) -> None:
        table.ask(rule)

    await decide_due(decide, files)
    await end(working)
    assert drawn(table) is not None
    assert files.process is None
