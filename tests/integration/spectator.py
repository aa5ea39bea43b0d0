"""A spectator that keeps every frame with its order in the test."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from websockets.exceptions import ConnectionClosed

from fortythieves.times import Ms
from tests.integration.raw import RawClient, Received, open_client, this_moment
from tests.server.redises import HURRY
from tests.server.stores import Admin

#: A limit for hanging tests.
SECONDS = 600


async def by_our_clock(redis: str) -> Callable[[Ms], float]:
    """Returns a function that converts a time of the fast Redis clock into our clock (both in ms)."""
    readings = []
    async with Admin(redis) as admin:
        for _ in range(9):
            asked = time.time() * 1000
            there = await admin.now()
            answered = time.time() * 1000
            readings.append((answered - asked, (asked + answered) / 2, there))
    _, here, there = min(readings)
    return lambda at: here + (at - there) / Ms(HURRY)


class Spectator:
    def __init__(self, address: str, name: str) -> None:
        self.address = address
        self.name = name
        self.token: str | None = None
        #: The frames received, one list for each connection.
        self.streams: list[list[Received]] = []
        self.close_code: int | None = None
        self._news = asyncio.Condition()
        self._c = 0
        self._client: RawClient
        self._reading: asyncio.Task[None]

    async def connect(self) -> None:
        self._client = await open_client(self.address)
        await self._client.hello(self.token)
        self.token = self._client.token
        self.streams.append([])
        self._reading = asyncio.create_task(self._read(self._client, self.streams[-1]))

    async def _read(self, client: RawClient, stream: list[Received]) -> None:
        with suppress(ConnectionClosed):
            while True:
                frame = await client.socket.recv()
                assert isinstance(frame, bytes)
                async with self._news:
                    stream.append(Received(this_moment(), frame))
                    self._news.notify_all()
        async with self._news:
            self.close_code = client.socket.close_code
            self._news.notify_all()

    async def ask(self, tag: str, *fields: Any) -> str:
        """Send a command. Returns "ok" or the code of the refusal."""
        self._c += 1
        c = self._c
        await self._client.send(tag, c, *fields)

        def answers() -> list[list[Any]]:
            return [said for said in self.received("ok", "refused") if said[1] == c]

        await self.until(answers)
        (answer,) = answers()
        return "ok" if answer[0] == "ok" else str(answer[2])

    async def watch(self, code: str) -> None:
        assert await self.ask("watch", code, self.name) == "ok"

    async def come_back(self, code: str) -> None:
        self._client.socket.transport.abort()
        await self._reading
        await self.connect()
        await self.watch(code)

    async def hang_up(self) -> None:
        await self._client.socket.close()
        await self._reading

    def received(self, *tags: str) -> list[list[Any]]:
        """The messages of these kinds that came over the newest connection."""
        return [message for message in (one.message for one in self.streams[-1]) if message[0] in tags]

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait until the frames received make this true."""
        async with asyncio.timeout(SECONDS), self._news:
            await self._news.wait_for(condition)

    async def until_over(self) -> None:
        await self.until(lambda: any(said[2] == "over" for said in self.received("gallery")))

    async def until_closed(self) -> int | None:
        await self.until(lambda: self._reading.done() or self.close_code is not None)
        return self.close_code
