"""Connections keep little, and leave nothing behind, also those that break off in the middle of their upgrade."""

import asyncio
import gc
import logging
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgpack
import pytest
from aiohttp import web, web_protocol

from fortythieves.protocol.to_server import VERSION
from tests.bench.websocket import framed
from tests.server.stores import SECONDS, until
from tests.serving import GENEROUS, serving

UPGRADE = (
    b"GET /ws HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)
HELLO = framed(msgpack.packb(["hello", VERSION]))


@asynccontextmanager
async def upgraded(address: str, more: bytes = b"") -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A connection whose request for a WebSocket ended with these headers and this body, and was answered."""
    reader, writer = await connected(address)
    try:
        writer.write(UPGRADE + (more or b"\r\n"))
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101 ")
        yield reader, writer
    finally:
        writer.close()


async def connected(address: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    host, port = address.removeprefix("http://").rstrip("/").split(":")
    return await asyncio.open_connection(host, int(port))


async def is_welcome(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
    """Whether the server answers."""
    writer.write(HELLO)
    return b"welcome" in await reader.read(100)


def handlers_of_requests() -> list[asyncio.Task[object]]:
    """aiohttp's tasks that wait for requests or for what answers them."""
    codes = [(task, getattr(task.get_coro(), "cr_code", None)) for task in asyncio.all_tasks()]
    return [task for task, code in codes if code is not None and code.co_filename == web_protocol.__file__]


def requests() -> int:
    """How many there are in memory."""
    gc.collect()
    return sum(isinstance(thing, web.BaseRequest) for thing in gc.get_objects())


async def test_a_websocket_keeps_nothing_of_the_request_that_it_was(tmp_path: Path) -> None:
    before = requests()
    async with asyncio.timeout(SECONDS), serving(tmp_path) as address, upgraded(address) as (reader, writer):
        assert await is_welcome(reader, writer)
        assert handlers_of_requests() == []
        assert requests() <= before


@pytest.mark.parametrize(
    "more",
    [
        b"Content-Length: 5\r\n\r\nhello",
        b"Content-Length: 5\r\n\r\nhe",
        b"Transfer-Encoding: chunked\r\n\r\n",
        b"Transfer-Encoding: chunked\r\n\r\n2\r\nhe",
    ],
)
async def test_a_request_for_a_websocket_that_promises_a_body_is_served_as_others(
    tmp_path: Path, more: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    async with asyncio.timeout(SECONDS), serving(tmp_path) as address, upgraded(address, more) as (reader, writer):
        assert await is_welcome(reader, writer)
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


async def test_whoever_breaks_off_in_the_middle_of_the_upgrade_is_not_counted_any_more(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    limits = GENEROUS._replace(connections=2)
    async with asyncio.timeout(SECONDS), serving(tmp_path, limits=limits) as address:
        for frames in (b"", HELLO, HELLO[:5], framed(b"nonsense")) * 5:
            _, writer = await connected(address)
            writer.write(UPGRADE + b"\r\n" + frames)
            # Closed like this, a connection is reset at once.
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.close()

        async def two_may_come() -> bool:
            try:
                async with upgraded(address) as one, upgraded(address) as two:
                    return await is_welcome(*one) and await is_welcome(*two)
            except (AssertionError, ConnectionError):
                return False

        while not await two_may_come():
            pass
        await until(lambda: not handlers_of_requests())
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []
