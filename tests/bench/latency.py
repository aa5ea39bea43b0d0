"""How long a player waits for an acknowledgement, against a single bare commit."""

import asyncio
import time
from collections.abc import Sequence
from typing import Any

from redis import Redis as SyncRedis
from redis.asyncio import Redis

from tests.bench import bare
from tests.bench.figures import Found, Row, Run
from tests.bench.players import BEAT, Player, at_pace, hang_up, of_all, rooms_of_four
from tests.bench.processes import program, redis

RACERS, SECONDS, ROUNDS, ENTRIES = 200, 4.0, 3, 60

COMMIT = "one bare durable commit at a time, as many a second, by redis-py's asyncio client"

ROWS = [
    Row("p50", f"acknowledgement, {RACERS} racers x 1 move/s, p50", "ms", COMMIT, "excess", 1),
    Row("p99", f"acknowledgement, {RACERS} racers x 1 move/s, p99", "ms", COMMIT, "ratio", 3),
]


async def measure(run: Run) -> dict[str, Found]:
    racers, seconds = run.many(RACERS), run.seconds(SECONDS)
    acknowledged: list[list[float]] = []
    committed: list[list[float]] = []
    async with redis() as stored, program(stored.url) as server:
        players = of_all(await rooms_of_four(server.address, racers, ENTRIES))
        with SyncRedis.from_url(stored.url) as one:
            rooms = [bare.open_room(one, f"BARE{number}") for number in range(racers // 4)]
        client = Redis.from_url(stored.url, single_connection_client=True)
        sha, logs = rooms[0][0], [seat for _, seats in rooms for seat in seats]
        for _ in run.rounds(ROUNDS):
            await at_pace(players, racers, seconds)
            acknowledged.append(milliseconds(latency for player in players for latency in player.latencies))
            for player in players:
                player.latencies.clear()
            committed.append(milliseconds(await _commits(client, sha, logs, racers, seconds)))
        await client.aclose()
        hang_up(players)
    return {
        name: Found([part(one, share) for one in acknowledged], [part(one, share) for one in committed])
        for name, share in (("p50", 0.5), ("p99", 0.99))
    }


async def _commits(client: Any, sha: str, logs: Sequence[bare.Seat], a_second: int, seconds: float) -> list[float]:
    """The time of each commit, with pauses like those between moves."""
    late: list[float] = []
    began = time.perf_counter()
    while (begun := time.perf_counter()) < began + seconds:
        log = logs[len(late) % len(logs)]
        answer: Any = await client.execute_command(*log.command(sha))
        log.take(answer)
        late.append(time.perf_counter() - begun)
        await asyncio.sleep(max(0.0, begun + 1 / a_second - time.perf_counter()) or BEAT)
    return late


def milliseconds(latencies: Any) -> list[float]:
    return sorted(latency * 1000 for latency in latencies)


def part(numbers: Sequence[float], share: float) -> float:
    return numbers[int(len(numbers) * share)]


async def p99(players: list[Player], moves_a_second: float, seconds: float) -> float:
    """The 99th percentile of acknowledgements at this rate, ms."""
    await at_pace(players, moves_a_second, seconds)
    latencies = milliseconds(latency for player in players for latency in player.latencies)
    for player in players:
        player.latencies.clear()
    return part(latencies, 0.99)
