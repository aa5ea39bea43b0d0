"""The deal of the day: five hundred begin at the same moment, and ten thousand have finished."""

import asyncio
import contextlib
import time

from msgspec.structs import replace
from redis.asyncio import Redis

from fortythieves.rules.ranking import Result
from fortythieves.solver.day import DAY, DayProof, day_of
from fortythieves.times import Ms
from fortythieves_server.core import decide_challenge, events
from fortythieves_server.rooms.sweeper import CHECK_AT_LEAST
from fortythieves_server.store.schema import DUE, of_room
from tests.bench.figures import Found, Row, Run
from tests.bench.latency import RACERS, milliseconds, p99, part
from tests.bench.players import CommandClient, Player, hang_up, of_all, rooms_of_four
from tests.bench.processes import Program, program, redis

CROWD, TRIES, GUESTS = 500, 10_000, 300
SECONDS, ROUNDS, ENTRIES = 5.0, 3, 120

ROWS = [
    Row("begin", f"{CROWD} guests at the page of a day begin at the same moment: all have their try", "s", bar=2),
    Row(
        "p99",
        f"acknowledgement, {RACERS} racers elsewhere meanwhile, p99",
        "ms",
        "the same racers, while the guests begin on another server here",
        "ratio",
        1.5,
    ),
    Row("load", f"a day with {TRIES:,} finished tries is loaded for its first guest", "s", bar=0.5),
    Row("place", "a guest who has finished comes to such a day: their place, p99", "ms", bar=50),
    Row("kept", "Redis per row of such a day, while its room is kept", "bytes", bar=300),
    Row("over", "Redis per row of such a day, once its room is deleted", "bytes", bar=120),
]


async def measure(run: Run) -> dict[str, Found]:
    return {**await _opening(run), **await _finished(run)}


async def _store(client: Redis, code: str, opens_at: Ms, closes_at: Ms, log: list[events.Event]) -> None:
    """Store the log of a day, as if by a process that died."""
    now = Ms(int(time.time() * 1000))
    created = decide_challenge.opened_day(DayProof(day_of(now), "00" * 32, 0, 1))
    assert created.challenge is not None
    created = replace(created, code=code, challenge=replace(created.challenge, opens_at=opens_at, closes_at=closes_at))
    entries = [b"%d x %s" % (min(now, closes_at), events.encode(event)) for event in (created, *log)]
    await client.hset(of_room(code, "meta"), mapping={"epoch": "before", "last": int(min(now, closes_at))})
    await client.rpush(of_room(code, "log"), *entries)
    await client.zadd(DUE, {code: int(now + CHECK_AT_LEAST if closes_at > now else now)})


async def _opening(run: Run) -> dict[str, Found]:
    count, racers, seconds = run.many(CROWD), run.many(RACERS), run.seconds(SECONDS)
    took: list[float] = []
    beside: list[float] = []
    alone: list[float] = []
    async with contextlib.AsyncExitStack() as stack:
        stored, elsewhere = [await stack.enter_async_context(redis()) for _ in range(2)]
        server, other = [await stack.enter_async_context(program(one.url)) for one in (stored, elsewhere)]
        players = of_all(await rooms_of_four(server.address, racers, ENTRIES))
        for n in run.rounds(ROUNDS):
            for where, at, found in ((elsewhere.url, other, alone), (stored.url, server, beside)):
                began, late = await _all_begin(where, at, f"DDDDD{'BCDFG'[n]}", count, players, seconds)
                found.append(late)
                if at is server:
                    took.append(began)
        hang_up(players)
    return {"begin": Found(took), "p99": Found(beside, alone)}


async def _all_begin(
    url: str, server: Program, code: str, count: int, players: list[Player], seconds: float
) -> tuple[float, float]:
    """Guests begin together. Returns the seconds until all have their try, and the racers' p99 in ms."""
    async with Redis.from_url(url) as client:
        now = Ms(int(time.time() * 1000))
        await _store(client, code, now, Ms(int(now + DAY)), [])
    crowd = await asyncio.gather(*(CommandClient.of(server.address, code=code) for _ in range(count)))
    await asyncio.gather(*(guest.ask("watch", 1, code, "Ann") for guest in crowd))

    async def begin() -> float:
        await asyncio.sleep(seconds / 4)
        began = time.perf_counter()
        await asyncio.gather(*(guest.ask("try", 2, f"Guest {n}", until="own_try") for n, guest in enumerate(crowd)))
        return time.perf_counter() - began

    took, late = await asyncio.gather(begin(), p99(players, len(players), seconds))
    for guest in crowd:
        guest.websocket.close()
    return took, late


async def _finished(run: Run) -> dict[str, Found]:
    count, code = run.many(TRIES), "DDDDDH"
    async with redis() as stored, program(stored.url) as server, Redis.from_url(stored.url) as client:
        guests = [await CommandClient.of(server.address) for _ in range(run.many(GUESTS))]
        names = [guest.token.split(".")[0] for guest in guests]
        log: list[events.Event] = []
        for n in range(count):
            name = names[n] if n < len(names) else f"guest-{n:010}"
            log += [
                events.TryStarted(name, f"Guest {n}", n % 40, f"C{n:05}", f"{n:016x}"),
                events.TryFinished(n + 2, Result("stuck", Ms(300_000 + n), n % 104, 150, Ms(200_000 + n))),
            ]
        now = Ms(int(time.time() * 1000))
        held = await _used(client)
        await _store(client, code, now, Ms(int(now + DAY)), log)
        kept = (await _used(client) - held) / count
        load, *late = [await _place(server, guest.token, code) for guest in guests]
        for guest in guests:
            guest.websocket.close()
        await client.delete(of_room(code, "meta"), of_room(code, "log"))
        held = await _used(client)
        await _store(client, "DDDDDJ", Ms(int(now - 3 * DAY)), Ms(int(now - 2 * DAY)), [*log, events.ChallengeClosed()])
        async with asyncio.timeout(30):
            while await client.exists(of_room("DDDDDJ", "log")):  # noqa: ASYNC110 - another process deletes it
                await asyncio.sleep(0.2)
        over = max(0.0, await _used(client) - held) / count
    return {
        "load": Found([load]),
        "place": Found([part(milliseconds(late), 0.99)]),
        "kept": Found([kept]),
        "over": Found([over]),
    }


async def _place(server: Program, token: str, code: str) -> float:
    """The seconds until a guest has the place."""
    client = await CommandClient.of(server.address, token, code=code)
    began = time.perf_counter()
    found = await client.ask("watch", 1, code, "Ann", until="own_try")
    took = time.perf_counter() - began
    assert found[3], "it has a place"
    client.websocket.close()
    return took


async def _used(client: Redis) -> int:
    return int((await client.info("memory"))["used_memory"])
