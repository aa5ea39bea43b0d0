"""Hold an arena of a thousand scripted entrants on a real server, and measure how long they wait for their races.

    python -m tests.bench.arena [entrants] [minutes] [workers]

Everybody comes in, races a few moves, gives up, and comes back to the arena, again and again, as the page does it: with
a new connection each way. Prints how many seconds it took from being free to being matched, by the times in the log
of the arena and as the entrants saw it, and what the server used.
"""

import asyncio
import contextlib
import json
import random
import sys
import time
from collections import Counter
from contextlib import AsyncExitStack
from typing import Any, NamedTuple

from redis.asyncio import Redis

from fortythieves.errors import Refused
from fortythieves.times import Ms
from fortythieves_client.client import Client
from fortythieves_client.reconnecting import Closed
from fortythieves_server.core import events
from fortythieves_server.store.schema import event_of, of_room
from tests.bench.processes import many_files, program, redis

#: A room has a thousand seats, and the host has one of them.
ENTRANTS, MINUTES, WORKERS = 999, 5, 1
#: Connections that are opened at the same time.
AT_ONCE = 40
#: Seconds between two moves, and how many moves a race takes.
PACE, MOVES = (1.0, 3.0), (5, 25)
#: The winner of a race needs five seconds before giving up, so nobody is done before.
LEAST = 6.0


class Entrant:
    """Somebody who races in the arena until it is over."""

    def __init__(self, url: str, code: str, n: int, door: asyncio.Semaphore, waits: list[float]) -> None:
        self._url, self._code, self._name, self._door = url, code, f"Bot {n}", door
        self._waits = waits
        self._token: str | None = None
        self._dice = random.Random(n)
        self.races = 0
        self.failures: Counter[str] = Counter()
        self._raced: set[str] = set()

    async def come(self, code: str) -> Client:
        """A new connection to a room."""
        async with self._door:
            client = Client(self._url, token=self._token)
            await client.__aenter__()
            await client.join(self._name, code)
        self._token = client.token
        return client

    async def take_part(self) -> None:
        """Race until the arena is over."""
        while True:
            try:
                if not await self._once():
                    return
            except (Refused, Closed, OSError, TimeoutError) as error:
                self.failures[repr(error)[:80]] += 1
                await asyncio.sleep(1)

    async def _once(self) -> bool:
        """Wait in the arena, and race. Returns whether it goes on."""
        client = await self.come(self._code)
        try:
            room = client.room
            assert room is not None
            free = [time.monotonic()]
            opened = bool(_arena(client).get("opened_at"))

            def called() -> str | None:
                held = room.tournament or {}
                if str(room.seat) in _arena(client).get("racing", {}) and self._is_raced(client):
                    free[0] = time.monotonic()  # the race of the others is still on
                number = _arena(client).get("racing", {}).get(str(room.seat))
                heat = _arena(client)["under_way"].get(str(number)) if number else None
                if heat is not None and str(heat[0]) not in self._raced:
                    return str(heat[0])
                return "over" if held["phase"] == "over" else None

            code = await client.until(called)
            if code == "over":
                return False
            if opened:
                self._waits.append(time.monotonic() - free[0])
        finally:
            await client.close()
        await self._race(code)
        return True

    def _is_raced(self, client: Client) -> bool:
        assert client.room is not None
        number = _arena(client)["racing"][str(client.room.seat)]
        return str(_arena(client)["under_way"][str(number)][0]) in self._raced

    async def _race(self, code: str) -> None:
        self._raced.add(code)
        client = await self.come(code)
        try:
            with contextlib.suppress(Refused):  # the countdown has begun
                await client.ready()
            await client.until(lambda: client.race)
            assert client.room is not None and client.race is not None
            until = time.monotonic() + LEAST
            for _ in range(self._dice.randint(*MOVES)):
                await client.play("draw")
                await asyncio.sleep(self._dice.uniform(*PACE))
            await asyncio.sleep(max(0.0, until - time.monotonic()))
            self.races += 1
            with contextlib.suppress(Refused):
                await client.leave()
        finally:
            await client.close()


def _arena(client: Client) -> dict[str, Any]:
    assert client.room is not None
    return dict((client.room.tournament or {}).get("arena") or {})


