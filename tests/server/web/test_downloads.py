"""Clients that read get large answers in turns."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest
from aiohttp import ClientSession, web
from aiohttp.test_utils import TestServer

from fortythieves.errors import Refused
from fortythieves_server.common.limits import Limits
from fortythieves_server.common.prices import Accounts, price
from fortythieves_server.web.downloads import Downloads

BIG = bytes(40_000_000)


class Server:
    """Serves one big file, to any path; "more" has it made as it is sent, "bad" cannot make the end of it."""

    def __init__(self) -> None:
        self.accounts = Accounts(Limits())
        self.downloads = Downloads(of_all=5, safe=0.1)
        self.port = 0
        self.done = asyncio.Event()

    async def answer(self, request: web.Request) -> web.StreamResponse:
        async def more() -> AsyncIterator[bytes]:
            yield b"more"
            if request.path == "/bad":
                raise Refused("store-down")

        account = self.accounts.of(request.headers.get("From", "a"))
        try:
            return await self.downloads.send(request, account, {}, BIG, more() if request.path != "/" else None)
        finally:
            self.done.set()


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    server = Server()
    app = web.Application()
    app.add_routes([web.get("/{any:.*}", server.answer)])
    async with TestServer(app) as site:
        server.port = site.port or 0
        yield server


@pytest.mark.parametrize(("path", "body"), [("/", BIG), ("/more", BIG + b"more")])
async def test_a_big_file_comes_whole_and_is_paid_for(server: Server, path: str, body: bytes) -> None:
    async with ClientSession() as session, session.get(f"http://127.0.0.1:{server.port}{path}") as answer:
        assert path != "/" or answer.content_length == len(BIG)
        assert await answer.read() == body
    assert server.accounts.of("a").pay(price(bytes=Limits().bytes.burst)) > 0


async def test_a_file_that_cannot_be_made_to_its_end_is_not_taken_for_whole(server: Server) -> None:
    async with ClientSession() as session, session.get(f"http://127.0.0.1:{server.port}/bad") as answer:
        with pytest.raises(Exception, match=r"(?i)incomplete|payload|reset"):
            await answer.read()


async def test_a_head_has_no_body(server: Server) -> None:
    async with ClientSession() as session, session.head(f"http://127.0.0.1:{server.port}/") as answer:
        assert answer.headers["Content-Length"] == str(len(BIG))


async def test_a_client_that_leaves_in_the_middle_causes_no_error(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    await reader.readexactly(1000)
    writer.transport.abort()
    async with asyncio.timeout(60):
        await server.done.wait()
    assert caplog.text == ""


async def test_an_address_that_reads_slowly_in_many_downloads_keeps_no_other_out(server: Server) -> None:
    async def begun(address: str) -> asyncio.StreamReader:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        stack.callback(writer.close)
        writer.write(b"GET / HTTP/1.1\r\nHost: x\r\nFrom: %s\r\nConnection: close\r\n\r\n" % address.encode())
        await reader.readuntil(b"\r\n\r\n")
        return reader

    with contextlib.ExitStack() as stack:
        async with asyncio.timeout(60), ClientSession() as session:
            phone = await begun("phone")
            slow = [await begun("slow") for _ in range(4)]
            async with session.get(f"http://127.0.0.1:{server.port}/", headers={"From": "new"}) as answer:
                assert await answer.read() == BIG
            assert len(await phone.read()) == len(BIG), "it is as slow, but its address has only one download"
            whole = [len(await reader.read()) == len(BIG) for reader in slow]
            assert whole.count(False) == 1
