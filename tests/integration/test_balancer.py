"""Two servers behind the load balancer of docker-compose.yml: players do not notice a failed server."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress

import pytest
import pytest_asyncio
from aiohttp import ClientSession, TCPConnector, WSServerHandshakeError, encode_basic_auth
from websockets.asyncio.client import connect

from fortythieves_client.client import Client
from tests.integration.balancer import IN_FRONT, OPS_TOKEN, Composed, composed
from tests.server.stores import SECONDS, until_it_is

pytestmark = pytest.mark.asyncio(loop_scope="module")

#: Cards that each player draws before a server is killed, after, and once more.
DRAWS = 3
#: Seconds until the balancer has noticed two failed health checks.
NOTICED = 4.5


#: Connections that an address may have open at each server: few, which shows how clients are identified.
CONNECTIONS = 4
#: A client at an address that no server trusts.
STRANGER = "127.0.0.3"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def world(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Composed]:
    """Shared by all tests; the last test stops one server."""
    async with composed(tmp_path_factory.mktemp("composed"), f"connections={CONNECTIONS}") as running:
        yield running


async def test_a_page_from_the_balancer_may_connect(world: Composed) -> None:
    async with connect(world.address.replace("http", "ws") + "/ws", origin=world.address):  # type: ignore[arg-type]
        pass


async def let_in(address: str, source: str, said: Callable[[int], str], tries: int = 12) -> int:
    """How many connections with forged or forwarded addresses are accepted."""
    async with AsyncExitStack() as stack:
        connector = TCPConnector(local_addr=(source, 0))
        session = await stack.enter_async_context(ClientSession(address, connector=connector))
        count = 0
        for k in range(tries):
            with suppress(WSServerHandshakeError):
                await stack.enter_async_context(session.ws_connect("/ws", headers={"X-Forwarded-For": said(k)}))
                count += 1
        return count


async def test_the_balancer_replaces_a_forged_client_address(world: Composed) -> None:
    both = CONNECTIONS * len(world.servers)
    assert await let_in(world.address, STRANGER, lambda k: f"198.51.100.{k}") == both
    assert await let_in(world.address, STRANGER, lambda k: f"198.51.100.{k}, {IN_FRONT}") == both


async def test_the_balancer_believes_a_trusted_proxy_about_the_last_address(world: Composed) -> None:
    assert await let_in(world.address, IN_FRONT, lambda k: f"198.51.100.{k}") == 12
    both = CONNECTIONS * len(world.servers)
    assert await let_in(world.address, IN_FRONT, lambda k: f"198.51.100.{k}, 203.0.113.9") == both
    assert await let_in(world.address, IN_FRONT, lambda k: f"[2001:db8:{k}::7]:{k + 1}") == 12, "with a port"


async def test_each_request_of_a_shared_proxy_connection_has_its_own_client_address(world: Composed) -> None:
    both = CONNECTIONS * len(world.servers)
    async with AsyncExitStack() as stack:
        for k in range(both):
            connector = TCPConnector(local_addr=(IN_FRONT, 0), limit=1)
            session = await stack.enter_async_context(ClientSession(world.address, connector=connector))
            async with session.get("/api/address", headers={"X-Forwarded-For": "203.0.113.9"}) as answer:
                await answer.read()
            headers = {"X-Forwarded-For": f"198.51.100.{k}"}
            await stack.enter_async_context(session.ws_connect("/ws", headers=headers))
        assert await let_in(world.address, IN_FRONT, lambda k: "203.0.113.9") == both


async def test_a_server_does_not_believe_a_forged_address_without_the_balancer(world: Composed) -> None:
    server = f"http://127.0.0.1:{world.servers[0].port}"
    assert await let_in(server, STRANGER, lambda k: f"198.51.100.{k}") == CONNECTIONS
    assert await let_in(server, STRANGER, lambda k: f"198.51.100.{k}, 127.0.0.1") == CONNECTIONS


async def test_only_operators_see_both_servers_through_the_balancer(world: Composed) -> None:
    async with ClientSession(world.ops) as session:

        async def both() -> bool:
            async with session.get("/ops", headers={"Authorization": encode_basic_auth("", OPS_TOKEN)}) as answer:
                return "Processes: 2" in await answer.text()

        await until_it_is(both)
        for path, status in (("/ops", 401), ("/metrics", 404), ("/", 404)):
            async with session.get(path) as answer:
                assert answer.status == status


async def test_one_server_serves_all_people_of_a_room(world: Composed) -> None:
    async def nobody_is_left() -> bool:
        return [await server.connections() for server in world.servers] == [0, 0]

    await until_it_is(nobody_is_left)
    async with AsyncExitStack() as stack:
        codes = [f"BCDFG{letter}" for letter in "BCDFGHJKLMNP"]  # any will do, even of rooms that do not exist
        split = 0
        connector = TCPConnector(local_addr=(IN_FRONT, 0), limit=0)
        session = await stack.enter_async_context(ClientSession(world.address, connector=connector))
        for k, code in enumerate(codes):
            before = [await server.connections() for server in world.servers]
            for n in range(4):
                headers = {"X-Forwarded-For": f"198.51.{k}.{n}"}
                await stack.enter_async_context(session.ws_connect(f"/ws?room={code}", headers=headers))
            after = [await server.connections() for server in world.servers]
            split += sorted(there - then for there, then in zip(after, before, strict=True)) != [0, 4]
        both = [await server.connections() for server in world.servers]
        assert all(both), "each has some of them"
        # A server with 1.5 times the average load gets no more, so a few rooms may be split.
        assert split <= len(codes) // 3


async def test_a_race_goes_on_when_one_server_is_killed_and_the_other_replaced(world: Composed) -> None:
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


async def test_while_redis_is_down_the_page_loads_players_connect_and_operators_are_warned(world: Composed) -> None:
    loop = asyncio.get_running_loop()
    noticed = loop.time() + NOTICED
    os.kill(world.redis.pid, signal.SIGSTOP)
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
        os.kill(world.redis.pid, signal.SIGCONT)


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
