"""How long a thousand players need to resume after their process was killed."""

import asyncio
import time

from tests.bench import games
from tests.bench.figures import Found, Row, Run
from tests.bench.players import CommandClient, Player, Room, answered, hang_up, room, rooms_of_four
from tests.bench.processes import program, redis

PLAYERS, MOVES, ENTRIES = 1_000, 5, 60

ROWS = [
    Row("fours", f"{PLAYERS:,} clients resume after a process is killed, rooms of 4: all can play", "s", bar=3),
    Row("one", f"{PLAYERS:,} clients resume after a process is killed, one room: all can play", "s", bar=3),
]


async def measure(run: Run) -> dict[str, Found]:
    return {"fours": await _measure(run, one_room=False), "one": await _measure(run, one_room=True)}


async def _measure(run: Run, *, one_room: bool) -> Found:
    """All players reconnect to another process immediately, as behind a load balancer."""
    count = run.many(PLAYERS)
    walks = games.played(ENTRIES)["forty-thieves"]
    async with redis() as stored, program(stored.url) as first, program(stored.url) as second:
        if one_room:
            rooms = [await room(first.address, "forty-thieves", count, walks)]
        else:
            rooms = await rooms_of_four(first.address, count, ENTRIES)
        for _ in range(MOVES):
            for player in (player for each in rooms for player in each.players):
                player.send()
            await answered([player for each in rooms for player in each.players])
        began = time.perf_counter()
        first.process.kill()
        await first.process.wait()
        back = [
            _back(second.address, each, player, token)
            for each in rooms
            for player, token in zip(each.players, each.tokens, strict=True)
        ]
        times = sorted(at - began for at in await asyncio.gather(*back))
        hang_up([player for each in rooms for player in each.players])
    return Found([times[-1]])


async def _back(address: str, room: Room, player: Player, token: str) -> float:
    """Reconnect elsewhere, resume, and make a move. Returns the time of its acknowledgement."""
    await player.websocket.closed
    client = await CommandClient.of(address, token, code=room.code)
    await client.ask("join", 1, room.code, "", [room.epoch, 1, player.answered])
    again = Player(client.websocket, player.frames[player.answered : player.answered + 1])
    player.websocket = client.websocket
    again.send()
    await again.done.wait()
    return time.perf_counter()
