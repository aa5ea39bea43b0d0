"""A client without any logic: it sends messages and keeps every received frame."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import msgpack
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from fortythieves.protocol.to_server import VERSION
from tests.server.stores import SECONDS


class Received(NamedTuple):
    frame: bytes

    @property
    def message(self) -> list[Any]:
        # Fails if there are bytes after the message.
        message: list[Any] = msgpack.unpackb(self.frame)
        return message


class RawClient:
    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.received: list[Received] = []
        self.token = ""
        self._c = 0

    async def send(self, *message: Any) -> None:
        await self.socket.send(msgpack.packb(message))

    async def receive(self, *tags: str) -> list[Any]:
        while True:
            frame = await self.socket.recv()
            assert isinstance(frame, bytes)
            self.received.append(Received(frame))
            message = self.received[-1].message
            if message[0] in tags:
                return message

    async def ask(self, tag: str, *fields: Any) -> str:
        """Send a command. Returns "ok" or the code of the refusal."""
        self._c += 1
        await self.send(tag, self._c, *fields)
        while True:
            answer = await self.receive("ok", "refused")
            if answer[1] == self._c:
                return "ok" if answer[0] == "ok" else str(answer[2])

    async def move(self, n: int, text: str = "draw", race: int = 1) -> list[Any]:
        await self.send("move", race, n, text)
        return await self.receive("moved", "unmoved")

    async def hello(self, token: str | None = None) -> None:
        await self.send("hello", VERSION, token)
        self.token = (await self.receive("welcome"))[2]

    def messages(self, *tags: str) -> list[list[Any]]:
        return [message for one in self.received if (message := one.message)[0] in tags]

    @property
    def code(self) -> str:
        return str(self.messages("room")[-1][4]["code"])

    async def create(self, *more: Any, name: str = "Ann", **settings: Any) -> str:
        """Open a room, with more fields after the settings. Returns its code."""
        assert await self.ask("create", name, settings, *more) == "ok"
        return self.code

    async def closed(self) -> int | None:
        """Wait for the server to hang up; its close code."""
        try:
            while True:
                await self.receive()
        except ConnectionClosed:
            return self.socket.close_code


async def open_client(address: str, of: str | None = None) -> RawClient:
    """A connection before hello. The caller closes its socket.

    ``of``: the client address that a proxy names.
    """
    url = address.replace("http", "ws", 1) + "/ws"
    headers = {"X-Forwarded-For": of} if of else {}
    # An unlimited queue, so that the client answers pings while the test is busy. Sixty clients on a busy machine need
    # more than the ten seconds of websockets to connect.
    return RawClient(
        await connect(
            url,
            open_timeout=SECONDS,
            compression=None,
            max_size=2**22,
            max_queue=None,
            ping_interval=None,
            additional_headers=headers,
        )
    )


@asynccontextmanager
async def raw_client(address: str, of: str | None = None) -> AsyncIterator[RawClient]:
    client = await open_client(address, of)
    try:
        yield client
    finally:
        await client.socket.close()


@asynccontextmanager
async def guest(address: str, token: str | None = None, of: str | None = None) -> AsyncIterator[RawClient]:
    async with raw_client(address, of) as client:
        await client.hello(token)
        yield client
