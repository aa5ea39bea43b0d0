"""A fast server as a process: `python -m tests.e2e.in_a_hurry DATA LIMIT...`."""

import asyncio
import signal
import sys
from functools import reduce
from pathlib import Path

from fortythieves_server.common.limits import Limits
from tests.serving import serving


async def serve(data: str, *limits: str) -> None:
    async with serving(Path(data), limits=reduce(Limits.changed, limits, Limits()), max_bots=16) as address:
        stop = asyncio.Event()
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
        print(address, flush=True)
        await stop.wait()


if __name__ == "__main__":
    asyncio.run(serve(*sys.argv[1:]))
