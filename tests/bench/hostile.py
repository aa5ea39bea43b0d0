"""How long racers wait for acknowledgements during an attack, against an attack on another server.

Both servers, the attackers and the racers share one machine. The attackers use CPU in both cases.
"""

import asyncio
import contextlib
from collections.abc import Awaitable

from aiohttp import ClientSession

from tests.bench.figures import Found, Row, Run
from tests.bench.latency import RACERS, p99
from tests.bench.players import CommandClient, Room, hang_up, of_all, rooms_of_four
from tests.bench.processes import program, redis
from tests.faults.hostile import ALL, attacked

SECONDS, ROUNDS, ENTRIES = 5.0, 3, 100
#: The numbers of addresses of the attackers.
ADDRESSES = (1, 100)
#: Seconds until an attack has its full strength.
BEGIN = 4.0

#: Racers share one address and are faster than people. An attacker has the default limits.
LIMITS = "rooms=1000/s+1000"

WHO = f"{sum(count for count, _ in ALL.values()):,} hostile clients of all kinds"

ROWS = [
    *(
        Row(
            f"p99_{addresses}",
            f"acknowledgement, {RACERS} racers beside {WHO}, {addresses} address{'es' * (addresses > 1)}, p99",
            "ms",
            "the same racers, while they attack another server here",
            "ratio",
            1.5,
        )
        for addresses in ADDRESSES
    ),
    *(
        Row(f"memory_{addresses}", f"memory that the server grows by meanwhile, {addresses} of them", "MB", bar=100)
        for addresses in ADDRESSES
    ),
    *(
        Row(f"honest_{addresses}", f"honest requests that are not answered, {addresses} of them", "%", bar=0)
        for addresses in ADDRESSES
    ),
]


class Honest:
    """An honest client that connects and sends requests repeatedly."""

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
    for addresses in ADDRESSES:
        found |= await _beside(run, addresses)
    return found


async def _beside(run: Run, addresses: int) -> dict[str, Found]:
    racers, seconds = run.many(RACERS), run.seconds(SECONDS)
    alone: list[float] = []
    beside: list[float] = []
    missed: list[float] = []
    grown: list[float] = []
    async with (
        redis() as stored,
        redis() as elsewhere,
        program(stored.url, limits=LIMITS) as server,
        program(elsewhere.url, limits=LIMITS) as other,
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
            before = server.memory()
            for target, codes in targets.items():
                url = target.replace("http", "ws", 1) + "/ws"
                honest = Honest(server.address, rooms[0].code, over)
                async with attacked(url, codes, seconds + BEGIN + 1, addresses) as ended:
                    await asyncio.sleep(BEGIN)
                    asking = asyncio.create_task(honest.run())
                    (beside if target == server.address else alone).append(await p99(players, racers, seconds))
                    asking.cancel()
                    await ended()
            grown.append((server.memory() - before) / 1e6)
            missed.append(100 * (1 - honest.answered / max(1, honest.asked - 1)) if honest.asked > 1 else 100.0)
        hang_up(players)
    return {
        f"p99_{addresses}": Found(beside, alone),
        f"memory_{addresses}": Found(grown),
        f"honest_{addresses}": Found([max(0.0, one) for one in missed]),
    }


async def _race_that_is_over(address: str) -> str:
    """A finished race of one player. Returns the code of its room."""
    client = await CommandClient.of(address)
    settings = {"seats": 1, "countdown": 3, "watching": "link"}
    code: str = (await client.create(settings))[4]["code"]
    await client.ask("ready", 2, "", until="board")
    await client.ask("leave", 3)
    client.websocket.close()
    return code
