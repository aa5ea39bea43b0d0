"""A real server in the process of the test, with a real Redis, on a free port.

Rooms use the clock of Redis, which runs `HURRY` times as fast here: a countdown of three seconds takes one. Timeouts of
connections take their normal time.
"""

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from fortythieves_server.app import TIMES, Times, running
from fortythieves_server.common.limits import Limits, Rate
from fortythieves_server.common.prices import ARRIVAL, MESSAGE, MESSAGES_AT_ONCE, RESERVE, ROUTES, Price
from fortythieves_server.config import Config
from tests.server.redises import HURRY, in_a_hurry

#: All clients share one address, and play faster than people.
_FAST = Rate(100_000, "s", 100_000)
GENEROUS = Limits().changed("times=10000")._replace(messages=_FAST, connections=10_000)
#: The price of a new connection and of its first messages.
CONNECTION = [ARRIVAL, ROUTES["/ws"], *[MESSAGE] * MESSAGES_AT_ONCE]


def points_for(*prices: Price, spare: int = 0) -> Rate:
    """A limit of points that these requests use up, with some to spare."""
    return Rate(1, "hour", round((sum(price.costs["points"] for price in prices) + spare) / (1 - RESERVE)))


#: The times of a server on a fast Redis.
HASTY = TIMES._replace(speed=HURRY)


@contextlib.asynccontextmanager
async def serving(
    data: Path,
    port: int = 0,
    *,
    host: str = "127.0.0.1",
    limits: Limits = GENEROUS,
    redis: str | None = None,
    max_bots: int = 0,
    winnable: int = 0,
    times: Times = TIMES,
    hurry: bool = True,
    **more: Any,
) -> AsyncIterator[str]:
    """Start a server on this Redis or on its own one. Returns its address. ``more``: other settings.

    Its own Redis has a fast clock, unless a test restarts it or needs the normal time: then it is the embedded one.
    """
    async with contextlib.AsyncExitStack() as stack:
        if hurry and redis is None:
            redis = await stack.enter_async_context(in_a_hurry(data / "redis"))
            times = times._replace(speed=HURRY)
        config = Config(
            host=host,
            port=port,
            data=data,
            bots=max_bots > 0,
            max_bots=max_bots,
            winnable=winnable,
            limits=limits,
            redis=redis,
            **more,
        )
        async with running(config, times=times) as addresses:
            yield addresses[0]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def address(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    async with serving(tmp_path_factory.mktemp("data")) as address:
        yield address
