"""WebSocket clients with the least CPU, because they share the machine with the server.

A frame to the server is masked with zeros; frames from it have no more than 64 KB.
"""

import asyncio
import base64
import os
from collections.abc import Callable
from typing import cast
from urllib.parse import urlsplit


def framed(payload: bytes) -> bytes:
    """A binary WebSocket frame of a client."""
    size = len(payload)
    head = bytes((0x82, 0x80 | size)) if size < 126 else b"\x82\xfe" + size.to_bytes(2, "big")
    return head + b"\0\0\0\0" + payload


class WebSocket(asyncio.Protocol):
    """One WebSocket. ``on_message`` gets the payload of each binary frame.

    ``of``: the address that a proxy names. ``code``: the room in the address.
    """

    def __init__(self, host: str, on_message: Callable[[bytes], None], of: str = "", code: str = "") -> None:
        self.on_message = on_message
        self.closed = asyncio.get_running_loop().create_future()
        self.open = asyncio.get_running_loop().create_future()
        self._host = host
        self._of = of
        self._code = code
        self._data = b""
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)  # uvloop's transport has the same methods
        key = base64.b64encode(os.urandom(16)).decode()
        lines = (
            f"GET /ws?room={self._code} HTTP/1.1" if self._code else "GET /ws HTTP/1.1",
            f"Host: {self._host}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}",
            "Sec-WebSocket-Version: 13",
            *([f"X-Forwarded-For: {self._of}"] if self._of else []),
        )
        self._transport.write("".join(f"{line}\r\n" for line in (*lines, "")).encode())

    def connection_lost(self, error: Exception | None) -> None:
        if not self.closed.done():
            self.closed.set_result(None)

    def send(self, frame: bytes) -> None:
        assert self._transport is not None
        self._transport.write(frame)

    def close(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    def data_received(self, data: bytes) -> None:
        data = self._data + data
        if not self.open.done():
            head, separator, data = data.partition(b"\r\n\r\n")
            if not separator:
                self._data = head
                return
            self.open.set_result(head.split(b" ", 2)[1])
        at, end = 0, len(data)
        while end - at >= 2:
            size, start = data[at + 1], at + 2
            if size == 126:
                size, start = int.from_bytes(data[at + 2 : at + 4], "big"), at + 4
            elif size == 127:
                size, start = int.from_bytes(data[at + 2 : at + 10], "big"), at + 10
            if end < start + size or start > end:
                break
            if data[at] == 0x82:
                self.on_message(data[start : start + size])
            elif data[at] == 0x89:
                self.send(bytes((0x8A, 0x80)) + b"\0\0\0\0")
            at = start + size
        self._data = data[at:]


async def connect(address: str, on_message: Callable[[bytes], None], of: str = "", code: str = "") -> WebSocket:
    """Open a WebSocket. ``code``: the room in the address."""
    url = urlsplit(address)
    loop = asyncio.get_running_loop()
    _, websocket = await loop.create_connection(
        lambda: WebSocket(url.netloc, on_message, of, code), url.hostname or "", url.port or 80
    )
    assert await websocket.open == b"101"
    return websocket
