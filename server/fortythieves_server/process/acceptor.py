"""Accept connections, count them by address before reading a byte, and hand each on when its request begins.

We accept connections ourselves, because asyncio and uvloop would accept all of them. When descriptors run out, asyncio
pauses for a second and uvloop refuses new ones, so the server is unreachable until idle clients leave. Here, idle
clients are closed first.
"""

import asyncio
import errno
import logging
import socket
from collections import OrderedDict, defaultdict
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from itertools import islice
from typing import Protocol

from fortythieves_server.common.counters import Counters
from fortythieves_server.common.prices import ARRIVAL, Accounts
from fortythieves_server.common.tasks import end
from fortythieves_server.process.accepted_socket import AcceptedSocket, Bounds, Refusals

log = logging.getLogger(__name__)

#: Descriptors for everything else: Redis, files, processes, operators.
RESERVE = 64
#: Connections reserved for HTTP requests, so that /healthz can always be reached.
SPARE = 32
#: How many connections are closed together. To find them takes as long for one as for many.
TOGETHER = 16
#: Seconds between two log lines about the same subject.
_QUIET = 10.0
#: Connections accepted in a row before other tasks run.
_IN_A_ROW = 4
#: Seconds until the next attempt, if there is no descriptor for a connection and none can be freed.
_AGAIN = 0.1

_NO_DESCRIPTOR = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}


class Handler(Protocol):
    """Serves connections, or passes them to another process."""

    @property
    def websockets(self) -> int:
        """How many of the connections are WebSockets."""

    async def serve(self, connection: AcceptedSocket, line: bytes) -> None:
        """Serve a connection, of which a request line has come. Call `Acceptor.requested` when the head has come."""

    def drop(self, connection: AcceptedSocket) -> None:
        """Close a connection now."""

    def drop_idle(self, address: str | None, most: int) -> int:
        """Close connections of an address, or of any, that wait between two requests. Returns how many."""


