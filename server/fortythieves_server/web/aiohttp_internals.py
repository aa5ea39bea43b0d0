"""The private parts of aiohttp that this server uses, in this file alone: WebSockets and connections from the inside.

Its version is pinned; `test_aiohttp_is_as_it_was_read` says what to do before another one.
"""

import array
import asyncio
import contextlib
import fcntl
import termios
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, Protocol, cast

from aiohttp import WSMsgType, web
from aiohttp._websocket.reader import WebSocketDataQueue
from aiohttp.base_protocol import PAUSE_RESUME_READING_ERRORS
from aiohttp.http_websocket import WebSocketReader, WebSocketWriter
from aiohttp.web_protocol import RequestHandler
from multidict import CIMultiDict

#: Bytes that may be read ahead of whoever reads.
READ_AHEAD = 64 * 1024
#: The most bytes of requests that are not being answered yet. Node.js allows as many for the head of one. Nobody but
#: attackers sends several at once.
LONGEST_HEAD = 16 * 1024
#: The most slashes of a path for which a route is looked for: aiohttp takes quadratic time for that. Ours have five.
MOST_SLASHES = 12
_HEAD_TOO_LONG = b"HTTP/1.1 431 Request Header Fields Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


#: Takes a binary message and returns True, or leaves it to whoever reads. Must not raise anything.
Take = Callable[[bytes], bool]


