"""The store on simulated Redis servers: alone, with sentinels, and as a cluster."""

import asyncio
from collections.abc import Awaitable, Callable
from itertools import pairwise
from typing import Any

import pytest
from redis.crc import key_slot

from fortythieves_server.store.clock import Clock
from fortythieves_server.store.store import Store
from tests.server.stores import Log
from tests.server.tables import CODE
from tests.sim.loop import Simulation
from tests.sim.network import Network
from tests.sim.redis_scripts import Scripts
from tests.sim.redis_server import Cluster, Sentinels, Server

OTHERS = [f"ROOM{k}" for k in range(20)]
SLOT = key_slot(f"{{{CODE}}}".encode())


def single(network: Network) -> Server:
    return Server(network, "redis1", Scripts())


def sentinels(network: Network) -> Sentinels:
    return Sentinels(network, ["redis1", "redis2", "redis3"], ["watch1", "watch2", "watch3"])


def cluster(network: Network) -> Cluster:
    return Cluster(network, ["redis1", "redis2", "redis3"], ["redis4", "redis5", "redis6"])


def run(
    kind: Callable[[Network], Any], play: Callable[[Any, Store, Store], Awaitable[object]], query: str = ""
) -> None:
    """Run a story with two stores."""
    with Simulation(1) as simulation:
        network = Network(simulation)
        redis = kind(network)

        async def story() -> None:
            one, two = Store(redis.url + query, "one", Clock()), Store(redis.url + query, "two", Clock())
            await one.open()
            await two.open()
            await play(redis, one, two)
            await one.close()
            await two.close()

        network.process("server1").run_until_complete(asyncio.wait_for(story(), 600))
        assert not simulation.errors


def lasts(redis: Any, one: Store, fault: Callable[[], None], seconds: float = 15) -> Awaitable[None]:
    """Moves are made during and after a fault, and none is lost."""

    async def play() -> None:
        log = await Log.create(one)
        loop = asyncio.get_running_loop()
        loop.call_later(1, fault)
        while loop.time() < end:
            await log.move()
            await asyncio.sleep(0.1)
        assert [text for _, text in await one.logs.moves(CODE, 1, 1)] == ["draw"] * log.seats[1, 1][0]
        assert log.seats[1, 1][0] > 30

    end = asyncio.get_running_loop().time() + seconds
    return play()


@pytest.mark.parametrize("planned", [True, False])
def test_a_replica_becomes_the_master(planned: bool) -> None:
    async def play(redis: Sentinels, one: Store, two: Store) -> None:
        before = redis.master
        await lasts(redis, one, redis.fail_over if planned else before.crash)
        assert redis.master is not before
        if not planned:
            before.start()
            await asyncio.sleep(5)
            assert before.node.master is None, "it answers, as long as nobody has told it"
        await asyncio.sleep(10)
        assert before.node.master is redis.master.node
        before.node.catch_up()
        assert before.node.data.values == redis.master.node.data.values

    run(sentinels, play, "?replicas=1")


def test_a_slot_moves_while_its_room_goes_on() -> None:
    async def play(redis: Cluster, one: Store, two: Store) -> None:
        source = redis.owner(f"{{{CODE}}}")
        target = next(server for server in redis.servers[:3] if server is not source)

        other = await Log.create(one, next(code for code in OTHERS if redis.owner(f"{{{code}}}") is source))
        answered: list[float] = []

        async def others() -> None:
            while True:
                await other.move()
                answered.append(asyncio.get_running_loop().time())
                await asyncio.sleep(0.1)

        elsewhere = asyncio.create_task(others())

        def fault() -> None:
            redis.begin_move(SLOT, target)
            source.node.move_keys(source.node.keys_in(SLOT)[:2], target.node)
            redis.network.simulation.later(3, lambda: redis.end_move(SLOT))
            redis.network.simulation.later(6, lambda: redis.fail_over(target))

        await lasts(redis, one, fault)
        elsewhere.cancel()
        assert max(after - before for before, after in pairwise(answered)) < 1, "another room of the node goes on"
        assert redis.owner(f"{{{CODE}}}").node not in (source.node, target.node)

    run(cluster, play)


def test_an_emptied_redis_gets_its_keys_back() -> None:
    async def play(redis: Server, one: Store, two: Store) -> None:
        key = await one.keys.signing_key()
        redis.node.execute([b"FLUSHALL"])
        assert await one.keys.signing_key() == await two.keys.signing_key() == key

    run(single, play)
