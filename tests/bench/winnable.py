"""The acknowledgement of moves while the server searches for winnable deals."""

import asyncio
import signal

import psutil

from fortythieves_server.process.winnable_filler import COMMAND
from tests.bench.figures import Found, Row, Run
from tests.bench.latency import p99
from tests.bench.players import hang_up, of_all, rooms_of_four
from tests.bench.processes import program, redis

RACERS, SECONDS, ROUNDS, ENTRIES = 200, 4.0, 7, 90
#: More deals than the search can find.
NEVER_FULL = 9_999
#: Seconds of play before the first round, until the search has slowed down.
WARM, LOOK = 4.0, 0.5

ROWS = [
    Row(
        "p99",
        f"acknowledgement, {RACERS} racers x 1 move/s beside the search for winnable deals, p99",
        "ms",
        "the same while that search is paused",
        "ratio",
        1.1,
    )
]


async def measure(run: Run) -> dict[str, Found]:
    racers, seconds = run.many(RACERS), run.seconds(SECONDS)
    beside: list[float] = []
    alone: list[float] = []
    async with redis() as stored, program(stored.url, winnable=NEVER_FULL) as server:
        players = of_all(await rooms_of_four(server.address, racers, ENTRIES))
        search = await _search_of(server.pids[0])
        await p99(players, racers, run.seconds(WARM))
        for number in run.rounds(ROUNDS):
            # Alternate the order.
            for found in (beside, alone) if number % 2 else (alone, beside):
                search.send_signal(signal.SIGCONT if found is beside else signal.SIGSTOP)
                found.append(await p99(players, racers, seconds))
        search.send_signal(signal.SIGCONT)
        hang_up(players)
    return {"p99": Found(beside, alone)}


async def _search_of(server: int) -> psutil.Process:
    """The process that searches deals for this server."""
    while True:
        for child in psutil.Process(server).children():
            if COMMAND[-1] in child.cmdline():
                return child
        await asyncio.sleep(0.01)
