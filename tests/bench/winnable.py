"""The pool of winnable deals: what the search for them does to moves, and how long it takes to fill the pool.

    python -m tests.bench.winnable [--winnable 64] [--seconds 3600] [--game lucas ...]

starts with an empty pool, and prints after how many seconds each game has ten deals, enough for a race, and all. It
stops after so many seconds.
"""

import argparse
import asyncio
import os
import signal
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import psutil

from fortythieves.rules.games import GAMES
from fortythieves_server.process.machine_lock import MachineLock
from fortythieves_server.process.winnable_filler import COMMAND, Filler
from fortythieves_server.store.clock import Clock
from fortythieves_server.store.store import Store
from fortythieves_server.store.winnable_pool import NEEDED
from tests.bench.figures import Found, Row
from tests.bench.latency import p99
from tests.bench.players import hang_up, of_all, rooms_of_four
from tests.bench.processes import program, redis
from tests.bench.run import Run

RACERS, SECONDS, ROUNDS, ENTRIES = 200, 4.0, 7, 90
#: More deals than the search finds meanwhile.
NEVER_FULL = 9_999
#: Seconds of play before it is measured, until the search has heard of it, and between two looks at the pool.
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
    async with redis() as stored, program(stored.url, profile=run.profile, winnable=NEVER_FULL) as server:
        players = of_all(await rooms_of_four(server.address, racers, ENTRIES))
        search = await _search_of(server.pids[0])
        await p99(players, racers, run.seconds(WARM))
        before = sum(search.cpu_times()[:2])
        for number in run.rounds(ROUNDS):
            # Each of them is the first one in every second round.
            for found in (beside, alone) if number % 2 else (alone, beside):
                search.send_signal(signal.SIGCONT if found is beside else signal.SIGSTOP)
                found.append(await p99(players, racers, seconds))
        search.send_signal(signal.SIGCONT)
        share = (sum(search.cpu_times()[:2]) - before) / (seconds * len(beside))
        hang_up(players)
    return {"p99": Found(beside, alone, f"the search took {share:.0%} of a core")}


async def _search_of(server: int) -> psutil.Process:
    """The process that searches for a server, once it is there."""
    while True:
        for child in psutil.Process(server).children():
            if COMMAND[-1] in child.cmdline():
                return child
        await asyncio.sleep(0.01)


async def fill(games: Sequence[str], most: int, seconds: float) -> None:
    """Fill an empty pool and print when each game had how many deals."""
    marks = (10, NEEDED, most // 3 * 3)
    reached: dict[tuple[str, int], float] = {}
    async with redis() as stored:
        store = Store(stored.url, "bench", Clock())
        await store.open()
        with tempfile.TemporaryDirectory() as folder:
            filler = Filler(store.pool, most, MachineLock("bench", Path(folder)), lambda: 0, games)
            began = time.monotonic()
            filler.open()
            while len(reached) < len(marks) * len(games) and time.monotonic() < began + seconds:
                await asyncio.sleep(LOOK)
                counts = await store.pool.counts_now()
                for game in games:
                    for mark in marks:
                        if sum(counts[game]) >= mark:
                            reached.setdefault((game, mark), time.monotonic() - began)
            took = time.monotonic() - began
            await filler.close()
        counts = await store.pool.counts_now()
        await store.close()
    print(f"{'game':15}" + "".join(f"{f'{mark} deals':>12}" for mark in marks) + "   ready with 1, 2, 3 stars")
    for game in games:
        times = (f"{reached[game, mark]:.0f} s" if (game, mark) in reached else "-" for mark in marks)
        print(f"{game:15}" + "".join(f"{text:>12}" for text in times) + "   " + ", ".join(map(str, counts[game])))
    counters = store.pool.counters
    print(f"{counters.tried} deals tried, {counters.added} added in {took:.0f} s; load {os.getloadavg()[0]:.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--winnable", type=int, default=64, help="deals of each game (64)")
    parser.add_argument("--seconds", type=float, default=3600, help="stop after this time (3600)")
    parser.add_argument("--game", nargs="+", choices=list(GAMES), default=list(GAMES), help="which games (all)")
    options = parser.parse_args()
    asyncio.run(fill(options.game, options.winnable, options.seconds))


if __name__ == "__main__":
    main()
