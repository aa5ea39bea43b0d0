"""All people of a room are served by one worker. A dead or stopped worker, or a strange address, excludes no client."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from typing import NamedTuple

import psutil
import pytest
import pytest_asyncio
from aiohttp import ClientSession

from fortythieves_client.client import Client
from fortythieves_server.process.dispatcher import ranked
from fortythieves_server.rooms.registry import new_code
from tests.server.programs import SECONDS, Program, started
from tests.server.redises import free_port
from tests.server.stores import until_it_is

pytestmark = pytest.mark.asyncio(loop_scope="module")

LIMITS = "times=1000"
#: Rooms, and people in each.
ROOMS, PEOPLE = 6, 3


class Workers(NamedTuple):
    """Two workers with the ports of their metrics."""

    server: Program
    ops_ports: Sequence[int]

    async def figures(self, name: str) -> list[float]:
        """A metric of each, with its labels added up. -1 from one that does not answer."""
        return [await _figure(port, name) for port in self.ops_ports]

    async def process(self, number: int) -> int:
        """The process of a worker."""
        [found] = [pid for pid in await self.server.workers() if self.ops_ports[number] in _ports_of(pid)]
        return found


def _ports_of(pid: int) -> set[int]:
    return {each.laddr.port for each in psutil.Process(pid).net_connections("tcp") if each.status == "LISTEN"}


async def _figure(port: int, name: str) -> float:
    try:
        async with ClientSession() as session, session.get(f"http://127.0.0.1:{port}/metrics") as answer:
            lines = (await answer.text()).splitlines()
    except OSError:
        return -1
    return sum(float(line.split()[1]) for line in lines if line.startswith(f"fortythieves_{name}"))


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def workers(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Workers]:
    """For all tests here; the last one kills them."""
    first = free_port(2)
    options = ("--workers", "2", "--limits", LIMITS, "--ops-port", str(first))
    async with started(tmp_path_factory.mktemp("data"), *options) as server:
        yield Workers(server, [first, first + 1])


def code_of(worker: int) -> str:
    """A room that a worker should serve. There need not be one."""
    return next(code for code in iter(new_code, "") if ranked(code, [0, 1])[0] == worker)


async def test_a_stopped_worker_keeps_no_client_out(workers: Workers) -> None:
    stopped = await workers.process(0)

    async def come() -> None:
        async with Client(workers.server.address, code=code_of(0)):
            pass

    os.kill(stopped, signal.SIGSTOP)
    try:
        began = asyncio.get_running_loop().time()
        for _ in range(20):
            await come()
        assert asyncio.get_running_loop().time() < began + SECONDS / 4, "only the first one had to wait"
    finally:
        os.kill(stopped, signal.SIGCONT)
    await come()


async def test_a_client_can_join_any_room_at_any_address(workers: Workers) -> None:
    async with Client(workers.server.address) as host:
        room = await host.create("Ann")
        named = [code_of(0), code_of(1), "K" * 1000, "nonsense", "ABC DEF&x=?#"]
        for code in named:
            async with Client(workers.server.address, code=code) as client:
                await client.join("Bob", room.code)
        await host.until(lambda: len(room.people) == 1 + len(named))


@pytest.mark.long
async def test_each_room_is_served_by_one_worker_also_after_workers_were_killed(workers: Workers) -> None:
    async with AsyncExitStack() as stack:
        clients = []
        for _ in range(ROOMS):
            host = await stack.enter_async_context(Client(workers.server.address))
            code = (await host.create("Ann", seats=PEOPLE, auto_start=False)).code
            clients.append(host)
            for name in ("Bob", "Cid"):
                clients.append(await stack.enter_async_context(Client(workers.server.address, code=code)))
                await clients[-1].join(name)

        async def each_has_one() -> bool:
            return sum(await workers.figures("rooms ")) == ROOMS

        await until_it_is(each_has_one)
        for worker in (0, 1):
            before = await workers.process(worker)
            os.kill(before, signal.SIGKILL)

            async def is_replaced(before: int = before) -> bool:
                now = await workers.server.workers()
                return len(now) == 2 and before not in now

            await until_it_is(is_replaced)
            await asyncio.gather(*(client.ping() for client in clients))
            await until_it_is(each_has_one)
