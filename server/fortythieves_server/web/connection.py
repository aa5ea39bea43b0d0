"""One client's WebSocket: limits, parsing, and passing each request to its room."""

import asyncio
import contextlib
import heapq
import itertools
import logging
import time
from collections.abc import Callable, Collection, Iterator, Mapping

from aiohttp import WSMsgType, web
from msgspec.structs import replace

from fortythieves.errors import Invalid, Refused
from fortythieves.protocol import to_client, to_server
from fortythieves.protocol.to_client import Close
from fortythieves.protocol.wire import encode, is_part, read_request
from fortythieves_server import __version__
from fortythieves_server.common import prices
from fortythieves_server.common.limits import Bucket, Count, Limits
from fortythieves_server.common.logs import about
from fortythieves_server.common.loop_share import LoopShare
from fortythieves_server.common.prices import Account, Accounts
from fortythieves_server.common.tasks import end
from fortythieves_server.process.house_bots import Bots
from fortythieves_server.process.siblings import Siblings
from fortythieves_server.rooms.live_room import LiveRoom
from fortythieves_server.rooms.peer import Peer, SendQueue
from fortythieves_server.rooms.room_service import RoomService
from fortythieves_server.rooms.seats import BUG
from fortythieves_server.store.redis_errors import Newer
from fortythieves_server.web.aiohttp_internals import Socket
from fortythieves_server.web.guest_tokens import Guests
from fortythieves_server.web.long_message import LongMessage
from fortythieves_server.web.request_line import code_of
from fortythieves_server.web.websocket_frames import PING_FRAME, fitting, head

log = logging.getLogger(__name__)

#: Messages that are answered by `Ok` or `Refused`.
_Charged = to_server.Create | to_server.Join | to_server.Watch | to_server.Command

#: Seconds of silence after which a client gets a ping. If it does not answer within as many more, it is gone. A guess.
PING = 15.0
#: Connections are checked in this many groups, one after the other, so that a check never blocks for long.
SLICES = 15
#: Bytes in a client's transport up to which frames are still written directly.
BUFFER = 16 * 1024
#: How many connections are closed at once if there are too many. Finding them takes as long for one as for many.
AT_ONCE = 16
#: Longer messages, in bytes, cost as much as parts of a plan: only a plan with an entry list is so long.
LONG = 2_000
#: After so many frames that come after a close, the connection is cut. Moves that were on the way are fewer.
LAST_FRAMES = 1_000
#: Seconds in which a client must agree to a close.
GOODBYE = 2.0


