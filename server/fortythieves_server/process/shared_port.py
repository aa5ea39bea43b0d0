"""The port of a server, and how many connections the process may open."""

import asyncio
import contextlib
import errno
import logging
import os
import socket

from fortythieves_server.common.errors import StartError

log = logging.getLogger(__name__)

BACKLOG = 1024
#: A busy evening needs more descriptors: each player has one connection, and briefly six more while the page loads. A
#: guess.
ENOUGH = 4096
#: Used where the system sets no limit.
_MANY = 100_000


async def listening(host: str, port: int, option: str = "--port", *, shared: bool = False) -> list[socket.socket]:
    """Sockets that listen on a port. 0: any free one. ``shared``: other processes may, too. Raises `StartError`."""
    sockets: list[socket.socket] = []
    try:
        infos = await asyncio.get_running_loop().getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        for family, address in dict.fromkeys((family, address) for family, _, _, _, address in infos):
            here = (address[0], sockets[0].getsockname()[1] if sockets else port, *address[2:])
            sockets.append(socket.create_server(here, family=family, backlog=BACKLOG, reuse_port=shared))
    except OSError as error:
        for opened in sockets:
            opened.close()
        if error.errno == errno.EADDRINUSE:
            why = f"is in use; choose another one with {option}"
        else:
            # The text of other errors repeats the address. An unknown host name has no errno of the system.
            reason = error.strerror if isinstance(error, socket.gaierror) else os.strerror(error.errno or 0)
            why = f"cannot be opened: {reason}"
        raise StartError(f"Port {port} on {host} {why}.") from None
    return sockets


def raise_limit() -> int:
    """Raise the limit as far as the system allows. Logs a warning if that is not enough. Returns the limit."""
    import resource  # which is not on every system that has the other commands

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MANY if hard == resource.RLIM_INFINITY else hard
    if soft != resource.RLIM_INFINITY and soft < wanted:
        # macOS reports a hard limit that it does not accept.
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = _MANY if soft == resource.RLIM_INFINITY else min(soft, _MANY)
    if limit < ENOUGH:
        log.warning(
            "this process can only open %d files and connections: raise its limit (ulimit -n) to %d", limit, ENOUGH
        )
    return limit
