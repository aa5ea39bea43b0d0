"""Bots that race without end in public rooms: ``python -m fortythieves_client.load.show``, for `serve --demo`.

It reads the address of the server from its standard input, and ends when that closes. It writes its counts to its
standard output, as a JSON object in each line.
"""

import asyncio
import io
import json
import sys

from fortythieves.errors import Refused
from fortythieves_client.load.results import Results
from fortythieves_client.load.run import Load, run_load

#: The seconds of each race in the rooms, which differ, so that there is always one.
SECONDS = (90, 120, 150)
#: Seconds between two lines.
TOLD = 0.5


async def _for_ever(load: Load, results: Results) -> None:
    while True:
        try:
            await run_load(load, io.StringIO(), results)
        except* (OSError, Refused):
            await asyncio.sleep(1)  # a server may be restarting


async def _tell(results: Results) -> None:
    while True:
        lost = results.lost + results.doubled + results.wrong.total()
        counts = {"acknowledged": results.acknowledged, "lost": lost, "checked": results.races_ended}
        returns = {"reconnects": results.reconnects, "slowest": max(results.back_to_play_ms[-20:], default=0)}
        print(json.dumps(counts | returns), flush=True)
        results.latency_ms.clear()  # it would grow without end
        await asyncio.sleep(TOLD)


async def _run() -> None:
    lines = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    results, url = Results(), (await lines.readline()).decode().strip()
    loads = [
        Load(url, 1, 4, rounds=30, rate=2, seconds=seconds, seed=k, show=True) for k, seconds in enumerate(SECONDS, 1)
    ]
    tasks = [asyncio.create_task(one) for one in (*(_for_ever(load, results) for load in loads), _tell(results))]
    await asyncio.wait([*tasks, asyncio.create_task(lines.read())], return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


if __name__ == "__main__":
    asyncio.run(_run())