class Socket(web.WebSocketResponse):
    """Offers each binary message to a function first: to wake up a task takes as long as to judge a move."""

    def _post_start(self, request: web.BaseRequest, protocol: str | None, writer: WebSocketWriter) -> None:
        self._ws_protocol = protocol
        self._writer = writer
        assert self._loop is not None
        self._reader = self._queue = _Queue(request._protocol, READ_AHEAD, loop=self._loop)
        self._parser = WebSocketReader(self._reader, self._max_msg_size, compress=False, decode_text=True)
        if isinstance(request.protocol, Handler):
            request.protocol.frames = self._queue
        request.protocol.set_parser(self._parser)
        request.protocol.keep_alive(False)
        self._transport = request.transport

    def let_go(self, request: web.BaseRequest, then: Callable[[], None]) -> None:
        """Go on without the request: call ``then`` when its handler has returned this socket, and it is forgotten.

        Its tasks, headers and parser would take more memory than a racer with a board.
        """
        self._req = None
        self._headers = _NO_HEADERS
        request.content.feed_eof()  # else aiohttp waits for a body that was promised
        cast("Handler", request.protocol).let_go(then)

    async def write_eof(self, data: bytes = b"") -> None:
        """Called when the handler of the request returns: aiohttp closes the WebSocket then."""
        if self._req is not None:
            await super().write_eof()

    def _close_transport(self) -> None:
        if self._transport is not None:
            self._transport.close()

    def read_at_most(self, frames: int) -> None:
        """Cut the connection if more frames come from now on."""
        self._queue.left, self._queue.cut = frames, self._cut

    def _cut(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    def offer(self, take: Take | None) -> None:
        """From now on, offer messages to ``take``, or to nobody."""
        self._queue.take = take


#: What is left of an answer's headers. Nobody writes to it.
_NO_HEADERS: CIMultiDict[str] = CIMultiDict()


class _Queue(WebSocketDataQueue):
    __slots__ = ("cut", "fed", "left", "take")

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.take: Take | None = None
        #: How many frames have come.
        self.fed = 0
        #: After how many more frames ``cut`` is called, if it is set.
        self.left = 0
        self.cut: Callable[[], None] | None = None

    def feed_data(self, data: Any, size: int) -> None:
        self.fed += 1
        if self.cut is not None:
            self.left -= 1
            if self.left < 0:
                self.cut()
                return
        take = self.take
        if take is None or self._buffer or data.type is not WSMsgType.BINARY or not take(data.data):
            super().feed_data(data, size)


class Handler(RequestHandler):
    """What aiohttp does with a connection of HTTP, for an acceptor that looks at what becomes of it."""

    __slots__ = (
        *("_connected", "_owner", "_unanswered", "_unheard", "_unsent_then"),
        *("address", "frames", "stalled_since", "waiting", "was_closing"),
    )

    def __init__(self, server: web.Server, owner: "Owner", address: str) -> None:
        settings = dict(server._kwargs)
        if not address:
            del settings["keepalive_timeout"]  # A proxy of ours has its own, and aiohttp's is longer than any of them.
        super().__init__(server, loop=server._loop, **settings)
        self._owner = owner
        self._connected: asyncio.Transport | None = None
        #: For whom the limits count it; "": for nobody.
        self.address = address
        #: While it is not connected yet, and nothing has come: set by `wake`.
        self.waiting: asyncio.Future[None] | None = None
        #: Whether it was closing when the owner last looked.
        self.was_closing = False
        #: Since when the client has not read what is sent, by the clock of the loop; None while it does.
        self.stalled_since: float | None = None
        #: What it had not read then.
        self._unsent_then = 0
        #: How many bytes of requests have come since the last time when all were being answered.
        self._unanswered = 0
        #: Of a WebSocket: its frames, and how many bytes have come since the last one that was whole.
        self.frames: _Queue | None = None
        self._unheard = 0

    @property
    def has_asked(self) -> bool:
        """Whether a whole head of a request has come."""
        return self._request_count > 0

    @property
    def is_waiting(self) -> bool:
        """Whether nothing is being done for the client: the head of the next request has not come yet."""
        return self._waiter is not None and not self._waiter.done()

    @property
    def is_websocket(self) -> bool:
        """Whether it is one by now: then it has limits of its own."""
        return self._payload_parser is not None

    @property
    def is_closing(self) -> bool:
        """Whether it ends when the client has read what is left, which it may never do."""
        return self._connected is not None and self._connected.is_closing()

    def drop(self) -> None:
        if self._connected is not None:
            self._connected.abort()
        else:
            self.wake()

    def let_go(self, then: Callable[[], None]) -> None:
        """The request has become a WebSocket: keep nothing of it when its task ends, and then call ``then``."""
        self._parser = None
        self._messages = cast("deque[Any]", ())
        self.transport = None  # else `start` closes it
        assert self._task_handler is not None
        self._task_handler.add_done_callback(lambda task: self._go_on(then))

    def _go_on(self, then: Callable[[], None]) -> None:
        self.transport = self._connected
        then()

    def wake(self) -> None:
        """Wait no longer for the first bytes."""
        if self.waiting is not None and not self.waiting.done():
            self.waiting.set_result(None)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """aiohttp's own, which forgets the transport as soon as it is closing."""
        self._connected = cast("asyncio.Transport", transport)
        super().connection_made(transport)

    def data_received(self, data: bytes) -> None:
        """aiohttp's own, but a client cannot make it keep as much as it likes, or read for ever what is no message."""
        frames, parser = self.frames, self._payload_parser
        if frames is None or parser is None:
            if not self._upgraded:
                self._unanswered += len(data)
                if self._unanswered > LONGEST_HEAD:
                    self._refuse_head()
                    return
            super().data_received(data)
        elif not (self._force_close or self._close):
            # All that aiohttp would do. Asking it would cost a call for each move.
            before = frames.fed
            is_over, _ = parser.feed_data(data)
            if is_over:
                self.close()
            elif frames.fed != before or self._reading_paused:
                self._unheard = 0
            else:
                self._unheard += len(data)
                if self._unheard > READ_AHEAD:
                    self.drop()  # parts of messages that have no content, for which nobody pays

    def _refuse_head(self) -> None:
        if self._connected is not None and self.is_waiting:
            self._connected.write(_HEAD_TOO_LONG)
            self._connected.close()
        else:
            self.drop()  # an answer is on its way, or the client is not connected any more

    async def _handle_request(
        self,
        request: web.BaseRequest,
        start_time: float | None,
        request_handler: Callable[[web.BaseRequest], Awaitable[web.StreamResponse]],
    ) -> tuple[web.StreamResponse, bool]:
        """aiohttp's own, but what it would do before anybody has paid for it is refused."""
        if not self._messages:
            self._unanswered = 0
        if request.rel_url.raw_path.count("/") > MOST_SLASHES or "Expect" in request.headers:
            request_handler = _refuse
        return await super()._handle_request(request, start_time, request_handler)

    def _pause_transport_reading(self) -> None:
        """aiohttp's own, but also while `let_go` hides the transport. Otherwise nothing would pause it any more."""
        if self._connected is not None:
            with contextlib.suppress(*PAUSE_RESUME_READING_ERRORS):
                self._connected.pause_reading()

    def _resume_transport_reading(self) -> None:
        """The same the other way round."""
        if self._connected is not None:
            with contextlib.suppress(*PAUSE_RESUME_READING_ERRORS):
                self._connected.resume_reading()

    def connection_lost(self, exc: BaseException | None) -> None:
        """aiohttp's own; then the owner hears of it."""
        super().connection_lost(exc)
        self._connected = None
        self._owner.lost(self)

    def pause_writing(self) -> None:
        """The client does not read as fast as it is sent to."""
        super().pause_writing()
        self.stalled_since = self._loop.time()
        self._unsent_then = self._unsent()
        self._owner.stalled.add(self)

    def has_read(self, least: float) -> bool:
        """Whether a stalled client has read at least so many bytes after all. It is then stalled since now."""
        unsent = self._unsent()
        if self._unsent_then - unsent < least:
            return False
        self._unsent_then, self.stalled_since = unsent, self._loop.time()
        return True

    def _unsent(self) -> int:
        """The bytes that the client has not been sent, or has not confirmed."""
        if self._connected is None:
            return 0
        in_system = array.array("i", [0])
        with contextlib.suppress(OSError):  # the system does not say it
            fcntl.ioctl(self._connected.get_extra_info("socket").fileno(), termios.TIOCOUTQ, in_system)
        return self._connected.get_write_buffer_size() + in_system[0]

    def resume_writing(self) -> None:
        """The client has read nearly all."""
        super().resume_writing()
        self.stalled_since = None
        self._owner.stalled.discard(self)


async def _refuse(_: web.BaseRequest) -> web.StreamResponse:
    answer = web.Response(status=400, text="No client of this server asks for that.\n")
    answer.force_close()
    return answer


class Owner(Protocol):
    """Who looks after connections."""

    stalled: set[Handler]

    def lost(self, handler: Handler) -> None:
        """A connection has ended."""