class Gateway:
    """What all connections share, and their common limits. One per process."""

    def __init__(self, hub: RoomService, guests: Guests, bots: Bots, limits: Limits, ping: float = PING) -> None:
        #: Seconds between two checks for silent connections.
        self._look_every = ping / SLICES
        self.hub = hub
        self.guests = guests
        self.bots = bots
        self.clock = hub.clock
        self.limits = limits
        self.accounts = Accounts(limits)
        #: The accounts of each guest and each address in a room.
        self.room_accounts = Accounts(limits)
        self.inside = Count(limits.connections)
        self.counts = hub.counts
        self.share = LoopShare(lambda: self.counts.moves)
        #: When to search for a connection to close again. The search is slow.
        self._look_again = 0.0
        #: Whether there is no room for another connection.
        self.is_full: Callable[[], bool] = lambda: False
        #: The other workers of the same port, if there are any.
        self.siblings: Siblings | None = None
        #: The ports of this process alone.
        self.own_ports: Collection[int] = ()
        #: Whether other processes may serve rooms, too, and are chosen by the room in the address.
        self.has_others = False
        #: All connections in groups for checks. One timer for all is cheaper than one for each.
        self._slices = [set[Connection]() for _ in range(SLICES)]
        self._turns = itertools.cycle(self._slices)
        self._heartbeat: asyncio.TimerHandle | None = None
        #: Whether the last check was skipped.
        self._waited = False
        #: Those that have frames to write at the end of this event-loop iteration.
        self._with_frames: list[Connection] = []

    def __len__(self) -> int:
        return sum(map(len, self._slices))

    @property
    def offered(self) -> Mapping[str, int]:
        """What became of the connections that were offered to other workers."""
        return {} if self.siblings is None else self.siblings.offered

    @property
    def peers(self) -> list[Peer]:
        return [connection.peer for connection in self._connections]

    @property
    def _connections(self) -> Iterator["Connection"]:
        return itertools.chain.from_iterable(self._slices)

    async def serve(self, request: web.Request, account: Account) -> web.StreamResponse:
        """Begin to serve a WebSocket, which ends when it ends. ``account``: that of its address."""
        if self.is_full() and not self._drop_some():
            self.counts.turned_away += 1
            return web.Response(status=503, text="This server is full. Try again later.\n")
        if not account.is_house and not self.inside.enter(account.address):
            self.counts.turned_away += 1
            return web.Response(status=429, text="Too many connections from this address.\n")
        try:
            socket = Socket(compress=False, max_msg_size=self.limits.frame, autoping=False, timeout=GOODBYE)
            await socket.prepare(request)
            connection = Connection(self, socket, request.transport, account, self._named(request))
        except BaseException:
            self._left(account)
            raise
        self._look_after(connection)
        socket.let_go(request, connection.begin)
        return socket

    def _left(self, account: Account) -> None:
        if not account.is_house:
            self.inside.leave(account.address)

    def forget(self, connection: "Connection") -> None:
        """A connection has ended."""
        for group in self._slices:
            group.discard(connection)
        self._left(connection.account)

    def _named(self, request: web.Request) -> str:
        """The room that a client names in its address. "" if a proxy has already chosen us by it."""
        own = None if request.transport is None else request.transport.get_extra_info("sockname")
        if isinstance(own, tuple) and own[1] in self.own_ports:
            return ""
        return code_of(request.query.get("room", ""))

    def _drop_some(self) -> int:
        """Close the oldest connections that are in no room. Returns how many."""
        now = asyncio.get_running_loop().time()
        if now < self._look_again:
            return 0
        found = [connection for connection in self._connections if connection.is_in_no_room]
        found = heapq.nsmallest(AT_ONCE, found, key=lambda connection: connection.since)
        for connection in found:
            connection.peer.send_queue.close(Close.GOING_AWAY, "This server is full, and you are in no room")
        self._look_again = 0.0 if found else now + 1
        return len(found)

    def _look_after(self, connection: "Connection") -> None:
        """Check a connection until it is forgotten."""
        min(self._slices, key=len).add(connection)
        if self._heartbeat is None:
            self._heartbeat = asyncio.get_running_loop().call_later(self._look_every, self._look_after_some)

    def _look_after_some(self) -> None:
        loop = asyncio.get_running_loop()
        assert self._heartbeat is not None
        late = loop.time() - self._heartbeat.when()
        # If the whole process stood still, messages are read first: they may be answers to pings.
        self._waited = late > self._look_every and not self._waited
        if not self._waited:
            for connection in next(self._turns):
                connection.look_after()
        there_are_some = any(self._slices)
        self._heartbeat = loop.call_later(self._look_every, self._look_after_some) if there_are_some else None

    def write_soon(self, connection: "Connection") -> None:
        """Let a connection write what it has said, at the end of this event-loop iteration."""
        if not self._with_frames:
            asyncio.get_running_loop().call_soon(self._write_all)
        self._with_frames.append(connection)

    def _write_all(self) -> None:
        connections, self._with_frames = self._with_frames, []
        for connection in connections:
            connection.write_said()

    async def close(self) -> None:
        """Close all connections. Clients reconnect at once."""
        for peer in self.peers:
            peer.send_queue.close(Close.GOING_AWAY, "The server is restarting")
        if tasks := [connection.task for connection in self._connections if connection.task is not None]:
            await asyncio.wait(tasks, timeout=GOODBYE)
            await end(tasks)
        if self._heartbeat is not None:
            self._heartbeat.cancel()


