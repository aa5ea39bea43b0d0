"""A real server for odd requests."""

import asyncio
import logging
import socket
import sys
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from logging.handlers import BufferingHandler
from pathlib import Path
from typing import Any, NamedTuple, TypeVar
from urllib.parse import urlsplit

from tests.serving import serving

T = TypeVar("T")

#: The longest time for an answer, s.
TIMEOUT = 20.0


class Server(NamedTuple):
    host: str
    port: int
    errors: list[logging.LogRecord]

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


@contextmanager
def serve(data: Path, *, hurry: bool = True) -> Iterator[Server]:
    """A real server in a thread, for blocking clients. ``hurry``: as for `serving`."""
    kept = BufferingHandler(sys.maxsize)
    kept.setLevel(logging.ERROR)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    server = serving(data, hurry=hurry)

    def run(step: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(step, loop).result(60)

    thread.start()
    logging.getLogger().addHandler(kept)
    at = urlsplit(run(server.__aenter__()))
    yield Server(at.hostname or "", at.port or 0, kept.buffer)
    run(server.__aexit__(None, None, None))
    loop.call_soon_threadsafe(loop.stop)
    thread.join(60)
    loop.close()
    logging.getLogger().removeHandler(kept)
