"""Moves at a person's pace: few moves share a wake-up, a commit and a write.

Each is measured a second time on cores that are kept awake, because an idle core of a virtual machine
halts and is slow when it wakes.
"""

import contextlib
import multiprocessing
import os
import time
from collections.abc import Callable, Iterator, Sequence

from tests.bench import bare
from tests.bench.figures import Found, Row, Run
from tests.bench.moves import echoing
from tests.bench.players import Player, at_pace, hang_up, of_all, rooms_of_four
from tests.bench.processes import child, program, redis

RACERS, SECONDS, ROUNDS = 1_000, 5.0, 5
#: Moves of each racer: one a second in all rounds, and some to warm up.
ENTRIES = 60
#: Each move is sent when it is due, because people do not move at the same moment.
BEAT = 0.001
#: Seconds of play before the first round.
WARM = 2.0

ECHO = "a bare aiohttp + uvloop + msgpack echo at the same pace, CPU per message"

ROWS = [
    Row("pace", f"server CPU per move, {RACERS} racers in rooms of 4 x 1 move/s", "us", ECHO, "ratio", 3),
    Row("pace_awake", "the same, cores kept awake", "us", ECHO, "ratio", 3),
]


async def measure(run: Run) -> dict[str, Found]:
    racers, seconds = run.many(RACERS), run.seconds(SECONDS)
    costs: list[float] = []
    echoes: list[float] = []
    costs_awake: list[float] = []
    echoes_awake: list[float] = []
    async with redis() as stored, program(stored.url) as server, child(bare.echo) as (echo, echo_address):
        players = of_all(await rooms_of_four(server.address, racers, ENTRIES))
        echoes_of = [await echoing(echo_address, n, ENTRIES) for n in range(racers)]
        await at_pace(players, racers, run.seconds(WARM))
        for player in players:
            player.latencies.clear()
        for _ in run.rounds(ROUNDS):
            echoes.append(await cost_at_pace(echoes_of, racers, seconds, echo.cpu))
            costs.append(await cost_at_pace(players, racers, seconds, server.cpu))
        with awake():
            for _ in run.rounds(ROUNDS):
                echoes_awake.append(await cost_at_pace(echoes_of, racers, seconds, echo.cpu))
                costs_awake.append(await cost_at_pace(players, racers, seconds, server.cpu))
        hang_up([*players, *echoes_of])
    return {"pace": Found(costs, echoes), "pace_awake": Found(costs_awake, echoes_awake)}


@contextlib.contextmanager
def awake() -> Iterator[None]:
    """Keep each core busy with work of the lowest priority."""
    spinners = [
        multiprocessing.get_context("spawn").Process(target=_spin, daemon=True) for _ in range(os.cpu_count() or 1)
    ]
    for spinner in spinners:
        spinner.start()
    try:
        yield
    finally:
        for spinner in spinners:
            spinner.kill()
            spinner.join()


def _spin() -> None:
    if hasattr(os, "SCHED_IDLE"):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    else:
        os.nice(19)
    while True:
        pass


async def cost_at_pace(players: Sequence[Player], a_second: float, seconds: float, spent: Callable[[], float]) -> float:
    """The CPU of each message at this rate, in us."""
    made, before, began = sum(player.sent for player in players), spent(), time.perf_counter()
    await at_pace(players, a_second, seconds, BEAT)
    took = time.perf_counter() - began
    sent = sum(player.sent for player in players) - made
    assert sent > a_second * seconds * 0.9, f"only {sent} of {a_second * took:.0f} messages were sent"
    return (spent() - before) / sent * 1e6
