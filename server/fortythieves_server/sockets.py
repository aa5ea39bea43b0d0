"""A WebSocket of aiohttp whose messages can be taken where they come in, without waking up the task that reads it."""

from typing import Any, Protocol

from aiohttp import WSMsgType, web
from aiohttp._websocket.reader import WebSocketDataQueue
from aiohttp.http_websocket import WebSocketReader, WebSocketWriter

#: Bytes that may be read ahead of whoever reads.
READ_AHEAD = 64 * 1024


class Taker(Protocol):
    """Who takes messages where they come in."""

    def take(self, message: bytes) -> bool:
        """Take a binary message, or leave it to whoever reads. Must not raise anything."""


class Socket(web.WebSocketResponse):
    """A WebSocket that offers each binary message to a taker first, unless others wait to be read before it.

    To wake up a task and have it read a message takes as long as to judge a move. What is not taken is read as ever.
    aiohttp has no public way to this: a new release of it has to be looked at.
    """

    def _post_start(self, request: web.BaseRequest, protocol: str | None, writer: WebSocketWriter) -> None:
        self._ws_protocol = protocol
        self._writer = writer
        assert self._loop is not None
        self._reader = self._queue = _Queue(request._protocol, READ_AHEAD, loop=self._loop)
        self._parser = WebSocketReader(self._reader, self._max_msg_size, compress=False, decode_text=True)
        request.protocol.set_parser(self._parser)
        request.protocol.keep_alive(False)

    def offer(self, taker: Taker | None) -> None:
        """From now on, offer messages to ``taker``, or to nobody."""
        self._queue.taker = taker


class _Queue(WebSocketDataQueue):
    """The messages that wait to be read."""

    __slots__ = ("taker",)

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.taker: Taker | None = None

    def feed_data(self, data: Any, size: int) -> None:
        """A message has come in."""
        taker = self.taker
        if taker is None or self._buffer or data.type is not WSMsgType.BINARY or not taker.take(data.data):
            super().feed_data(data, size)
