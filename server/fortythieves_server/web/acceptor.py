"""Accept connections, count them by address before reading a byte, and close idle ones.

We accept connections ourselves, because asyncio and uvloop would accept all of them. When descriptors run out, asyncio
pauses for a second and uvloop refuses newcomers, so the server is unreachable until idle clients leave. Here, idle
clients are closed first.
"""

import asyncio
import contextlib
import errno
import logging
import socket
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Collection, Iterable
from itertools import islice

from aiohttp import web

from fortythieves_server.common.counters import Counters
from fortythieves_server.common.limits import Limits
from fortythieves_server.common.loop_share import LoopShare
from fortythieves_server.common.prices import ARRIVAL, ARRIVAL_WORK, Accounts
from fortythieves_server.common.tasks import end
from fortythieves_server.process.siblings import MOST, Offer, Siblings
from fortythieves_server.web.aiohttp_internals import Handler
from fortythieves_server.web.request_line import LOOKED_AT, room_in

log = logging.getLogger(__name__)

#: Seconds in which a new connection must send a whole request head. A browser sends it at once.
HEAD = 10.0
#: Seconds until the next request. Browsers close unused connections after one to five minutes.
IDLE = 60.0
#: Seconds in which the body of a request is read and ignored. None of our requests has one, and reading is not free.
LINGER = 0.0
#: Seconds after which a client that does not read an answer is cut off, and how many bytes per second it must read.
STALLED, SLOWEST = 15.0, 4_000
#: Bytes that the system keeps for a client that has not read them; Linux takes twice that. Left to itself, it takes up
#: to 4 MB, which nobody counts, also for clients that have gone. It is enough for 20 Mbit/s at 100 ms (calculated).
SEND_BUFFER = 128 * 1024
#: The most connections without a request head so far, and the most that are not WebSockets. Each takes about 20 kB, so
#: all take 80 MB. Above that, the oldest are closed. A client that sends its head within a tenth of a second only
#: notices if 20,000 come in a second.
SILENT, OF_HTTP = 2000, 4000
#: Descriptors for everything else: Redis, files, processes, operators.
RESERVE = 64
#: Connections reserved for HTTP requests, so that /healthz can always be reached.
SPARE = 32
#: How many connections are closed at once. Finding them takes as long for one as for many.
AT_ONCE = 16
#: Seconds between two searches for idle connections.
SWEEP = 1.0
#: After so many searches, all connections have been looked at: each search looks at a part.
ROUND = 20
#: Seconds between two log lines about the same subject.
QUIET = 10.0
#: Connections accepted in a row before other tasks run.
IN_A_ROW = 4
#: Seconds until the next attempt, if there is no descriptor for a connection and none can be freed.
AGAIN = 0.1

_NO_ROOM = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}
#: The answer above a limit. It costs a tenth of an answer by aiohttp (measured).
_TOO_MANY = (
    b"HTTP/1.1 429 Too Many Requests\r\nContent-Type: text/plain\r\nContent-Length: 43\r\nRetry-After: 10\r\n"
    b"Connection: close\r\n\r\nToo many connections from this address now\n"
)


