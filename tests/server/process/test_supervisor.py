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
from tests.server.programs import SECONDS, Program, run, started, until_ended
from tests.server.stores import until

#: All clients here share one address and are faster than people.
LIMITS = "times=1000 messages=100000/s+100000"


def serving(data: Path, workers: int = 2, *arguments: str) -> AbstractAsyncContextManager[Program]:
    return started(data, "--workers", str(workers), "--limits", LIMITS, *arguments)


async def until_replaced(server: Program, before: list[int], count: int) -> list[int]:
    async with asyncio.timeout(SECONDS):
        while True:
            now = await server.workers()
            if len(now) == len(before) and len(set(now) - set(before)) == count:
                return now
            await asyncio.sleep(0.1)


# As one server


async def test_several_processes_are_one_server(tmp_path: Path) -> None:
    async with serving(tmp_path, 3) as server, contextlib.AsyncExitStack() as stack:
        assert server.announced.count("served at") == 1
        workers = await server.workers()
        assert len(workers) == 3
        clients = [await stack.enter_async_context(Client(server.address)) for _ in range(12)]
        room = await clients[0].create("Ann", seats=12, auto_start=False)
        for client in clients[1:]:
            await client.join("Bob", room.code)
        await asyncio.gather(*(client.ready() for client in clients))
        for client in clients:
            await client.until(lambda client=client: [*map(_is_ready, _people(client))] == [True] * 12)  # type: ignore[misc]
        server.process.send_signal(signal.SIGTERM)
        assert await server.process.wait() == 0
        assert await server.errors() == "", "a worker that does not drain in time is said to be killed"
        for pid in workers:
            await until_ended(pid)


def _people(client: Client) -> list[dict[str, object]]:
    assert client.room is not None
    return [*client.room.people.values()]


def _is_ready(person: dict[str, object]) -> bool:
    return bool(person.get("ready"))


@pytest.mark.parametrize("workers", ["1", "3"])
async def test_a_redis_that_does_not_answer_is_said_once_without_its_password(workers: str) -> None:
    code, _, errors = await run("serve", "--port", "0", "--redis", "redis://:sesame@127.0.0.1:1", "--workers", workers)
    assert (code, errors.count("\n")) == (2, 1)
    assert errors.startswith("forty-thieves: Redis cannot be reached: ") and "sesame" not in errors


async def test_workers_are_renewed_and_replaced_while_players_are_served(tmp_path: Path) -> None:
    async with (
        serving(tmp_path, 2, "--log", "json", "--verbose") as server,
        Client(server.address) as ann,
        Client(server.address) as bob,
    ):
        port = server.address.rpartition(":")[2]
        for workers in ("1", "2"):
            there = ("--host", "127.0.0.1", "--port", port, "--data", str(tmp_path / "two"))
            said = f"forty-thieves: Port {port} on 127.0.0.1 is in use; choose another one with --port.\n"
            assert (await run("serve", *there, "--workers", workers)) == (2, "", said)
        room = await ann.create("Ann", auto_start=False)
        before = await server.workers()
        server.process.send_signal(signal.SIGUSR1)
        renewed = asyncio.create_task(until_replaced(server, before, 2))
        while not renewed.done():
            assert await server.is_well()
            await asyncio.sleep(0.02)
        await bob.join("Bob", room.code)
        await ann.until(lambda: len(_people(ann)) == 2)
        killed = renewed.result()[0]
        os.kill(killed, signal.SIGKILL)
        await until_replaced(server, renewed.result(), 1)
        await bob.ready()
        server.process.send_signal(signal.SIGINT)
        assert await server.process.wait() == 0
        lines = [json.loads(line) for line in (await server.errors()).splitlines()]
        [died] = [line for line in lines if line["level"] == "warning"]
        assert f"process {killed}" in died["message"] and died["process"] == server.pid


async def test_workers_do_not_outlive_a_parent_that_is_killed(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        workers = await server.workers()
        server.process.kill()
        for pid in workers:
            await until_ended(pid)
    async with serving(tmp_path) as server:
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
        [sys.executable, "-c", FICKLE, str(tmp_path / "starts"), "2"], [b"", b""], Dispatcher(2), pauses=NO_PAUSES
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
    workers = Supervisor(
        [sys.executable, "-c", FICKLE, str(starts), "1000"], [b"", b""], Dispatcher(2), pauses=NO_PAUSES
    )
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
