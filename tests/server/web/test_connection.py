"""WebSockets keep little, follow RFC 6455, and leave nothing behind if a client leaves during the upgrade."""

import asyncio
import contextlib
import logging
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgpack
import pytest

from fortythieves.protocol.to_client import Close
from fortythieves.protocol.to_server import VERSION
from fortythieves_server.app import TIMES
from fortythieves_server.web import connection
from tests.bench.websocket import framed
from tests.server.redises import free_port
from tests.server.stores import SECONDS
from tests.serving import GENEROUS, serving

pytestmark = pytest.mark.asyncio(loop_scope="module")

REQUEST = (
    b"GET /ws HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
HELLO = msgpack.packb(["hello", VERSION])
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


def frame(first: int, payload: bytes = b"") -> bytes:
    """A frame with this first byte (RFC 6455, section 5.2), masked with zeros."""
    return bytes((first, 0x80 | len(payload), 0, 0, 0, 0)) + payload


@asynccontextmanager
async def connected(address: str, request: bytes = b"") -> AsyncIterator[Streams]:
    host, port = address.removeprefix("http://").rstrip("/").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        writer.write(request)
        yield reader, writer
    finally:
        writer.close()


@asynccontextmanager
async def upgraded(address: str) -> AsyncIterator[Streams]:
    async with connected(address, REQUEST) as (reader, writer):
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101 ")
        yield reader, writer


async def is_welcome(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
    writer.write(framed(HELLO))
    return b"welcome" in await reader.read(100)


async def close_code(reader: asyncio.StreamReader) -> int | None:
    """The code of the close frame with which the connection ends. None: it ends without one."""
    received = b""
    with contextlib.suppress(ConnectionError):
        while part := await reader.read(65536):
            received += part
    _, found, rest = received.rpartition(b"\x88")
    return int.from_bytes(rest[1:3], "big") if found else None


@pytest.mark.parametrize(
    ("old", "new", "status"),
    [
        (b"Connection: Upgrade", b"Connection: keep-alive, Upgrade", b"101"),  # as Firefox sends it
        (b"Host: here", b"Host: here\r\nOrigin: https://here", b"101"),
        (b"Host: here", b"Host: here\r\nOrigin: HTTP://Here:80", b"101"),
        (b"Host: here", b"Host: HERE:443\r\nOrigin: https://here", b"101"),
        (b"Host: here", b"Host: here:443\r\nOrigin: http://here", b"403"),
        (b"Host: here", b"Host: here\r\nOrigin: https://there", b"403"),
        (b"Host: here", b"Host: here\r\nOrigin: https://here:1", b"403"),
        (b"Host: here", b"Host: here\r\nOrigin: null", b"403"),
        (b"Host: here", b"Host: here\r\nOrigin: [", b"403"),
        (b"GET /ws ", b"GET /ws?room=KQXWVD&x=%FF ", b"101"),
        (b"GET /ws ", b"GET /ws/more ", b"404"),
        (b"Upgrade: websocket\r\n", b"", b"400"),
        (b"Version: 13", b"Version: 8", b"426"),
        (b"Version: 13", b"Version: \xff", b"426"),
        (b"Key: dGhl", b"Key: \xff", b"400"),
        (b"\r\n\r\n", b"\r\nContent-Length: 5\r\n\r\nhello", b"400"),
        (b"\r\n\r\n", b"\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe", b"400"),
        (b"\r\n\r\n", b"\r\nno colon\r\n\r\n", b"400"),
    ],
)
async def test_a_request_for_a_websocket_is_answered(
    address: str, old: bytes, new: bytes, status: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    request = REQUEST.replace(old, new)
    async with asyncio.timeout(SECONDS), connected(address, request) as (reader, writer):
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 " + status)
        assert status != b"101" or await is_welcome(reader, writer)
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


async def test_a_page_at_the_public_address_is_ours_and_a_refused_one_is_logged_once_with_what_to_change(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    ours, other = (b"https://cards.example.org:443", b"101"), (b"http://cards.example.org", b"403")
    port = free_port()
    async with asyncio.timeout(SECONDS), serving(tmp_path, port, public_url="https://Cards.example.org"):
        for origin, status in (ours, other, other):
            request = REQUEST.replace(b"Host: here", b"Host: inside:8040\r\nOrigin: " + origin)
            async with connected(f"http://127.0.0.1:{port}", request) as (reader, _):
                assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 " + status)
    [line] = [record.getMessage() for record in caplog.records if "was refused" in record.getMessage()]
    assert "'http://cards.example.org'" in line and "'inside:8040'" in line and "--public-url" in line


TOO_MANY_PARTS = 2 * GENEROUS.frame // 16


@pytest.mark.parametrize(
    ("frames", "code"),
    [
        (frame(0x02, HELLO[:3]) + frame(0x00) + frame(0x80, HELLO[3:]), None),
        (frame(0x02, HELLO[:3]) + frame(0x89, b"?") + frame(0x80, HELLO[3:]), None),
        (frame(0x80, b"x"), 1002),
        (frame(0x02, b"x") + frame(0x82, b"y"), 1002),
        (frame(0xC2, b"x"), 1002),
        (frame(0x83, b"x"), 1002),
        (b"\x82\x01x", 1002),
        (frame(0x88, b"\x03\xe9"), 1001),
        (frame(0x81, b"x"), Close.INVALID),
        (frame(0x02) + frame(0x00) * TOO_MANY_PARTS, Close.TOO_BIG),
        (bytes((0x82, 0xFE)) + (GENEROUS.frame + 1).to_bytes(2, "big") + bytes(4), Close.TOO_BIG),
    ],
    ids=[
        *("a message in parts", "a ping between parts", "a part of nothing", "a message between parts"),
        *("an extension", "an unknown kind", "no mask", "a close", "a text", "empty parts", "a long frame"),
    ],
)
async def test_frames_are_read_as_the_standard_says(address: str, frames: bytes, code: int | None) -> None:
    async with asyncio.timeout(SECONDS), upgraded(address) as (reader, writer):
        writer.write(frames)
        if code is None:
            assert b"welcome" in await reader.read(1000)
        else:
            assert await close_code(reader) == code


async def test_a_client_that_sends_after_the_close_is_cut_off(address: str) -> None:
    async with asyncio.timeout(SECONDS), upgraded(address) as (reader, writer):
        writer.write(frame(0x81, b"x"))
        writer.write(frame(0x8A) * (2 * connection.LAST_FRAMES))
        began = asyncio.get_running_loop().time()
        await close_code(reader)
        assert asyncio.get_running_loop().time() < began + connection.GOODBYE


async def test_a_client_that_never_answers_a_close_is_cut_off(address: str) -> None:
    async with asyncio.timeout(SECONDS), upgraded(address) as (reader, writer):
        writer.write(frame(0x81, b"x"))
        assert await close_code(reader) == Close.INVALID


async def test_a_client_that_answers_pings_but_never_reads_is_cut_off(tmp_path: Path) -> None:
    times = TIMES._replace(ping=0.3)
    async with asyncio.timeout(SECONDS), serving(tmp_path, times=times) as address, upgraded(address) as (_, writer):
        writer.write(framed(HELLO) + frame(0x89, bytes(125)) * 10_000)  # the answers exceed all buffers
        with contextlib.suppress(ConnectionError):
            while True:
                writer.write(frame(0x8A))
                await writer.drain()
                await asyncio.sleep(0.01)


async def test_a_client_that_leaves_during_the_upgrade_is_not_counted_any_more(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    limits = GENEROUS._replace(connections=2)
    async with asyncio.timeout(SECONDS), serving(tmp_path, limits=limits) as address:
        for frames in (b"", framed(HELLO), framed(HELLO)[:5], framed(b"nonsense")) * 5:
            async with connected(address, REQUEST + frames) as (_, writer):
                # Closed like this, a connection is reset immediately.
                writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

        async def two_may_come() -> bool:
            try:
                async with upgraded(address) as one, upgraded(address) as two:
                    return await is_welcome(*one) and await is_welcome(*two)
            except (AssertionError, ConnectionError, asyncio.IncompleteReadError):
                return False

        while not await two_may_come():
            pass
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []
