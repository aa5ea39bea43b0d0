"""Connections that say nothing, too little, or do not listen, are ended; all others are served."""

import asyncio
import contextlib
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from fortythieves_server.common.counters import Counters
from fortythieves_server.common.limits import Limits
from fortythieves_server.common.loop_share import LoopShare
from fortythieves_server.common.prices import ARRIVAL, Accounts
from fortythieves_server.process.shared_port import listening
from fortythieves_server.process.siblings import MOST, Place, Siblings
from fortythieves_server.rooms.registry import new_code
from fortythieves_server.web.acceptor import (
    HEAD,
    LINGER,
    OF_HTTP,
    RESERVE,
    SEND_BUFFER,
    SILENT,
    SPARE,
    STALLED,
    SWEEP,
    Acceptor,
)
from fortythieves_server.web.addresses import is_one_of
from fortythieves_server.web.aiohttp_internals import LONGEST_HEAD, MOST_SLASHES, READ_AHEAD, Socket
from tests.server.stores import until
from tests.serving import points_for

GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
BIG = b"GET /big HTTP/1.1\r\nHost: x\r\n\r\n"
BODIES = {"/big": bytes(20_000_000), "/some": bytes(60_000)}
SMALL = 4096
LIMITS = Limits().changed("times=1000")


class RawConnection:
    """One end of a connection, byte by byte."""

    def __init__(self, end: socket.socket) -> None:
        self.end = end
        end.setblocking(False)

    async def say(self, data: bytes) -> None:
        await asyncio.get_running_loop().sock_sendall(self.end, data)

    async def hear(self) -> bytes:
        """What comes next; nothing, once the other end has hung up."""
        async with asyncio.timeout(30):
            try:
                return await asyncio.get_running_loop().sock_recv(self.end, 65536)
            except ConnectionError:
                return b""

    async def ask(self) -> bytes:
        """The beginning of an answer."""
        await self.say(GET)
        return (await self.hear())[:12]

    async def ended(self) -> None:
        """Wait until the other end has hung up."""
        while await self.hear():
            pass


class Server:
    """A small server: what is asked for, it answers; at "/big" with much."""

    def __init__(self, stack: contextlib.ExitStack) -> None:
        self._stack = stack
        self.counts = Counters()
        self.websockets = 0
        self.port = self.own_port = 0
        self.siblings: Siblings | None = None
        self.acceptor: Acceptor

    async def __call__(self, here: str = "127.0.0.1", *, small: bool = False, own: bool = False) -> RawConnection:
        """A new connection to it, with a ``small`` buffer or another one; at the port that others share, or its own."""
        end = self._stack.enter_context(socket.socket())
        if small:
            end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
        end.setblocking(False)
        end.bind((here, 0))
        await asyncio.get_running_loop().sock_connect(end, ("127.0.0.1", self.own_port if own else self.port))
        return RawConnection(end)


#: What takes ten seconds takes 0.2.
SOON = 0.02

Start = Callable[..., "contextlib.AbstractAsyncContextManager[Server]"]


@contextlib.asynccontextmanager
async def serving(
    *,
    scale: float = 1.0,
    limits: Limits = LIMITS,
    most: int = 10_000,
    idle: float = 60.0,
    most_silent: int = SILENT,
    most_of_http: int = OF_HTTP,
    send_buffer: int = SMALL,
    place: Place | None = None,
    large: Collection[str] = (),
    name: bytes = b"here",
    websocket: Callable[[web.Request], Awaitable[web.StreamResponse]] | None = None,
) -> AsyncIterator[Server]:
    async def answer(request: web.Request) -> web.Response:
        return web.Response(body=BODIES.get(request.path, name))

    app = web.Application()
    app.add_routes([web.get("/ws", websocket or answer), web.get("/{any:.*}", answer)])
    runner = web.AppRunner(app, shutdown_timeout=0.1, keepalive_timeout=idle, lingering_time=LINGER)
    await runner.setup()
    assert runner.server is not None
    with contextlib.ExitStack() as stack:
        server = Server(stack)
        server.siblings = None if place is None else Siblings(place, beat=0.01)
        ours = [ip_network("127.9.0.0/16")]
        server.acceptor = Acceptor(
            runner.server,
            Accounts(limits),
            LoopShare(lambda: 0),
            limits,
            server.counts,
            most,
            lambda address: "" if is_one_of(ours, address) else address,
            lambda: server.websockets,
            server.siblings,
            lambda code: code in large,
            head=HEAD * scale,
            stalled=STALLED * scale,
            sweep=SWEEP * scale,
            most_silent=most_silent,
            most_of_http=most_of_http,
            send_buffer=send_buffer,
        )
        sockets = await listening("127.0.0.1", 0)
        server.port = sockets[0].getsockname()[1]
        own = await listening("127.0.0.1", 0)
        server.own_port = own[0].getsockname()[1]
        if server.siblings is not None:
            await server.siblings.open()
        server.acceptor.listen(sockets, own)
        yield server
        if server.siblings is not None:
            await server.siblings.close()
        await server.acceptor.stop()
        await runner.cleanup()


