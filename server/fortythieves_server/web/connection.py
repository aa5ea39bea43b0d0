"""One client's WebSocket: limit each message, parse it, hand it over. It does not know the library behind it."""

import asyncio
import contextlib
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Protocol

from fortythieves.errors import Invalid, Refused
from fortythieves.protocol.to_client import Close
from fortythieves.protocol.wire import is_part
from fortythieves_server.common import prices
from fortythieves_server.common.limits import Bucket
from fortythieves_server.common.logs import about
from fortythieves_server.common.prices import Account
from fortythieves_server.common.tasks import end
from fortythieves_server.rooms.peer import SendQueue
from fortythieves_server.rooms.seats import BUG
from fortythieves_server.web.long_message import LongMessage
from fortythieves_server.web.session import Services, Session

log = logging.getLogger(__name__)

#: If the library keeps more bytes than this, frames wait in the send queue.
BUFFER = 16 * 1024
#: Longer messages, in bytes, cost as much as parts of a plan: only a plan with an entry list is longer.
LONG = 2_000
#: After this many frames that come after a close, the connection is cut. Moves that were on the way are fewer.
LAST_FRAMES = 1_000
#: Seconds in which a client must agree to a close.
GOODBYE = 2.0
#: Seconds in which the next part of a long message must come, so that it does not take memory for nothing.
NEXT_PART = 10.0
#: So many frames wait to be handled until no more are read, and until the connection is cut.
READ_AHEAD, MOST_AHEAD = 64, 8_192
#: The same in bytes. Long frames may wait for hours until their address can pay, on all of its connections.
BYTES_AHEAD = 4_000

#: The first bytes of a move: an array of four items, first the text "move".
_MOVE = b"\x94\xa4move"


class Channel(Protocol):
    """A WebSocket of any library. The methods never wait."""

    @property
    def read_and_unread(self) -> tuple[int, int]:
        """How many bytes the client has confirmed, and how many not yet."""

    def send(self, message: bytes) -> None: ...
    def ping(self) -> None: ...
    def pong(self, payload: bytes) -> None: ...
    def close(self, code: int, reason: str) -> None: ...
    def drop(self) -> None: ...
    def pause_reading(self) -> None: ...
    def resume_reading(self) -> None: ...


