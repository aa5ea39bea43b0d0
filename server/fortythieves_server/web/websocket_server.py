"""WebSockets by picows, which gets each connection from the acceptor instead of from a port of its own."""

import asyncio
import logging
import struct
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from http import HTTPStatus
from typing import Any, cast

import aiofastnet
from picows import (
    WSCloseCode,
    WSFrame,
    WSListener,
    WSMsgType,
    WSTransport,
    WSUpgradeRequest,
    WSUpgradeResponse,
    WSUpgradeResponseWithListener,
    ws_create_server,
)

from fortythieves.protocol.to_client import Close
from fortythieves_server.common.prices import Account
from fortythieves_server.process.accepted_socket import AcceptedSocket
from fortythieves_server.web.connection import BUFFER, Connection
from fortythieves_server.web.gateway import Gateway

log = logging.getLogger(__name__)

#: Bytes of the buffer into which a frame is read. It grows if a frame is longer. Most of ours have 20.
_READ_BUFFER = 2048
#: The most bytes of frames that wait for the end of a turn of the event loop. A guess.
_JOINED = 4096
#: What a part of a fragmented message costs beside its bytes, so that a client cannot send empty parts for ever.
_FRAGMENT = 16
#: The heads of unmasked frames with a whole binary message of fewer than 126 bytes (RFC 6455, section 5.2).
_HEADS = [bytes((0x82, length)) for length in range(126)]

#: The connection for which picows is called now.
_SERVED: ContextVar[AcceptedSocket] = ContextVar("served")


class _Factory(asyncio.SelectorEventLoop):
    """Returns what picows would give to a server: the function that makes the protocol of a connection."""

    async def create_server(self, protocol_factory: Any, *_: Any, **__: Any) -> Any:
        return protocol_factory


def _in_factory(create: Coroutine[Any, Any, Any]) -> Callable[[], asyncio.BaseProtocol]:
    with asyncio.Runner(loop_factory=_Factory) as runner:
        return cast("Callable[[], asyncio.BaseProtocol]", runner.run(create))


class WebSocketServer:
    """The WebSockets of this process. The gateway decides which clients are served."""

    def __init__(self, gateway: Gateway) -> None:
        self.gateway = gateway
        self._protocol: Callable[[], asyncio.BaseProtocol]
        #: WebSockets with frames that are written at the end of this turn of the event loop.
        self._unwritten: list[_Listener] = []

    def __len__(self) -> int:
        return len(self.gateway)

    async def open(self) -> None:
        # picows logs mistakes of clients as errors. Only our own exceptions are errors.
        faults = logging.getLogger(f"{__name__}.picows")
        faults.addFilter(lambda record: bool(record.exc_info))
        faults.setLevel(logging.ERROR)
        create = ws_create_server(
            self._begin,
            use_aiofastnet=False,
            websocket_handshake_timeout=None,  # the acceptor has one
            enable_auto_pong=False,
            max_frame_size=self.gateway.limits.frame,
            read_buffer_init_size=_READ_BUFFER,
            logger_name=logging.LoggerAdapter(faults),
        )
        with ThreadPoolExecutor(1) as elsewhere:  # a thread runs one event loop
            self._protocol = await asyncio.get_running_loop().run_in_executor(elsewhere, _in_factory, create)

    async def serve(self, connection: AcceptedSocket) -> None:
        _SERVED.set(connection)  # the callbacks of a connection run in a copy of this context
        loop = asyncio.get_running_loop()
        if connection.is_house:  # picows sets options of TCP, which uvloop passes on to a Unix socket
            await aiofastnet.connect_accepted_socket(loop, self._protocol, connection)
        else:
            await loop.connect_accepted_socket(self._protocol, connection)

    def _begin(self, request: WSUpgradeRequest) -> WSListener | WSUpgradeResponseWithListener:
        """Called with a whole request head, before picows has checked that it asks for a WebSocket."""
        try:
            return self._admit(request)
        except Exception:
            log.exception("a request for a WebSocket failed")
            return _refusal(HTTPStatus.INTERNAL_SERVER_ERROR, "")

    def _admit(self, request: WSUpgradeRequest) -> WSListener | WSUpgradeResponseWithListener:
        connection = _SERVED.get()
        headers = request.headers
        if headers.get("Sec-WebSocket-Version") != "13":
            return _refusal(HTTPStatus.UPGRADE_REQUIRED, "This is a WebSocket.\n", {"Sec-WebSocket-Version": "13"})
        # picows takes only the one word, but Firefox sends "keep-alive, Upgrade".
        if "upgrade" in ",".join(headers.getall("Connection", ())).lower().replace(" ", "").split(","):
            headers["Connection"] = "upgrade"
        if request.path.partition(b"?")[0] != b"/ws":
            return _refusal(HTTPStatus.NOT_FOUND, "Not found.\n")
        origin = headers.get("Origin")
        if origin is not None and not self.gateway.is_our_origin(origin, headers.get("Host", "")):
            return _refusal(HTTPStatus.FORBIDDEN, "This page belongs to another site.\n")
        admitted = self.gateway.admit(connection, headers.getall("X-Forwarded-For", []))
        if not isinstance(admitted, Account):
            status, reason, wait = admitted
            return _refusal(status, reason, {"Retry-After": str(wait)} if wait else {})
        return _Listener(self, connection, admitted)

    def write_soon(self, listener: "_Listener") -> None:
        """Write the frames of a listener at the end of this turn of the event loop."""
        if not self._unwritten:
            asyncio.get_running_loop().call_soon(self._write)
        self._unwritten.append(listener)

    def _write(self) -> None:
        listeners, self._unwritten = self._unwritten, []
        for listener in listeners:
            listener.write()


