"""Serve connections: WebSockets by picows, everything else by aiohttp: one request at a time, and few bytes ahead."""

import asyncio
import re
from collections import OrderedDict
from collections.abc import Sized
from dataclasses import dataclass, field
from itertools import islice
from typing import Protocol, cast

from aiohttp import web
from aiohttp.abc import AbstractAccessLogger

from fortythieves_server.common.loop_share import LoopShare
from fortythieves_server.common.prices import ARRIVAL_WORK
from fortythieves_server.common.tasks import end
from fortythieves_server.process.accepted_socket import AcceptedSocket, is_websocket

#: The most bytes of a request, and of those after it. Node.js allows as many for a head.
LONGEST_REQUEST = 16 * 1024
#: The most slashes of a path. aiohttp takes quadratic time to find the route. Our paths have five.
MOST_SLASHES = 12

_END = b"\r\n\r\n"
_HAS_BODY = re.compile(rb"\r\n(content-length|transfer-encoding)[ \t]*:", re.IGNORECASE)
_EXPECTS = re.compile(rb"\r\nexpect[ \t]*:", re.IGNORECASE)
_TOO_LONG = b"HTTP/1.1 431 Request Header Fields Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
_REFUSED = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long a client may take. In seconds."""

    #: Until the next request. Browsers close unused connections after one to five minutes.
    idle: float = 60.0
    #: After which a client that does not read an answer is cut off, and how many bytes per second it must read.
    stalled: float = 15.0
    slowest: float = 4_000
    #: Between two searches for such clients.
    sweep: float = 1.0


class WebSockets(Sized, Protocol):
    async def serve(self, connection: AcceptedSocket) -> None: ...


class HttpConnection(asyncio.Protocol):
    """Passes whole heads on to aiohttp's protocol. So it is known when a request begins, and when it is answered."""

    def __init__(self, server: web.Server, socket: AcceptedSocket, owner: "Server") -> None:
        self._http: asyncio.Protocol = server()
        self.socket = socket
        self._owner = owner
        self.transport: asyncio.Transport
        #: Bytes that were not passed on yet.
        self._input = bytearray()
        self._answering = False
        #: How many bytes of a request with a body have come. None: it has no body.
        self._with_body: int | None = None
        #: Since when the client does not read, by the clock of the event loop, and how many bytes it had not read then.
        self.stalled_since = 0.0
        self._unread_then = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self._http.connection_made(transport)

    def data_received(self, data: bytes) -> None:
        if self._with_body is not None:
            self._with_body += len(data)
            if self._with_body > LONGEST_REQUEST:
                self.transport.abort()
            else:
                self._http.data_received(data)
            return
        self._input += data
        if not self._answering:
            self._begin()
        if len(self._input) > LONGEST_REQUEST:
            self._refuse(_TOO_LONG)

    def _begin(self) -> None:
        """Pass the next request on, if its whole head is there."""
        while self._input.startswith(b"\r\n"):
            del self._input[:2]
        head, end, rest = self._input.partition(_END)
        if not end or len(head) > LONGEST_REQUEST:
            return
        self._answering = True
        self._owner.began(self)
        path = head.partition(b"\r\n")[0].partition(b"?")[0].partition(b" HTTP/")[0]
        # A WebSocket is only served here if the request before it was not yet answered when it came.
        if path.count(b"/") > MOST_SLASHES or is_websocket(bytes(head)) or _EXPECTS.search(head):
            self._refuse(_REFUSED)
        elif _HAS_BODY.search(head):
            self._with_body = 0
            self._http.data_received(bytes(head + end))
            self._input = bytearray()
            self.data_received(bytes(rest))
        else:
            self._input = rest
            self._http.data_received(bytes(head + end))

    def _refuse(self, answer: bytes) -> None:
        if self._answering and answer is _TOO_LONG:
            self.transport.abort()  # another answer is on its way
        else:
            self.transport.write(answer)
            self.transport.close()

    def answered(self, *, keep: bool) -> None:
        """aiohttp has written an answer. ``keep``: the client may send more requests."""
        self._answering = False
        if not keep or self._with_body is not None:
            self.transport.close()
        elif self._input:
            self._begin()
        if self.transport.is_closing() and self.transport.get_write_buffer_size():
            self.pause_writing()
        elif not self._answering:
            self._owner.rests(self)

    def eof_received(self) -> bool | None:
        return self._http.eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        self._http.connection_lost(exc)
        self._owner.lost(self)

    def pause_writing(self) -> None:
        self._http.pause_writing()
        self.stalled_since = asyncio.get_running_loop().time()
        self._unread_then = self._unread()
        self._owner.stalled[self] = None

    def resume_writing(self) -> None:
        self._http.resume_writing()
        self._owner.stalled.pop(self, None)

    def has_read(self, least: float) -> bool:
        """Whether a stalled client has read at least so many bytes after all. It is then stalled since now."""
        unread = self._unread()
        if self._unread_then - unread < least:
            return False
        self._unread_then, self.stalled_since = unread, asyncio.get_running_loop().time()
        return True

    def _unread(self) -> int:
        """The bytes that the client was not sent, or has not confirmed."""
        return self.transport.get_write_buffer_size() + self.socket.unconfirmed


