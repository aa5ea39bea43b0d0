"""How long 500 entrants need to enter a tournament with a password, and how much racers are delayed.

The server has just started, so it remembers no password. Other clients try wrong passwords all the time.
"""

import asyncio
import contextlib
import itertools
import time
from collections.abc import AsyncIterator

from tests.bench.figures import Found, Row, Run
from tests.bench.latency import p99
from tests.bench.players import CommandClient, hang_up, of_all, rooms_of_four
from tests.bench.processes import LIMITS, program, redis

ENTRANTS, STRANGERS, RACERS, SECONDS, ROUNDS, ENTRIES = 500, 20, 100, 8.0, 2, 60
PASSWORD = "open sesame"
OPEN = f"the same racers beside {ENTRANTS} entrants of an open tournament"
#: Each client has its own address.
PROXIES = ("--proxies", "127.0.0.1")

ROWS = [
    Row("all", f"{ENTRANTS} entrants with a password, beside {STRANGERS} who try wrong ones", "s", bar=10),
    Row("p99", f"acknowledgement, {RACERS} racers beside them, p99", "ms", OPEN, "ratio", 2),
]


async def measure(run: Run) -> dict[str, Found]:
    racers, seconds = run.many(RACERS), run.seconds(SECONDS)
    took: list[float] = []
    beside: list[float] = []
    beside_open: list[float] = []
    limits = f"{LIMITS} guesses=100000/s+100000"
    async with redis() as stored:
        async with program(stored.url, *PROXIES, limits=limits) as before:
            plans = [{"entry": entry} for entry in ("open", "password")]
            codes = [[await _tournament(before.address, plan) for plan in plans] for _ in run.rounds(ROUNDS)]
        async with program(stored.url, *PROXIES, limits=limits) as server:
            players = of_all(await rooms_of_four(server.address, racers, ENTRIES))
            for code_open, code in codes:
                async with _clients(server.address, run.many(ENTRANTS)) as clients, asyncio.TaskGroup() as group:
                    group.create_task(_enter(clients, code_open, seconds))
                    beside_open.append(await p99(players, racers, seconds))
                async with _clients(server.address, run.many(ENTRANTS)) as clients, asyncio.TaskGroup() as group:
                    trying = [group.create_task(_try(server.address, code, n)) for n in range(STRANGERS)]
                    entering = group.create_task(_enter(clients, code, seconds))
                    beside.append(await p99(players, racers, seconds))
                    took.append(await entering)
                    for task in trying:
                        task.cancel()
            hang_up(players)
    return {"all": Found(took), "p99": Found(beside, beside_open)}


@contextlib.asynccontextmanager
async def _clients(address: str, count: int) -> AsyncIterator[list[CommandClient]]:
    clients = [await CommandClient.of(address, via=f"192.0.2.{1 + n % 200}") for n in range(count)]
    yield clients
    for client in clients:
        client.websocket.close()


async def _tournament(address: str, plan: dict[str, str]) -> str:
    """Create a tournament and return its code."""
    host = await CommandClient.of(address)
    code: str = (await host.create({}, False, plan, PASSWORD))[4]["code"]
    host.websocket.close()
    return code


async def _enter(clients: list[CommandClient], code: str, seconds: float) -> float:
    """All clients enter, evenly over these seconds. Returns the time until the last one is in."""
    began = time.perf_counter()

    async def one(n: int, client: CommandClient) -> None:
        await asyncio.sleep(n * seconds / len(clients))
        await client.ask("join", 1, code, f"Guest {n}", None, False, PASSWORD)

    await asyncio.gather(*(one(n, client) for n, client in enumerate(clients)))
    return time.perf_counter() - began


async def _try(address: str, code: str, number: int) -> None:
    """Try one wrong password after the other."""
    client = await CommandClient.of(address, via=f"203.0.113.{number + 1}")
    try:
        for n in itertools.count():
            client.send("join", n, code, "Eve", None, False, f"{number} {n}")
            await client.received.get()
    finally:
        client.websocket.close()
