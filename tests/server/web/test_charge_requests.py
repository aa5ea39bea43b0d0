"""HTTP requests are answered, and a client that has left causes no error."""

import asyncio
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import cast

import pytest
from aiohttp import web

from fortythieves_server.common.counters import Counters
from fortythieves_server.common.limits import Limits
from fortythieves_server.common.loop_share import LoopShare
from fortythieves_server.common.prices import Accounts
from fortythieves_server.web.gateway import Gateway
from fortythieves_server.web.routes import charged
from tests.server.stores import until


class Server:
    """Answers when the client that has asked is gone; "/ws" with a WebSocket."""

    def __init__(self) -> None:
        self.port = 0
        self.asked = asyncio.Event()
        self.done = asyncio.Event()

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.asked.set()
        await until(lambda: request.transport is None or request.transport.is_closing())
        response = web.WebSocketResponse() if request.path == "/ws" else web.StreamResponse()
        try:
            await response.prepare(request)
        finally:
            asyncio.get_running_loop().call_soon(self.done.set)
        return response


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    server = Server()
    accounts, share, counts = Accounts(Limits()), LoopShare(lambda: 0), Counters()
    gateway = SimpleNamespace(accounts=accounts, share=share, counts=counts, address_of=lambda peer, _: peer)
    app = web.Application(middlewares=[charged(cast("Gateway", gateway))])
    app.add_routes([web.get("/ws", server.answer), web.get("/api/key", server.answer)])
    runner = web.AppRunner(app, shutdown_timeout=1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    server.port = runner.addresses[0][1]
    yield server
    await runner.cleanup()


_UPGRADE = (
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "
    + "A" * 22
    + "==\r\n"
)


@pytest.mark.parametrize("path", ["/ws", "/api/key"])
async def test_a_client_that_leaves_before_the_answer_causes_no_error(
    server: Server, path: str, caplog: pytest.LogCaptureFixture
) -> None:
    _, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\n{_UPGRADE}\r\n".encode())
    async with asyncio.timeout(60):
        await server.asked.wait()
        writer.transport.abort()
        await server.done.wait()
    assert caplog.text == ""
