"""How long racers wait for acknowledgements during an attack, against an attack on another server.

Both servers, the attackers and the racers share one machine. The attackers use CPU in both cases.
"""

import asyncio
import contextlib
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable
from pathlib import Path
from typing import NamedTuple

from aiohttp import ClientSession
from redis.asyncio import Redis

from fortythieves_server.common.limits import Limits
from fortythieves_server.store.memory_limit import OPEN_UP_TO
from tests.bench.figures import Found, Row, Run
from tests.bench.latency import RACERS, p99
from tests.bench.players import CommandClient, Room, hang_up, of_all, rooms_of_four
from tests.bench.processes import Program, program, redis
from tests.bench.stepping import Steps
from tests.faults.hostile import ALL, attacked

SECONDS, ROUNDS, ENTRIES = 5.0, 3, 100
#: Seconds of an attack in which Redis grows.
GROWTH = 40.0
#: The key of what else is in a Redis that is nearly full.
BALLAST = "ballast"
#: Seconds until the server knows how much memory Redis has left.
MEASURED = 2.0

#: Racers share one address and are faster than people. An attacker has the default limits.
LIMITS = "rooms=1000/s+1000"

WHO = f"{sum(count for count, _ in ALL.values()):,} hostile clients of all kinds"


class Attack(NamedTuple):
    who: str
    crowd: str
    addresses: int = 5
    #: Seconds until it has its full strength.
    begin: float = 4.0
    #: Whether Redis is nearly full from then on.
    short: bool = False


ALL_KINDS = {
    "1": Attack(f"{WHO}, 1 address", "all", 1),
    "100": Attack(f"{WHO}, 100 addresses", "all", 100),
}
#: Attacks within all limits.
WITHIN = {
    "draws": Attack("5 addresses that draw large rounds", "draws", begin=15),
    "bytes": Attack("5 addresses that fill Redis", "bytes"),
    "short": Attack("5 addresses that fill Redis, nearly full", "bytes", short=True),
    "texts": Attack("5 addresses with texts that take much work", "texts"),
}

ROWS = [
    *(
        Row(
            f"p99_{key}",
            f"acknowledgement, {RACERS} racers beside {attack.who}, p99",
            "ms",
            "the same racers, while they attack another server here",
            "ratio",
            1.5,
        )
        for key, attack in (ALL_KINDS | WITHIN).items()
    ),
    *(
        Row(f"memory_{key}", f"memory that the server grows by meanwhile, {attack.who}", "MB", bar=100)
        for key, attack in ALL_KINDS.items()
    ),
    *(
        Row(f"honest_{key}", f"honest requests that are not answered, {attack.who}", "%", bar=0)
        for key, attack in ALL_KINDS.items()
    ),
    *(
        Row(f"step_{key}", f"longest step of the event loop, {attack.who}", "ms", bar=30)
        for key, attack in WITHIN.items()
    ),
    *(
        Row(f"growth_{key}", f"growth of Redis by each address an hour after its burst, {attack.who}", "MB", bar=50)
        for key, attack in WITHIN.items()
    ),
]


class Honest:
    def __init__(self, address: str, code: str, over: str) -> None:
        self._address = address
        self._code = code
        self._over = over
        self.asked = self.answered = 0

    async def run(self) -> None:
        while True:
            for path in ("/healthz", "/", "/api/rooms", f"/api/races/{self._over}/1"):
                await self._count(self._get(path))
            await self._count(self._watch())
            await asyncio.sleep(0.1)

    async def _count(self, asked: Awaitable[None]) -> None:
        self.asked += 1
        with contextlib.suppress(Exception):  # Any failure means: not answered.
            async with asyncio.timeout(30):
                await asked
            self.answered += 1

    async def _get(self, path: str) -> None:
        async with ClientSession() as session, session.get(self._address + path) as answer:
            await answer.read()
            answer.raise_for_status()

    async def _watch(self) -> None:
        client = await CommandClient.of(self._address)
        try:
            await client.ask("watch", 1, self._code, "Ann")
        finally:
            client.websocket.close()


async def measure(run: Run) -> dict[str, Found]:
    found: dict[str, Found] = {}
    for key, attack in (ALL_KINDS | WITHIN).items():
        found |= await _beside(run, key, attack)
    for key, attack in WITHIN.items():
        found[f"growth_{key}"] = Found([await _growth(run, attack)])
    return found


