"""Two servers behind the load balancer that docker-compose.yml starts: players do not notice when one of them goes."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import pytest_asyncio
from aiohttp import ClientSession, encode_basic_auth
from websockets.asyncio.client import connect

from fortythieves_client.connection import Client
from tests.integration.balancer import OPS_TOKEN, Composed, composed
from tests.server.stores import SECONDS, until_it_is

pytestmark = pytest.mark.asyncio(loop_scope="module")

#: Cards that each player draws before a server is killed, after, and once more.
DRAWS = 3
#: Seconds in which the balancer has noticed that no server is ready: it asks twice, and each says so within a second.
NOTICED = 4.5


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def world(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Composed]:
    """One for all tests: the last one has one server less."""
    async with composed(tmp_path_factory.mktemp("composed")) as running:
        yield running


async def test_a_page_that_came_by_the_balancer_is_of_the_same_site(world: Composed) -> None:
    async with connect(world.address.replace("http", "ws") + "/ws", origin=world.address):  # type: ignore[arg-type]
        pass


async def test_operators_see_both_servers_by_way_of_the_balancer_and_nobody_else_does(world: Composed) -> None:
    async with ClientSession(world.ops) as session:

        async def both() -> bool:
            async with session.get("/ops", headers={"Authorization": encode_basic_auth("", OPS_TOKEN)}) as answer:
                return "2 processes" in await answer.text()

        await until_it_is(both)
        for path, status in (("/ops", 401), ("/metrics", 404), ("/", 404)):
            async with session.get(path) as answer:
                assert answer.status == status


async def test_two_players_on_different_servers_race_on_when_one_is_killed_and_the_other_renewed(
    world: Composed,
) -> None:
    one, two = world.servers
    async with apart(world) as (ann, bob):
        room = await ann.create("Ann", countdown=3, auto_start=False)
        await bob.join("Bob", room.code)
        await ann.start()
        await asyncio.gather(draw(ann), draw(bob))
        await one.end(signal.SIGKILL)
        await asyncio.gather(draw(ann), draw(bob))
        assert await two.connections() == 2
        await one.start()
        await one.serves()
        await two.end()
        await asyncio.gather(draw(ann), draw(bob))
        assert await one.connections() == 2
        assert ann.race and bob.race
        assert len(ann.race.log) == len(bob.race.log) == 3 * DRAWS
        await ann.until(lambda: (bobs := ann.progress.get(2)) and bobs.moves == 3 * DRAWS)


async def test_whoever_comes_while_redis_is_away_gets_the_page_and_is_let_in_and_operators_are_told(
    world: Composed,
) -> None:
    loop = asyncio.get_running_loop()
    noticed = loop.time() + NOTICED
    world.redis.signal(signal.SIGSTOP)
    try:
        async with ClientSession(world.address) as session:
            while loop.time() < noticed:
                async with session.get("/") as answer:
                    assert answer.status == 200
                await asyncio.sleep(0.2)
            async with Client(world.address), session.get("/readyz") as answer:
                assert answer.status == 503
        async with ClientSession(world.ops, headers={"Authorization": encode_basic_auth("", OPS_TOKEN)}) as session:

            async def is_said() -> bool:
                async with session.get("/ops") as answer:
                    return "Redis is away (!)" in await answer.text()

            await until_it_is(is_said)
    finally:
        world.redis.signal(signal.SIGCONT)


@asynccontextmanager
async def apart(world: Composed) -> AsyncIterator[tuple[Client, Client]]:
    """Two clients on different servers; where one of those is not ready for a moment, the second one has to wait."""
    async with asyncio.timeout(3 * SECONDS), Client(world.address) as one:
        while True:
            async with Client(world.address) as other:
                if [await server.connections() for server in world.servers] == [1, 1]:
                    yield one, other
                    return


async def draw(client: Client) -> None:
    await client.until(lambda: client.race)
    for _ in range(DRAWS):
        await client.play("draw")