class Waits(NamedTuple):
    """The seconds from being free to being matched, by the log of the arena."""

    #: Of those who were in the next races that began, and of those who were left over once or more.
    at_once: list[float]
    left_over: list[float]
    #: The longest ones: the seconds, the seat, and how often it was left over.
    longest: list[tuple[float, int, int]]


def waits_of(log: list[bytes]) -> Waits:
    free: dict[int, Ms] = {}
    #: Who waits, and how often each was left over.
    here: dict[int, int] = {}
    heats: dict[int, tuple[int, ...]] = {}
    racing: set[int] = set()
    found: list[tuple[float, int, int]] = []
    opened = Ms(0)
    for at, event in map(event_of, log):
        match event:
            case events.ArenaOpened():
                opened = at
            case events.Joined(seat) | events.Here(seat):
                free[seat] = at
                here[seat] = 0
            case events.Away(seat) | events.Left(seat) | events.Withdrawn(seat):
                here.pop(seat, None)
            case events.Matched(races):
                for race in races:
                    heats[race.number] = race.seats
                    racing.update(race.seats)
                    for seat in race.seats:
                        waited = int(at - max(free.get(seat, at), opened)) / 1000
                        found.append((waited, seat, here.pop(seat, 0)))
                here |= {seat: times + 1 for seat, times in here.items() if seat not in racing}
            case events.HeatEnded(number):
                racing.difference_update(heats[number])
                free |= dict.fromkeys(heats[number], at)
    at_once, left_over = ([one[0] for one in found if bool(one[2]) == is_left] for is_left in (False, True))
    return Waits(at_once, left_over, sorted(found, reverse=True)[:5])


async def hold(entrants: int, minutes: int, workers: int) -> dict[str, Any]:
    """Hold it, and return what came of it."""
    async with AsyncExitStack() as stack:
        stored = await stack.enter_async_context(redis())
        server = await stack.enter_async_context(program(stored.url, workers=workers))
        host = await stack.enter_async_context(Client(server.address))
        plan = {"format": "arena", "points": [2, 0], "minutes": max(5, minutes)}
        room = await host.create("Host", plan=plan, time_limit=120, countdown=3, seats=1000)
        door, waits = asyncio.Semaphore(AT_ONCE), list[float]()
        people = [Entrant(server.address, room.code, n, door, waits) for n in range(1, entrants + 1)]
        playing = [asyncio.create_task(person.take_part()) for person in people]
        await host.until(lambda: len((room.tournament or {}).get("entrants") or {}) >= entrants)
        spent, began = server.cpu(), time.monotonic()
        await host.round("start")
        await asyncio.sleep(60 * minutes)
        await host.round("end")
        took = time.monotonic() - began
        used = server.cpu() - spent
        async with asyncio.timeout(600):
            await asyncio.gather(*playing)
        client = Redis.from_url(stored.url)
        log: list[bytes] = await client.lrange(of_room(room.code, "log"), 0, -1)  # type: ignore[assignment]  # bytes, unless told otherwise
        await client.aclose()
        by_log = waits_of(log)
        matched = sum(len(event.races) for _, event in map(event_of, log) if isinstance(event, events.Matched))
        return {
            "entrants": entrants,
            "workers": workers,
            "races": matched,
            "races_per_second": round(matched / took, 2),
            "failures": sum((person.failures for person in people), Counter()),
            "free_to_matched_by_log": _figures([*by_log.at_once, *by_log.left_over]),
            "of_these_at_once": _figures(by_log.at_once),
            "of_these_left_over": _figures(by_log.left_over),
            "longest": by_log.longest,
            "free_to_matched_as_seen": _figures(waits),
            "server_cores": round(used / took, 2),
            "log_entries": len(log),
            "log_bytes": sum(map(len, log)),
        }


def _figures(seconds: list[float]) -> dict[str, float]:
    if not seconds:
        return {}
    ordered = sorted(seconds)
    return {
        "count": len(ordered),
        **{f"p{p}": round(ordered[min(len(ordered) - 1, len(ordered) * p // 100)], 2) for p in (50, 95, 99)},
        "max": round(ordered[-1], 2),
    }


if __name__ == "__main__":
    many_files()
    asked = [int(word) for word in sys.argv[1:]]
    print(json.dumps(asyncio.run(hold(*(asked + [ENTRANTS, MINUTES, WORKERS][len(asked) :]))), indent=2))