class Acceptor:
    """The connections of one process. ``most``: how many descriptors it may have open."""

    def __init__(
        self,
        server: web.Server,
        accounts: Accounts,
        share: LoopShare,
        limits: Limits,
        counts: Counters,
        most: int,
        key_of_stranger: Callable[[str], str],
        websockets: Callable[[], int],
        siblings: Siblings | None = None,
        is_large: Callable[[str], bool] = lambda code: False,
        *,
        head: float = HEAD,
        stalled: float = STALLED,
        send_buffer: int = SEND_BUFFER,
        sweep: float = SWEEP,
        most_silent: int = SILENT,
        most_of_http: int = OF_HTTP,
    ) -> None:
        """``key_of_stranger``: the key under which an address is limited. "" for our own proxy, whose requests are
        limited by the address for which it speaks. ``websockets``: returns how many WebSockets there are.
        ``siblings``: the other workers of the same port. ``is_large``: whether so many people of a room are here that
        others are served wherever they come.
        """
        self._server = server
        self._accounts = accounts
        self._share = share
        self._counts = counts
        self._of_address = limits.connections
        self._siblings = siblings
        self._is_large = is_large
        if siblings is not None:
            siblings.on_offer = self._offered
        # What is on offer needs descriptors, too.
        self._most = max(most - RESERVE - (0 if siblings is None else MOST), SPARE * 2)
        self._key_of = key_of_stranger
        self._websockets = websockets
        self._head_within = head
        self._stalled_for = stalled
        self._send_buffer = send_buffer
        self._sweep_every = sweep
        self._most_silent = most_silent
        self._most_of_http = most_of_http
        self._sockets: list[socket.socket] = []
        #: Those whose connections stay here.
        self._own: set[socket.socket] = set()
        #: Listeners that pause, and the timers that resume them.
        self._again: dict[socket.socket, asyncio.TimerHandle] = {}
        self._coming: set[asyncio.Task[None]] = set()
        self._sweeper: asyncio.Task[None] | None = None
        #: All connections by address, the oldest first.
        self._open: defaultdict[str, dict[Handler, None]] = defaultdict(dict)
        self._count = 0
        #: Connections that may not have sent a request yet, and their deadlines. The oldest first.
        self._silent: OrderedDict[Handler, float] = OrderedDict()
        self.stalled: set[Handler] = set()
        #: Refused connections that may not have read the answer yet.
        self._leaving: list[socket.socket] = []
        self._round: list[Handler] = []
        self._said: dict[str, float] = {}
        #: When to search an address for an idle connection again. The search is slow, and all may be busy.
        self._look_again: dict[str, float] = {}

    def __len__(self) -> int:
        return self._count

    @property
    def is_full(self) -> bool:
        """Whether only requests are admitted, and no more WebSockets."""
        return self._websockets() >= self._most - SPARE

    def listen(self, sockets: Iterable[socket.socket], own: Iterable[socket.socket] = ()) -> None:
        """Accept connections on these sockets. They belong to the acceptor from now on.

        The connections of those of its ``own`` are never handed over to another worker.
        """
        self._own.update(own)
        for listener in [*sockets, *self._own]:
            listener.setblocking(False)
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, self._send_buffer)  # its connections inherit it
            self._sockets.append(listener)
            self._read(listener)
        self._sweeper = asyncio.create_task(self._sweep(), name="silent")

    async def stop(self) -> None:
        for listener in self._sockets:
            asyncio.get_running_loop().remove_reader(listener)
            if listener in self._again:
                self._again.pop(listener).cancel()
            listener.close()
        self._sockets.clear()
        await end([self._sweeper])
        for handler in [handler for there in self._open.values() for handler in there]:
            handler.wake()
        await asyncio.gather(*self._coming)
        self._hang_up()

    def lost(self, handler: Handler) -> None:
        """A connection has ended, or is about to."""
        there = self._open.get(handler.address, {})
        if handler not in there:
            return
        del there[handler]
        self._count -= 1
        self._silent.pop(handler, None)
        self.stalled.discard(handler)
        if not there:
            del self._open[handler.address]
            self._look_again.pop(handler.address, None)

    def _accept(self, listener: socket.socket) -> None:
        for taken_in in range(IN_A_ROW):
            try:
                connection, peer = listener.accept()
            except BlockingIOError:
                return
            except OSError as error:
                # Linux says this even if nobody waits. For the first connection, we know that somebody does.
                if error.errno in _NO_ROOM and not taken_in:
                    gone = self._drop_some()
                    self._say("no descriptor is left for a new connection; %d idle connections were closed", gone)
                    self._pause(listener)
                return  # or the client has left again: accept(2) lists a dozen reasons
            connection.setblocking(False)
            self._take_in(connection, peer, listener)

    def _pause(self, listener: socket.socket) -> None:
        """Try again soon. By then, the connections that were closed are gone."""
        loop = asyncio.get_running_loop()
        loop.remove_reader(listener)
        self._again[listener] = loop.call_later(AGAIN, self._read, listener)

    def _read(self, listener: socket.socket) -> None:
        self._again.pop(listener, None)
        asyncio.get_running_loop().add_reader(listener, self._accept, listener)

    def _take_in(self, connection: socket.socket, peer: object, listener: socket.socket) -> None:
        address = self._address_of(peer)
        if self._has_room_for(address):
            may_move = self._siblings is not None and listener not in self._own
            self._begin(Handler(self._server, self, address), connection, may_move=may_move)
        else:
            self._counts.turned_away += 1
            self._refuse(connection)

    def _offered(self, offer: Offer) -> None:
        """Another worker has accepted a connection for a room that is better served here. All limits apply again."""
        try:
            address = self._address_of(offer.connection.getpeername())
        except OSError:
            address = None  # the client has left
        code = room_in(_look_at(offer.connection) or b"")
        refused = not self._sockets or self.is_full or self._is_large(code)
        if address is None or refused or not self._has_room_for(address):
            offer.decline()
        else:
            self._begin(Handler(self._server, self, address), offer.connection, offer)

    def _address_of(self, peer: object) -> str:
        return self._key_of(str(peer[0]) if isinstance(peer, tuple) else "")

    def _has_room_for(self, address: str) -> bool:
        return (not address or self._may_come(address)) and self._make_room()

    def _begin(
        self, handler: Handler, connection: socket.socket, offer: Offer | None = None, *, may_move: bool = False
    ) -> None:
        """Serve a connection, or see who should. ``may_move``: another worker may serve it."""
        self._open[handler.address][handler] = None
        self._count += 1
        if handler.address:  # our own proxies keep connections open for later
            self._silent[handler] = asyncio.get_running_loop().time() + self._head_within
        coming = asyncio.create_task(self._connect(handler, connection, offer, may_move=may_move))
        self._coming.add(coming)
        coming.add_done_callback(self._coming.discard)

    def _refuse(self, connection: socket.socket) -> None:
        """Answer that there are too many connections, and close."""
        with contextlib.suppress(OSError):
            connection.send(_TOO_MANY)
            connection.shutdown(socket.SHUT_WR)
        # If the client sent something meanwhile, the system would reset the connection before it reads the answer.
        if len(self._leaving) < SPARE:
            self._leaving.append(connection)
        else:
            connection.close()

    def _hang_up(self) -> None:
        for connection in self._leaving:
            connection.close()
        self._leaving.clear()

    async def _connect(
        self, handler: Handler, connection: socket.socket, offer: Offer | None, *, may_move: bool
    ) -> None:
        try:
            if handler.address:
                await self._share.turn(handler.address)
                self._share.spend(ARRIVAL_WORK)
            elsewhere = (
                not offer.take() if offer is not None else may_move and await self._hand_over(handler, connection)
            )
            if elsewhere or not self._is_open(handler):
                connection.close()
                self.lost(handler)
                return
            await asyncio.get_running_loop().connect_accepted_socket(lambda: handler, connection)
        except BaseException as error:
            connection.close()
            self.lost(handler)
            if not isinstance(error, OSError):
                raise
        if not self._is_open(handler):  # it was dropped before it was connected
            handler.drop()

    def _is_open(self, handler: Handler) -> bool:
        return handler in self._open.get(handler.address, {})

    async def _hand_over(self, handler: Handler, connection: socket.socket) -> bool:
        """Whether another worker has taken a connection, because it should serve the room for which it is."""
        assert self._siblings is not None
        head = _look_at(connection)
        if head is None:
            await self._readable(handler, connection)
            head = _look_at(connection)
        code = room_in(head or b"")
        return bool(code) and not self._is_large(code) and await self._siblings.hand_over(connection, code)

    async def _readable(self, handler: Handler, connection: socket.socket) -> None:
        """Wait for the first bytes, for which the limits of silent connections apply, or until it is dropped."""
        loop = asyncio.get_running_loop()
        handler.waiting = loop.create_future()
        loop.add_reader(connection, handler.wake)
        try:
            await handler.waiting
        finally:
            loop.remove_reader(connection)
            handler.waiting = None

    def _may_come(self, address: str) -> bool:
        """Whether an address may open one more connection. An idle one of the same address may be closed for it."""
        if self._accounts.of(address).pay(ARRIVAL):
            return False
        there = self._open.get(address, {})
        if len(there) < self._of_address:
            return True
        return self._drop_idle(address, there) > 0

    def _make_room(self) -> bool:
        """Whether there is room for one more connection. The oldest may be closed for it."""
        if len(self._silent) >= self._most_silent:
            self._drop_silent()
        if self._count >= self._most:
            gone = self._drop_some()
            self._say("all descriptors are in use; %d idle connections were closed", gone)
            return gone > 0
        if self._count - self._websockets() >= self._most_of_http:
            self._drop_some()
        return True

    def _drop_some(self) -> int:
        """Close the oldest connections without a request, otherwise idle ones. Returns how many."""
        everybody = (handler for there in self._open.values() for handler in there)
        return self._drop_silent() or self._drop_idle("", everybody)

    def _drop_silent(self) -> int:
        found: list[Handler] = []
        while self._silent and len(found) < AT_ONCE:
            handler, _ = self._silent.popitem(last=False)
            if not handler.has_asked:
                found.append(handler)
        return self._drop(found)

    def _drop_idle(self, whose: str, among: Iterable[Handler]) -> int:
        now = asyncio.get_running_loop().time()
        if now < self._look_again.get(whose, 0.0):
            return 0
        gone = self._drop([*islice((handler for handler in among if _may_go(handler)), AT_ONCE)])
        if not gone:
            self._look_again[whose] = now + 1
        return gone

    def _drop(self, handlers: Collection[Handler]) -> int:
        for handler in handlers:
            # Now and not when the loop notices, so that it is not found a second time.
            self.lost(handler)
            handler.drop()
        return len(handlers)

    async def _sweep(self) -> None:
        """Periodically close connections that are silent for too long, or do not read."""
        loop = asyncio.get_running_loop()
        waited = False
        while True:
            due = loop.time() + self._sweep_every
            await asyncio.sleep(self._sweep_every)
            now = loop.time()
            # After the whole process stood still, input is read first: it may contain request heads.
            waited = now > due + self._sweep_every and not waited
            if waited:
                continue
            while self._silent:
                handler, until = next(iter(self._silent.items()))
                if until > now and not handler.has_asked:
                    break
                del self._silent[handler]
                if not handler.has_asked:
                    self._drop([handler])
            least = self._stalled_for * SLOWEST
            for handler in list(self.stalled):
                since = handler.stalled_since
                is_late = since is not None and now - since > self._stalled_for and not handler.is_websocket
                if is_late and not handler.has_read(least):
                    self._drop([handler])
            self._end_closing()
            self._hang_up()

    def _end_closing(self) -> None:
        """Drop connections that have been closing for a whole round: their clients do not read."""
        if not self._round:
            self._round = [handler for there in self._open.values() for handler in there]
        for handler in self._round[-1 - len(self) // ROUND :]:
            if handler.was_closing:
                self._drop([handler])
            handler.was_closing = handler.is_closing
        del self._round[-1 - len(self) // ROUND :]

    def _say(self, text: str, *values: object) -> None:
        """Log something, unless it was logged a moment ago."""
        now = asyncio.get_running_loop().time()
        if now >= self._said.get(text, 0.0):
            self._said[text] = now + QUIET
            log.warning(text, *values)


def _look_at(connection: socket.socket) -> bytes | None:
    """The first bytes of a connection, which stay there. None: nothing has come yet."""
    try:
        return connection.recv(LOOKED_AT, socket.MSG_PEEK)
    except BlockingIOError:
        return None
    except OSError:
        return b""  # the client has left


def _may_go(handler: Handler) -> bool:
    """Whether a connection can be closed unnoticed: a browser opens another one for its next request."""
    return handler.is_waiting and not handler.is_websocket
