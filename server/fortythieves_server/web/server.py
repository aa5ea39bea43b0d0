"""Serve connections: WebSockets by picows, everything else by aiohttp."""

import asyncio
from collections import OrderedDict
from collections.abc import Sized
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

from aiohttp import web

from fortythieves_server.common.loop_share import LoopShare
from fortythieves_server.common.prices import ARRIVAL_WORK
from fortythieves_server.common.tasks import end
from fortythieves_server.process.accepted_socket import AcceptedSocket, is_websocket
from fortythieves_server.web.http_connection import HttpConnection


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
    """The server of WebSockets. Its length is their number."""

    async def serve(self, connection: AcceptedSocket) -> None: ...


class Server:
    """The handler of an `Acceptor`."""

    def __init__(
        self, http: web.Server, websockets: WebSockets | None, share: LoopShare, patience: Patience | None = None
    ) -> None:
        self._http = http
        self._websockets = websockets
        self._share = share
        self._patience = patience or Patience()
        self._connections: dict[AcceptedSocket, HttpConnection] = {}
        #: Connections that may send another request, and until when. The oldest first.
        self._resting: OrderedDict[AcceptedSocket, float] = OrderedDict()
        #: The tasks that wait for that request.
        self._waiting: dict[AcceptedSocket, asyncio.Task[None]] = {}
        self.stalled: set[HttpConnection] = set()
        self._sweeper: asyncio.Task[None] | None = None

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
            http.drop()

    def drop_idle(self, address: str | None, most: int) -> int:
        idle = (one for one in self._resting if address in (None, one.address))
        found = [*islice(idle, most)]
        for connection in found:
            self.drop(connection)
        return len(found)

    # Reports of HTTP connections (`Owner`)

    def began(self, http: HttpConnection) -> None:
        http.socket.requested()
        self._resting.pop(http.socket, None)

    def rests(self, http: HttpConnection) -> None:
        connection = http.socket
        if connection not in self._connections:
            return
        if connection.address:
            self._resting[connection] = asyncio.get_running_loop().time() + self._patience.idle
        if self._websockets is not None:
            http.pause_reading()
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
                http.drop()
                await self._websockets.serve(twin)
            else:
                twin.close()
                http.resume_reading()
        except BaseException:
            twin.close()
            raise

    def lost(self, http: HttpConnection) -> None:
        self._remove(http)
        http.socket.close()

    def _remove(self, http: HttpConnection) -> None:
        self._connections.pop(http.socket, None)
        self._resting.pop(http.socket, None)
        self.stalled.discard(http)
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
