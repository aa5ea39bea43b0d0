"""A real server in the test's own process, with a real Redis, on a free port."""

import contextlib
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from fortythieves_server.app import TIMES, Times, running
from fortythieves_server.common.limits import Limits, Rate
from fortythieves_server.config import Config
from fortythieves_server.web.addresses import Network

#: Everybody here shares one address, and plays faster than people do.
_FAST = Rate(100_000, "s", 100_000)
GENEROUS = Limits().changed("times=10000")._replace(messages=_FAST, chat=_FAST, connections=10_000)


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
    times: Times = TIMES,
) -> AsyncIterator[str]:
    """The address of a server that keeps its rooms in a directory, or in a Redis that runs already."""
    config = Config(
        host="127.0.0.1",
        port=port,
        data=data,
        bots=max_bots > 0,
        max_bots=max_bots,
        limits=limits,
        redis=redis,
        ops_port=ops_port,
        ops_token=ops_token,
        proxies=tuple(proxies),
    )
    async with running(config, times=times) as addresses:
        yield addresses[0]
