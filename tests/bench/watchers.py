"""The CPU of a frame to a spectator."""

import asyncio
import contextlib
import time

from tests.bench import bare, games
from tests.bench.figures import Found, Row, Run
from tests.bench.players import CommandClient, Player, at_pace, hang_up, room
from tests.bench.processes import child, program, redis
from tests.bench.websocket import WebSocket, connect

COUNTS = (10, 100, 1_000)
#: The moves of one racer; no player is faster.
MOVES_A_SECOND = 10
SECONDS, ROUNDS, ENTRIES = 2.0, 3, 1_000
#: With few spectators, more frames are needed.
SECONDS_OF_FEW = 5.0

BARE = "bare aiohttp sends of the same bytes to as many, at the same times"

ROWS = [
    Row(str(count), f"server CPU per delivered frame, 1 mover, {count:,} watchers", "us", BARE, "ratio", 1.3)
    for count in COUNTS
]


class Crowd:
    def __init__(self) -> None:
        self.websockets: list[WebSocket] = []
        self.frames = 0
        #: The frames of one spectator, with their times.
        self.kept: list[tuple[float, bytes]] = []

    def count(self, payload: bytes) -> None:
        self.frames += 1

    def keep(self, payload: bytes) -> None:
        self.frames += 1
        self.kept.append((time.perf_counter(), payload))

    def add(self, websocket: WebSocket) -> None:
        websocket.on_message = self.count if self.websockets else self.keep
        self.websockets.append(websocket)

    def clear(self) -> None:
        self.frames = 0
        self.kept.clear()

    @property
    def heard(self) -> list[tuple[float, bytes]]:
        """The frames with the seconds since the first one."""
        return [(at - self.kept[0][0], frame) for at, frame in self.kept]


async def measure(run: Run) -> dict[str, Found]:
    return {str(count): await _measure(run, run.many(count, 1)) for count in COUNTS}


async def _measure(run: Run, count: int) -> Found:
    seconds = run.seconds(SECONDS if count > COUNTS[0] else SECONDS_OF_FEW)
    async with contextlib.AsyncExitStack() as stack:
        stored = await stack.enter_async_context(redis())
        server = await stack.enter_async_context(program(stored.url))
        alone = await stack.enter_async_context(program(stored.url))
        sender, address = await stack.enter_async_context(child(bare.broadcast))
        walks = games.played(ENTRIES)["forty-thieves"]
        nobody_looks = (await room(alone.address, "forty-thieves", 1, walks)).players
        race = await room(server.address, "forty-thieves", 1, walks)
        crowd, listeners = Crowd(), Crowd()
        for _ in range(count):
            crowd.add(await _watch(server.address, race.code))
            listeners.add(await connect(address, lambda payload: None))
        frames: list[float] = []
        limits: list[float] = []
        for _ in run.rounds(ROUNDS):
            crowd.clear()
            used, before = alone.cpu(), server.cpu()
            # At the same time, because the cost of a move changes.
            await asyncio.gather(at_pace(nobody_looks, MOVES_A_SECOND, seconds), _seen(race.players, crowd, seconds))
            used, spent = alone.cpu() - used, server.cpu() - before
            frames.append((spent - used) / crowd.frames * 1e6)
            listeners.clear()
            limits.append(await sender.ask(crowd.heard) / (len(crowd.kept) * count) * 1e6)
        hang_up([*nobody_looks, *race.players])
        for websocket in (*crowd.websockets, *listeners.websockets):
            websocket.close()
    return Found(frames, limits)


async def _watch(address: str, code: str) -> WebSocket:
    client = await CommandClient.of(address)
    await client.ask("watch", 1, code, "Wanda")
    return client.websocket


async def _seen(players: list[Player], crowd: Crowd, seconds: float) -> None:
    await at_pace(players, MOVES_A_SECOND, seconds)
    before = -1
    while before < crowd.frames:
        before = crowd.frames
        await asyncio.sleep(0.4)
