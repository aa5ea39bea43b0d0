"""Big answers go to those who read them, in turns."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest
from aiohttp import ClientSession, web

from fortythieves.errors import Refused
from fortythieves_server import downloads as module
from fortythieves_server.downloads import Downloads
from fortythieves_server.limits import Limits
from fortythieves_server.prices import Account, Accounts

BIG = bytes(40_000_000)


class Server:
    """Serves one big file, to any path; "more" has it made as it is sent, "bad" cannot make the end of it."""

    def __init__(self) -> None:
        self.accounts = Accounts(Limits())
        self.downloads = Downloads()
        self.port = 0
        self.under_way = 0
        self.done = asyncio.Event()

    async def answer(self, request: web.Request) -> web.StreamResponse:
        async def more() -> AsyncIterator[bytes]:
            yield b"more"
            if request.path == "/bad":
                raise Refused("store-down")

        account = Account(self.accounts, "a", asyncio.get_running_loop().time)
        self.under_way += 1
        try:
            return await self.downloads.send(request, account, {}, BIG, more() if request.path != "/" else None)
        finally:
            self.under_way -= 1
            self.done.set()


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    server = Server()
    app = web.Application()
    app.add_routes([web.get("/{any:.*}", server.answer)])
    runner = web.AppRunner(app, shutdown_timeout=1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    server.port = runner.addresses[0][1]
    yield server
    await runner.cleanup()


async def test_a_big_file_comes_whole_and_is_paid_for(server: Server) -> None:
    async with ClientSession() as session, session.get(f"http://127.0.0.1:{server.port}/") as answer:
        assert answer.content_length == len(BIG)
        assert await answer.read() == BIG
    now = asyncio.get_running_loop().time()
    assert server.accounts.wait("a", "bytes", now, Limits().bytes.burst) > 0


async def test_what_is_made_on_the_way_comes_after_it(server: Server) -> None:
    async with ClientSession() as session, session.get(f"http://127.0.0.1:{server.port}/more") as answer:
        assert await answer.read() == BIG + b"more"


async def test_a_file_that_cannot_be_made_to_its_end_is_not_taken_for_whole(server: Server) -> None:
    async with ClientSession() as session, session.get(f"http://127.0.0.1:{server.port}/bad") as answer:
        with pytest.raises(Exception, match=r"(?i)incomplete|payload|reset"):
            await answer.read()


async def test_a_head_has_no_body(server: Server) -> None:
    async with ClientSession() as session, session.head(f"http://127.0.0.1:{server.port}/") as answer:
        assert answer.headers["Content-Length"] == str(len(BIG))


async def test_an_address_is_sent_so_many_at_a_time() -> None:
    downloads = Downloads(of_address=2, of_all=100)
    async with AsyncExitStack() as stack:
        first = await stack.enter_async_context(AsyncExitStack())
        await first.enter_async_context(downloads.turn("a"))
        await stack.enter_async_context(downloads.turn("a"))
        third = asyncio.create_task(stack.enter_async_context(downloads.turn("a")))
        await stack.enter_async_context(downloads.turn("b"))
        assert not third.done()
        await first.aclose()
        await third


async def test_whoever_has_fewest_under_way_is_next() -> None:
    downloads = Downloads(of_address=3, of_all=3)
    order: list[str] = []
    async with AsyncExitStack() as stack:
        held = [await stack.enter_async_context(AsyncExitStack()) for _ in range(3)]
        for one in held:
            await one.enter_async_context(downloads.turn("a"))

        async def wait(address: str) -> None:
            await stack.enter_async_context(downloads.turn(address))
            order.append(address)

        waiting = [asyncio.create_task(wait(address)) for address in ("a", "a", "b")]
        await asyncio.sleep(0)
        for one in held:
            await one.aclose()
        await asyncio.gather(*waiting)
    assert order[0] == "b" and sorted(order) == ["a", "a", "b"]


async def test_who_goes_away_while_waiting_takes_no_turn() -> None:
    downloads = Downloads(of_address=1, of_all=10)
    async with AsyncExitStack() as stack:
        first = await stack.enter_async_context(AsyncExitStack())
        await first.enter_async_context(downloads.turn("a"))
        gone = asyncio.create_task(stack.enter_async_context(downloads.turn("a")))
        await asyncio.sleep(0)
        gone.cancel()
        await asyncio.gather(gone, return_exceptions=True)
        await first.aclose()
        await stack.enter_async_context(downloads.turn("a"))


async def test_who_waits_too_long_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WAIT", 0.01)
    downloads = Downloads(of_address=1, of_all=10)
    async with downloads.turn("a"):
        with pytest.raises(Refused) as refused:
            async with downloads.turn("a"):
                pass
    assert refused.value.code == "too-fast"
    async with downloads.turn("a"):
        pass


async def test_who_leaves_in_the_middle_is_no_error(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    await reader.readexactly(1000)
    writer.transport.abort()
    async with asyncio.timeout(60):
        await server.done.wait()
    assert caplog.text == ""