class Connection:
    __slots__ = (
        *("_gateway", "_guest", "_heard", "_held_up", "_long", "_messages", "_pinged"),
        *("_prepaid", "_reading", "_room", "_said", "_send_queue", "_socket", "_transport", "_writer"),
        *("account", "peer", "since", "task"),
    )

    def __init__(
        self, gateway: Gateway, socket: Socket, transport: asyncio.Transport | None, account: Account, named: str
    ) -> None:
        #: The task that serves it. None: it has not begun.
        self.task: asyncio.Task[None] | None = None
        self._gateway = gateway
        self._socket = socket
        self._transport = transport
        self.account = account
        #: The task that writes queued frames. None as long as no frame had to wait.
        self._writer: asyncio.Task[None] | None = None
        self._send_queue = SendQueue(self._say, self._begin_to_write)
        #: The frames to write at the end of this event-loop iteration. None: nothing was said.
        self._said: bytearray | None = None
        address = "" if account.is_house else gateway.guests.address_hash(account.address)
        self.peer = gateway.hub.peer(self._send_queue, address, account)
        self._messages = Bucket.of(gateway.limits.messages)
        #: How many more messages its address has paid for.
        self._prepaid = 0
        self._long = LongMessage()
        self.peer.named = named
        self._guest = ""
        self._room: LiveRoom | None = None
        #: Whether so many moves wait that no more are read before they are answered.
        self._held_up = False
        #: The task while it waits for the next frame.
        self._reading: asyncio.Task[None] | None = None
        #: Whether the client has sent anything since the last check, and whether it got a ping.
        self._heard = True
        self._pinged = False
        self.since = asyncio.get_running_loop().time()

    @property
    def is_in_no_room(self) -> bool:
        return self._room is None and self._send_queue.open

    def begin(self) -> None:
        """Serve it from now on."""
        self.task = asyncio.get_running_loop().create_task(self._run())
        self.task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._gateway.forget(self)
        if self._transport is not None:
            self._transport.close()
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a connection failed when it ended", exc_info=error)

    async def _run(self) -> None:
        try:
            self._socket.offer(self.take)
            await self._read()
        except Exception as error:  # noqa: BLE001 - `_failed` handles each kind
            self._failed(error)
        finally:
            self._socket.offer(None)
            self._send_queue.close(1000, "")  # first, because the room may have to wait for Redis
            try:
                if self._room is not None:
                    with contextlib.suppress(Refused):
                        await self._gateway.hub.hang_up(self._room, self.peer)
            finally:
                assert self._writer is not None  # it closes the socket
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._writer, 5)

    def _failed(self, error: Exception) -> None:
        """A message was invalid, or handling it failed."""
        if isinstance(error, Invalid):
            self._send_queue.close(Close.INVALID, str(error))
            return
        code = self._room.room.code if self._room is not None else None
        extra = about(code, self.peer.seat)
        log.error("a connection failed in room %s, seat %s", code, self.peer.seat, exc_info=error, extra=extra)
        self._send_queue.close(Close.BUG, BUG)

    def look_after(self) -> None:
        """Ping a silent client, and close one that did not answer.

        aiohttp could do that, but it restarts a timer for each message: an eighth of the cost of a move (measured).
        """
        if self._heard or self._reading is None:  # the answer may be among the unread messages
            self._heard = self._pinged = False
        elif self._transport is not None and not self._transport.is_closing():
            if self._pinged:
                self._transport.abort()
                return
            self._pinged = True
            self._transport.write(PING_FRAME)

    def _say(self, frame: bytes) -> bool:
        """Write a frame at once, if the client has read nearly everything before it. Returns whether it has."""
        transport = self._transport
        if transport is None:
            return False
        said = self._said
        if said is None:
            said = self._said = bytearray()
            self._gateway.write_soon(self)
        if len(said) + transport.get_write_buffer_size() > BUFFER:
            return False
        said += head(len(frame))
        said += frame
        return True

    def write_said(self) -> None:
        """Write all frames that were said, in one write."""
        said, self._said = self._said, None
        if said and (transport := self._writable) is not None:
            transport.write(said)

    @property
    def _writable(self) -> asyncio.Transport | None:
        """The transport, unless the client was told that the connection closes."""
        transport = self._transport
        return None if transport is None or self._socket.closed or transport.is_closing() else transport

    async def _send(self, frame: bytes) -> None:
        self.write_said()  # it came first
        await self._socket.send_bytes(frame)

    def _begin_to_write(self) -> None:
        if self._writer is None:
            self._writer = asyncio.create_task(self._write())

    async def _write(self) -> None:
        try:
            code, reason = await self._send_queue.drain(self._send)
            self.write_said()
            self._gateway.counts.closed[code] += 1
            # A cancelled `receive` makes `close` read on until the client has answered. Otherwise, the socket would be
            # closed at once, and if the client sends something at this moment, its own system resets the connection
            # before it reads why it was closed.
            if self._reading is not None:
                self._reading.cancel()
            self._socket.read_at_most(LAST_FRAMES)
            await self._socket.close(code=code, message=fitting(reason))
        except (ConnectionError, RuntimeError):
            pass  # the client has left; the reader notices, too

    async def _read(self) -> None:
        task = asyncio.current_task()
        clock = asyncio.get_running_loop().time
        greeted, greets_until = False, clock() + self._gateway.limits.hello
        while True:
            self._reading = task
            try:
                left = self._long.patience(clock()) if greeted else greets_until - clock()
                # With a timeout of 0, aiohttp would wait for ever.
                frame = await self._socket.receive(None if left is None else max(left, 0.001))
            except TimeoutError:
                what = "the parts of a message come one after the other" if greeted else "hello comes first"
                raise Invalid(f"{what}, and soon") from None
            except asyncio.CancelledError:
                if self._send_queue.open or self._reading is None or self._reading.uncancel():
                    raise
                return
            finally:
                self._reading = None
            self._heard = True
            if frame.type is WSMsgType.TEXT:
                raise Invalid("messages are MessagePack in binary frames")
            if frame.type not in (WSMsgType.BINARY, WSMsgType.PING, WSMsgType.PONG):
                return
            if not self._may_say():
                return
            await self._take_turn(frame.data)
            if frame.type is WSMsgType.PONG:
                continue
            if frame.type is WSMsgType.PING:
                try:
                    await self._socket.pong(frame.data)
                except ConnectionError:
                    return  # the client has left
                continue
            if is_part(frame.data) or len(frame.data) > LONG:
                if not greeted:
                    raise Invalid("hello comes first")
                await self._pay_for_part()
            message = self._long.take(frame.data, clock())
            if message is None:
                continue
            if greeted:
                await self._handle(message)
            elif self._greet(message):
                greeted = True
            else:
                return

    def take(self, message: bytes) -> bool:
        """Handle a move that has just arrived, unless earlier messages come first. Returns whether it did."""
        room, peer = self._room, self.peer
        # Unless a task waits for the next message, an earlier one is still being handled.
        if self._reading is None or room is None or not peer.seat or self._held_up or not message.startswith(_MOVE):
            return False
        if not self._prepaid and self._pay_for_more():
            return False
        self._heard = True
        self._prepaid -= 1
        try:
            if self._may_say():
                move = read_request(message)
                assert isinstance(move, to_server.Move)
                self._held_up = room.seats.move(peer, move)
        except Exception as error:  # noqa: BLE001 - `_failed` handles each kind
            self._failed(error)
        return True

    async def _answer_waiting(self) -> None:
        """Wait until all requested moves are answered."""
        if self._room is not None and self.peer.seat:
            await self._room.seats.answer_waiting(self.peer.seat)
        self._held_up = False

    async def _take_turn(self, message: bytes) -> None:
        """Wait for the turn of a message. Moves do not wait, unless the address sends too much."""
        if self.account.is_house:
            return
        # It waits for time to pass, so there is no event to wait for.
        while not self._prepaid and (wait := self._pay_for_more()):  # noqa: ASYNC110
            await asyncio.sleep(wait)
        self._prepaid -= 1
        if not (self.peer.seat and message.startswith(_MOVE)):
            await self._gateway.share.turn(self.account.address)

    def _pay_for_more(self) -> float:
        """Let the address pay for more messages. Returns 0.0, or the seconds until it can."""
        wait = self.account.pay(prices.MESSAGE, prices.MESSAGES_AT_ONCE)
        if not wait:
            self._prepaid = prices.MESSAGES_AT_ONCE
        return wait

    async def _pay_for_part(self) -> None:
        """Wait until the address can pay for one more part of a message, before it is kept."""
        while wait := self.account.pay(prices.PART):  # noqa: ASYNC110 - as for a turn
            await asyncio.sleep(wait)

    def _may_say(self) -> bool:
        """Count one more message. A client that sends too many is disconnected."""
        if self._messages.take(time.monotonic()):  # before Python 3.12, asking for the loop is a system call
            return True
        self._send_queue.close(Close.TOO_FAST, "Too many messages")
        return False

    def _greet(self, message: to_server.Message) -> bool:
        """Whether the first message admits the client."""
        if not isinstance(message, to_server.Hello):
            raise Invalid("hello comes first")
        if message.v != to_server.VERSION:
            reason = f"This server speaks version {to_server.VERSION} of the protocol"
            self._send_queue.close(Close.BAD_VERSION, reason)
            return False
        try:
            guests = self._gateway.guests
            self._guest = guests.guest_of(message.token) if message.token else guests.issue()[0]
        except Refused as refused:
            self.peer.send(to_client.Notice(refused.code, str(refused)))
            self._send_queue.close(Close.BAD_TOKEN, str(refused))
            return False
        token = self._gateway.guests.token(self._guest)
        self.peer.send(
            to_client.Welcome(message.v, token, self._gateway.clock.now(), __version__, self._gateway.has_others)
        )
        return True

    async def _handle(self, message: to_server.Message) -> None:
        match message:
            case to_server.Move():
                if self._room is None or not self.peer.seat:
                    refused = Refused("not-in-room")
                    said = refused.code, str(refused), refused.parameters
                    self.peer.send(to_client.Unmoved(message.race, message.n, 0, *said))
                else:
                    if self._held_up:
                        await self._answer_waiting()
                    self._held_up = self._room.seats.move(self.peer, message)
            case to_server.Ping(t):
                self._send_queue.put(encode(to_client.Pong(t, self._gateway.clock.now())))
            case to_server.Hello():
                raise Invalid("hello comes once")
            case _:
                await self._answer_waiting()  # they came first
                try:
                    await self._charged(message)
                except Newer as newer:
                    self._send_queue.close(Close.GOING_AWAY, str(newer))
                except Refused as refused:
                    self.peer.send(to_client.Refused(message.c, refused.code, str(refused), refused.parameters))
                else:
                    self.peer.send(to_client.Ok(message.c))

    async def _charged(self, message: _Charged) -> None:
        """Let the address pay for a message, carry it out, and charge its cost."""
        price = prices.price_of(message)
        if self.account.pay(price) or not self._may_in_room(message):
            raise Refused(price.code)
        try:
            await self._gateway.share.do(self.account, self._command(message))
        except Refused as refused:
            if refused.code not in prices.TELLS_NOTHING and "guesses" in price.needs:
                self.account.charge("guesses")
            raise

    def _may_in_room(self, message: _Charged) -> bool:
        """Let the guest and the address of a message pay for it in its room. Returns whether they could."""
        extra = prices.EXTRA_MESSAGES.get(type(message))
        if extra and not self._messages.take(time.monotonic(), extra):
            return False
        price = prices.IN_ROOM.get(type(message))
        if isinstance(message, to_server.Join | to_server.Watch):
            code = message.code.strip().upper()
        elif self._room is not None:
            code = self._room.room.code
            if isinstance(message, to_server.Chat) and not self.peer.seat:
                price = prices.SPECTATOR_TALK
        else:
            return True
        if price is None or self.account.is_house:
            return True
        account = self._gateway.room_accounts.of
        if account(f"{code} {self._guest} {price.kind}").pay(price.guest):
            return False
        return not account(f"{code} {self.account.address} {price.kind}").pay(price.address)

    async def _command(self, message: _Charged) -> None:
        match message:
            case to_server.Create():
                self._no_room_yet()
                self._room = await self._gateway.hub.create(self.peer, self._guest, message)
                self.peer.named = self._room.room.code  # from now on, its client does
            case to_server.Join():
                self._no_room_yet()
                if self.account.is_house:
                    message = replace(message, bot=True)
                self._room = await self._gateway.hub.join(self.peer, self._guest, message)
            case to_server.Watch():
                self._no_room_yet()
                self._room = await self._gateway.hub.watch(self.peer, self._guest, message)
            case to_server.Look() if self._room is not None:
                await self._gateway.hub.show_boards(self._room, self.peer, message.on)
            case to_server.React() if self._room is not None:
                self._gateway.hub.react(self._room, self.peer, message.sign)
            case to_server.Review() if self._room is not None and self.peer.seat:
                await self._gateway.hub.review(self._room, self.peer, message.race)
            case to_server.Chat() if self._room is not None and self.peer.name:
                await self._gateway.hub.spectator_chats(self._room, self.peer, message)
            case _:
                if self._room is None or not self.peer.seat:
                    raise Refused("watching" if self.peer.name else "not-in-room")
                await self._gateway.hub.command(self._room, self.peer, message)
                if isinstance(message, to_server.AddBot):
                    self._gateway.bots.add(self._room.room.code, message.level, self.account.address)

    def _no_room_yet(self) -> None:
        if self._room is not None and (self.peer.seat or self.peer.name):
            raise Refused("in-room")


#: The first bytes of a move: an array of four whose first item is the text "move".
_MOVE = b"\x94\xa4move"
