"""Connections that say nothing, too little, or do not listen, are ended; all others are served."""

import asyncio
import contextlib
import socket
import time
from collections.abc import AsyncIterator
from ipaddress import ip_network

import pytest
from aiohttp import web

from fortythieves_server.common.counters import Counters
from fortythieves_server.common.limits import Limits
from fortythieves_server.common.loop_share import LoopShare
from fortythieves_server.common.prices import ARRIVAL, Accounts
from fortythieves_server.process.accepted_socket import AcceptedSocket, Bounds
from fortythieves_server.process.acceptor import RESERVE, SPARE, Acceptor
from fortythieves_server.process.shared_port import listening
from fortythieves_server.web.addresses import is_one_of
from fortythieves_server.web.server import LONGEST_REQUEST, MOST_SLASHES, Answered, Patience, Server
from tests.server.stores import until
from tests.serving import points_for

GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
BIG = b"GET /big HTTP/1.1\r\nHost: x\r\n\r\n"
BODIES = {"/big": bytes(20_000_000), "/some": bytes(60_000)}
SMALL = 4096
SEND_BUFFER = Bounds(descriptors=0, of_address=0).send_buffer
LIMITS = Limits().changed("times=1000")


class RawConnection:
    def __init__(self, end: socket.socket) -> None:
        self.end = end
        end.setblocking(False)

    async def say(self, data: bytes) -> None:
        await asyncio.get_running_loop().sock_sendall(self.end, data)

    async def hear(self) -> bytes:
        async with asyncio.timeout(30):
            with contextlib.suppress(ConnectionError):
                return await asyncio.get_running_loop().sock_recv(self.end, 65536)
        return b""

    async def ask(self) -> None:
        await self.say(GET)
        assert (await self.hear()).startswith(b"HTTP/1.1 200")

    async def ended(self) -> None:
        while await self.hear():
            pass


class WebSockets:
    def __init__(self) -> None:
        self.count = 0
        self.given: list[AcceptedSocket] = []

    def __len__(self) -> int:
        return self.count

    async def serve(self, connection: AcceptedSocket) -> None:
        self.given.append(connection)
        connection.send(b"websocket")


class Site:
    """A small server: it answers each request, at "/big" with many bytes, at "/slow" when `may_answer` is set."""

    def __init__(self, stack: contextlib.ExitStack) -> None:
        self._stack = stack
        self.counts = Counters()
        self.websockets = WebSockets()
        self.port = 0
        self.may_answer = asyncio.Event()
        self.acceptor: Acceptor
        self.server: Server

    async def __call__(self, here: str = "127.0.0.1", *, small: bool = False) -> RawConnection:
        end = self._stack.enter_context(socket.socket())
        if small:
            end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
        end.setblocking(False)
        end.bind((here, 0))
        await asyncio.get_running_loop().sock_connect(end, ("127.0.0.1", self.port))
        return RawConnection(end)


#: The timeouts of ten seconds take 0.2.
SOON = 0.02
HEAD = Bounds(descriptors=0, of_address=0).head


@contextlib.asynccontextmanager
async def serving(
    *, scale: float = 1.0, limits: Limits = LIMITS, idle: float = 60.0, descriptors: int = 10_000, **more: int
) -> AsyncIterator[Site]:
    with contextlib.ExitStack() as stack:
        site = Site(stack)

        async def answer(request: web.Request) -> web.Response:
            if request.path == "/slow":
                await site.may_answer.wait()
            return web.Response(body=BODIES.get(request.path, b"here"))

        app = web.Application()
        app.add_routes([web.get("/{any:.*}", answer)])
        runner = web.AppRunner(app, access_log_class=Answered, shutdown_timeout=0.1, lingering_time=0)
        await runner.setup()
        assert runner.server is not None
        patience = Patience(idle=idle, stalled=15 * scale, sweep=scale)
        site.server = Server(runner.server, site.websockets, LoopShare(lambda: 0), patience)
        bounds = {"send_buffer": SMALL, **more}
        ours = [ip_network("127.9.0.0/16")]
        site.acceptor = Acceptor(
            site.server,
            Accounts(limits),
            site.counts,
            lambda address: "" if is_one_of(ours, address) else address,
            Bounds(descriptors=descriptors, of_address=limits.connections, head=HEAD * scale, sweep=scale, **bounds),
        )
        sockets = await listening("127.0.0.1", 0)
        site.port = sockets[0].getsockname()[1]
        site.server.open()
        site.acceptor.listen(sockets)
        yield site
        await site.acceptor.stop()
        await site.server.close()
        await runner.cleanup()


async def test_a_client_without_a_request_is_closed_and_one_with_a_request_stays() -> None:
    async with serving(scale=SOON) as server:
        asking, silent = await server(), await server()
        await asking.ask()
        await silent.ended()
        await asking.ask()
        assert len(server.acceptor) == 1


async def test_a_client_is_served_if_the_whole_process_stood_still() -> None:
    async with serving(scale=SOON) as server:
        asking, other = await server(), await server()
        await other.ask()  # so the one before it has been taken in, too
        time.sleep(2 * HEAD * SOON)  # noqa: ASYNC251 - nothing else may happen in this time.
        for _ in range(5):
            await asyncio.sleep(0)
        await asking.ask()


