"""aiohttp is the one that was read. Messages are offered where they come in, and none overtakes what waits."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable

from aiohttp import WSMsgType, web
from aiohttp.test_utils import TestServer
from websockets.asyncio.client import ClientConnection, connect

from fortythieves_server.web.aiohttp_internals import Socket
from tests.bench.websocket import framed
from tests.server.stores import SECONDS
from tests.sources import assert_as_read

#: What aiohttp_internals.py overrides, and what gives a meaning to the private attributes that it uses.
READ = {
    "aiohttp.web:WebSocketResponse.__init__": "5bf01103159b965a",
    "aiohttp.web:WebSocketResponse._post_start": "5537cb3f2ecae6ed",
    "aiohttp.web:WebSocketResponse.prepare": "bd6bf6c6d4105c47",
    "aiohttp.web:WebSocketResponse.write_eof": "1277d2fa933520d6",
    "aiohttp.web:WebSocketResponse._close_transport": "356a110c8428b47e",
    "aiohttp._websocket.reader_py:WebSocketDataQueue": "526af2531df720ee",  # the source of the compiled one
    "aiohttp.base_protocol:BaseProtocol": "b8cbe831e85f09b9",
    "aiohttp.web_protocol:RequestHandler.__init__": "46c577d1f419158f",
    "aiohttp.web_protocol:RequestHandler.connection_made": "44d50b5763b2c7e4",
    "aiohttp.web_protocol:RequestHandler.connection_lost": "df2fe6e95fd04c7c",
    "aiohttp.web_protocol:RequestHandler.set_parser": "bb548eb2b85d5c28",
    "aiohttp.web_protocol:RequestHandler.data_received": "1ee57ebe052e6c80",
    "aiohttp.web_protocol:RequestHandler.start": "2e565fd40c8e04fb",
    "aiohttp.web_protocol:RequestHandler._handle_request": "a88a34ee65a2714c",
    "aiohttp.web_protocol:RequestHandler.finish_response": "b7eb53db8f4b30ca",
    "aiohttp.web_protocol:RequestHandler.shutdown": "5eb4bd473db61e84",
    "aiohttp.web_server:Server": "8c9d06ee1abd08e5",
}


def test_aiohttp_is_as_it_was_read() -> None:
    assert_as_read(READ, "web/aiohttp_internals.py")


class Picky:
    """Takes what begins with an x."""

    def __init__(self) -> None:
        self.taken: list[bytes] = []

    def take(self, message: bytes) -> bool:
        if message.startswith(b"x"):
            self.taken.append(message)
        return message.startswith(b"x")


@contextlib.asynccontextmanager
async def served(serve: Callable[[Socket], Awaitable[None]]) -> AsyncIterator[ClientConnection]:
    """A client of a server that does this with its socket."""

    async def ws(request: web.Request) -> web.WebSocketResponse:
        socket = Socket(compress=False, max_msg_size=100)
        await socket.prepare(request)
        await serve(socket)
        return socket

    app = web.Application()
    app.add_routes([web.get("/", ws)])
    async with asyncio.timeout(SECONDS), TestServer(app) as site, connect(f"ws://127.0.0.1:{site.port}/") as client:
        yield client


async def test_what_is_taken_is_not_read_and_all_else_is_in_its_order() -> None:
    picky, read = Picky(), list[bytes | str]()

    async def serve(socket: Socket) -> None:
        socket.offer(picky.take)
        async for message in socket:
            read.append(message.data)
            await socket.send_bytes(b"read")

    async with served(serve) as client:
        for message in (b"x1", b"a", "x as a text", b"x2", b"x3", b"b"):
            await client.send(message)
            if message in (b"a", "x as a text", b"b"):
                assert await client.recv() == b"read"
    assert picky.taken == [b"x1", b"x2", b"x3"]
    assert read == [b"a", "x as a text", b"b"]


async def test_nothing_is_offered_while_something_waits_to_be_read() -> None:
    picky, read = Picky(), list[bytes]()

    async def serve(socket: Socket) -> None:
        socket.offer(picky.take)
        async for message in socket:
            read.append(message.data)
            if message.data == b"x2":
                await socket.send_bytes(b"read")

    async with served(serve) as client:
        client.transport.write(b"".join(map(framed, (b"x1", b"a", b"x2"))))  # They come in together.
        assert await client.recv() == b"read"
        await client.send(b"x3")
    assert (read, picky.taken) == ([b"a", b"x2"], [b"x1", b"x3"])


async def test_whoever_takes_no_more_is_offered_nothing() -> None:
    picky, read = Picky(), list[bytes]()

    async def serve(socket: Socket) -> None:
        socket.offer(picky.take)
        socket.offer(None)
        read.append((await socket.receive()).data)

    async with served(serve) as client:
        await client.send(b"x1")
        await client.wait_closed()
    assert (read, picky.taken) == ([b"x1"], [])


async def test_what_is_too_large_is_neither_offered_nor_read() -> None:
    picky, ends = Picky(), list[WSMsgType]()

    async def serve(socket: Socket) -> None:
        socket.offer(picky.take)
        ends.append((await socket.receive()).type)

    async with served(serve) as client:
        await client.send(b"x" * 101)
        await client.wait_closed()
        assert client.close_code == 1009
    assert (picky.taken, ends) == ([], [WSMsgType.ERROR])


async def test_whoever_sends_more_than_is_still_read_is_cut_off() -> None:
    read = list[bytes]()

    async def serve(socket: Socket) -> None:
        socket.read_at_most(2)
        async for message in socket:
            read.append(message.data)

    async with served(serve) as client:
        client.transport.write(b"".join(framed(b"%d" % n) for n in range(5)))  # They come in together.
        await client.wait_closed()
    assert read == [b"0", b"1"]
    assert client.close_code == 1006  # without a goodbye
