"""How long those wait who race beside others who mean no good, against the same people without them."""

import asyncio

from tests.bench.figures import Found, Row
from tests.bench.latency import RACERS, milliseconds, part
from tests.bench.players import Player, Room, at_pace, hang_up, of_all, rooms_of_four
from tests.bench.processes import program, redis
from tests.bench.run import Run
from tests.faults.hostile import CROWD, attacked

SECONDS, ROUNDS, ENTRIES = 5.0, 3, 60

#: For those who race, who all have one address; the others, at another one, have no more than that.
LIMITS = "connections=400 rooms=1000/s+1000 arrivals=1000/s+5000 upgrades=1000/s+5000"

ROWS = [
    Row(
        "p99",
        f"acknowledgement, {RACERS} racers beside {sum(count for count, _ in CROWD.values())} hostile clients, p99",
        "ms",
        "the same racers without them",
        "ratio",
        2,
    ),
]


async def measure(run: Run) -> dict[str, Found]:
    racers, seconds = run.many(RACERS), run.seconds(SECONDS)
    alone: list[float] = []
    beside: list[float] = []
    fates = ""
    async with redis() as stored, program(stored.url, profile=run.profile, limits=LIMITS) as server:
        rooms: list[Room] = await rooms_of_four(server.address, racers, ENTRIES)
        players = of_all(rooms)
        url = server.address.replace("http", "ws", 1) + "/ws"
        for _ in run.rounds(ROUNDS):
            alone.append(await _p99(players, racers, seconds))
            async with attacked(url, rooms[0].code, seconds + 3) as became:
                await asyncio.sleep(2)  # Until they are all there.
                beside.append(await _p99(players, racers, seconds))
                fates = ", ".join(f"{count} {fate}" for fate, count in sorted((await became()).items()))
        hang_up(players)
    return {"p99": Found(beside, alone, f"what became of them: {fates}")}


async def _p99(players: list[Player], moves_a_second: float, seconds: float) -> float:
    await at_pace(players, moves_a_second, seconds)
    latencies = milliseconds(latency for player in players for latency in player.latencies)
    for player in players:
        player.latencies.clear()
    return part(latencies, 0.99)
