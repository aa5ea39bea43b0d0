"""WebSocket clients with little CPU, because they share the machine with the server.

A frame to the server is made once, and masked with zeros.
"""

import asyncio
from collections.abc import Callable
from urllib.parse import urlsplit

from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

#: Seconds for a handshake on a machine that is busy with a thousand of them.
TIMEOUT = 60.0


def framed(payload: bytes) -> bytes:
    size = len(payload)
    head = bytes((0x82, 0x80 | size)) if size < 126 else b"\x82\xfe" + size.to_bytes(2, "big")
    return head + b"\0\0\0\0" + payload


class WebSocket(WSListener):
    """One WebSocket. ``on_message`` gets the payload of each binary frame."""

    _transport: WSTransport

    def __init__(self, on_message: Callable[[bytes], None]) -> None:
        self.on_message = on_message
        self.closed = asyncio.get_running_loop().create_future()

    def on_ws_connected(self, transport: WSTransport) -> None:
        self._transport = transport

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type == WSMsgType.BINARY:
            self.on_message(frame.get_payload_as_bytes())

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        if not self.closed.done():
            self.closed.set_result(None)

    def send(self, frame: bytes) -> None:
        self._transport.underlying_transport.write(frame)

    def close(self) -> None:
        self._transport.underlying_transport.abort()


async def connect(address: str, on_message: Callable[[bytes], None], of: str = "", code: str = "") -> WebSocket:
    """Open a WebSocket. ``of``: the address that a proxy names. ``code``: the room in the address."""
    url = urlsplit(address)._replace(scheme="ws", path="/ws", query=f"room={code}" if code else "").geturl()
    headers = {"X-Forwarded-For": of} if of else None
    _, websocket = await ws_connect(
        lambda: WebSocket(on_message), url, extra_headers=headers, websocket_handshake_timeout=TIMEOUT
    )
    assert isinstance(websocket, WebSocket)
    return websocket
