"""Hold a tournament of hundreds in one room, on one process that is killed in the second round and started again.

    python -m tests.bench.tournament [entrants]

Who plays are the bots of ``forty-thieves load``. Prints its figures: how far apart the cards arrived, how long after
the last result of a round each had the standings, and whether anything that was acknowledged is lost.
"""

import asyncio
import io
import json
import sys
from contextlib import AsyncExitStack
from urllib.parse import urlsplit

from fortythieves_client.load import Figures, Load, run_load
from tests.bench.processes import many_files, program, redis
from tests.server.stores import until

ENTRANTS, ROUNDS = 500, 3
#: Moves that are made in the second round before the process is killed.
MOVES = 200


async def hold(entrants: int) -> None:
    """Hold it, and print what came of it."""
    figures = Figures()
    async with AsyncExitStack() as stack:
        stored = await stack.enter_async_context(redis())
        first = await stack.enter_async_context(program(stored.url))
        load = Load(first.address, rooms=1, players=entrants, rounds=ROUNDS, rate=0.3, seconds=20)
        playing = asyncio.create_task(run_load(load, io.StringIO(), figures))
        await until(lambda: figures.ended == 1 or playing.done(), seconds=300)
        before = figures.acknowledged
        await until(lambda: figures.acknowledged > before + MOVES or playing.done(), seconds=300)
        spent = first.cpu()
        await first.kill()
        port = urlsplit(first.address).port
        second = await stack.enter_async_context(program(stored.url, port=port or 0))
        found = await playing
        spent += second.cpu()
    print(json.dumps({**found, "server_cpu_seconds": round(spent, 1)}, indent=2))


if __name__ == "__main__":
    many_files()
    asyncio.run(hold(int(sys.argv[1]) if len(sys.argv) > 1 else ENTRANTS))
