"""A real server in the test's own process, with a real Redis, on a free port.

Rooms live by the clock of Redis, which runs `HURRY` times as fast here: a countdown of three seconds takes
one. All that is said to take so long over a line or by Redis takes as long as ever.
"""

import contextlib
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest
import pytest_asyncio

from fortythieves_server.app import TIMES, Times, running
from fortythieves_server.common.limits import Limits, Rate
from fortythieves_server.common.prices import ARRIVAL, MESSAGE, MESSAGES_AT_ONCE, RESERVE, ROUTES, Price
from fortythieves_server.config import Config
from fortythieves_server.web.addresses import Network
from tests.server.redises import HURRY, in_a_hurry

#: Everybody here shares one address, and plays faster than people do.
_FAST = Rate(100_000, "s", 100_000)
GENEROUS = Limits().changed("times=10000")._replace(messages=_FAST, connections=10_000)
#: The price of a new connection and of its first messages.
CONNECTION = [ARRIVAL, ROUTES["/ws"], *[MESSAGE] * MESSAGES_AT_ONCE]


def points_for(*prices: Price, spare: int = 0) -> Rate:
    """A limit of points that these requests use up, but for some to spare."""
    return Rate(1, "hour", round((sum(price.costs["points"] for price in prices) + spare) / (1 - RESERVE)))


#: Of a server on a Redis in a hurry.
HASTY = TIMES._replace(speed=HURRY)


@contextlib.asynccontextmanager
async def serving(
    data: Path,
    port: int = 0,
    *,
    limits: Limits = GENEROUS,
    redis: str | None = None,
    ops_port: int | None = None,
    ops_token: str | None = None,
    proxies: Sequence[Network] = (),
    max_bots: int = 0,
    winnable: int = 0,
    times: Times = TIMES,
    hurry: bool = True,
) -> AsyncIterator[str]:
    """The address of a server, with a Redis that runs already or with one of its own.

    That one is in a hurry, unless a test has to start it again or needs the seconds that numbers may be revealed for:
    then it is the embedded one, as whoever starts a server in a directory has it.
    """
    async with contextlib.AsyncExitStack() as stack:
        if hurry and redis is None:
            redis = await stack.enter_async_context(in_a_hurry(data / "redis"))
            times = times._replace(speed=HURRY)
        config = Config(
            host="127.0.0.1",
            port=port,
            data=data,
            bots=max_bots > 0,
            max_bots=max_bots,
            winnable=winnable,
            limits=limits,
            redis=redis,
            ops_port=ops_port,
            ops_token=ops_token,
            proxies=tuple(proxies),
        )
        async with running(config, times=times) as addresses:
            yield addresses[0]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def address(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    """Where one server answers all tests of a file: each has rooms and guests of its own."""
    async with serving(tmp_path_factory.mktemp("data")) as address:
        yield address
