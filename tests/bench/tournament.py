"""Measure a tournament of hundreds in one room, on one process.

    python -m tests.bench.tournament [entrants]

The server, a tournament of two rounds in it, and 500 entrants by aiohttp from this one. All
entrants make a few moves at random times and give up, but for some who time out. What is measured: by how much the
times differ at which the boards reach the entrants; how long after the last result of a round everybody has the new
standings; and what CPU time each part cost the server.
"""

import asyncio
import contextlib
import random
import sys
import time
from collections import Counter
from typing import Any

import msgpack
from aiohttp import ClientSession, ClientWebSocketResponse, TCPConnector, WSMsgType

from tests.bench.processes import program, redis

ENTRANTS, ROUNDS = 500, 2
#: Seconds that a round takes at most: whoever has not given up by then runs out of time.
TIME_LIMIT = 60
PLAN = {"rounds": ROUNDS, "pause": 20, "format": "swiss"}
SETTINGS = {"deal": "32001", "undo": "none", "countdown": 3, "time_limit": TIME_LIMIT, "game": "forty-thieves"}


class Entrant:
    """Somebody who draws a few cards and gives up."""

    def __init__(self, socket: ClientWebSocketResponse, rng: random.Random) -> None:
        self.socket = socket
        self._rng = rng
        #: When the board of each race came.
        self.dealt: list[float] = []
        #: When each round was seen to be played, with standings.
        self.standings: dict[int, float] = {}
        #: Bytes received, by the kind of message.
        self.bytes: Counter[str] = Counter()
        self._news = asyncio.Event()
        self._c = 10
        self._tasks: set[asyncio.Task[None]] = set()

    async def read(self) -> None:
        """Hear until the end, and play every round."""
        async for message in self.socket:
            if message.type is not WSMsgType.BINARY:
                return
            now = time.time()
            tag = message.data[2 : 2 + (message.data[1] & 31)]
            self.bytes[tag.decode()] += len(message.data)
            if tag == b"board":
                self.dealt.append(now)
                self._news.set()
                task = asyncio.create_task(self._play(len(self.dealt)))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
            elif tag == b"patch" and b"standings" in message.data and b"results" in message.data:
                self._note(msgpack.unpackb(message.data)[2], now)

    async def until(self, number: int, *, dealt: bool) -> None:
        """Wait for the board, or the standings, of a round."""
        while not (len(self.dealt) >= number if dealt else number in self.standings):
            self._news.clear()
            await self._news.wait()

    def _note(self, patch: dict[str, Any], now: float) -> None:
        for number, changed in patch["tournament"].get("rounds", {}).items():
            if changed and changed.get("results"):
                self.standings.setdefault(int(number), now)
                self._news.set()

    async def _play(self, race: int) -> None:
        await asyncio.sleep(self._rng.uniform(0, 15))
        for n in range(self._rng.randint(1, 4)):
            await say(self.socket, "move", race, n, "draw")
            await asyncio.sleep(self._rng.uniform(0.5, 2))
        if self._rng.random() < 0.95:
            await asyncio.sleep(self._rng.uniform(5, 8))
            self._c += 1
            await say(self.socket, "give_up", self._c)


async def measure(count: int) -> None:
    """Run the tournament and print what came of it."""
    rng = random.Random(1)
    async with (
        redis() as stored,
        program(stored.url) as server,
        ClientSession(connector=TCPConnector(limit=0)) as session,
        contextlib.AsyncExitStack() as stack,
    ):
        address = server.address
        host = await session.ws_connect(f"{address}/ws", max_msg_size=0)
        await say(host, "hello", 1, None)
        await say(host, "create", 1, "Host", SETTINGS, False, PLAN, "")
        code = (await hear(host, "room"))[4]["code"]
        began, used = time.time(), server.cpu()
        entrants = []
        for n in range(count):
            socket = await session.ws_connect(f"{address}/ws", max_msg_size=0)
            stack.push_async_callback(socket.close)
            await say(socket, "hello", 1, None)
            await say(socket, "join", 1, code, f"Guest {n}", None)
            answer = await hear(socket, "ok", "refused")
            assert answer[0] == "ok", answer
            entrants.append(Entrant(socket, random.Random(rng.random())))
            stack.push_async_callback(_cancelled, asyncio.create_task(entrants[-1].read()))
        now = server.cpu()
        print(f"{count} entrants came in {time.time() - began:.1f} s; CPU of the server {now - used:.2f} s")
        stack.push_async_callback(_cancelled, asyncio.create_task(_drain(host)))
        await say(host, "round", 2, "start", "")
        for number in range(1, ROUNDS + 1):
            used = server.cpu()
            await _round(number, entrants, address, code, session)
            print(f"  CPU of the server {server.cpu() - used:.2f} s")
        received: Counter[str] = sum((entrant.bytes for entrant in entrants), Counter())
        print(f"{received.total() / count / 2**10:.0f} KB to each entrant, of these")
        print("  " + ", ".join(f"{tag} {size / count / 2**10:.1f}" for tag, size in received.most_common(5)))


async def _round(number: int, entrants: list[Entrant], address: str, code: str, session: ClientSession) -> None:
    async with asyncio.timeout(TIME_LIMIT + 120):
        await asyncio.gather(*(entrant.until(number, dealt=True) for entrant in entrants))
        dealt = sorted(entrant.dealt[number - 1] for entrant in entrants)
        await asyncio.gather(*(entrant.until(number, dealt=False) for entrant in entrants))
    async with session.get(f"{address}/api/races/{code}/{number}.json") as answer:
        record = await answer.json()
    over = max(racer["when"] for racer in record["racers"])
    seen = sorted(entrant.standings[number] for entrant in entrants)
    spread = (dealt[-1] - dealt[0]) * 1000
    print(f"round {number}: boards came within {spread:.0f} ms of each other (half of them within")
    print(f"  {(dealt[len(dealt) // 2] - dealt[0]) * 1000:.0f} ms); standings {seen[0] * 1000 - over:.0f} to")
    print(f"  {seen[-1] * 1000 - over:.0f} ms after the last result")


async def say(socket: ClientWebSocketResponse, *message: Any) -> None:
    await socket.send_bytes(msgpack.packb(message))


async def hear(socket: ClientWebSocketResponse, *tags: str) -> list[Any]:
    while True:
        message: list[Any] = msgpack.unpackb(await socket.receive_bytes())
        if message[0] in tags:
            return message


async def _drain(socket: ClientWebSocketResponse) -> None:
    async for _ in socket:
        pass


async def _cancelled(task: "asyncio.Task[None]") -> None:
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task


if __name__ == "__main__":
    asyncio.run(measure(int(sys.argv[1]) if len(sys.argv) > 1 else ENTRANTS))