async def test_who_sends_no_head_has_to_go_and_who_has_sent_one_stays() -> None:
    async with serving(scale=SOON) as server:
        asking, silent = await server(), await server()
        assert await asking.ask() == b"HTTP/1.1 200"
        await silent.ended()
        assert await asking.ask() == b"HTTP/1.1 200"
        assert len(server.acceptor) == 1


async def test_who_could_not_be_heard_while_the_whole_process_stood_still_is_served() -> None:
    async with serving(scale=SOON) as server:
        asking, other = await server(), await server()
        assert await other.ask() == b"HTTP/1.1 200", "so the one before it has been taken in, too"
        time.sleep(2 * HEAD * SOON)  # noqa: ASYNC251 - nothing else happens meanwhile: that is the point.
        for _ in range(5):
            await asyncio.sleep(0)
        assert await asking.ask() == b"HTTP/1.1 200"


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


async def test_who_is_idle_between_requests_has_to_go() -> None:
    async with serving(idle=0.1) as server:
        idle = await server()
        assert await idle.ask() == b"HTTP/1.1 200"
        await idle.ended()


async def test_a_second_head_that_never_ends_does_not_keep_a_connection_either() -> None:
    async with serving(idle=0.1) as server:
        slow = await server()
        assert await slow.ask() == b"HTTP/1.1 200"
        await slow.say(GET[:-3])
        await slow.ended()


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
        assert await wordy.ask() == b"HTTP/1.1 200"
        await wordy.say(GET[:-2] + LONG_FIELD * (1 + LONGEST_HEAD // len(LONG_FIELD)))
        assert (await wordy.hear()).startswith(b"HTTP/1.1 431")
        await wordy.ended()


async def test_heads_that_come_faster_than_they_are_answered_are_not_kept() -> None:
    came, answered = [], asyncio.Event()

    async def slow(request: web.Request) -> web.Response:
        came.append(request)
        await answered.wait()
        return web.Response()

    async with serving(websocket=slow) as server:
        hasty = await server()
        await hasty.say(b"GET /ws HTTP/1.1\r\nHost: x\r\n\r\n")
        await until(lambda: came != [])
        with contextlib.suppress(ConnectionError):
            await hasty.say((GET[:-2] + LONG_FIELD + b"\r\n") * (1 + LONGEST_HEAD // len(LONG_FIELD)))
        await hasty.ended()
        await until_none_is_left(server)
        answered.set()


@pytest.mark.parametrize(
    ("path", "more", "status"),
    [
        ("/" * MOST_SLASHES, b"", b"200"),
        ("/" * (MOST_SLASHES + 1), b"", b"400"),
        ("/", b"Expect: 100-continue\r\n", b"400"),
    ],
)
async def test_what_takes_long_to_route_is_not_routed(path: str, more: bytes, status: bytes) -> None:
    async with serving() as server:
        odd = await server()
        await odd.say(b"GET %s HTTP/1.1\r\nHost: x\r\n%s\r\n" % (path.encode(), more))
        assert (await odd.hear()).startswith(b"HTTP/1.1 " + status)
        if status == b"400":
            await odd.ended()


UPGRADE = (
    b"GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
#: The first part of a message, a further one, and a ping, all without content (RFC 6455, section 5.2).
BEGINNING, PART, PING = (bytes((head, 0x80, 0, 0, 0, 0)) for head in (0x02, 0x00, 0x89))


async def upgraded(server: Server) -> RawConnection:
    """A new WebSocket."""
    connection = await server()
    await connection.say(UPGRADE)
    assert (await connection.hear()).startswith(b"HTTP/1.1 101")
    return connection


async def test_parts_of_a_message_that_have_no_content_are_not_read_for_ever() -> None:
    async def listen(request: web.Request) -> web.StreamResponse:
        socket = Socket(compress=False, max_msg_size=100)
        await socket.prepare(request)
        await socket.receive()
        return socket

    async with serving(websocket=listen) as server:
        idle = await upgraded(server)
        with contextlib.suppress(ConnectionError):
            await idle.say(BEGINNING + PART * (1 + READ_AHEAD // len(PART)))
        await idle.ended()
        await until_none_is_left(server)


async def test_a_websocket_that_nobody_reads_is_paused_also_while_its_request_is_let_go() -> None:
    transports, may_end = list[asyncio.Transport](), asyncio.Event()

    async def let_go(request: web.Request) -> web.StreamResponse:
        socket = Socket(compress=False, max_msg_size=100, autoping=False)
        await socket.prepare(request)
        assert request.transport is not None
        transports.append(request.transport)
        socket.let_go(request, lambda: None)
        await may_end.wait()
        return socket

    async with serving(websocket=let_go) as server:
        flooding = await upgraded(server)
        await flooding.say(PING * (1 + READ_AHEAD // len(PING)))
        await until(lambda: not transports[0].is_reading())
        may_end.set()


@pytest.mark.parametrize("asked", [BIG, GET * 200_000], ids=["one big answer", "many pipelined requests"])
async def test_who_does_not_read_the_answer_has_to_go(asked: bytes) -> None:
    async with serving(scale=SOON) as server:
        deaf = await server()
        with contextlib.suppress(ConnectionError):
            await deaf.say(asked)
        await until_none_is_left(server)


async def test_who_leaves_the_end_of_an_answer_unread_has_to_go_too() -> None:
    async with serving(scale=SOON, idle=0.05) as server:
        # More than fits into the buffers of the system, and less than makes whoever writes it wait.
        await (await server(small=True)).say(b"GET /some HTTP/1.1\r\nHost: x\r\n\r\n")
        await until_none_is_left(server)


async def test_who_does_not_read_finds_little_in_the_memory_of_the_system() -> None:
    async with serving(scale=SOON, send_buffer=SEND_BUFFER) as server:
        deaf = await server()
        await deaf.say(BIG)
        await until_none_is_left(server)
        found = 0
        while part := await deaf.hear():
            found += len(part)
        assert SEND_BUFFER / 2 < found < 10 * SEND_BUFFER, "without a limit it was more than 2 MB"


async def test_who_reads_slowly_is_seen_to_read() -> None:
    async with serving() as server:
        slow = await server()
        await slow.say(BIG)
        async with asyncio.timeout(30):
            while not server.acceptor.stalled:  # noqa: ASYNC110 - as above
                await asyncio.sleep(0.01)
            (handler,) = server.acceptor.stalled
            assert not handler.has_read(1)
            heard = 0
            while heard < 1_000_000:
                heard += len(await slow.hear())
            since = handler.stalled_since or 0.0
            while not handler.has_read(900_000):  # noqa: ASYNC110 - as above
                await asyncio.sleep(0.01)
        assert handler in server.acceptor.stalled and (handler.stalled_since or 0.0) > since
        assert not handler.has_read(900_000)


async def until_none_is_left(server: Server) -> None:
    async with asyncio.timeout(30):
        while len(server.acceptor):  # noqa: ASYNC110 - the server tells nobody that a connection has ended.
            await asyncio.sleep(0.01)


async def test_who_has_nothing_more_to_say_and_has_said_nothing_has_to_go() -> None:
    async with serving(scale=SOON) as server:
        half = await server()
        half.end.shutdown(socket.SHUT_WR)
        await half.ended()
        await until_none_is_left(server)


async def test_all_descriptors_taken_by_silent_connections_the_oldest_of_them_go() -> None:
    async with serving(most=RESERVE + 100) as server:
        asking = await server()
        assert await asking.ask() == b"HTTP/1.1 200"
        oldest = await server()
        for _ in range(200):
            await server()
        await oldest.ended()
        assert await asking.ask() == b"HTTP/1.1 200", "an older one that has asked for something stays"
        assert await (await server()).ask() == b"HTTP/1.1 200"
        assert len(server.acceptor) <= 100


async def test_idle_ones_go_where_none_is_silent() -> None:
    async with serving(most=RESERVE + 100) as server:
        idle = [await server() for _ in range(100)]
        for one in idle:
            assert await one.ask() == b"HTTP/1.1 200"
        assert await (await server()).ask() == b"HTTP/1.1 200"
        await idle[0].ended()
        assert await idle[-1].ask() == b"HTTP/1.1 200"


async def test_websockets_are_told_when_what_is_left_is_for_requests() -> None:
    async with serving(most=RESERVE + 100) as server:
        server.websockets = 100 - SPARE - 1
        assert not server.acceptor.is_full
        server.websockets += 1
        assert server.acceptor.is_full


async def test_more_than_so_many_that_are_silent_are_not_kept() -> None:
    async with serving(most_silent=50) as server:
        oldest = await server()
        for _ in range(100):
            await server()
        await oldest.ended()
        assert len(server.acceptor) <= 50


async def test_more_than_so_many_that_are_no_websockets_are_not_kept() -> None:
    async with serving(most_of_http=50) as server:
        idle = [await server() for _ in range(60)]
        for one in idle[16:]:
            assert await one.ask() == b"HTTP/1.1 200"
        assert len(server.acceptor) <= 50


async def test_an_address_at_its_limit_is_told_so_and_another_one_comes_in() -> None:
    async with serving(limits=LIMITS._replace(connections=5)) as server:
        busy = [await server() for _ in range(5)]
        for one in busy:
            await one.say(BIG)  # Nobody reads it, so nobody is idle.
            assert await one.hear()
        refused = await server()
        head, body = (await refused.hear()).split(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 429 ") and f"Content-Length: {len(body)}".encode() in head
        await refused.ended()
        assert server.counts.turned_away == 1
        assert await (await server("127.0.0.2")).ask() == b"HTTP/1.1 200"


async def test_at_its_limit_an_address_loses_its_own_idle_connections_first() -> None:
    async with serving(limits=LIMITS._replace(connections=5)) as server:
        other = await server("127.0.0.2")
        assert await other.ask() == b"HTTP/1.1 200"
        idle = [await server() for _ in range(5)]
        for one in idle:
            assert await one.ask() == b"HTTP/1.1 200"
        assert await (await server()).ask() == b"HTTP/1.1 200"
        await idle[0].ended()
        assert await other.ask() == b"HTTP/1.1 200"


async def test_an_address_that_comes_too_often_is_told_so() -> None:
    async with serving(limits=LIMITS._replace(points=points_for(ARRIVAL, ARRIVAL, ARRIVAL))) as server:
        for _ in range(3):
            assert await (await server()).ask() == b"HTTP/1.1 200"
        assert (await (await server()).hear()).startswith(b"HTTP/1.1 429 ")
        assert await (await server("127.0.0.2")).ask() == b"HTTP/1.1 200"


async def test_our_own_proxy_has_as_many_as_it_likes_and_keeps_them() -> None:
    async with serving(
        scale=SOON, limits=LIMITS._replace(connections=5, points=points_for(ARRIVAL, ARRIVAL, ARRIVAL)), idle=0.05
    ) as server:
        proxied = [await server("127.9.0.1") for _ in range(20)]
        silent = await server()
        await silent.ended()
        for one in proxied:
            assert await one.ask() == b"HTTP/1.1 200"
        assert await proxied[0].ask() == b"HTTP/1.1 200"


async def test_without_a_descriptor_for_who_comes_the_silent_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """What else takes descriptors is not known here, so the system may say that there is none before we think so."""
    resource = pytest.importorskip("resource")
    async with serving() as server:
        oldest, other = await server(), await server()
        assert await other.ask() == b"HTTP/1.1 200", "so the one before it has been taken in, too"
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        # The socket of the client is there; what is missing is that of the server.
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
            assert await RawConnection(coming).ask() == b"HTTP/1.1 200"
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
            for one in (*taken, coming):
                one.close()


async def test_nobody_comes_in_any_more_once_it_has_stopped() -> None:
    async with serving() as server:
        await server.acceptor.stop()
        with pytest.raises(ConnectionRefusedError):
            await server()


# Several workers of one port


@contextlib.asynccontextmanager
async def two_workers(
    directory: Path, large: Collection[str] = (), **of_two: Any
) -> AsyncIterator[tuple[Server, Server]]:
    """Two workers. The second one answers "two"."""
    async with (
        serving(place=Place(directory, 0, 2), large=large) as one,
        serving(place=Place(directory, 1, 2), large=large, name=b"two", **of_two) as two,
    ):
        assert one.siblings and two.siblings
        here = one.siblings.is_here
        await until(lambda: not all(here(new_code()) for _ in range(20)))
        yield one, two


def room_of(server: Server) -> bytes:
    """A room that a worker should serve."""
    assert server.siblings
    return next(code for code in iter(new_code, "") if server.siblings.is_here(code)).encode()


async def answer_to(connection: RawConnection, head: bytes) -> bytes:
    """The body of an answer, sent as one piece."""
    await connection.say(head)
    said = b""
    while len(said.partition(b"\r\n\r\n")[2]) < 3:
        said += await connection.hear()
    return said.partition(b"\r\n\r\n")[2]


def asking_for(code: bytes) -> bytes:
    return b"GET /ws?room=" + code + b" HTTP/1.1\r\nHost: x\r\n\r\n"


async def test_a_connection_for_a_room_is_served_by_its_worker_and_any_other_where_it_comes(tmp_path: Path) -> None:
    async with two_workers(tmp_path) as (one, two):
        mine, yours = room_of(one), room_of(two)
        assert await answer_to(await one(), asking_for(yours)) == b"two"
        assert await answer_to(await two(), asking_for(yours)) == b"two"
        assert await answer_to(await one(), asking_for(mine)) == b"here"
        for head in (GET, asking_for(b"ABC"), asking_for(b"K" * 1000), asking_for(yours).replace(b"/ws", b"/other")):
            assert await answer_to(await one(), head) == b"here"
        assert await answer_to(await one(own=True), asking_for(yours)) == b"here", "a proxy has chosen it"


async def test_a_head_that_comes_in_pieces_is_answered_wherever(tmp_path: Path) -> None:
    async with two_workers(tmp_path) as (one, two):
        head = asking_for(room_of(two))
        slow = await one()
        await slow.say(head[:10])
        await until(lambda: len(one.acceptor) == 1)
        assert await answer_to(slow, head[10:]) in {b"here", b"two"}
        line, _, rest = head.partition(b"\r\n")
        slow = await one()
        await slow.say(line + b"\r\n")
        await until(lambda: len(two.acceptor) >= 1)
        assert await answer_to(slow, rest) == b"two"


async def test_a_connection_that_was_handed_over_is_counted_where_it_is_served_and_there_alone(tmp_path: Path) -> None:
    async with two_workers(tmp_path) as (one, two):
        connections = [await one() for _ in range(5)]
        for connection in connections:
            assert await answer_to(connection, asking_for(room_of(two))) == b"two"
        await until(lambda: (len(one.acceptor), len(two.acceptor)) == (0, 5))
        for connection in connections:
            connection.end.close()
        await until_none_is_left(two)


async def test_who_says_nothing_to_one_of_several_workers_has_to_go(tmp_path: Path) -> None:
    async with serving(scale=SOON, place=Place(tmp_path, 0, 2)) as server:
        silent, half = await server(), await server()
        half.end.shutdown(socket.SHUT_WR)
        await silent.ended()
        await half.ended()
        await until_none_is_left(server)


async def test_who_has_said_nothing_yet_is_served_by_a_worker_that_stops(tmp_path: Path) -> None:
    async with serving(place=Place(tmp_path, 0, 2)) as server:
        waiting = await server()
        await until(lambda: len(server.acceptor) == 1)
        stopping = asyncio.create_task(server.acceptor.stop())
        await stopping
        assert await waiting.ask() == b"HTTP/1.1 200"


async def test_a_worker_that_is_full_takes_no_more_from_others(tmp_path: Path) -> None:
    async with two_workers(tmp_path, most=RESERVE + MOST + 100) as (one, two):
        two.websockets = 100
        assert two.acceptor.is_full
        assert await answer_to(await one(), asking_for(room_of(two))) == b"here"


async def test_arrivals_beyond_the_limit_of_a_worker_are_served_where_they_come(tmp_path: Path) -> None:
    few = Limits()._replace(points=points_for(ARRIVAL, ARRIVAL, ARRIVAL))
    async with two_workers(tmp_path, limits=few) as (one, two):
        asking = asking_for(room_of(two))
        said = [await answer_to(await one(), asking) for _ in range(8)]
        assert sorted(said) == [b"here"] * 5 + [b"two"] * 3
        assert one.siblings and one.siblings.offered == {"taken": 3, "declined": 5}


async def test_a_room_that_is_too_large_for_one_worker_is_served_wherever_its_people_come(tmp_path: Path) -> None:
    large = set[str]()
    async with two_workers(tmp_path, large) as (one, two):
        code = room_of(two)
        assert await answer_to(await one(), asking_for(code)) == b"two"
        large.add(code.decode())
        assert await answer_to(await one(), asking_for(code)) == b"here"
