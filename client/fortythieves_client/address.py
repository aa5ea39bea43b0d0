"""Server addresses, in every form that users paste."""

import re
from typing import NamedTuple
from urllib.parse import SplitResult, unquote, urlsplit

#: Each web address scheme, and its WebSocket scheme.
_SCHEMES = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}

_ROOM_PATH = re.compile(r"(?P<base>.*)/[rR]/(?P<code>\w+)(?:/\w*)?")

#: What a text has around a link. Not square brackets, because an IPv6 address has them.
_AROUND = " \t\r\n<>(){}\"'`*“”‘’„«».,;:!?…"


class Address(NamedTuple):
    """A server's WebSocket address, and the code of the room if the link names one."""

    socket: str
    code: str | None

    @property
    def site(self) -> str:
        """The server's web address."""
        return "http" + self.socket.removeprefix("ws").removesuffix("/ws")


def split_link(text: str) -> SplitResult:
    """The parts of a link as it was meant: programs take what is around it into it, and write its signs in code.

    Raises `ValueError` for an unfinished IPv6 address such as ``http://[``.
    """
    parts = urlsplit(text.strip(_AROUND))
    path, *_ = re.split(r"[#?&;,|\s]", unquote(parts.path), maxsplit=1)
    return parts._replace(path=path.rstrip(f"]/{_AROUND}"))


def parse_address(text: str) -> Address:
    """Read ``http://host:port``, ``host:port``, a room link ``http://host/r/CODE``, or ``ws://host/ws``.

    Raises `ValueError` with a sentence for anything else.
    """
    parts = split_link(text if "://" in text else f"http://{text.lstrip(_AROUND)}")
    if parts.scheme not in _SCHEMES or not parts.hostname:
        raise ValueError(f"{text} is not the address of a server, like http://192.168.1.5:8000.")
    path, code = parts.path, None
    if link := _ROOM_PATH.fullmatch(parts.path):
        path, code = link["base"], link["code"].upper()
    if not path.endswith("/ws"):
        path += "/ws"
    return Address(f"{_SCHEMES[parts.scheme]}://{parts.netloc}{path}", code)
