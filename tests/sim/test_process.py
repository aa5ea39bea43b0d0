"""A whole server process in the simulation: its real parts, real clients, and the model of Redis."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

import aiohttp
import pytest

from fortythieves_client.client import Client
from fortythieves_server.common.errors import StartError
from fortythieves_server.config import Config
from tests.sim.loop import Simulation
from tests.sim.network import Network
from tests.sim.process import PORT, ServerProcess
from tests.sim.redis_scripts import Scripts
from tests.sim.redis_server import Server

PLAYERS = 3


class World:
    """A Redis, two server processes, and players."""

    def __init__(self, simulation: Simulation) -> None:
        self.simulation = simulation
        self.network = Network(simulation)
        self.redis = Server(self.network, "redis", Scripts())
        config = Config(redis=self.redis.url, bots=False, winnable=0, port=PORT)
        self.processes = [ServerProcess(self.network, f"server{i}", config, number=i) for i in range(2)]
        for process in self.processes:
            process.start()
        self.moves = 0
        self.code = ""
        assert simulation.run(20, until=lambda: all(process.service for process in self.processes))

    async def play(self, number: int, moves: int, random: Random) -> None:
        """Play a race with the others, at either process."""
        async with Client(f"http://server{number % 2}:{PORT}") as client:
            if number == 0:
                self.code = (await client.create("Ann")).code
            else:
                await client.join(f"Bob {number}", self.code)
            await client.until(lambda: len(client.room.people) == PLAYERS if client.room else None)
            await client.ready()
            race = await client.until(lambda: client.race)
            for _ in range(moves):
                await client.play(random.choice(list(race.board.legal_moves)))
                self.moves += 1
                await asyncio.sleep(random.random())
            await client.give_up()

    def race(self, moves: int) -> None:
        """Let a race be played to its end."""
        tasks = []
        for n in range(PLAYERS):
            work = self.play(n, moves, self.simulation.random_for(n))
            tasks.append(self.network.process(f"client{n}").spawn(work))
            self.simulation.run(10, until=lambda: self.code)
        assert self.simulation.run(300, until=lambda: all(task.done() for task in tasks))
        for task in tasks:
            task.result()
        assert not self.simulation.errors


@contextmanager
def begun(seed: int) -> Iterator[World]:
    with Simulation(seed) as simulation:
        yield World(simulation)


@pytest.fixture
def world() -> Iterator[World]:
    with begun(7) as world:
        yield world


def timeline(seed: int) -> str:
    with begun(seed) as world:
        world.race(moves=20)
        return f"{world.moves} {world.simulation.now} {world.simulation.digest.hexdigest()}"


def test_a_race_on_two_processes_is_the_same_whatever_the_hashes_of_texts_are() -> None:
    command = [sys.executable, "-c", "from tests.sim.test_process import timeline; print(timeline(1))"]
    other = subprocess.run(command, env=os.environ | {"PYTHONHASHSEED": "1"}, check=True, capture_output=True)
    assert other.stdout.decode().strip() == timeline(1) != timeline(2)


def test_clients_play_on_when_their_process_crashes_at_any_await_and_when_it_is_replaced(world: World) -> None:
    one, two = world.processes
    assert one.loop is not None
    one.loop.crash_in = 200
    world.simulation.later(20, one.start)
    world.simulation.later(40, two.stop)
    world.simulation.later(45, two.start)
    world.race(moves=50)
    assert world.moves == 3 * 50
    assert two.ended == [None] and two.left_over == []


def test_a_process_answers_http_requests(world: World) -> None:
    async def ask() -> list[int]:
        async with aiohttp.ClientSession(connector=aiohttp.UnixConnector(f"server0:{PORT}")) as http:
            return [(await http.get(f"http://server0{path}")).status for path in ("/readyz", "/api/rooms", "/none")]

    assert world.network.process("browser").run_until_complete(ask()) == [200, 200, 404]


def test_a_process_says_that_it_cannot_start_whenever_redis_falls_silent(world: World) -> None:
    one = world.processes[0]
    assert world.redis.loop is not None
    for seconds in (0, 0.02, 0.03, 0.04):
        one.crash()
        one.start()
        world.simulation.run(seconds)
        world.redis.loop.pause()
        world.simulation.run(20)
        world.redis.loop.resume()
        assert world.simulation.run(20, until=lambda: one.service)
    assert {type(error) for error in one.ended} == {StartError}
    assert not world.simulation.errors
