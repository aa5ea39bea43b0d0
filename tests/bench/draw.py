"""How long other rooms wait for their commits while a Swiss of a thousand is drawn.

    python -m tests.bench.draw [entrants] [rounds]

Hosts of other rooms lock and unlock them all the time. Prints how long that took before the draws and during them, from
the host's request until everybody has been told the pairs, and the ratio. A ratio of up to 2 is good.
"""

import asyncio
import contextlib
import json
import sys
import time
from statistics import median

import msgpack

from fortythieves.errors import Refused
from fortythieves_client.client import Client
from tests.bench.players import CommandClient
from tests.bench.processes import many_files, program, redis
from tests.bench.websocket import framed

#: A room has a thousand seats, and the host has one of them.
ENTRANTS, ROUNDS = 999, 3
#: Other rooms, and the seconds for which they are measured alone.
OTHERS, ALONE = 10, 5.0
#: Connections that are opened at the same time.
AT_ONCE = 40


class Entrant(CommandClient):
    """Somebody who is in, and reads nothing after that."""

    def __init__(self) -> None:
        super().__init__()
        self.is_in = False

    def hear(self, payload: bytes) -> None:
        if not self.is_in:
            super().hear(payload)


async def _enter(address: str, code: str, n: int, door: asyncio.Semaphore) -> Entrant:
    async with door:
        client = await Entrant.of(address)
        assert isinstance(client, Entrant)
        await client.say("join", 1, code, f"Guest {n}")
        client.is_in = True
        return client


async def _lock(address: str, found: list[tuple[float, float]]) -> None:
    """Lock and unlock a room. ``found``: when each commit was asked for, and the seconds until it was acknowledged."""
    host = await CommandClient.of(address)
    assert host.websocket is not None
    host.websocket.send(framed(msgpack.packb(["create", 1, "Ann", {}])))
    await host.until("ok")
    n = 1
    while True:
        n += 1
        began = time.perf_counter()
        await host.say("lock", n, n % 2 == 0)
        found.append((began, time.perf_counter() - began))
        await asyncio.sleep(0.005)


async def hold(entrants: int, rounds: int) -> dict[str, object]:
    """Hold it, and return what came of it."""
    async with contextlib.AsyncExitStack() as stack:
        stored = await stack.enter_async_context(redis())
        server = await stack.enter_async_context(program(stored.url))
        host = await stack.enter_async_context(Client(server.address))
        plan = {"format": "swiss", "rounds": rounds, "by_timer": False, "no_show": 3600}
        room = await host.create("Host", plan=plan, seats=1000, countdown=3)
        door = asyncio.Semaphore(AT_ONCE)
        people = await asyncio.gather(*(_enter(server.address, room.code, n, door) for n in range(entrants)))
        found: list[tuple[float, float]] = []
        locking = [asyncio.create_task(_lock(server.address, found)) for _ in range(OTHERS)]
        draws: list[tuple[float, float]] = []
        await asyncio.sleep(ALONE)
        alone_until = time.perf_counter()
        for _ in range(rounds):
            began = time.perf_counter()
            await host.round("start")
            await host.until(lambda: _phase(host) == "drawn")
            draws.append((began, time.perf_counter()))
            await host.until(lambda: _phase(host) == "racing")
            await _end(host)
            await host.until(lambda: _phase(host) in {"pause", "over"})
            await asyncio.sleep(1)
        for task in locking:
            task.cancel()
        for client in people:
            assert client.websocket is not None
            client.websocket.close()
    alone = [took * 1000 for at, took in found if at < alone_until]
    during = [took * 1000 for at, took in found if any(begin <= at <= end for begin, end in draws)]
    return {
        "entrants": entrants,
        "draws_s": [round(end - begin, 2) for begin, end in draws],
        "alone_ms": _figures(alone),
        "during_draws_ms": _figures(during),
        "ratio": round(median(during) / median(alone), 2),
    }


async def _end(host: Client) -> None:
    """End the round, as soon as its race is on."""
    while True:
        try:
            return await host.round("end")
        except Refused:
            await asyncio.sleep(0.1)


def _phase(host: Client) -> str:
    assert host.room is not None
    return str((host.room.tournament or {})["phase"])


def _figures(values: list[float]) -> dict[str, float]:
    ordered = sorted(values)
    shown = {f"p{p}": round(ordered[min(len(ordered) - 1, len(ordered) * p // 100)], 1) for p in (50, 95, 99)}
    return {"count": len(ordered), **shown}


if __name__ == "__main__":
    many_files()
    asked = [int(word) for word in sys.argv[1:]]
    print(json.dumps(asyncio.run(hold(*(asked + [ENTRANTS, ROUNDS][len(asked) :]))), indent=2))
