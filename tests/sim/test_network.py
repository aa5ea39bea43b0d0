"""The simulated network serves the libraries that the server and its clients use."""

import asyncio
import contextlib
import random
import secrets
import time
from typing import Any

import aiohttp
import pytest
import redis.asyncio
from aiohttp import web
from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve

from tests.sim.loop import BEGIN, Simulation
from tests.sim.network import Network


class Echo(asyncio.Protocol):
    """Answers each PING of a Redis client, and OK to all else."""

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        for command in data.split(b"*")[1:]:
            self.transport.write(b"+PONG\r\n" if b"PING" in command else b"+OK\r\n")


def world(seed: int = 1) -> str:
    """A short story of all libraries. Returns what the timeline was."""
    with Simulation(seed) as simulation:
        network = Network(simulation)
        server, client = network.process("server"), network.process("client")

        async def echo(connection: ServerConnection) -> None:
            async for message in connection:
                await connection.send(message)

        async def page(request: web.Request) -> web.Response:
            return web.Response(text=request.query["who"])

        async def open_server() -> None:
            await server.create_server(Echo, port=6379)
            await serve(echo, "server", 8000)
            runner = web.AppRunner(app)
            await runner.setup()
            await server.create_server(runner.server, port=80)  # type: ignore[arg-type]

        async def play() -> None:
            reader = redis.asyncio.Redis(host="server", protocol=2)
            assert await reader.ping()
            await reader.aclose()
            async with connect("ws://server:8000") as socket:
                for _ in range(20):
                    message = secrets.token_bytes(random.randrange(100_000))
                    await socket.send(message)
                    assert await socket.recv() == message
                    await asyncio.sleep(random.random())
            async with aiohttp.ClientSession(connector=aiohttp.UnixConnector("server:80")) as http:
                answer = await http.get("http://server/", params={"who": "Ann"})
                assert await answer.text() == "Ann"

        app = web.Application()
        app.router.add_get("/", page)
        server.run_until_complete(open_server())
        client.run_until_complete(play())
        assert not simulation.errors
        return f"{simulation.now} {simulation.digest.hexdigest()}"


def test_one_seed_gives_one_timeline() -> None:
    assert world() == world() != world(2)


@pytest.fixture
def network() -> Any:
    with Simulation(7) as simulation:
        yield Network(simulation)


def nap(seconds: float) -> None:
    time.sleep(seconds)


async def lines(network: Network) -> list[bytes]:
    """Open a port at the "server", and collect what it receives."""
    received: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while line := await reader.readline():
                received.append(line)
        except ConnectionResetError:
            received.append(b"reset")
        writer.close()

    await asyncio.start_server(serve, port=1)
    return received


def test_time_passes_only_when_nothing_is_left_to_do(network: Network) -> None:
    process = network.process("server")
    network.simulation.machine("server").ahead = 60

    async def wait() -> float:
        before = time.monotonic()
        await asyncio.sleep(3600)
        nap(1)
        assert time.time() == pytest.approx(BEGIN + 3661)
        return time.monotonic() - before

    assert process.run_until_complete(wait()) == pytest.approx(3601)


def test_what_was_sent_into_a_partition_arrives_in_order_once_it_heals(network: Network) -> None:
    server, client, simulation = network.process("server"), network.process("client"), network.simulation
    received = server.run_until_complete(lines(network))

    async def send() -> None:
        _, writer = await asyncio.open_connection("server", 1)
        for number in range(100):
            writer.write(b"%d\n" % number)
            await asyncio.sleep(0.0001)
        writer.close()

    simulation.later(0.005, lambda: network.partition("client", "server"))
    simulation.later(20, network.heal)
    client.run_until_complete(send())
    simulation.run(10)
    assert 0 < len(received) < 100
    simulation.run(20)
    assert received == [b"%d\n" % number for number in range(100)]


def test_a_cut_may_lose_the_end_of_what_is_on_the_way(network: Network) -> None:
    server, client, simulation = network.process("server"), network.process("client"), network.simulation
    received = server.run_until_complete(lines(network))

    async def send() -> bytes:
        reader, writer = await asyncio.open_connection("server", 1)
        writer.write(b"a\n" * 1000)
        (connection,) = network.connections("client", "server")
        network.cut(connection)
        return await reader.read()

    with pytest.raises(ConnectionResetError):
        client.run_until_complete(send())
    simulation.run(10)
    assert len(received) < 1000 and not network.connections()


def test_a_process_that_dies_closes_its_connections_and_a_machine_without_power_does_not(network: Network) -> None:
    client, simulation = network.process("client"), network.simulation

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
        server = network.process("server")
        server.run_until_complete(lines(network))
        simulation.later(1, server.crash)
        seen.add(client.run_until_complete(read()))
    assert seen == {"end", "ConnectionResetError"}
    assert client.run_until_complete(read()) == "ConnectionRefusedError"
    server = network.process("server")
    server.run_until_complete(lines(network))
    simulation.later(1, lambda: network.fail("server"))
    assert client.run_until_complete(read()) == "TimeoutError"


def test_a_process_crashes_between_any_two_iterations_of_its_loop(network: Network) -> None:
    done: list[int] = []

    async def work() -> None:
        for number in range(100):
            done.append(number)
            await asyncio.sleep(0)

    process = network.process("server")
    process.crash_in = 30
    process.spawn(work())
    network.simulation.run(1)
    assert len(done) == 30 and not process.is_alive


def test_a_writer_waits_for_a_reader_that_is_paused(network: Network) -> None:
    server, client, simulation = network.process("server"), network.process("client"), network.simulation
    received = server.run_until_complete(lines(network))

    async def send() -> None:
        _, writer = await asyncio.open_connection("server", 1)
        for _ in range(1000):
            writer.write(b"b" * 1023 + b"\n")
            await writer.drain()
        writer.close()

    server.pause()
    simulation.later(60, server.resume)
    client.run_until_complete(send())
    assert simulation.now > 60
    simulation.run(1)
    assert len(received) == 1000


def test_a_process_that_sleeps_lets_others_run_first(network: Network) -> None:
    order: list[str] = []

    async def sleep() -> None:
        nap(0.01)
        await asyncio.sleep(0)
        order.append("slept")

    async def wait() -> None:
        await asyncio.sleep(0.005)
        order.append("waited")

    network.process("one").spawn(sleep())
    network.process("two").spawn(wait())
    network.simulation.run(1)
    assert order == ["waited", "slept"]


def test_no_real_socket_and_no_child_can_be_opened(network: Network) -> None:
    process = network.process("server")
    with pytest.raises(RuntimeError, match="no children"):
        process.run_until_complete(asyncio.create_subprocess_exec("true"))
    with pytest.raises(RuntimeError, match="no real sockets"):
        process.add_reader(0, print)
