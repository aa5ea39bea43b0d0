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
from aiohttp import ClientError

from fortythieves_client.client import Client
from fortythieves_server.common.errors import StartError
from fortythieves_server.common.tasks import end
from fortythieves_server.process.dispatcher import Dispatcher
from fortythieves_server.process.supervisor import MOST_FAILURES, Supervisor
from tests.server.ops.test_metrics import metrics_of
from tests.server.programs import SECONDS, Program, started, until_ended
from tests.server.redises import free_port
from tests.server.stores import until, until_it_is

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


#: Rooms, and people in each.
ROOMS, PEOPLE = 4, 3


async def test_several_processes_are_one_server_also_while_they_are_replaced(tmp_path: Path) -> None:
    """One worker serves a room, also after the workers were killed. A strange address keeps no client out."""
    first, pids = free_port(2), tmp_path / "pids"
    ops = [f"http://127.0.0.1:{port}" for port in (first, first + 1)]
    options = ("--log", "json", "--verbose", "--ops-port", str(first), "--pids", str(pids))

    async def one_worker_serves_each_room() -> bool:
        with contextlib.suppress(ClientError):
            return sum([(await metrics_of(one))["rooms"] for one in ops]) == ROOMS
        return False

    async with serving(tmp_path / "data", *options) as server, contextlib.AsyncExitStack() as stack:
        assert server.announced.count("served at") == 1
        clients = []
        for _ in range(ROOMS):
            host = await stack.enter_async_context(Client(server.address))
            code = (await host.create("Ann", seats=PEOPLE, auto_start=False)).code
            guests = [await stack.enter_async_context(Client(server.address, code=code)) for _ in range(1, PEOPLE)]
            for guest in guests:
                await guest.join("Bob")
            clients += [host, *guests]
        await until_it_is(one_worker_serves_each_room)
        assert sum([(await metrics_of(one))["connections"] for one in ops]) == len(clients), "each worker has its own"
        for strange in ("K" * 1000, "nonsense", "ABC DEF&x=?#"):
            async with Client(server.address, code=strange) as client:
                await client.ping()
        await until(lambda: pids.exists() and len(pids.read_text().split()) == 3)
        before, redis = await server.workers(), pids.read_text().split()[-1]
        server.process.send_signal(signal.SIGUSR1)
        renewed = asyncio.create_task(until_replaced(server, before, 2))
        while not renewed.done():
            assert await server.is_well()
            await asyncio.sleep(0.1)
        workers = renewed.result()
        killed = [*workers]
        for worker in killed:
            os.kill(worker, signal.SIGKILL)
            workers = await until_replaced(server, workers, 1)
        await asyncio.gather(*(client.ready() for client in clients))
        await until_it_is(one_worker_serves_each_room)
        await until(lambda: pids.read_text().split()[2:] == [redis])  # it stays
        server.process.send_signal(signal.SIGINT)
        assert await server.process.wait() == 0
        assert not pids.exists(), "it goes with the server"
        lines = [json.loads(line) for line in (await server.errors()).splitlines()]
        # There would be another warning about a worker that does not drain in time and is killed.
        died = [line for line in lines if line["level"] == "warning"]
        assert len(died) == len(killed) and {line["process"] for line in died} == {server.pid}
        assert all(f"process {one}" in line["message"] for one, line in zip(killed, died, strict=True))
        for pid in workers:
            await until_ended(pid)


async def test_workers_do_not_outlive_a_parent_that_is_killed(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        workers = await server.workers()
        server.process.kill()
        for pid in workers:
            await until_ended(pid)
    async with started(tmp_path) as server:
        assert await server.is_well()


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