class Acceptor:
    """The connections of one process. ``key_of_stranger``: the key under which an IP address is limited.

    It is "" for our own proxies: their requests are limited by the address for which they speak. ``greet`` is called
    with each connection before it is served.
    """

    def __init__(
        self,
        handler: Handler,
        accounts: Accounts,
        counts: Counters,
        key_of_stranger: Callable[[str], str],
        bounds: Bounds,
        greet: Callable[[AcceptedSocket], Awaitable[None]] | None = None,
    ) -> None:
        self._handler = handler
        self._accounts = accounts
        self._counts = counts
        self._key_of = key_of_stranger
        self._bounds = bounds
        self._greet = greet
        self._most = max(bounds.descriptors - RESERVE, SPARE * 2)
        self._listeners: list[socket.socket] = []
        #: Listeners that pause, and the timers that resume them.
        self._paused: dict[socket.socket, asyncio.TimerHandle] = {}
        #: All connections by address, each with the task that waits for its request. The oldest first.
        self._open: defaultdict[str, dict[AcceptedSocket, asyncio.Task[None] | None]] = defaultdict(dict)
        self._count = 0
        #: Until when a connection must send a request head. The oldest first.
        self._silent: OrderedDict[AcceptedSocket, float] = OrderedDict()
        self._refusals = Refusals()
        self._sweeper: asyncio.Task[None] | None = None
        self._logged: dict[str, float] = {}

    def __len__(self) -> int:
        return self._count

    @property
    def is_full(self) -> bool:
        """Whether only HTTP requests are admitted, and no more WebSockets."""
        return self._handler.websockets >= self._most - SPARE

    def listen(self, sockets: Iterable[socket.socket]) -> None:
        """Accept connections on these sockets. They belong to the acceptor from now on."""
        for listener in sockets:
            listener.setblocking(False)
            # Its connections inherit both.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, self._bounds.send_buffer)
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, self._bounds.receive_buffer)
            self._listeners.append(listener)
            self._resume(listener)
        self._sweeper = asyncio.create_task(self._sweep(), name="silent connections")

    async def stop(self) -> None:
        for listener in self._listeners:
            asyncio.get_running_loop().remove_reader(listener)
            if listener in self._paused:
                self._paused.pop(listener).cancel()
            listener.close()
        self._listeners.clear()
        await end([self._sweeper])
        await end([task for there in self._open.values() for task in there.values()])
        self._refusals.close()

    def _accept(self, listener: socket.socket) -> None:
        for accepted in range(_IN_A_ROW):
            try:
                connection, peer = listener.accept()
            except BlockingIOError:
                return
            except OSError as error:
                # Linux reports this even if no client waits. For the first connection, we know that one does.
                if error.errno in _NO_DESCRIPTOR and not accepted:
                    text = "no descriptor is left for a new connection; %d idle connections were closed"
                    self._warn(text, self._drop_some())
                    self._pause(listener)
                return  # or the client has left: accept(2) lists a dozen reasons
            self.take(connection, peer)

    def _pause(self, listener: socket.socket) -> None:
        """Accept after a pause. By then, the closed connections have freed their descriptors."""
        loop = asyncio.get_running_loop()
        loop.remove_reader(listener)
        self._paused[listener] = loop.call_later(_AGAIN, self._resume, listener)

    def _resume(self, listener: socket.socket) -> None:
        self._paused.pop(listener, None)
        asyncio.get_running_loop().add_reader(listener, self._accept, listener)

    def take(self, accepted: socket.socket, peer: object) -> None:
        """Serve a new connection, unless its address or the process has too many."""
        ip = str(peer[0]) if isinstance(peer, tuple) else ""
        address = self._key_of(ip)
        if (address and not self._may_come(address)) or not self._make_room():
            self._counts.turned_away += 1
            self._refusals.add(accepted)
            return
        connection = AcceptedSocket(accepted, ip, address, self)
        task = self._open[address][connection] = asyncio.create_task(self._hand_on(connection))
        task.add_done_callback(partial(self._handed_on, connection))
        self._count += 1
        if address:  # our own proxies keep connections open for later
            self._silent[connection] = asyncio.get_running_loop().time() + self._bounds.head

    async def _hand_on(self, connection: AcceptedSocket) -> None:
        line = await connection.request_line()
        if line:
            if self._greet is not None:
                await self._greet(connection)
            await self._handler.serve(connection, line)
        else:
            connection.close()

    def _handed_on(self, connection: AcceptedSocket, task: asyncio.Task[None]) -> None:
        there = self._open.get(connection.address, {})
        if connection in there:
            there[connection] = None
        if task.cancelled():
            connection.close()
        elif (error := task.exception()) is not None:
            connection.close()
            if not isinstance(error, OSError):
                log.error("a connection could not be served", exc_info=error)

    def requested(self, connection: AcceptedSocket) -> None:
        self._silent.pop(connection, None)

    def _may_come(self, address: str) -> bool:
        """Whether an address may open one more connection. An idle one of the same address may be closed for it."""
        if self._accounts.of(address).pay(ARRIVAL):
            return False
        return (
            len(self._open.get(address, ())) < self._bounds.of_address or self._handler.drop_idle(address, TOGETHER) > 0
        )

    def _make_room(self) -> bool:
        """Whether there is room for one more connection. The oldest may be closed for it."""
        if len(self._silent) >= self._bounds.silent:
            self._drop_silent()
        if self._count >= self._most:
            self._warn("all descriptors are in use; %d idle connections were closed", gone := self._drop_some())
            return gone > 0
        if self._count - self._handler.websockets >= self._bounds.http:
            self._drop_some()
        return True

    def moved(self, connection: AcceptedSocket, to: AcceptedSocket) -> None:
        self._open[to.address][to] = self._open[to.address].pop(connection)

    def forget(self, connection: AcceptedSocket) -> None:
        there = self._open.get(connection.address, {})
        if connection not in there:
            return
        del there[connection]
        self._count -= 1
        self._silent.pop(connection, None)
        if not there:
            del self._open[connection.address]

    def _drop_some(self) -> int:
        """Close the oldest connections without a request, otherwise idle ones. Returns how many."""
        return self._drop_silent() or self._handler.drop_idle(None, TOGETHER)

    def _drop_silent(self) -> int:
        for connection in (found := [*islice(self._silent, TOGETHER)]):
            self._drop(connection)
        return len(found)

    def _drop(self, connection: AcceptedSocket) -> None:
        task = self._open[connection.address][connection]
        # Now and not when the loop notices, so that it is not found a second time.
        self.forget(connection)
        if task is None:
            self._handler.drop(connection)
        else:
            task.cancel()

    async def _sweep(self) -> None:
        """Periodically close connections that are silent for too long."""
        loop = asyncio.get_running_loop()
        waited = False
        while True:
            due = loop.time() + self._bounds.sweep
            await asyncio.sleep(self._bounds.sweep)
            now = loop.time()
            # After the whole process stood still, input is read first: it may contain request heads.
            waited = now > due + self._bounds.sweep and not waited
            while not waited and self._silent and next(iter(self._silent.values())) <= now:
                self._drop(next(iter(self._silent)))
            self._refusals.close()

    def _warn(self, text: str, *values: object) -> None:
        """Log a text at most once in a while."""
        now = asyncio.get_running_loop().time()
        if now >= self._logged.get(text, 0.0):
            self._logged[text] = now + _QUIET
            log.warning(text, *values)
