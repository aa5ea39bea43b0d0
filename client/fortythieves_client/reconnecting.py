"""The connection to a server: a WebSocket that says hello, matches answers to commands, and reconnects if it breaks."""

import asyncio
import random
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from statistics import median
from typing import NamedTuple, TypeVar
from urllib.parse import quote

import msgpack
import msgspec
from websockets.asyncio.client import ClientConnection, connect, unix_connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.frames import Close as CloseFrame

from fortythieves.errors import Refused
from fortythieves.protocol import to_client, to_server
from fortythieves.times import Ms, Seconds, ms_of, seconds_of

T = TypeVar("T")

#: Bytes. The whole log of a long race in a room of a thousand fits.
MAX_FRAME = 4 * 2**20
#: The most bytes of a message in one frame to the server.
PART = 16_000
#: Seconds for one attempt to connect, say hello, and return to the seat.
OPEN_TIMEOUT = 10.0
#: Seconds between attempts to reconnect: doubled from the first to the last. Each is randomised, so that a restarted
#: server does not get all connections in the same moment.
FIRST_DELAY, LAST_DELAY = 0.1, 5.0
#: Seconds over which the clients of a restarting server reconnect.
SPREAD = 1.0
#: The number of pings to keep: enough for a median that one late packet does not change.
SAMPLES = 9
#: An error of the clock that no ping explains, in seconds. A guess.
STEP = 0.3
#: WebSocket close code of a connection that broke without a close frame (RFC 6455, 7.4.1).
BROKEN = 1006


#: After one of these close codes, reconnecting is pointless.
FINAL = frozenset(
    getattr(to_client.Close, name)
    for name in ("TOO_BIG", "INVALID", "TAKEN_OVER", "KICKED", "BAD_TOKEN", "ROOM_GONE", "BAD_VERSION")
)

#: A request refused with one of these codes may be allowed a moment later.
RETRYABLE = frozenset({"store-down", "too-fast"})

#: msgspec understands a union each time that it is asked for one (85 us), but keeps what it knows of a field (1.5 us).
_Frame = msgspec.defstruct("_Frame", [("message", to_client.ANY)], array_like=True)

_ANSWERS = (to_client.Ok, to_client.Refused, to_client.Moved, to_client.Unmoved, to_client.Pong)


class Closed(ConnectionError):
    """The connection is closed for good. ``code`` is the WebSocket close code."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(f"{reason or 'The connection is closed.'} ({code})")
        self.code = code
        self.reason = reason

    @property
    def for_good(self) -> bool:
        """Whether reconnecting is pointless, according to the server."""
        return self.code in FINAL


class RefusedByServer(Refused):
    """A refusal in the server's own words. Its code may be newer than this client."""

    def __init__(self, code: str, message: str, parameters: Mapping[str, int | str]) -> None:
        Exception.__init__(self, message)
        self.code = code
        self.details = dict(parameters)


class Gap(Exception):
    """A numbered message is missing. Reconnecting fetches it."""


class Handler:
    """Handles the messages of the server. A subclass has the methods that it needs."""

    def handle(self, message: to_client.Message) -> None:
        """Handle a message that is not an answer. May raise `Gap`."""

    def room_code(self) -> str:
        """The room for which a new connection is, "" if that is not known yet."""
        return ""

    def rejoin(self, c: int) -> to_server.Join | to_server.Watch | None:
        """The first message on a new connection, if we had a seat or watched."""
        return None

    def unconfirmed(self) -> Iterable[to_server.Message]:
        """The messages that are not confirmed yet, in order."""
        return ()

    def disconnected(self) -> None:
        """The connection broke. It is being reopened, and pending calls still wait."""

    def closed(self, error: Exception) -> None:
        """There will be no other connection."""


class ServerClock:
    """Server time from pings: the median of samples. The server's reading is taken as the middle of a round trip."""

    __slots__ = ("_monotonic", "_offsets")

    def __init__(self, monotonic: Callable[[], Seconds] | None = None) -> None:
        self._monotonic = monotonic or time.monotonic
        self._offsets: deque[Seconds] = deque(maxlen=SAMPLES)

    def sample(self, sent: Seconds, server: Ms, received: Seconds) -> None:
        """Add one ping: the local time when it was sent, the server's time, and when it was answered."""
        offset = seconds_of(server) - (sent + received) / 2
        if self._offsets and abs(offset - median(self._offsets)) > (received - sent) / 2 + STEP:
            self._offsets.clear()  # the server's clock was set, or this is another room
        self._offsets.append(offset)

    def reached(self, server: Ms) -> None:
        """It was this time when the server sent a message that has just arrived."""
        if server > self.now() + ms_of(STEP):
            self.sample(self._monotonic(), server, self._monotonic())

    def now(self) -> Ms:
        """The server's time. Raises `ValueError` before the first sample."""
        if not self._offsets:
            raise ValueError("No ping has been answered yet.")
        return ms_of(self._monotonic() + median(self._offsets))


