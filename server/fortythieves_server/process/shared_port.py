"""The port of a server."""

import asyncio
import errno
import os
import socket

from fortythieves_server.common.errors import StartError

BACKLOG = 1024


async def listening(host: str, port: int) -> list[socket.socket]:
    """Sockets that listen on a port of this process alone. 0: any free one. Raises `StartError`."""
    return await open_port(host, port, "--port", shared=False)


async def open_port(host: str, port: int, option: str, *, shared: bool) -> list[socket.socket]:
    """Sockets for a port. Those that do not share it with others listen already. Raises `StartError`."""
    sockets: list[socket.socket] = []
    try:
        infos = await asyncio.get_running_loop().getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        for family, address in dict.fromkeys((family, address) for family, _, _, _, address in infos):
            number = sockets[0].getsockname()[1] if sockets else port
            sockets.append(_bound(family, (address[0], number, *address[2:]), shared=shared))
            if not shared:
                sockets[-1].listen(BACKLOG)
    except OSError as error:
        for opened in sockets:
            opened.close()
        raise cannot_listen(host, port, error, option) from None
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
    if error.errno == errno.EADDRINUSE:
        why = f"is in use; choose another one with {option}"
    else:
        # asyncio's own text repeats the address. An unknown host name has no errno of the system.
        reason = error.strerror if isinstance(error, socket.gaierror) else os.strerror(error.errno or 0)
        why = f"cannot be opened: {reason}"
    return StartError(f"Port {port} on {host} {why}.")
