"""The memory of a racer, and of a finished race."""

import asyncio

from redis.asyncio import Redis

from fortythieves.rules.games import GAMES
from tests.bench import bare, games
from tests.bench.figures import Found, Row, Run
from tests.bench.players import hang_up, of_all, room, rooms_of_four, to_the_end
from tests.bench.processes import Program, child, memory, program, redis
from tests.bench.websocket import connect

RACERS, MOVES = 1_000, 50
RACES = 60
#: Rounds of finished races before the first measurement, until freed memory is reused, and between the measurements.
WARM, LOTS = 5, 4
#: Seconds until the server forgets an empty room; normally half a minute.
LINGER = 1.0

CONNECTION = "a bare aiohttp WebSocket connection"

ROWS = [
    Row("racer", f"memory per connected racer with a board, {MOVES} moves made", "KB", CONNECTION, "ratio", 2),
    Row("process", "memory per finished race in the process", "KB", bar=0),
    Row("redis", "memory per finished race in Redis, two racers who win", "KB", bar=20),
]


async def measure(run: Run) -> dict[str, Found]:
    racer, race = await asyncio.gather(_of_racers(run), _of_races(run))
    return {"racer": racer, **race}


async def _of_racers(run: Run) -> Found:
    count = run.many(RACERS)
    async with redis() as stored, program(stored.url) as server, child(bare.echo) as (echo, address):
        # Allocate memory that is needed only once.
        hang_up(of_all(await rooms_of_four(server.address, 36, MOVES)))
        empty = server.memory()
        players = of_all(await rooms_of_four(server.address, count, MOVES))
        await to_the_end(players)
        racer = (server.memory() - empty) / count / 1024
        hang_up(players)
        (await connect(address, lambda payload: None)).close()
        empty = memory(echo.pid)
        websockets = [await connect(address, lambda payload: None) for _ in range(count)]
        connection = (memory(echo.pid) - empty) / count / 1024
        for websocket in websockets:
            websocket.close()
    return Found([racer], [connection])


async def _of_races(run: Run) -> dict[str, Found]:
    races = run.many(RACES, 9)
    started = ("tests.bench.forgetful", str(LINGER))
    async with redis() as stored, program(stored.url, started=started) as server:
        for _ in range(WARM):
            await _over(server, races)
        async with Redis.from_url(stored.url) as client:
            process, held = server.memory(), (await client.info("memory"))["used_memory"]
            for _ in range(LOTS):
                await _over(server, races)
            process, held = server.memory() - process, (await client.info("memory"))["used_memory"] - held
    return {
        "process": Found([max(0, round(process / LOTS / races / 1024))]),
        "redis": Found([held / LOTS / races / 1024]),
    }


async def _over(server: Program, races: int) -> None:
    """Win these races and leave. The process then forgets their rooms."""
    keys = [list(GAMES)[n % len(GAMES)] for n in range(races)]
    rooms = await asyncio.gather(
        *(
            room(server.address, key, 2, [games.frames(games.WINS[key]["moves"])], games.WINS[key]["number"])
            for key in keys
        )
    )
    await to_the_end(of_all(rooms))
    hang_up(of_all(rooms))
    await asyncio.sleep(LINGER + 2)
