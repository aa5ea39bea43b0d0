"""A port that several processes serve."""

import asyncio
import contextlib
import errno
import os
import socket
import sys
from typing import Self

from fortythieves_server.common.errors import StartError

#: Linux gives each new connection to one of the sockets that listen on the same port, by chance and evenly. Other
#: systems give all of them to one, or do not have it; there all processes listen on one socket.
_SPREADS = sys.platform == "linux" and hasattr(socket, "SO_REUSEPORT")

BACKLOG = 1024


class Port:
    """A port of this machine, ours until `close`; what listens on it are the sockets that `share` gives away."""

    def __init__(self, sockets: list[socket.socket]) -> None:
        self._sockets = sockets

    @classmethod
    async def reserve(cls, host: str, port: int) -> Self:
        """Take a port; 0 is any that is free. Raises `StartError`."""
        try:
            infos = await asyncio.get_running_loop().getaddrinfo(
                host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
            )
            addresses = list(dict.fromkeys((family, address) for family, _, _, _, address in infos))
            with contextlib.ExitStack() as probing:
                # Nobody else listens there: a socket that shares its port would not be told so.
                for family, address in addresses:
                    probing.enter_context(_bound(family, address, shared=False)).listen(1)
            sockets: list[socket.socket] = []
            for family, address in addresses:
                number = sockets[0].getsockname()[1] if sockets else port
                sockets.append(_bound(family, (address[0], number, *address[2:]), shared=_SPREADS))
                if not _SPREADS:
                    sockets[-1].listen(BACKLOG)
        except OSError as error:
            raise cannot_listen(host, port, error) from None
        return cls(sockets)

    @property
    def number(self) -> int:
        """Which one it is."""
        number: int = self._sockets[0].getsockname()[1]
        return number

    def share(self) -> list[socket.socket]:
        """Sockets for one more process. Where each has its own, those of a process that dies die with it, and every
        new connection goes to the others."""
        if _SPREADS:
            return [_bound(taken.family, taken.getsockname(), shared=True) for taken in self._sockets]
        return [taken.dup() for taken in self._sockets]

    def close(self) -> None:
        """Give the port back."""
        for taken in self._sockets:
            taken.close()


async def listening(host: str, port: int) -> list[socket.socket]:
    """Sockets that listen on a port, which nobody else does; 0 is any that is free. Raises `StartError`."""
    sockets: list[socket.socket] = []
    try:
        infos = await asyncio.get_running_loop().getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        for family, address in dict.fromkeys((family, address) for family, _, _, _, address in infos):
            number = sockets[0].getsockname()[1] if sockets else port
            sockets.append(_bound(family, (address[0], number, *address[2:]), shared=False))
            sockets[-1].listen(BACKLOG)
    except OSError as error:
        for opened in sockets:
            opened.close()
        raise cannot_listen(host, port, error) from None
    return sockets


def _bound(family: int, address: tuple[object, ...], *, shared: bool) -> socket.socket:
    bound = socket.socket(family, socket.SOCK_STREAM)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if shared:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        if family == socket.AF_INET6:
            bound.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)  # as asyncio does
        bound.bind(address)
        bound.setblocking(False)
    except BaseException:
        bound.close()
        raise
    return bound


def cannot_listen(host: str, port: int, error: OSError, option: str = "--port") -> StartError:
    """Why a port cannot be opened, in a sentence."""
    if error.errno == errno.EADDRINUSE:
        why = f"is in use; choose another one with {option}"
    else:
        # asyncio's own text repeats the address; a name that is not found has no errno of the system's.
        reason = error.strerror if isinstance(error, socket.gaierror) else os.strerror(error.errno or 0)
        why = f"cannot be opened: {reason}"
    return StartError(f"Port {port} on {host} {why}.")