async def _growth(run: Run, attack: Attack) -> float:
    """MB of Redis that each address takes an hour. It has nearly no burst here, and the normal rate."""
    limits = f"kept={Limits().kept._replace(burst=100_000)}"
    async with redis() as stored, program(stored.url, limits=limits) as server, Redis.from_url(stored.url) as client:
        seconds = run.seconds(GROWTH) + MEASURED
        async with attacked(_url(server.address), "", seconds + attack.begin, attack.crowd, attack.addresses) as ended:
            await asyncio.sleep(attack.begin)
            if attack.short:
                await _fill(client)
            await asyncio.sleep(MEASURED)
            before, began = await _used(client), time.monotonic()
            await asyncio.sleep(run.seconds(GROWTH))
            grown, took = await _used(client) - before, time.monotonic() - began
            await ended()
    return grown / took * 3600 / attack.addresses / 1e6


async def _used(client: Redis) -> int:
    return int((await client.info("memory"))["used_memory"])


async def _fill(client: Redis) -> None:
    """Let Redis be as full as it is when only running races go on. Its limit is like that of a small server."""
    await client.setrange(BALLAST, 100_000_000, "x")
    await client.config_set("maxmemory", int(await _used(client) / (OPEN_UP_TO + 0.05)))


def _url(address: str) -> str:
    return address.replace("http", "ws", 1) + "/ws"


async def _beside(run: Run, key: str, attack: Attack) -> dict[str, Found]:
    racers, seconds = run.many(RACERS), run.seconds(SECONDS)
    alone: list[float] = []
    beside: list[float] = []
    missed: list[float] = []
    grown: list[float] = []
    longest: list[float] = []
    async with (
        redis() as stored,
        redis() as elsewhere,
        _stepping(stored.url) as (server, steps),
        program(elsewhere.url, limits=LIMITS) as other,
        Redis.from_url(stored.url) as client,
    ):
        over = await _race_that_is_over(server.address)
        rooms: list[Room] = await rooms_of_four(server.address, racers, ENTRIES)
        players = of_all(rooms)
        there = (await rooms_of_four(other.address, 4, 10))[0].code
        targets = {
            other.address: f"{there},{await _race_that_is_over(other.address)}",
            server.address: f"{rooms[0].code},{over}",
        }
        for _ in run.rounds(ROUNDS):
            before, steps.longest = server.memory(), 0.0
            for target, codes in targets.items():
                honest = Honest(server.address, rooms[0].code, over)
                strong = attack.begin + MEASURED * attack.short
                async with attacked(_url(target), codes, seconds + strong + 1, attack.crowd, attack.addresses) as ended:
                    await asyncio.sleep(attack.begin)
                    if attack.short:
                        await _fill(client)
                        await asyncio.sleep(MEASURED)
                    asking = asyncio.create_task(honest.run())
                    (beside if target == server.address else alone).append(await p99(players, racers, seconds))
                    asking.cancel()
                    await ended()
                await client.config_set("maxmemory", 0)
                await client.delete(BALLAST)
            longest.append(steps.longest * 1000)
            grown.append((server.memory() - before) / 1e6)
            missed.append(100 * (1 - honest.answered / max(1, honest.asked - 1)) if honest.asked > 1 else 100.0)
        hang_up(players)
    return {
        f"p99_{key}": Found(beside, alone),
        f"memory_{key}": Found(grown),
        f"honest_{key}": Found([max(0.0, one) for one in missed]),
        f"step_{key}": Found(longest),
    }


@contextlib.asynccontextmanager
async def _stepping(url: str) -> AsyncIterator[tuple[Program, Steps]]:
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, "steps")
        steps = Steps(path)
        async with program(url, limits=LIMITS, started=("tests.bench.stepping", str(path))) as server:
            yield server, steps


async def _race_that_is_over(address: str) -> str:
    """A finished race of one player. Returns the code of its room."""
    client = await CommandClient.of(address)
    settings = {"seats": 1, "countdown": 3, "watching": "link"}
    code: str = (await client.create(settings))[4]["code"]
    await client.ask("ready", 2, "", until="board")
    await client.ask("leave", 3)
    client.websocket.close()
    return code
