"""The composition root: everything is built here, from the settings, and taken down in the opposite order."""

import asyncio
import contextlib
import errno
import os
import secrets
import signal
from collections.abc import AsyncIterator, Callable
from socket import gaierror

from aiohttp import web

from fortythieves_server.auth import Guests
from fortythieves_server.bots import Bots
from fortythieves_server.clock import Clock
from fortythieves_server.config import Config, StartError
from fortythieves_server.embedded import EmbeddedRedis
from fortythieves_server.hub import Hub
from fortythieves_server.network import urls
from fortythieves_server.records import Records
from fortythieves_server.room import HOUR, Keep
from fortythieves_server.routes import routes
from fortythieves_server.store import Store, StoreDown
from fortythieves_server.ws import Door


async def serve(config: Config, announce: Callable[[list[str]], None]) -> None:
    """Serve until SIGINT or SIGTERM; ``announce`` is told the addresses once they answer.

    Raises `StartError` with a sentence if that cannot begin.
    """
    async with running(config) as addresses:
        # Not before: a start that takes long can be interrupted.
        stop = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
        announce(addresses)
        await stop.wait()


@contextlib.asynccontextmanager
async def running(config: Config) -> AsyncIterator[list[str]]:
    """A whole server, from its Redis to its port, and the addresses where it is found."""
    async with contextlib.AsyncExitStack() as stack:
        url = config.redis or await _embedded(stack, config)
        clock = Clock()
        store = Store(url, secrets.token_hex(4), clock)
        try:
            await store.open()
        except StoreDown as down:
            raise StartError(f"Redis cannot be reached: {str(down).rstrip('.')}.") from None
        stack.push_async_callback(store.close)
        bots = Bots(config.max_bots if config.bots else 0)
        stack.push_async_callback(bots.close)
        keep = Keep(unplayed=int(config.idle_lobby_hours * HOUR), played=int(config.keep_days * 24 * HOUR))
        hub = Hub(store, clock, keep)
        door = Door(hub, Guests(await store.signing_key()), bots, clock, config.limits)
        records = Records(hub, store, await store.record_key())
        addresses: list[str] = []
        app = web.Application()
        app.add_routes(routes(hub, door, records, lambda: addresses, config.proxies))
        port = await _listen(stack, app, config)
        await hub.open()
        stack.push_async_callback(door.close)
        stack.push_async_callback(hub.close)
        here, *elsewhere = urls(config.host, port)
        bots.url = here
        addresses += [config.public_url] if config.public_url else [here, *elsewhere]
        yield addresses


async def _embedded(stack: contextlib.AsyncExitStack, config: Config) -> str:
    redis = EmbeddedRedis(config.data)
    url = await redis.start()
    stack.push_async_callback(redis.stop)
    return url


async def _listen(stack: contextlib.AsyncExitStack, app: web.Application, config: Config) -> int:
    """Open the port; returns which one it is."""
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=2)
    await runner.setup()
    stack.push_async_callback(runner.cleanup)
    try:
        await web.TCPSite(runner, config.host, config.port).start()
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            why = "is in use; choose another one with --port"
        else:
            # asyncio's own text repeats the address; a name that is not found has no errno of the system's.
            reason = error.strerror if isinstance(error, gaierror) else os.strerror(error.errno or 0)
            why = f"cannot be opened: {reason}"
        raise StartError(f"Port {config.port} on {config.host} {why}.") from None
    port: int = runner.addresses[0][1]
    return port