def connection_of(request: web.BaseRequest) -> AcceptedSocket | None:
    """The connection of a request. None: the client has left."""
    protocol = None if request.transport is None else request.transport.get_protocol()
    return protocol.socket if isinstance(protocol, HttpConnection) else None


class Answered(AbstractAccessLogger):
    """Tells a connection that a request is answered. aiohttp calls it where it would write an access log."""

    def log(self, request: web.BaseRequest, response: web.StreamResponse, time: float) -> None:
        connection = None if request.transport is None else request.transport.get_protocol()
        if isinstance(connection, HttpConnection):
            connection.answered(keep=bool(response.keep_alive))


@dataclass(slots=True, eq=False)
class Server:
    """The handler of an `Acceptor`."""

    _http: web.Server
    _websockets: WebSockets | None
    _share: LoopShare
    _patience: Patience
    _connections: dict[AcceptedSocket, HttpConnection] = field(default_factory=dict, init=False)
    #: Connections that may send another request, and until when. The oldest first.
    _resting: OrderedDict[AcceptedSocket, float] = field(default_factory=OrderedDict, init=False)
    #: The tasks that wait for that request.
    _waiting: dict[AcceptedSocket, asyncio.Task[None]] = field(default_factory=dict, init=False)
    #: Connections whose clients do not read as fast as we write.
    stalled: dict[HttpConnection, None] = field(default_factory=dict, init=False)
    _sweeper: asyncio.Task[None] | None = field(default=None, init=False)

    def open(self) -> None:
        self._sweeper = asyncio.create_task(self._sweep(), name="idle connections")

    async def close(self) -> None:
        await end([self._sweeper, *self._waiting.values()])

    @property
    def websockets(self) -> int:
        return len(self._websockets or ())

    async def serve(self, connection: AcceptedSocket, line: bytes) -> None:
        if connection.address:
            await self._share.turn(connection.address)
            self._share.spend(ARRIVAL_WORK)
        if self._websockets is not None and is_websocket(line):
            await self._websockets.serve(connection)
        else:
            http = self._connections[connection] = HttpConnection(self._http, connection, self)
            await asyncio.get_running_loop().connect_accepted_socket(lambda: http, connection)

    def drop(self, connection: AcceptedSocket) -> None:
        http = self._connections.get(connection)
        if http is None:
            connection.hang_up()  # picows notices
        else:
            self._remove(http)
            connection.forget()  # now, and not when the loop notices
            http.transport.abort()

    def drop_idle(self, address: str | None, most: int) -> int:
        idle = (one for one in self._resting if address in (None, one.address))
        found = [*islice(idle, most)]
        for connection in found:
            self.drop(connection)
        return len(found)

    # Reports of HTTP connections

    def began(self, http: HttpConnection) -> None:
        """A whole head has come."""
        http.socket.requested()
        self._resting.pop(http.socket, None)

    def rests(self, http: HttpConnection) -> None:
        """A request is answered, and the client may send another one."""
        connection = http.socket
        if connection not in self._connections:
            return
        if connection.address:
            self._resting[connection] = asyncio.get_running_loop().time() + self._patience.idle
        if self._websockets is not None:
            http.transport.pause_reading()
            self._waiting[connection] = asyncio.create_task(self._look_at_next(http))

    async def _look_at_next(self, http: HttpConnection) -> None:
        """Proxies use a connection for a WebSocket after they have used it for other requests."""
        twin = http.socket.twin()
        try:
            line = await twin.request_line()
            self._waiting.pop(http.socket, None)
            if self._websockets is not None and is_websocket(line):
                http.socket.move_to(twin)
                self._remove(http)
                http.transport.abort()
                await self._websockets.serve(twin)
            else:
                twin.close()
                http.transport.resume_reading()
        except BaseException:
            twin.close()
            raise

    def lost(self, http: HttpConnection) -> None:
        self._remove(http)
        http.socket.close()

    def _remove(self, http: HttpConnection) -> None:
        self._connections.pop(http.socket, None)
        self._resting.pop(http.socket, None)
        self.stalled.pop(http, None)
        if (waiting := self._waiting.pop(http.socket, None)) is not None:
            waiting.cancel()

    async def _sweep(self) -> None:
        """Periodically close connections that are idle for too long, or do not read."""
        clock = asyncio.get_running_loop().time
        while True:
            await asyncio.sleep(self._patience.sweep)
            while self._resting and next(iter(self._resting.values())) <= clock():
                self.drop(next(iter(self._resting)))
            least = self._patience.stalled * self._patience.slowest
            for http in list(self.stalled):
                if clock() - http.stalled_since > self._patience.stalled and not http.has_read(least):
                    self.drop(http.socket)