def _refusal(status: HTTPStatus, text: str, headers: dict[str, str] | None = None) -> WSUpgradeResponseWithListener:
    response = WSUpgradeResponse.create_error_response(status, text.encode(), headers)
    return WSUpgradeResponseWithListener(response, None)


class _Listener(WSListener):
    """One WebSocket: makes messages of frames for a `Connection`, and is its `Channel`."""

    __slots__ = ("_account", "_connection", "_fragments", "_server", "_socket", "_transport", "_unwritten", "_written")

    def __init__(self, server: WebSocketServer, socket: AcceptedSocket, account: Account) -> None:
        self._server = server
        self._socket = socket
        self._account = account
        self._connection: Connection
        self._transport: WSTransport
        #: The parts of a message so far. None: no message is incomplete.
        self._fragments: list[bytes] | None = None
        #: Frames that are not written yet: a system call for each would cost more than all else (measured).
        self._unwritten = b""
        #: How many bytes of frames were written.
        self._written = 0

    def on_ws_connected(self, transport: WSTransport) -> None:
        self._transport = transport
        transport.underlying_transport.set_write_buffer_limits(BUFFER)
        transport.request.headers.clear()  # they are not needed any more, and take memory
        transport.response.headers.clear()
        self._socket.requested()
        self._connection = self._server.gateway.begin(self, self._account)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        kind = frame.msg_type
        if kind == WSMsgType.BINARY and frame.fin and self._fragments is None and not frame.rsv1:
            self._connection.receive(frame.get_payload_as_bytes())
        elif frame.rsv1 or frame.rsv2 or frame.rsv3:
            self._break("no extension was agreed")
        elif kind == WSMsgType.PING:
            self._connection.pinged(frame.get_payload_as_bytes())
        elif kind == WSMsgType.PONG:
            self._connection.ponged()
        elif kind == WSMsgType.CLOSE:
            code = frame.get_close_code()
            self.write()
            transport.send_close(WSCloseCode.OK if code == WSCloseCode.NO_INFO else code)
            transport.disconnect()
        elif (kind == WSMsgType.CONTINUATION) != (self._fragments is not None):
            self._break("a fragmented message comes without others between its parts")
        elif kind == WSMsgType.TEXT:
            self._connection.fail(Close.INVALID, "messages are MessagePack in binary frames")
        else:
            self._take_fragment(frame)

    def _take_fragment(self, frame: WSFrame) -> None:
        if self._fragments is None:
            self._fragments = []
        self._fragments.append(frame.get_payload_as_bytes())
        if sum(map(len, self._fragments)) + _FRAGMENT * len(self._fragments) > self._server.gateway.limits.frame:
            self._fragments = []
            self._connection.fail(Close.TOO_BIG, "the parts of a message are too large together")
        elif frame.fin:
            message, self._fragments = b"".join(self._fragments), None
            self._connection.receive(message)

    def _break(self, why: str) -> None:
        self._connection.fail(WSCloseCode.PROTOCOL_ERROR.value, why)

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self._connection.lost()

    def pause_writing(self) -> None:
        self._connection.pause_writing()

    def resume_writing(self) -> None:
        self._connection.resume_writing()

    # `Channel`

    def send(self, message: bytes) -> None:
        if not self._unwritten:
            self._server.write_soon(self)
        length = len(message)
        self._unwritten += (_HEADS[length] if length < 126 else _head(length)) + message
        if len(self._unwritten) > _JOINED:
            self.write()

    def write(self) -> None:
        """Write the frames that wait. Nothing may follow a close frame (RFC 6455, section 5.5.1)."""
        frames, self._unwritten = self._unwritten, b""
        if frames and not (self._transport.is_close_frame_sent or self._transport.is_disconnected):
            self._written += len(frames)
            self._transport.underlying_transport.write(frames)

    @property
    def read_and_unread(self) -> tuple[int, int]:
        unread = self._transport.underlying_transport.get_write_buffer_size() + self._socket.unconfirmed
        return self._written - unread, unread

    def ping(self) -> None:
        self.write()
        self._transport.send_ping()

    def pong(self, payload: bytes) -> None:
        self.write()
        self._transport.send_pong(payload)

    def close(self, code: int, reason: str) -> None:
        self.write()
        self._transport.send_close(cast("WSCloseCode", code), _fitting(reason))

    def drop(self) -> None:
        self._transport.underlying_transport.abort()

    def pause_reading(self) -> None:
        self._transport.underlying_transport.pause_reading()

    def resume_reading(self) -> None:
        self._transport.underlying_transport.resume_reading()


def _head(length: int) -> bytes:
    return struct.pack(">BBH", 0x82, 126, length) if length < 1 << 16 else struct.pack(">BBQ", 0x82, 127, length)


#: The most bytes of a close reason: a control frame holds 125, and the code takes two (RFC 6455, sections 5.5, 5.5.1).
_REASON = 123


def _fitting(reason: str) -> bytes:
    """As much of a reason as fits into a close frame. No character is split."""
    return reason.encode()[:_REASON].decode(errors="ignore").encode()