class _Command(NamedTuple):
    """A command that is not answered yet."""

    message: to_server.Message
    answer: asyncio.Future[None]


class ReconnectingConnection:
    """A sequence of connections to one server that looks like one connection."""

    def __init__(
        self, url: str, token: str | None, reconnect_timeout: float, handler: Handler, socket: str | None = None
    ) -> None:
        self.token = token
        self.clock = ServerClock()
        #: The server's software version.
        self.software = ""
        #: Whether several processes serve rooms.
        self.several = False
        #: Why the connection is closed for good, or None.
        self.error: Exception | None = None
        self._url = url
        self._connect_to = partial(unix_connect, socket) if socket else connect
        self._reconnect_timeout = reconnect_timeout
        self._handler = handler
        self._counter = 0
        self._unanswered: dict[int, _Command] = {}
        self._pings: dict[float, asyncio.Future[bool]] = {}
        self._socket: ClientConnection | None = None
        self._connected = asyncio.Event()
        #: A message has this lock while it is sent, so that its parts stay together.
        self._writing = asyncio.Lock()
        #: Whether a command was answered on the current connection.
        self._answered = False
        self._reader: asyncio.Task[None] | None = None

    # Public methods

    async def open(self) -> None:
        """Connect for the first time. After that, it reconnects by itself. Raises `OSError`."""
        await self._connect()
        self._reader = asyncio.create_task(self._run())

    async def close(self) -> None:
        if self._reader is not None:
            self._reader.cancel()
            await asyncio.wait([self._reader])
        self._close_for_good(Closed(1000, "This client has closed the connection."))
        if self._socket is not None:
            await self._socket.close()

    def interrupt(self) -> None:
        """Break the connection without a close frame, as a tunnel does."""
        if self._socket is not None:
            self._socket.transport.abort()

    async def request(self, message: Callable[[int], to_server.Message]) -> None:
        """Send a command and wait for its answer. Raises `Refused`.

        If the answer was lost with its connection, the command is repeated. A command that is already true is answered
        with ok and changes nothing.
        """
        await self._wait_until_connected()
        self._counter += 1
        command = self._unanswered[self._counter] = _Command(message(self._counter), _future())
        await self._write(command.message)
        await command.answer

    async def send(self, message: to_server.Message) -> None:
        """Send a message that `Handler.unconfirmed` will repeat if need be."""
        if self._connected.is_set():
            await self._write(message)

    async def ping(self) -> None:
        """Make one round trip, which improves the estimate of the server's clock."""
        answered = False
        while not answered:
            await self._wait_until_connected()
            sent = time.monotonic()
            answer = self._pings[sent] = _future()
            await self._write(to_server.Ping(sent))
            answered = await answer

    # One connection

    async def _wait_until_connected(self) -> None:
        # The connection may have broken before this task runs.
        while self.error is None and not self._connected.is_set():
            await self._connected.wait()
        if self.error is not None:
            raise self.error

    async def _write(self, message: to_server.Message) -> None:
        """Send a message. It is lost if the connection is broken; commands are repeated on the next one."""
        if self._socket is not None:
            try:
                async with self._writing:
                    for frame in frames(message):
                        await self._socket.send(frame)
            except ConnectionClosed:
                return

    async def _connect(self) -> None:
        """Connect, say hello, and return to the seat. Raises `OSError` or `Refused`."""
        try:
            async with asyncio.timeout(OPEN_TIMEOUT):
                code = self._handler.room_code()
                address = f"{self._url}?room={quote(code)}" if code else self._url
                self._socket = await self._connect_to(
                    address, compression=None, max_size=MAX_FRAME, close_timeout=1, open_timeout=None
                )
                await self._say_hello(self._socket)
                await self._rejoin(self._socket)
        except ConnectionClosed as error:
            close = error.rcvd or CloseFrame(BROKEN, "")
            raise Closed(close.code, close.reason) from None
        except InvalidHandshake as error:
            raise Closed(BROKEN, str(error)) from None
        except BaseException:
            self.interrupt()
            raise
        self._answered = False
        for command in list(self._unanswered.values()):
            await self._write(command.message)
        # Messages that are sent during this loop are appended to the list, so the order is kept.
        for message in self._handler.unconfirmed():
            await self._write(message)
        self._connected.set()

    async def _say_hello(self, socket: ClientConnection) -> None:
        sent = time.monotonic()
        await self._write(to_server.Hello(to_server.VERSION, self.token))
        while not isinstance(welcome := decode(await socket.recv()), to_client.Welcome):
            self._dispatch(welcome)
        self.token = welcome.token
        self.software, self.several = welcome.software, welcome.several
        self.clock.sample(sent, welcome.now, time.monotonic())

    async def _rejoin(self, socket: ClientConnection) -> None:
        self._counter += 1
        c = self._counter
        join = self._handler.rejoin(c)
        if join is None:
            return
        await self._write(join)
        while not isinstance(answer := decode(await socket.recv()), to_client.Ok | to_client.Refused) or answer.c != c:
            self._dispatch(answer)
        if isinstance(answer, to_client.Refused):
            refused = RefusedByServer(answer.code, answer.message, answer.parameters)
            raise ConnectionError(str(refused)) if answer.code in RETRYABLE else refused
        # If the connection broke while taking the seat, this has completed it.
        for other, command in list(self._unanswered.items()):
            if isinstance(command.message, to_server.Create | to_server.Join | to_server.Watch):
                del self._unanswered[other]
                resolve(command.answer, None)

    def _dispatch(self, message: to_client.Message) -> None:
        self._answered = self._answered or isinstance(message, _ANSWERS)
        match message:
            case to_client.Ok(c):
                if command := self._unanswered.pop(c, None):
                    resolve(command.answer, None)
            case to_client.Refused(c, code, text, parameters):
                if command := self._unanswered.pop(c, None):
                    reject(command.answer, RefusedByServer(code, text, parameters))
            case to_client.Pong(t, now):
                if answer := self._pings.pop(t, None):
                    self.clock.sample(t, now, time.monotonic())
                    resolve(answer, True)
            case _:
                self._handler.handle(message)

    # Reconnecting

    async def _run(self) -> None:
        """Read until the end, and reconnect after every loss."""
        broken_at, tries = 0.0, 0
        try:
            while True:
                opened_at = time.monotonic()
                closed = await self._read()
                self._disconnected()
                self._handler.disconnected()
                if closed.for_good:
                    raise closed
                # A connection that breaks before any answer counts as a failed attempt.
                if not tries or self._answered or time.monotonic() - opened_at > LAST_DELAY:
                    broken_at, tries = time.monotonic(), 0
                # The server restarts, and other servers take over.
                if tries or closed.code != to_client.Close.GOING_AWAY:
                    tries += 1
                tries = await self._reconnect(broken_at + self._reconnect_timeout, tries)
        except (OSError, Refused) as error:
            self._close_for_good(error)
        except Exception as error:
            # A bug, on either side. Raise it in all pending calls and in this task.
            self._close_for_good(error)
            raise

    async def _read(self) -> Closed:
        """Read until the connection ends. Returns how it ended."""
        socket = self._socket
        assert socket is not None
        try:
            async for frame in socket:
                self._dispatch(decode(frame))
        except Gap:
            socket.transport.abort()
        except ConnectionClosed:
            pass
        await socket.wait_closed()
        return Closed(socket.close_code or BROKEN, socket.close_reason or "")

    async def _reconnect(self, deadline: Seconds, tries: int) -> int:
        """Reconnect after a pause that grows with the attempts. Returns the number of attempts so far."""
        while True:
            delay = backoff(tries)
            if time.monotonic() + delay > deadline:
                raise Closed(BROKEN, "The server did not come back.")
            await asyncio.sleep(delay)
            tries += 1
            try:
                await self._connect()
            except OSError as error:
                if isinstance(error, Closed) and error.for_good:
                    raise
            else:
                return tries

    def _disconnected(self) -> None:
        """The connection broke. Commands wait for the next one. A ping fails, because it measures one connection."""
        self._connected.clear()
        for answer in self._pings.values():
            resolve(answer, False)
        self._pings.clear()

    def _close_for_good(self, error: Exception) -> None:
        """The connection is closed for good: raise the error in all pending calls."""
        if self.error is not None:
            return
        self._disconnected()
        self.error = error
        for command in self._unanswered.values():
            reject(command.answer, error)
        self._unanswered.clear()
        self._handler.closed(error)
        self._connected.set()


