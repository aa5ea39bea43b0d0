"""A real server for odd requests."""

import asyncio
import logging
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from tests.serving import serving

#: The longest time for an answer, s.
TIMEOUT = 20.0


class Server(NamedTuple):
    """The address of the server, and its logged errors."""

    host: str
    port: int
    errors: list[str]

    def ask(self, request: bytes) -> bytes:
        """The head of the answer; empty if the server disconnects."""
        with socket.create_connection((self.host, self.port), timeout=TIMEOUT) as line:
            line.sendall(request)
            answer = b""
            while b"\r\n\r\n" not in answer and (data := self._heard(line)):
                answer += data
            return answer

    def tell(self, data: bytes) -> bytes:
        """All bytes until the server disconnects; the client sends no more."""
        with socket.create_connection((self.host, self.port), timeout=TIMEOUT) as line:
            line.sendall(data)
            line.shutdown(socket.SHUT_WR)
            return b"".join(iter(lambda: self._heard(line), b""))

    def _heard(self, line: socket.socket) -> bytes:
        try:
            return line.recv(65_536)
        except ConnectionResetError:  # the server had unread data
            return b""


class _FileCache(logging.Handler):
    """Keeps logged errors."""

    def __init__(self, errors: list[str]) -> None:
        super().__init__(logging.ERROR)
        self._errors = errors

    def emit(self, record: logging.LogRecord) -> None:
        self._errors.append(self.format(record))


@contextmanager
def serve(data: Path, *, hurry: bool = True) -> Iterator[Server]:
    """A real server in a thread, for blocking clients. ``hurry``: as for `serving`."""
    errors: list[str] = []
    kept = _FileCache(errors)
    address: list[str] = []
    ready, stop = threading.Event(), asyncio.Event()
    loops: list[asyncio.AbstractEventLoop] = []

    async def run() -> None:
        async with serving(data, hurry=hurry) as url:
            address.append(url)
            loops.append(asyncio.get_running_loop())
            ready.set()
            await stop.wait()

    thread = threading.Thread(target=lambda: asyncio.run(run()))
    thread.start()
    logging.getLogger().addHandler(kept)
    assert ready.wait(60)
    at = urlsplit(address[0])
    yield Server(at.hostname or "", at.port or 0, errors)
    loops[0].call_soon_threadsafe(stop.set)
    thread.join(60)
    logging.getLogger().removeHandler(kept)
