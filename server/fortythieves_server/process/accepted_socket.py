"""A connection that a client has opened, and the first line of its request, before anything is read."""

import array
import asyncio
import contextlib
import fcntl
import os
import re
import socket
import termios
from dataclasses import dataclass
from typing import Protocol

from fortythieves_server.rooms.registry import is_code

#: Bytes of the request line that are looked at. A browser's line has 35.
_LOOKED_AT = 256
#: Seconds until the next look if only a part of the line has come.
_AGAIN = 0.05
#: The beginning of a request for a WebSocket. A space or a query follows (PROTOCOL.md).
_WEBSOCKET = b"GET /ws"
_ROOM = re.compile(rb"GET /ws\?(?:[^ \r\n]*&)?room=([A-Za-z]{6})(?:&[^ \r\n]*)? HTTP/1\.1\r\n")


#: The answer above a limit. It costs a tenth of an answer by aiohttp (measured).
_TOO_MANY = (
    b"HTTP/1.1 429 Too Many Requests\r\nContent-Type: text/plain\r\nContent-Length: 43\r\nRetry-After: 10\r\n"
    b"Connection: close\r\n\r\nToo many connections from this address now\n"
)
_MOST_LEAVING = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Timeouts in seconds, and the most connections."""

    #: Descriptors that the process may open.
    descriptors: int
    #: Connections of one address.
    of_address: int
    #: In which a new connection must send a whole request head. A browser sends it immediately.
    head: float = 10.0
    #: Bytes that the system buffers for a client that does not read, and from one that we do not read. Linux takes
    #: twice that, and megabytes by default. 128 KB suffice for 20 Mbit/s at 100 ms (calculated); a message has 16 KB.
    send_buffer: int = 128 * 1024
    receive_buffer: int = 32 * 1024
    #: Between two searches for silent connections.
    sweep: float = 1.0
    #: Connections without a request head so far, and those that are not WebSockets. Each takes about 20 kB. Above
    #: that, the oldest are closed. A client that sends its head within a tenth of a second only notices if 20,000
    #: come in a second.
    silent: int = 2000
    http: int = 4000


class Owner(Protocol):
    """The acceptor, which counts connections."""

    def requested(self, connection: "AcceptedSocket") -> None:
        """A whole request head has come."""

    def moved(self, connection: "AcceptedSocket", to: "AcceptedSocket") -> None:
        """The same connection has another socket from now on."""

    def forget(self, connection: "AcceptedSocket") -> None:
        """The connection has ended, or is about to."""


class AcceptedSocket(socket.socket):
    """``peer``: the IP address of the client. ``address``: under which it is limited, "" for our proxies and bots.

    ``owner`` notices when the socket is closed, also by a library that serves it.
    """

    __slots__ = ("_owner", "address", "is_tunnelled", "peer")

    def __init__(self, accepted: socket.socket, peer: str, address: str, owner: Owner) -> None:
        super().__init__(fileno=accepted.detach())
        self.setblocking(False)
        self.peer = peer
        self.address = address
        #: Whether it came to the port of the helper that shares this server (`tunnel`).
        self.is_tunnelled = False
        self._owner = owner

    @property
    def is_house(self) -> bool:
        """Whether it is from one of our own bots. These use a Unix socket that only this user can open."""
        return self.family == socket.AF_UNIX

    @property
    def own_address(self) -> str:
        """Our IP address to which the client connected."""
        return str(self.getsockname()[0])

    def requested(self) -> None:
        self._owner.requested(self)

    @property
    def unconfirmed(self) -> int:
        """The bytes that the system holds because the client has not confirmed them. 0 if the system does not say."""
        count = array.array("i", [0])
        with contextlib.suppress(OSError, ValueError):  # closed, or of a system that does not say it
            fcntl.ioctl(self.fileno(), termios.TIOCOUTQ, count)
        return count[0]

    def twin(self) -> "AcceptedSocket":
        """Another socket of the same connection."""
        twin = AcceptedSocket(socket.socket(fileno=os.dup(self.fileno())), self.peer, self.address, self._owner)
        twin.is_tunnelled = self.is_tunnelled
        return twin

    def move_to(self, twin: "AcceptedSocket") -> None:
        """From now on, the other socket is the connection."""
        self._owner.moved(self, twin)

    def forget(self) -> None:
        self._owner.forget(self)

    def hang_up(self) -> None:
        """End the connection. The library that serves it closes the socket then."""
        with contextlib.suppress(OSError):
            self.shutdown(socket.SHUT_RDWR)

    async def request_line(self) -> bytes:
        """Wait for the line of the next request. It stays readable. b"": the client has left."""
        while (line := self._peek()) is None or (line and not _is_complete(line)):
            if line:
                await asyncio.sleep(_AGAIN)
                continue
            loop = asyncio.get_running_loop()
            readable = asyncio.Event()
            loop.add_reader(self, readable.set)
            try:
                await readable.wait()
            finally:
                loop.remove_reader(self)
        return line

    def _peek(self) -> bytes | None:
        """The first bytes that came. None: nothing has come yet. b"": the client has left."""
        try:
            return self.recv(_LOOKED_AT, socket.MSG_PEEK)
        except BlockingIOError:
            return None
        except OSError:
            return b""

    def close(self) -> None:
        super().close()
        self._owner.forget(self)

    def detach(self) -> int:
        """uvloop calls this when it closes the connection."""
        self._owner.forget(self)
        return super().detach()

    def setsockopt(self, level: int, *more: object) -> None:
        """Set an option. A Unix socket has none of those that libraries set for TCP."""
        if level != socket.IPPROTO_TCP or self.family != socket.AF_UNIX:
            super().setsockopt(level, *more)  # type: ignore[call-overload]

    def getsockopt(self, level: int, *more: int) -> int:  # type: ignore[override]
        """Read an option, as `setsockopt`."""
        if level == socket.IPPROTO_TCP and self.family == socket.AF_UNIX:
            return 0
        value: int = super().getsockopt(level, *more)
        return value


class Refusals:
    """Tells clients that there are too many connections, and closes theirs soon after."""

    def __init__(self) -> None:
        self._leaving: list[socket.socket] = []

    def add(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError):
            connection.setblocking(False)
            connection.send(_TOO_MANY)
            connection.shutdown(socket.SHUT_WR)
        # If it were closed now and the client had sent something, the client's system would discard the answer.
        if len(self._leaving) < _MOST_LEAVING:
            self._leaving.append(connection)
        else:
            connection.close()

    def close(self) -> None:
        for connection in self._leaving:
            connection.close()
        self._leaving.clear()


def _is_complete(line: bytes) -> bool:
    """Whether enough of a request line has come to choose the library or the worker for it."""
    begins = line[: len(_WEBSOCKET)]
    if begins != _WEBSOCKET:
        return not _WEBSOCKET.startswith(begins)
    return b"\n" in line or len(line) == _LOOKED_AT


def is_websocket(line: bytes) -> bool:
    return line.startswith((_WEBSOCKET + b" ", _WEBSOCKET + b"?"))


def room_in(line: bytes) -> str:
    """The code of the room for which a WebSocket is requested, "" if the line names none."""
    found = _ROOM.match(line)
    code = found[1].decode().upper() if found else ""
    return code if is_code(code) else ""
