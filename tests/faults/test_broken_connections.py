"""Broken and slow connections between clients, server and Redis lose and double no acknowledged move."""

import asyncio
import contextlib
import io
from collections.abc import Callable
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from fortythieves_client.load import Load, Results, run_load
from fortythieves_server.process.embedded_redis import EmbeddedRedis
from tests.faults.proxy import Faults, Proxy, proxy
from tests.server.stores import until
from tests.serving import serving

#: The least seconds of play. Giving up is possible after five.
PLAYED = 5


async def rough_weather(everybody: list[Results], enough: Callable[[], bool], *proxies: Proxy) -> None:
    """Switch the faults on while all bots play, and off before they give up."""
    await until(lambda: all(results.acknowledged > 20 for results in everybody))
    for one in proxies:
        one.on = True
    await until(enough)
    for one in proxies:
        one.on = False


@pytest.mark.long
async def test_connections_that_break_lose_and_double_nothing(tmp_path: Path) -> None:
    to_server = Faults(cut=0.01, delay=0.05, deaf=0.003, twice=0.02)
    to_redis = Faults(cut=0.004, delay=0.02, deaf=0.001)
    async with contextlib.AsyncExitStack() as stack:
        redis = await stack.enter_async_context(EmbeddedRedis(tmp_path / "redis"))
        socket = redis.url.removeprefix("unix://")
        behind = await stack.enter_async_context(
            proxy(partial(asyncio.open_unix_connection, socket), to_redis, "redis 1")
        )
        fronts = []
        for number in range(2):
            # Two processes on one Redis, each with a bad connection to it and to its players.
            address = urlsplit(
                await stack.enter_async_context(serving(tmp_path, redis=f"redis://127.0.0.1:{behind.port}/0"))
            )
            reach = partial(asyncio.open_connection, address.hostname, address.port)
            fronts.append(await stack.enter_async_context(proxy(reach, to_server, f"front {number}")))
        everybody = [Results(), Results()]

        def enough() -> bool:
            every_kind = {"cut", "delay", "deaf", "twice"} <= set(to_server.happened)
            every_kind &= {"cut", "delay", "deaf"} <= set(to_redis.happened)
            return every_kind and all(results.reconnects > 15 and results.acknowledged > 250 for results in everybody)

        weather = asyncio.create_task(rough_weather(everybody, enough, behind, *fronts))
        loads = [
            Load(f"http://127.0.0.1:{front.port}", rooms=4, players=4, watchers=1, rate=3, seconds=PLAYED)
            for front in fronts
        ]
        await asyncio.gather(
            *(
                run_load(load, io.StringIO(), results, weather.done)
                for load, results in zip(loads, everybody, strict=True)
            )
        )
        await weather
        for results in everybody:
            assert (results.lost, results.doubled, results.gone) == (0, 0, {})
            assert results.races_ended == 4