def backoff(tries: int) -> float:
    """Seconds before the next attempt to connect, after ``tries`` failures. 0: the server announced that it closes."""
    if not tries:
        return random.uniform(0, SPREAD)
    return min(FIRST_DELAY * 2.0 ** min(tries - 1, 30), LAST_DELAY) * random.uniform(0.5, 1)


def frames(message: to_server.Message) -> Iterator[bytes]:
    """The frames of a message to the server: one, or its parts and an empty one after them."""
    whole: bytes = msgpack.packb(msgspec.to_builtins(message))
    if len(whole) <= PART:
        yield whole
        return
    for start in range(0, len(whole), PART):
        yield msgpack.packb(whole[start : start + PART])
    yield msgpack.packb(b"")


def decode(frame: bytes | str) -> to_client.Message:
    """The message of a frame from the server. Raises `Closed` for other data."""
    try:
        message: to_client.Message = msgspec.convert([msgpack.unpackb(frame)], _Frame).message  # type: ignore[attr-defined]
    except (msgspec.ValidationError, ValueError, TypeError) as error:
        raise Closed(
            to_client.Close.INVALID, f"The server sent an invalid message: {str(error) or 'it is not MessagePack'}"
        ) from None
    return message


def _future() -> asyncio.Future[T]:
    future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
    return future


def resolve(waiting: asyncio.Future[T], result: T) -> None:
    if not waiting.done():
        waiting.set_result(result)


def reject(waiting: asyncio.Future[T], error: Exception) -> None:
    if not waiting.done():
        waiting.set_exception(error)