class Connection:
    """``ended`` is called when the client has left its room and nothing runs any more.

    Moves are handled when they arrive, because to wake a task takes as long as to judge a move. Other messages are
    handled by a task, one after the other; it ends when none is left.
    """

    __slots__ = (
        *("_account", "_ahead", "_channel", "_deadline", "_ended", "_has_unread", "_heard", "_is_gone", "_last"),
        *("_long", "_messages", "_pinged", "_prepaid", "_read", "_said_goodbye", "_send_queue", "_services"),
        *("_session", "_task", "_waiting", "_waiting_for_time", "_writable", "_writer", "peer", "since"),
    )

    def __init__(
        self, services: Services, channel: Channel, account: Account, ended: Callable[["Connection"], None]
    ) -> None:
        self._services = services
        self._channel = channel
        self._account = account
        self._ended = ended
        self._send_queue = SendQueue(self)
        address = "" if account.is_house else services.guests.address_hash(account.address)
        self.peer = services.rooms.peer(self._send_queue, address, account)
        self._messages = Bucket(services.limits.messages)
        self._session = Session(services, account, self.peer, self._messages)
        #: How many more messages its address has paid for.
        self._prepaid = 0
        self._long: LongMessage | None = None
        #: Frames that wait for the task that handles them, each with the method for its kind.
        #: None if none waits, because an empty one takes 600 bytes.
        self._waiting: deque[tuple[Callable[[bytes], Awaitable[None]], bytes]] | None = None
        #: Their bytes, since none waited.
        self._ahead = 0
        self._task: asyncio.Task[None] | None = None
        #: Done when the client has left, while the task waits until its address can pay.
        self._waiting_for_time: asyncio.Future[None] | None = None
        #: The task that writes queued frames. None as long as no frame had to wait.
        self._writer: asyncio.Task[None] | None = None
        #: While the client does not read: done when it does, or when it has left.
        self._writable: asyncio.Future[None] | None = None
        loop = asyncio.get_running_loop()
        self.since = loop.time()
        self._deadline: asyncio.TimerHandle | None = loop.call_later(
            services.limits.hello, self._too_late, "hello comes first, and soon"
        )
        #: Whether the client has sent anything since the last check, and whether it got a ping.
        self._heard = True
        self._pinged = False
        #: At the last check: how many bytes the client had read, and whether many more waited.
        self._read, self._has_unread = 0, False
        #: Whether a close frame was sent, and how many frames came after it.
        self._said_goodbye = False
        self._last = 0
        self._is_gone = False

    @property
    def is_in_no_room(self) -> bool:
        return self._session.room is None and self._send_queue.open

    @property
    def may_invite(self) -> bool:
        """Whether the link of the room matters to the client now: to a host, or to anyone between races."""
        room = self._session.room
        return room is not None and (not room.room.race.on or self.peer.seat == room.room.host)

    # Receiving

    def receive(self, message: bytes) -> None:
        """Handle a binary message."""
        self._heard = True
        if (
            self._task is None
            and message.startswith(_MOVE)
            and self._session.may_move_now
            and not self._said_goodbye
            and (self._prepaid or not self._pay_for_more())
        ):
            self._prepaid -= 1
            try:
                if self._may_send():
                    self._session.move_now(message)
            except Exception as error:  # noqa: BLE001 - `_failed` handles each kind
                self._failed(error)
        else:
            self._put(self._handle_message, message)

    def pinged(self, payload: bytes) -> None:
        self._put(self._handle_ping, payload)

    def ponged(self) -> None:
        self._put(self._handle_pong, b"")

    def fail(self, code: int, why: str) -> None:
        """Close the connection because the client broke the protocol."""
        if not self._is_late():
            self._send_queue.close(code, why)

    def lost(self) -> None:
        """The connection has ended. Its last frames are still handled."""
        if not self._send_queue.open:
            self._waiting = None
        self._is_gone = True
        self._send_queue.close(1000, "")  # first, because the room may have to wait for Redis
        self._stop_waiting()
        self._begin_to_handle()

    def _put(self, handle: Callable[[bytes], Awaitable[None]], payload: bytes) -> None:
        """Let the task handle a frame."""
        self._heard = True
        if self._is_late():
            return
        if self._waiting is None:
            self._waiting = deque()
        self._waiting.append((handle, payload))
        self._ahead += len(payload)
        if len(self._waiting) == READ_AHEAD or self._ahead > BYTES_AHEAD:
            self._channel.pause_reading()
        elif len(self._waiting) > MOST_AHEAD:
            self._channel.drop()
        self._begin_to_handle()

    def _is_late(self) -> bool:
        """Whether a frame has come after the connection was closed, and is ignored."""
        if not self._said_goodbye:
            return False
        self._last += 1
        if self._last > LAST_FRAMES:
            self._channel.drop()
        return True

    def _begin_to_handle(self) -> None:
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._handle_waiting())

    async def _handle_waiting(self) -> None:
        """Handle all frames that wait. If the connection closes, leave the room."""
        while self._waiting:
            handle, payload = self._waiting.popleft()
            try:
                if self._send_queue.open or self._is_gone:
                    await self._pay(payload)
                    await handle(payload)
            except Exception as error:  # noqa: BLE001 - `_failed` handles each kind
                self._failed(error)
            if not self._waiting:
                self._waiting, self._ahead = None, 0
                self._channel.resume_reading()
        if self._is_gone or self._said_goodbye:
            await self._leave()
        self._task = None
        if self._is_gone:
            self._end()

    async def _leave(self) -> None:
        room, self._session.room = self._session.room, None
        if room is not None:
            with contextlib.suppress(Refused):
                await self._services.rooms.hang_up(room, self.peer)

    def _end(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._ended(self)

    async def stop(self) -> None:
        """Stop all that runs, at the end of the process."""
        self._channel.drop()
        await end([self._task, self._writer])

    async def _handle_message(self, message: bytes) -> None:
        if is_part(message) or len(message) > LONG:
            if not self._session.greeted:
                raise Invalid("hello comes first")
            while wait := self._account.pay(prices.PART):
                await self._wait_for_time(wait)
        long = self._long or LongMessage()
        complete = long.take(message)
        self._long = long if long.is_incomplete else None
        if complete is not None:
            await self._session.handle(complete)
        self._set_deadline()

    async def _handle_ping(self, payload: bytes) -> None:
        self._channel.pong(payload)

    async def _handle_pong(self, payload: bytes) -> None:
        pass

    def _set_deadline(self) -> None:
        """From now on, the next part of a long message must come soon."""
        if not self._session.greeted:
            return
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
        if self._long is not None:
            why = "the parts of a message come one after the other, and soon"
            self._deadline = asyncio.get_running_loop().call_later(NEXT_PART, self._too_late, why)

    def _too_late(self, why: str) -> None:
        if self._task is None:
            self._failed(Invalid(why))
        else:  # it may have come, and waits to be handled
            self._deadline = asyncio.get_running_loop().call_later(1.0, self._too_late, why)

    # Limits

    async def _pay(self, message: bytes) -> None:
        """Wait for the turn of a frame. Moves do not wait, unless the address sends too much."""
        if not self._may_send():
            raise _Closed
        if self._account.is_house:
            return
        while not self._prepaid and (wait := self._pay_for_more()):
            await self._wait_for_time(wait)
        self._prepaid -= 1
        if not (self.peer.seat and message.startswith(_MOVE)):
            await self._services.share.turn(self._account.address)

    def _pay_for_more(self) -> float:
        """Let the address pay for more messages. Returns 0.0, or the seconds until it can."""
        wait = self._account.pay(prices.MESSAGE, prices.MESSAGES_AT_ONCE)
        if not wait:
            self._prepaid = prices.MESSAGES_AT_ONCE
        return wait

    async def _wait_for_time(self, seconds: float) -> None:
        """Wait, unless the client leaves. Then, its last frames are ignored."""
        if not self._is_gone:
            self._waiting_for_time = asyncio.get_running_loop().create_future()
            await asyncio.wait([self._waiting_for_time], timeout=seconds)
            self._waiting_for_time = None
        if self._is_gone:
            self._waiting = None
            raise _Closed

    def _stop_waiting(self) -> None:
        for future in (self._waiting_for_time, self._writable):
            if future is not None and not future.done():
                future.set_result(None)

    def _may_send(self) -> bool:
        """Count one more message. A client that sends too many is disconnected."""
        if self._messages.take(time.monotonic()):  # before Python 3.12, asking for the loop is a system call
            return True
        self._send_queue.close(Close.TOO_FAST, "Too many messages")
        return False

    def _failed(self, error: Exception) -> None:
        """A message was invalid, or handling it failed."""
        if isinstance(error, _Closed):
            return
        if isinstance(error, Invalid):
            self._send_queue.close(Close.INVALID, str(error))
            return
        room = self._session.room
        code = room.room.code if room is not None else None
        extra = about(code, self.peer.seat)
        log.error("a connection failed in room %s, seat %s", code, self.peer.seat, exc_info=error, extra=extra)
        self._send_queue.close(Close.BUG, BUG)

    def check(self) -> None:
        """Ping a silent client, and drop one that did not answer or does not read.

        One timer for each message would cost more.
        """
        before, is_slow = self._read, self._has_unread
        self._read, unread = self._channel.read_and_unread
        self._has_unread = unread > BUFFER
        if is_slow and self._has_unread and self._read - before < BUFFER:
            # Its system may answer pings all the same. It does not read why it is closed, either.
            self._services.rooms.counts.closed[Close.TOO_SLOW] += 1
            self._channel.drop()
        elif self._heard or self._task is not None:  # the answer may be among the waiting frames
            self._heard = self._pinged = False
        elif self._pinged:
            self._channel.drop()
        else:
            self._pinged = True
            self._channel.ping()

    # Sending

    def send_now(self, frame: bytes) -> bool:
        """Send a frame, if the client has read nearly everything before it. Returns whether it has."""
        if self._writable is not None:
            return False
        self._channel.send(frame)
        return True

    def pause_writing(self) -> None:
        """The client does not read as fast as we send."""
        self._writable = asyncio.get_running_loop().create_future()

    def resume_writing(self) -> None:
        self._stop_waiting()
        self._writable = None

    def begin_to_write(self) -> None:
        if self._writer is None:
            self._writer = asyncio.get_running_loop().create_task(self._write())

    async def _write(self) -> None:
        """Send queued frames until the connection closes."""
        code, reason = await self._send_queue.drain(self._send)
        if self._is_gone:
            return
        self._services.rooms.counts.closed[code] += 1
        self._said_goodbye = True
        self._channel.close(code, reason)
        # If the socket were closed now and the client sent something, its own system would reset the connection before
        # it reads why it was closed.
        asyncio.get_running_loop().call_later(GOODBYE, self._channel.drop)
        self._channel.resume_reading()
        self._begin_to_handle()

    async def _send(self, frame: bytes) -> None:
        if self._writable is not None:
            await self._writable
        self._channel.send(frame)


class _Closed(Exception):
    """The connection closes, and its last frames are ignored."""
