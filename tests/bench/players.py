"""Hundreds of racers in this process that need little CPU (`websocket`)."""

import asyncio
import random
import time
from collections import deque
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgpack

from fortythieves.rules.games import GAMES
from tests.bench import games
from tests.bench.websocket import WebSocket, connect, framed

MOVED = b"\xa5moved"
ECHOED = b"\xa4move"
UNMOVED = b"\xa7unmoved"

#: Seconds between two checks for due moves.
BEAT = 0.005
#: The seed for the order of players.
SEED = 1


class CommandClient:
    websocket: WebSocket

    def __init__(self) -> None:
        self.received: asyncio.Queue[bytes] = asyncio.Queue()
        self.token = ""

    @classmethod
    async def of(cls, address: str, token: str | None = None, via: str = "", code: str = "") -> "CommandClient":
        client = cls()
        client.websocket = await connect(address, client.received.put_nowait, via, code)
        client.token = (await client.ask("hello", 1, token, until="welcome"))[2]
        return client

    def send(self, *message: Any) -> None:
        self.websocket.send(framed(msgpack.packb(message)))

    async def ask(self, *message: Any, until: str = "ok") -> list[Any]:
        self.send(*message)
        return await self.until(until)

    async def until(self, tag: str) -> list[Any]:
        while True:
            payload = await self.received.get()
            # Other messages are not decoded: the state of a room of a thousand takes long.
            kind = payload[2 : 2 + (payload[1] & 31)].decode()
            assert kind not in {"refused", "notice"}, msgpack.unpackb(payload)
            if kind == tag:
                message: list[Any] = msgpack.unpackb(payload)
                return message

    async def create(self, *fields: Any) -> list[Any]:
        """Create a room. Returns its state."""
        room = await self.ask("create", 1, "Ann", *fields, until="room")
        await self.until("ok")
        return room


class Player:
    def __init__(self, websocket: WebSocket, frames: Sequence[bytes], answer: bytes = MOVED) -> None:
        self.websocket = websocket
        self.websocket.on_message = self.receive
        self.frames = frames
        self._answer = answer
        self._sent: deque[float] = deque()
        #: Sent and answered moves, and the seconds until each answer.
        self.sent = self.answered = 0
        self.latencies: list[float] = []
        #: Whether each answer triggers the next move.
        self.eager = False
        self.done = asyncio.Event()

    def send(self) -> None:
        if self.sent < len(self.frames):
            frame = self.frames[self.sent]
            self.sent += 1
            self._sent.append(time.perf_counter())
            self.websocket.send(frame)

    def receive(self, payload: bytes) -> None:
        if payload.startswith(self._answer, 1):
            self.latencies.append(time.perf_counter() - self._sent.popleft())
            self.answered += 1
            if self.eager:
                self.send()
            if self.answered == len(self.frames):
                self.done.set()
        else:
            assert payload[1:9] != UNMOVED, msgpack.unpackb(payload)


class Room(NamedTuple):
    code: str
    epoch: str
    players: list[Player]
    tokens: list[str]


async def room(
    address: str, key: str, size: int, walks: Sequence[Sequence[bytes]], number: int = games.NUMBER, **rules: Any
) -> Room:
    settings = {"game": key, "deal": str(number), "undo": "free", "seats": size, "auto_start": False, "countdown": 3}
    first = await CommandClient.of(address)
    state = await first.create({**settings, "time_limit": 14_400, **rules})
    code = state[4]["code"]
    # The host reconnects with the room in the address, like a page.
    clients = [await CommandClient.of(address, first.token, code=code)]
    await clients[0].ask("join", 1, code, "Ann", None)
    first.websocket.close()
    for n in range(1, size):
        clients.append(await CommandClient.of(address, code=code))
        await clients[-1].ask("join", 1, code, f"Guest {n}", None)
    await clients[0].ask("start", 2)
    for client in clients:
        await client.until("board")
    players = [Player(client.websocket, walks[n % len(walks)]) for n, client in enumerate(clients)]
    return Room(code, state[1], players, [client.token for client in clients])


async def rooms_of_four(address: str, racers: int, entries: int) -> list[Room]:
    walks = games.played(entries)
    keys = [list(GAMES)[n % len(GAMES)] for n in range(max(1, racers // 4))]
    return list(await asyncio.gather(*(room(address, key, 4, walks[key]) for key in keys)))


def of_all(rooms: Sequence[Room]) -> list[Player]:
    return [player for room in rooms for player in room.players]


def hang_up(players: Sequence[Player]) -> None:
    for player in players:
        player.websocket.close()


async def all_out(players: Sequence[Player], seconds: float) -> None:
    for player in players:
        player.eager = True
        player.send()
    await asyncio.sleep(seconds)
    for player in players:
        player.eager = False
    await answered(players)


async def at_pace(players: Sequence[Player], moves_a_second: float, seconds: float, beat: float = BEAT) -> None:
    """All players together make this many moves a second, in random order.

    ``beat``: moves that are due within this time are sent together.
    """
    turns = random.Random(SEED).sample(players, len(players))
    began = time.perf_counter()
    made = 0
    while (now := time.perf_counter() - began) < seconds:
        while made < now * moves_a_second:
            turns[made % len(turns)].send()
            made += 1
        await asyncio.sleep(beat)
    await answered(players)


async def answered(players: Sequence[Player]) -> None:
    async with asyncio.timeout(30):
        while any(player.answered < player.sent for player in players):  # noqa: ASYNC110 - events would cost CPU
            await asyncio.sleep(BEAT)


async def to_the_end(players: Sequence[Player]) -> None:
    for player in players:
        player.eager = True
        player.send()
    await asyncio.gather(*(player.done.wait() for player in players))
