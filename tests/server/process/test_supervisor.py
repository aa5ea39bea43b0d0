"""Several processes on one port: as one server to players, and none of them missed."""

import asyncio
import contextlib
import json
import logging
import os
import re
import signal
import sys
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from fortythieves_client.client import Client
from fortythieves_server.common.errors import StartError
from fortythieves_server.common.tasks import end
from fortythieves_server.process.dispatcher import Dispatcher
from fortythieves_server.process.supervisor import MOST_FAILURES, Supervisor
from tests.server.ops.test_metrics import metrics_of
from tests.server.programs import SECONDS, Program, started, until_ended
from tests.server.redises import free_port
from tests.server.stores import until

#: All clients here share one address and are faster than people.
LIMITS = "times=1000 messages=100000/s+100000"


def serving(data: Path, *arguments: str) -> AbstractAsyncContextManager[Program]:
    return started(data, "--workers", "2", "--limits", LIMITS, *arguments)


async def until_replaced(server: Program, before: list[int], count: int) -> list[int]:
    async with asyncio.timeout(SECONDS):
        while True:
            now = await server.workers()
            if len(now) == len(before) and len(set(now) - set(before)) == count:
                return now
            await asyncio.sleep(0.1)


# As one server


async def test_several_processes_are_one_server_also_while_they_are_replaced(tmp_path: Path) -> None:
    first = free_port(2)
    ops = [f"http://127.0.0.1:{port}" for port in (first, first + 1)]
    async with (
        serving(tmp_path, "--log", "json", "--verbose", "--ops-port", str(first)) as server,
        contextlib.AsyncExitStack() as stack,
    ):
        assert server.announced.count("served at") == 1
        clients = [await stack.enter_async_context(Client(server.address)) for _ in range(8)]
        assert sum([(await metrics_of(one))["connections"] for one in ops]) == 8, "each worker has its own"
        room = await clients[0].create("Ann", seats=8, auto_start=False)
        for client in clients[1:-1]:
            await client.join("Bob", room.code)
        before = await server.workers()
        server.process.send_signal(signal.SIGUSR1)
        renewed = asyncio.create_task(until_replaced(server, before, 2))
        while not renewed.done():
            assert await server.is_well()
            await asyncio.sleep(0.1)
        await clients[-1].join("Bob", room.code)
        killed = renewed.result()[0]
        os.kill(killed, signal.SIGKILL)
        workers = await until_replaced(server, renewed.result(), 1)
        await asyncio.gather(*(client.ready() for client in clients))
        for client in clients:
            await client.until(lambda client=client: are_ready(client, 8))  # type: ignore[misc]
        server.process.send_signal(signal.SIGINT)
        assert await server.process.wait() == 0
        lines = [json.loads(line) for line in (await server.errors()).splitlines()]
        # There would be a second warning about a worker that does not drain in time and is killed.
        [died] = [line for line in lines if line["level"] == "warning"]
        assert f"process {killed}" in died["message"] and died["process"] == server.pid
        for pid in workers:
            await until_ended(pid)


def are_ready(client: Client, count: int) -> bool:
    assert client.room is not None
    return [bool(person.get("ready")) for person in client.room.people.values()] == [True] * count


async def test_workers_do_not_outlive_a_parent_that_is_killed(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        workers = await server.workers()
        server.process.kill()
        for pid in workers:
            await until_ended(pid)
    async with started(tmp_path) as server:
        assert await server.is_well()


# Where it is hopeless, and where it is not

NO_PAUSES = (0.0,)

#: Ends in a moment; the first few of them report before that that they serve.
FICKLE = """
import sys
with open(sys.argv[1], "a+") as starts:
    starts.write("x")
    starts.seek(0)
    if len(starts.read()) <= int(sys.argv[2]):
        print('{"addresses": ["here"]}', flush=True)
raise SystemExit(3)
"""


async def test_where_no_worker_can_begin_any_more_all_of_it_ends_with_a_sentence(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    workers = Supervisor(
        [sys.executable, "-c", FICKLE, str(tmp_path / "starts"), "2"], [b"", b""], Dispatcher(2), NO_PAUSES
    )
    with caplog.at_level(logging.WARNING):
        assert await workers.start() == ["here"]
        with pytest.raises(StartError) as raised:
            await workers.run()
    await workers.stop()
    # More often, if the other one still served by then.
    said = re.match(r"A worker ended (\d+) times in a row before it served, .* with code 3", str(raised.value))
    assert said and int(said[1]) >= MOST_FAILURES
    assert "is started again" in caplog.text


async def test_a_worker_that_served_is_started_again_however_often_it_is_killed(tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    workers = Supervisor([sys.executable, "-c", FICKLE, str(starts), "1000"], [b"", b""], Dispatcher(2), NO_PAUSES)
    await workers.start()
    running = asyncio.create_task(workers.run())
    await until(lambda: starts.stat().st_size > 4 * MOST_FAILURES or running.done())
    assert not running.done()
    await end([running])
    await workers.stop()


@pytest.mark.parametrize(
    ("program", "said"),
    [(f"print({json.dumps({'error': 'Not today.'})!r}, flush=True)", "Not today"), ("exit(4)", "with code 4")],
)
async def test_a_worker_that_cannot_begin_is_an_error(program: str, said: str) -> None:
    with pytest.raises(StartError, match=said):
        await Supervisor([sys.executable, "-c", program], [b"", b""], Dispatcher(2)).start()
