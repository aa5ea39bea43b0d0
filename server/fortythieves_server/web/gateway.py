"""All WebSockets of a process: admits clients, and finds dead connections."""

import asyncio
import contextlib
import heapq
import itertools
import logging
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from http import HTTPStatus
from ipaddress import ip_network
from math import ceil

from fortythieves.errors import CODES
from fortythieves.protocol.to_client import Close, Notice
from fortythieves_server.common.limits import key_of
from fortythieves_server.common.logs import Seldom
from fortythieves_server.common.prices import ROUTES, UPGRADE_WORK, Account, Accounts
from fortythieves_server.process.accepted_socket import AcceptedSocket
from fortythieves_server.process.acceptor import TOGETHER
from fortythieves_server.process.tunnel import HELPER, Tunnel
from fortythieves_server.rooms.peer import Peer
from fortythieves_server.web.addresses import Network, client_address, is_of_host, origin_of
from fortythieves_server.web.connection import GOODBYE, Channel, Connection
from fortythieves_server.web.session import Services

#: Connections are checked in this many groups, one after the other, so that a check never blocks for long.
SLICES = 15

log = logging.getLogger(__name__)

#: The peer of a connection from the helper's own processes (`Tunnel.greet`).
_FROM_HELPER = (ip_network(HELPER),)

#: A status, a sentence, and the seconds until the next attempt, 0 if that is not known.
Refusal = tuple[HTTPStatus, str, int]


class Gateway:
    """The objects and limits that all connections share. One per process."""

    def __init__(
        self, services: Services, proxies: Collection[Network], ping: float, public_url: str | None = None
    ) -> None:
        """``proxies`` are trusted about addresses. ``ping``: seconds of silence until a client gets one."""
        #: The origins (`origin_of`) of our pages, whatever a proxy makes of the header `Host`.
        self.own_origins = {origin_of(public_url)} if public_url else set[str]()
        self._refused_pages = Seldom(log)
        #: Seconds between two checks for silent connections.
        self._check_every = ping / SLICES
        self._proxies = proxies
        self.services = services
        self.service = services.rooms
        self.counts = services.rooms.counts
        self.limits = services.limits
        self.accounts = Accounts(services.limits)
        #: How many connections each address has.
        self._connected = Counter[str]()
        #: The next time to search for a connection to close. The search is slow.
        self._search_again = 0.0
        #: The tunnel to this server.
        self.tunnel = Tunnel(None)
        #: Whether there is no room for another connection.
        self.is_full: Callable[[], bool] = lambda: False
        #: All connections in groups for checks. One timer for all is cheaper than one for each.
        self._slices = [dict[Connection, None]() for _ in range(SLICES)]
        self._turns = itertools.cycle(self._slices)
        self._heartbeat: asyncio.TimerHandle | None = None
        #: Whether the last check was skipped.
        self._waited = False
        #: Set when the last connection has ended.
        self._emptied = asyncio.Event()

    def __len__(self) -> int:
        return sum(map(len, self._slices))

    @property
    def peers(self) -> list[Peer]:
        return [connection.peer for connection in self._connections]

    @property
    def _connections(self) -> Iterator[Connection]:
        return itertools.chain.from_iterable(self._slices)

    def tell_of_link(self) -> None:
        """Tell clients that there is another public address."""
        code = "link-changed"
        for connection in self._connections:
            if connection.may_invite:
                connection.peer.send(Notice(code, CODES[code]))

    def address_of(self, connection: AcceptedSocket, forwarded_for: Sequence[str]) -> str:
        """The address of a client, under which it is limited."""
        proxies = _FROM_HELPER if connection.is_tunnelled else self._proxies
        return key_of(client_address(connection.peer, forwarded_for, proxies))

    def is_our_origin(self, origin: str, host: str) -> bool:
        """Whether a page from this origin is ours: it names the host of the request, or one of `own_origins`."""
        if is_of_host(origin, host) or origin_of(origin) in {*self.own_origins, origin_of(self.tunnel.url)} - {""}:
            return True
        self._refused_pages.warning(
            "a page from %r was refused, because the request names the host %r: if that page is yours, set"
            " --public-url to its address, or let the proxy keep the header Host",
            origin[:100],
            host[:100],
        )
        return False

    def admit(self, socket: AcceptedSocket, forwarded_for: Sequence[str]) -> Account | Refusal:
        """Let the address of a request for a WebSocket pay for it."""
        if socket.is_house:
            return Account(is_house=True)
        account = self.accounts.of(socket.address or self.address_of(socket, forwarded_for))
        wait = account.pay(ROUTES["/ws"])
        refusal: Refusal | None = None
        if wait:
            refusal = HTTPStatus.TOO_MANY_REQUESTS, "Too many requests from this address. Wait a moment.\n", ceil(wait)
        elif self.is_full() and not self._drop_some():
            refusal = HTTPStatus.SERVICE_UNAVAILABLE, "This server is full. Try again later.\n", 0
        elif self._connected[account.address] >= self.limits.connections:
            refusal = HTTPStatus.TOO_MANY_REQUESTS, "Too many connections from this address.\n", 0
        if refusal is not None:
            self.counts.turned_away += 1
            return refusal
        account.charge_work(UPGRADE_WORK)
        self.services.share.spend(UPGRADE_WORK)
        return account

    def begin(self, channel: Channel, account: Account) -> Connection:
        """Serve a WebSocket that was admitted, and check it until it ends."""
        connection = Connection(self.services, channel, account, self._forget)
        if not account.is_house:
            self._connected[account.address] += 1
        min(self._slices, key=len)[connection] = None
        self._emptied.clear()
        if self._heartbeat is None:
            self._heartbeat = asyncio.get_running_loop().call_later(self._check_every, self._check_some)
        return connection

    def _forget(self, connection: Connection) -> None:
        for group in self._slices:
            group.pop(connection, None)
        account = connection.peer.account
        if not account.is_house:
            self._connected[account.address] -= 1
            if not self._connected[account.address]:
                del self._connected[account.address]
        if not len(self):
            self._emptied.set()

    def _drop_some(self) -> int:
        """Close the oldest connections that are in no room. Returns how many."""
        now = asyncio.get_running_loop().time()
        if now < self._search_again:
            return 0
        found = [connection for connection in self._connections if connection.is_in_no_room]
        found = heapq.nsmallest(TOGETHER, found, key=lambda connection: connection.since)
        for connection in found:
            connection.peer.send_queue.close(Close.GOING_AWAY, "This server is full, and you are in no room")
        self._search_again = 0.0 if found else now + 1
        return len(found)

    def _check_some(self) -> None:
        loop = asyncio.get_running_loop()
        assert self._heartbeat is not None
        late = loop.time() - self._heartbeat.when()
        # If the whole process stood still, messages are read first: they may be answers to pings.
        self._waited = late > self._check_every and not self._waited
        if not self._waited:
            for connection in next(self._turns):
                connection.check()
        self._heartbeat = loop.call_later(self._check_every, self._check_some) if len(self) else None

    async def close(self) -> None:
        """Close all connections. Clients reconnect immediately."""
        for peer in self.peers:
            peer.send_queue.close(Close.GOING_AWAY, "The server is restarting")
        if len(self):
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._emptied.wait(), GOODBYE)
        for connection in list(self._connections):
            await connection.stop()
        if self._heartbeat is not None:
            self._heartbeat.cancel()
