"""Server addresses, in every form that users paste."""

import re
from typing import NamedTuple
from urllib.parse import urlsplit

#: Each web address scheme, and its WebSocket scheme.
_SCHEMES = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}

#: Programs take punctuation behind a link into it.
_ROOM_PATH = re.compile(r"(?P<base>.*)/r/(?P<code>\w+)\W*")


class Address(NamedTuple):
    """A server's WebSocket address, and the code of the room if the link names one."""

    socket: str
    code: str | None

    @property
    def site(self) -> str:
        """The server's web address."""
        return "http" + self.socket.removeprefix("ws").removesuffix("/ws")


def parse_address(text: str) -> Address:
    """Read ``http://host:port``, ``host:port``, a room link ``http://host/r/CODE``, or ``ws://host/ws``.

    Raises `ValueError` with a sentence for anything else.
    """
    parts = urlsplit(text if "://" in text else f"http://{text}")
    if parts.scheme not in _SCHEMES or not parts.hostname:
        raise ValueError(f"{text} is not the address of a server, like http://192.168.1.5:8000.")
    path, code = parts.path.rstrip("/"), None
    if link := _ROOM_PATH.fullmatch(parts.path):
        path, code = link["base"], link["code"].upper()
    if not path.endswith("/ws"):
        path += "/ws"
    return Address(f"{_SCHEMES[parts.scheme]}://{parts.netloc}{path}", code)
