"""A process loses Redis while another one has it, and all lose it. Clients move only if that helps."""

import asyncio
import contextlib
from functools import partial
from ipaddress import ip_network
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from aiohttp import ClientSession

from fortythieves_client import client
from fortythieves_server.process.embedded_redis import EmbeddedRedis
from tests.faults.proxy import Ends, Proxy, proxy
from tests.serving import serving

#: Seconds between two questions whether another process can save.
ASKED = 0.3


class Player(client.Client):
    lost = 0

    def disconnected(self) -> None:
        self.lost += 1

    async def told(self, *codes: str) -> None:
        await self.until(lambda: [notice.code for notice in self.notices][-len(codes) :] == [*codes])


async def balanced(servers: list[str]) -> Ends:
    """A connection to the first server that is ready, or else to the first one."""
    async with ClientSession() as session:
        for server in [*servers, ""]:
            if server:
                async with session.get(f"{server}/readyz") as answer:
                    if answer.status != 200:
                        continue
            address = urlsplit(server or servers[0])
            return await asyncio.open_connection(address.hostname, address.port)
    raise AssertionError


async def test_clients_of_a_process_without_redis_move_to_one_that_has_it_if_there_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "ELSEWHERE", (ASKED, ASKED))
    async with contextlib.AsyncExitStack() as stack:
        redis = await stack.enter_async_context(EmbeddedRedis(tmp_path / "redis"))
        reach = partial(asyncio.open_unix_connection, redis.url.removeprefix("unix://"))
        ways: list[Proxy] = []
        servers: list[str] = []
        for _ in range(2):
            ways.append(await stack.enter_async_context(proxy(reach)))
            url, proxies = f"redis://127.0.0.1:{ways[-1].port}/0", (ip_network("127.0.0.1"),)
            servers.append(await stack.enter_async_context(serving(tmp_path, redis=url, proxies=proxies)))
        front = await stack.enter_async_context(proxy(partial(balanced, servers)))
        ann = await stack.enter_async_context(Player(front.address))
        await ann.create("Ann", countdown=3, auto_start=False)
        await ann.start()
        await ann.until(lambda: ann.race)
        ways[0].cut()
        await ann.play("draw")
        assert ann.lost == 1 and [notice.code for notice in ann.notices] == ["store-down"]
        ways[1].cut()
        await ann.told("store-down", "store-down")
        await asyncio.sleep(10 * ASKED)
        assert ann.lost == 1
        for way in ways:
            way.mend()
        await ann.play("draw")
        assert ann.race and len(ann.race.log) == 2
