"""A real server that is given odd things, and what it says about them."""

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

#: How long the server may take for anything, in seconds.
TIMEOUT = 20.0


class Server(NamedTuple):
    """Where it is, and what it has logged as wrong."""

    host: str
    port: int
    errors: list[str]

    def ask(self, request: bytes) -> bytes:
        """The head of the answer to a whole request; nothing, if the server hangs up."""
        with socket.create_connection((self.host, self.port), timeout=TIMEOUT) as line:
            line.sendall(request)
            answer = b""
            while b"\r\n\r\n" not in answer and (data := self._heard(line)):
                answer += data
            return answer

    def tell(self, data: bytes) -> bytes:
        """Whatever comes back until the server hangs up, who hears that no more is to come."""
        with socket.create_connection((self.host, self.port), timeout=TIMEOUT) as line:
            line.sendall(data)
            line.shutdown(socket.SHUT_WR)
            return b"".join(iter(lambda: self._heard(line), b""))

    def _heard(self, line: socket.socket) -> bytes:
        try:
            return line.recv(65_536)
        except ConnectionResetError:  # It hung up before it had read everything.
            return b""


class _FileCache(logging.Handler):
    """Keeps what was logged as wrong."""

    def __init__(self, errors: list[str]) -> None:
        super().__init__(logging.ERROR)
        self._errors = errors

    def emit(self, record: logging.LogRecord) -> None:
        self._errors.append(self.format(record))


@contextmanager
def serve(data: Path, *, hurry: bool = True) -> Iterator[Server]:
    """A real server, in a thread of its own: what asks it waits for each answer. ``hurry``: as for `serving`."""
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
