"""The virtual clock and the simulated network. `test_process` has the libraries that use them."""

import asyncio
import contextlib
import time
from collections.abc import Iterator

import pytest

from tests.sim.loop import BEGIN, Simulation
from tests.sim.network import Network, NetworkLoop


class World(Network):
    """A server process that collects lines, and a client."""

    def __init__(self, simulation: Simulation) -> None:
        super().__init__(simulation)
        self.received: list[bytes] = []
        self.client = self.process("client")
        self.server = self.serve()

    def serve(self) -> NetworkLoop:
        async def collect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            with contextlib.closing(writer), contextlib.suppress(ConnectionResetError):
                while line := await reader.readline():
                    self.received.append(line)

        process = self.process("server")
        process.run_until_complete(asyncio.start_server(collect, port=1))
        return process


@pytest.fixture
def world() -> Iterator[World]:
    with Simulation(7) as simulation:
        yield World(simulation)


def nap(seconds: float) -> None:
    time.sleep(seconds)


def test_time_passes_only_when_nothing_is_left_to_do(world: World) -> None:
    world.simulation.machine("client").ahead = 60

    async def wait() -> float:
        before = time.monotonic()
        await asyncio.sleep(3600)
        nap(1)
        assert time.time() == pytest.approx(BEGIN + 3661, abs=0.1)
        return time.monotonic() - before

    assert world.client.run_until_complete(wait()) == pytest.approx(3601)


def test_a_process_that_sleeps_lets_others_run_first(world: World) -> None:
    order: list[str] = []

    async def sleep() -> None:
        nap(0.01)
        await asyncio.sleep(0)
        order.append("slept")

    async def wait() -> None:
        await asyncio.sleep(0.005)
        order.append("waited")

    world.client.spawn(sleep())
    world.server.spawn(wait())
    world.simulation.run(1)
    assert order == ["waited", "slept"]


def test_what_was_sent_into_a_partition_arrives_in_order_once_it_heals(world: World) -> None:
    async def send() -> None:
        _, writer = await asyncio.open_connection("server", 1)
        for number in range(100):
            writer.write(b"%d\n" % number)
            await asyncio.sleep(0.0001)
        writer.close()

    world.simulation.later(0.005, lambda: world.partition("client", "server"))
    world.simulation.later(20, world.heal)
    world.client.run_until_complete(send())
    world.simulation.run(10)
    assert 0 < len(world.received) < 100
    world.simulation.run(20)
    assert world.received == [b"%d\n" % number for number in range(100)]


def test_a_cut_may_lose_the_end_of_what_is_on_the_way(world: World) -> None:
    async def send() -> None:
        reader, writer = await asyncio.open_connection("server", 1)
        writer.write(b"a\n" * 1000)
        world.cut(*world.connections("client", "server"))
        await reader.read()

    with pytest.raises(ConnectionResetError):
        world.client.run_until_complete(send())
    world.simulation.run(10)
    assert len(world.received) < 1000 and not world.connections()


def test_a_process_that_dies_closes_its_connections_and_a_machine_without_power_does_not(world: World) -> None:
    async def read() -> str:
        try:
            reader, writer = await asyncio.open_connection("server", 1)
            with contextlib.closing(writer):
                async with asyncio.timeout(10):
                    return (await reader.read()).decode() or "end"
        except (OSError, TimeoutError) as error:
            return type(error).__name__

    seen = set()
    for _ in range(20):
        world.simulation.later(1, world.server.crash)
        seen.add(world.client.run_until_complete(read()))
        assert world.client.run_until_complete(read()) == "ConnectionRefusedError"
        world.server = world.serve()
    assert seen == {"end", "ConnectionResetError"}
    world.simulation.later(1, lambda: world.fail("server"))
    assert world.client.run_until_complete(read()) == "TimeoutError"


def test_a_writer_waits_for_a_reader_that_is_paused(world: World) -> None:
    async def send() -> None:
        _, writer = await asyncio.open_connection("server", 1)
        for _ in range(1000):
            writer.write(b"b" * 1023 + b"\n")
            await writer.drain()
        writer.close()

    world.server.pause()
    world.simulation.later(60, world.server.resume)
    world.client.run_until_complete(send())
    assert world.simulation.now > 60
    world.simulation.run(1)
    assert len(world.received) == 1000