@pytest.mark.parametrize("head", [b"G" * 100_000, b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 10_000], ids=["line", "fields"])
async def test_a_head_that_comes_byte_by_byte_does_not_keep_a_connection(head: bytes) -> None:
    async with serving(scale=SOON) as server:
        slow = await server()

        async def drip() -> None:
            for byte in head:
                await slow.say(bytes([byte]))
                await asyncio.sleep(0.005)

        dripping = asyncio.create_task(drip())
        await slow.ended()
        dripping.cancel()
        with contextlib.suppress(asyncio.CancelledError, ConnectionError):
            await dripping


@pytest.mark.parametrize("rest", [b"", GET[:-3]], ids=["nothing", "a part of a head"])
async def test_a_client_that_sends_no_second_head_is_closed(rest: bytes) -> None:
    async with serving(idle=0.1) as server:
        idle = await server()
        await idle.ask()
        await idle.say(rest)
        await idle.ended()


async def test_a_body_that_never_comes_does_not_keep_a_connection() -> None:
    async with serving() as server:
        owing = await server()
        await owing.say(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n")
        assert (await owing.hear()).startswith(b"HTTP/1.1 405")
        await owing.ended()


LONG_FIELD = b"X: " + bytes(4096).replace(b"\0", b"x") + b"\r\n"


async def test_a_head_that_is_too_long_is_refused_before_all_of_it_is_there() -> None:
    async with serving() as server:
        wordy = await server()
        await wordy.ask()
        await wordy.say(GET[:-2] + LONG_FIELD * (1 + LONGEST_REQUEST // len(LONG_FIELD)))
        assert (await wordy.hear()).startswith(b"HTTP/1.1 431")
        await wordy.ended()


async def test_bytes_that_come_before_the_answer_are_limited() -> None:
    async with serving() as server:
        hasty = await server()
        await hasty.say(b"GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
        with contextlib.suppress(ConnectionError):
            await hasty.say((GET[:-2] + LONG_FIELD + b"\r\n") * (1 + LONGEST_REQUEST // len(LONG_FIELD)))
        await hasty.ended()
        await until(lambda: not len(server.acceptor))
        server.may_answer.set()


async def test_requests_that_come_together_are_answered_one_after_the_other() -> None:
    async with serving() as server:
        hasty = await server()
        await hasty.say(GET * 3)
        answers = b""
        while answers.count(b"here") < 3:
            answers += await hasty.hear()


@pytest.mark.parametrize(
    ("path", "more", "status"),
    [
        ("/" * MOST_SLASHES, b"", b"200"),
        ("/" * (MOST_SLASHES + 1), b"", b"400"),
        ("/", b"Expect: 100-continue\r\n", b"400"),
    ],
)
async def test_a_path_that_takes_long_to_route_is_refused(path: str, more: bytes, status: bytes) -> None:
    async with serving() as server:
        odd = await server()
        await odd.say(b"GET %s HTTP/1.1\r\nHost: x\r\n%s\r\n" % (path.encode(), more))
        assert (await odd.hear()).startswith(b"HTTP/1.1 " + status)
        if status == b"400":
            await odd.ended()


WEBSOCKET = b"GET /ws?room=KQXWVD HTTP/1.1\r\nHost: x\r\n\r\n"


async def test_a_websocket_that_sends_no_whole_head_is_hung_up() -> None:
    async with serving(scale=SOON) as server:
        slow = await server()
        await slow.say(WEBSOCKET[:-2])
        assert await slow.hear() == b"websocket"
        await slow.ended()
        server.websockets.given[0].close()


@pytest.mark.parametrize("before", [b"", GET], ids=["a new connection", "a connection that was used before"])
@pytest.mark.parametrize("pieces", [1, 3], ids=["whole", "in pieces"])
async def test_a_request_for_a_websocket_goes_to_its_server(before: bytes, pieces: int) -> None:
    async with serving() as server:
        asking = await server()
        if before:
            await asking.ask()
        size = -(-len(WEBSOCKET) // pieces)
        for start in range(0, len(WEBSOCKET), size):
            await asking.say(WEBSOCKET[start : start + size])
            await asyncio.sleep(0.01)
        assert await asking.hear() == b"websocket"
        [given] = server.websockets.given
        assert given.recv(1000) == WEBSOCKET, "nothing was read from it"
        assert len(server.acceptor) == 1
        given.close()
        assert len(server.acceptor) == 0


@pytest.mark.parametrize(
    "asked",
    [BIG, GET * 200_000, b"GET /some HTTP/1.1\r\nHost: x\r\n\r\n", None],
    ids=["one big answer", "many pipelined requests", "the end of an answer", "only its half is closed"],
)
async def test_a_client_that_does_not_read_or_ask_any_more_is_closed(asked: bytes | None) -> None:
    async with serving(scale=SOON, idle=0.05) as server:
        deaf = await server(small=True)
        with contextlib.suppress(ConnectionError):
            if asked is None:
                deaf.end.shutdown(socket.SHUT_WR)
            else:
                await deaf.say(asked)
        await until(lambda: not len(server.acceptor))


async def test_the_system_buffers_little_for_a_client_that_does_not_read() -> None:
    async with serving(scale=SOON, send_buffer=SEND_BUFFER) as server:
        deaf = await server()
        await deaf.say(BIG)
        await until(lambda: not len(server.acceptor))
        found = 0
        while part := await deaf.hear():
            found += len(part)
        assert SEND_BUFFER / 2 < found < 10 * SEND_BUFFER, "without a limit it was more than 2 MB"


async def test_a_client_that_reads_slowly_stays() -> None:
    async with serving() as server:
        slow = await server()
        await slow.say(BIG)
        await until(lambda: server.server.stalled)
        (handler,) = server.server.stalled
        assert not handler.has_read(1)
        heard = 0
        while heard < 1_000_000:
            heard += len(await slow.hear())
        since = handler.stalled_since
        await until(lambda: handler.has_read(900_000))
        assert handler in server.server.stalled and handler.stalled_since > since
        assert not handler.has_read(900_000)


async def test_without_descriptors_the_oldest_silent_connections_are_closed() -> None:
    async with serving(descriptors=RESERVE + 100) as server:
        asking = await server()
        await asking.ask()
        oldest = await server()
        for _ in range(200):
            await server()
        await oldest.ended()
        await asking.ask()  # an older one that has asked for something stays
        await (await server()).ask()
        assert len(server.acceptor) <= 100


async def test_without_silent_connections_idle_ones_are_closed() -> None:
    async with serving(descriptors=RESERVE + 100) as server:
        idle = [await server() for _ in range(100)]
        for one in idle:
            await one.ask()
        await (await server()).ask()
        await idle[0].ended()
        await idle[-1].ask()


async def test_the_last_descriptors_are_for_http_requests() -> None:
    async with serving(descriptors=RESERVE + 100) as server:
        server.websockets.count = 100 - SPARE - 1
        assert not server.acceptor.is_full
        server.websockets.count += 1
        assert server.acceptor.is_full


@pytest.mark.parametrize(("silent", "http"), [(50, 1000), (1000, 50)])
async def test_too_many_connections_without_a_websocket_are_closed(silent: int, http: int) -> None:
    async with serving(silent=silent, http=http) as server:
        oldest = await server()
        for _ in range(100):
            one = await server()
            if http == 50:
                await one.ask()
        await oldest.ended()
        assert len(server.acceptor) <= 50


async def test_an_address_at_its_limit_is_refused_and_another_one_is_served() -> None:
    async with serving(limits=LIMITS._replace(connections=5)) as server:
        busy = [await server() for _ in range(5)]
        for one in busy:
            await one.say(BIG)  # No client reads the answer, so none is idle.
            assert await one.hear()
        refused = await server()
        head, body = (await refused.hear()).split(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 429 ") and f"Content-Length: {len(body)}".encode() in head
        await refused.ended()
        assert server.counts.turned_away == 1
        await (await server("127.0.0.2")).ask()


async def test_an_address_at_its_limit_loses_its_own_idle_connections_first() -> None:
    async with serving(limits=LIMITS._replace(connections=5)) as server:
        other = await server("127.0.0.2")
        await other.ask()
        idle = [await server() for _ in range(5)]
        for one in idle:
            await one.ask()
        await (await server()).ask()
        await idle[0].ended()
        await other.ask()


async def test_an_address_that_connects_too_often_is_refused_but_not_our_own_proxy() -> None:
    points = points_for(ARRIVAL, ARRIVAL, ARRIVAL)
    async with serving(scale=SOON, limits=LIMITS._replace(connections=5, points=points), idle=0.05) as server:
        proxied = [await server("127.9.0.1") for _ in range(20)]
        for _ in range(3):
            await (await server()).ask()
        assert (await (await server()).hear()).startswith(b"HTTP/1.1 429 ")
        await (await server("127.0.0.2")).ask()
        for one in (*proxied, proxied[0]):
            await one.ask()


async def test_without_a_descriptor_for_who_comes_the_silent_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server does not know all descriptors, so the system may say that there is none before we think so."""
    resource = pytest.importorskip("resource")
    async with serving() as server:
        oldest, other = await server(), await server()
        await other.ask()  # so the one before it has been taken in, too
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        # The client has its socket; the server has none yet.
        coming = socket.socket()
        resource.setrlimit(resource.RLIMIT_NOFILE, (coming.fileno() + 1, hard))
        taken = []
        try:
            with contextlib.suppress(OSError):
                while True:
                    taken.append(socket.socket())
            coming.setblocking(False)
            await asyncio.get_running_loop().sock_connect(coming, ("127.0.0.1", server.port))
            await oldest.ended()
            await RawConnection(coming).ask()
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
            for one in (*taken, coming):
                one.close()


async def test_nobody_comes_in_any_more_once_it_has_stopped() -> None:
    async with serving() as server:
        await server.acceptor.stop()
        with pytest.raises(ConnectionRefusedError):
            await server()
