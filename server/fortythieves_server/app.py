"""The composition root: everything is created here from the settings, and closed in reverse order."""

import asyncio
import contextlib
import gc
import pickle
import secrets
import shutil
import signal
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple, NoReturn
from urllib.parse import quote

from aiohttp import web

from fortythieves.times import Ms
from fortythieves_server.common import logs
from fortythieves_server.common.counters import Counters
from fortythieves_server.common.errors import StartError
from fortythieves_server.common.limits import key_of
from fortythieves_server.common.loop_share import LoopShare
from fortythieves_server.common.prices import Accounts
from fortythieves_server.common.tasks import end
from fortythieves_server.config import Config
from fortythieves_server.core import names_and_texts
from fortythieves_server.process.accepted_socket import Bounds
from fortythieves_server.process.acceptor import Acceptor
from fortythieves_server.process.data_directory import Directory
from fortythieves_server.process.dispatcher import Dispatcher, Inlet, ranked
from fortythieves_server.process.embedded_redis import DEFAULT_MEMORY, EmbeddedRedis
from fortythieves_server.process.house_bots import Bots
from fortythieves_server.process.runtime_directory import forget_dead, new_directory
from fortythieves_server.process.shared_port import BACKLOG, listening, raise_limit
from fortythieves_server.process.supervisor import Supervisor
from fortythieves_server.process.tunnel import HELPER, Tunnel
from fortythieves_server.process.tunnel_helpers import Choice
from fortythieves_server.process.winnable_filler import Filler, MachineLock, name_of_redis
from fortythieves_server.rooms import sweeper
from fortythieves_server.rooms.days import Days
from fortythieves_server.rooms.file_process import FileProcess
from fortythieves_server.rooms.live_room import Keep
from fortythieves_server.rooms.passwords import Passwords
from fortythieves_server.rooms.records import RecordKey, Records
from fortythieves_server.rooms.room_service import RoomService
from fortythieves_server.store.clock import Clock
from fortythieves_server.store.redis_errors import StoreDown
from fortythieves_server.store.store import Store
from fortythieves_server.web.addresses import is_one_of, urls
from fortythieves_server.web.gateway import Gateway
from fortythieves_server.web.guest_tokens import Guests
from fortythieves_server.web.key_rotation import ANNOUNCED, LOOK, Rings, What
from fortythieves_server.web.routes import charged, routes, shared_files
from fortythieves_server.web.server import Answered, Patience, Server
from fortythieves_server.web.session import Services
from fortythieves_server.web.sharing import lead_home
from fortythieves_server.web.websocket_server import WebSocketServer

#: Seconds that are longer than any connection.
_NEVER = 1e6
#: The most connections that the helper of a shared server may open.
_TUNNELLED = 2000
#: The name of the socket of house bots.
_SOCKET = "bots"


class Times(NamedTuple):
    """Times that operators need not set. Tests may use shorter ones."""

    #: Seconds for which a client may read nothing of an answer.
    stalled: float = 15.0
    #: Seconds of silence after which a client gets a ping, and then as many until it must answer. A guess.
    ping: float = 15.0
    #: Seconds between two reads of the stored keys.
    look_at_keys: float = LOOK
    #: Seconds after which the files of our client are stored again for other processes.
    share_client: float = 86_400.0
    #: Seconds that a room without anybody connected stays in memory.
    linger: float = sweeper.LINGER
    #: How long a key is known before it is used.
    keys_announced: Ms = ANNOUNCED
    #: How many times as fast as the clock here that of Redis runs, by which rooms live.
    speed: float = 1


TIMES = Times()

#: Opens the port of a server. `_listen` is the one for real sockets.
Listen = Callable[
    [contextlib.AsyncExitStack, web.Application, Gateway, Config, socket.socket | None, Times],
    Awaitable[tuple[int, Callable[[], Awaitable[None]]]],
]


async def serve(config: Config, announce: Callable[[list[str]], None], command: Sequence[str] = ()) -> None:
    """Serve until SIGINT or SIGTERM. ``announce`` is called with the addresses once they answer.

    ``command`` runs a worker, if there are to be several (`serve_here`).
    Raises `StartError` with a sentence if the server cannot start.
    """
    if config.demo:
        config = replace(config, workers=max(2, config.workers))
    if config.workers > 1:
        await _supervise(config, announce, command)
    else:
        await serve_here(config, announce)


async def serve_here(
    config: Config, announce: Callable[[list[str]], None], number: int = 0, inlet: socket.socket | None = None
) -> None:
    """Serve in this process until SIGINT or SIGTERM. ``number``: that of this worker.

    A worker serves what comes through the ``inlet`` from the dispatcher, and also stops when its standard input closes:
    then the parent has ended.
    """
    async with running(config, inlet, number=number) as addresses:
        # Not earlier: a slow start can be interrupted.
        stop = _told_to_stop()
        if inlet is not None:
            asyncio.get_running_loop().add_reader(0, stop.set)
        # By default, Python collects garbage after every 700 new objects. Hundreds of moves in one event-loop iteration
        # exceed that, and it took an eighth of all time (measured). Objects that exist now are never freed. The middle
        # generation has few parts: with twice as many, one collection took 60 ms during large draws (measured).
        gc.freeze()
        gc.set_threshold(10_000, 1, 50)
        announce(addresses)
        await stop.wait()
        asyncio.get_running_loop().remove_reader(0)


async def _supervise(config: Config, announce: Callable[[list[str]], None], command: Sequence[str]) -> None:
    """Let several workers serve one port, with one Redis."""
    async with contextlib.AsyncExitStack() as stack:
        sockets = await listening(config.host, config.port)
        for listener in sockets:
            stack.callback(listener.close)
        port = sockets[0].getsockname()[1]
        redis = None if config.redis else await _embedded(stack, config.data, config.redis_memory)
        url = redis.url if redis else config.redis or ""
        config = _with_token(config)
        settings = [pickle.dumps(one) for one in _settings(config, url, port)]
        dispatcher = Dispatcher(config.workers)
        workers = Supervisor(command, settings, dispatcher)
        addresses = await workers.start()
        stack.push_async_callback(workers.stop)
        bounds = Bounds(descriptors=raise_limit(), of_address=config.limits.connections)
        acceptor = Acceptor(dispatcher, Accounts(config.limits), Counters(), partial(_key, config), bounds)
        stack.push_async_callback(acceptor.stop)
        acceptor.listen(sockets)
        stop = _told_to_stop()
        renewing = set[asyncio.Task[None]]()
        asyncio.get_running_loop().add_signal_handler(
            signal.SIGUSR1, lambda: renewing.add(asyncio.create_task(workers.renew()))
        )
        tasks = [asyncio.create_task(workers.run()), asyncio.create_task(stop.wait())]
        if config.demo:
            tasks.append(asyncio.create_task(await _open_demo(stack, config, config.demo, workers, redis, port)))
        announce(addresses)
        if config.pids:
            stack.callback(config.pids.unlink, missing_ok=True)
            tasks.append(asyncio.create_task(_write_pids(config.pids, workers, redis)))
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            await end([*tasks, *renewing])


async def _open_demo(
    stack: contextlib.AsyncExitStack,
    config: Config,
    port: int,
    workers: Supervisor,
    redis: EmbeddedRedis | None,
    players: int,
) -> Coroutine[None, None, None]:
    """Serve the page of a demo. Returns the races of its bots."""
    from fortythieves_server.ops.demo import Demo, demo_routes
    from fortythieves_server.ops.routes import LONGEST_FORM, named

    url = urls(config.host, players)[0]
    demo = Demo(lambda: {"worker": workers.pids, "database": [redis.pid] if redis and redis.pid else []})
    app = web.Application(client_max_size=LONGEST_FORM, middlewares=[named({config.ops_host, *config.ops_names})])
    app.add_routes(demo_routes(demo, config.public_url or url, Accounts(config.limits), config.ops_token))
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
    await runner.setup()
    stack.push_async_callback(runner.cleanup)
    for opened in await listening(config.ops_host, port, "--demo"):
        await web.SockSite(runner, opened).start()
    return demo.race(url)


async def _write_pids(file: Path, workers: Supervisor, redis: EmbeddedRedis | None) -> NoReturn:
    """Keep a file up to date with the processes that a chaos test may kill. Each of them is started again."""
    written: list[int] = []
    while True:
        pids = [*workers.pids, *([redis.pid] if redis and redis.pid else [])]
        if pids != written:
            try:
                await asyncio.to_thread(file.write_text, "".join(f"{pid}\n" for pid in pids))
            except OSError as error:
                raise StartError(f"{file} cannot be written: {error.strerror}.") from None
            written = pids
        await asyncio.sleep(0.2)


def _settings(config: Config, url: str, port: int) -> Iterator[tuple[Config, int]]:
    """The settings of each worker. Together they run no more bots than one server would."""
    for number in range(config.workers):
        share = config.max_bots // config.workers + (number < config.max_bots % config.workers)
        ops_port = config.ops_port and config.ops_port + number
        yield replace(config, redis=url, port=port, max_bots=share, ops_port=ops_port), number


def _told_to_stop() -> asyncio.Event:
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    return stop


@contextlib.asynccontextmanager
async def running(
    config: Config,
    inlet: socket.socket | None = None,
    times: Times = TIMES,
    number: int = 0,
    listen: Listen | None = None,
    do_files: Callable[[bytes], Awaitable[tuple[int, bytes]]] | None = None,
) -> AsyncIterator[list[str]]:
    """A whole server, from its Redis to its port or inlet, and the addresses where it is found.

    ``listen`` replaces its sockets, and ``do_files`` its child processes.
    """
    async with contextlib.AsyncExitStack() as stack:
        url = config.redis or (await _embedded(stack, config.data, config.redis_memory)).url
        config = _with_token(config)
        store = Store(url, secrets.token_hex(4), Clock(speed=times.speed), fills_pool=config.winnable > 0)
        rings = Rings(store, times.look_at_keys, times.keys_announced)
        try:
            await store.open()
            stack.push_async_callback(store.close)
            await rings.read()
            guests = Guests(await store.keys.signing_key())
        except StoreDown as down:
            raise StartError(f"Redis cannot be used: {down.reason.rstrip('.')}.") from None
        keep = Keep(Ms(config.idle_lobby_hours * 3_600_000), Ms(config.keep_days * 24 * 3_600_000))
        passwords = Passwords(config.limits)
        stack.push_async_callback(passwords.close)
        record_key = RecordKey(rings.record_seed)
        file_process = FileProcess(do_files)
        stack.push_async_callback(file_process.close)
        draws = FileProcess(do_files)  # rounds do not wait for the files of strangers
        stack.push_async_callback(draws.close)

        def is_here(code: str) -> bool:
            return ranked(code, range(config.workers))[0] == number

        service = RoomService(store, keep, passwords, draws, record_key.promise, times.linger, is_here)
        rings.follow(guests, record_key)
        stack.push_async_callback(rings.close)
        bots = Bots(config.max_bots if config.bots else 0, lambda: guests.issue()[0], guests.token)
        share, has_others = LoopShare(lambda: service.counts.moves), config.workers > 1 or bool(config.proxies)
        services = Services(service, guests, bots, config.limits, share, Accounts(config.limits), has_others)
        gateway = Gateway(services, config.proxies, times.ping, config.public_url)
        records = Records(service.finished, record_key, file_process)
        days = Days(store, service.registry, rings.key_of_day) if config.day else None
        addresses: list[str] = []
        tunnel = gateway.tunnel = Tunnel(_may_share_with(config))
        tunnel.changed = gateway.tell_of_link
        stack.push_async_callback(tunnel.close)
        is_home = tunnel.choice is not None and config.host in {"0.0.0.0", "::"}
        app = web.Application(middlewares=[charged(gateway), *([lead_home] if is_home else [])])
        app.add_routes(
            routes(
                service, gateway, records, rings, lambda: addresses, config.public_url, tunnel, config.ops_token, days
            )
        )
        names_and_texts.prototypes()
        port, stop_listening = await (listen or _listen)(stack, app, gateway, config, inlet, times)
        if config.ops_port:
            # A worker that replaces another one listens before that one ends.
            await _tell_operators(stack, gateway, config, config.ops_port, shared=inlet is not None)
        lock = MachineLock(f"filler-{name_of_redis(url)}")
        filler = Filler(store.pool, config.winnable, lock, lambda: service.counts.moves, days=days)
        filler.open()
        stack.push_async_callback(filler.close)
        service.open(bots.bring_back)
        stack.push_async_callback(gateway.close)
        stack.push_async_callback(service.close)
        stack.push_async_callback(bots.close)
        # Stops first, so that disconnected clients do not reconnect to this process.
        stack.push_async_callback(stop_listening)
        here, *elsewhere = urls(config.host, port)
        bots.url = here
        addresses += [config.public_url] if config.public_url else [here, *elsewhere]
        await tunnel.turn(on=config.share)
        yield addresses


async def _share_client(stack: contextlib.AsyncExitStack, store: Store, every: float) -> None:
    """Give the files of our client to processes with other builds, for as long as this one runs and some days more."""
    files = shared_files()

    async def share() -> None:
        with contextlib.suppress(StoreDown):
            await (store.client_files.renew if await store.is_short() else store.client_files.keep)(files)

    async def go_on() -> None:
        while True:
            await asyncio.sleep(every)
            await share()

    if files:
        await share()
        sharing = asyncio.create_task(go_on(), name="share the client")
        stack.push_async_callback(end, [sharing])


async def run_keys(redis: str | None, data: Path, what: What | None, announced: Ms = ANNOUNCED) -> list[str]:
    """Show or rotate the keys on a Redis, or in a data directory. Returns lines to print. Raises `StartError`."""
    async with contextlib.AsyncExitStack() as stack:
        url = redis or await _redis_in(stack, data)
        store = Store(url, secrets.token_hex(4), Clock())
        try:
            await store.open()
            stack.push_async_callback(store.close)
            return await Rings(store, announced=announced).carry_out(what)
        except StoreDown as down:
            raise StartError(f"The keys cannot be read or changed: {down.reason.rstrip('.')}.") from None


async def _redis_in(stack: contextlib.AsyncExitStack, data: Path) -> str:
    """The address of the embedded Redis in a data directory, which may be running."""
    directory = Directory(data)
    if not directory.has_data:
        raise StartError(
            f"There is no data of a server in {data}. Choose another directory with --data, or use --redis."
        )
    try:
        return (await _embedded(stack, data)).url
    except StartError:
        if (socket := directory.old_socket) is None:
            raise
        return "unix://" + quote(str(socket))  # a running server's socket; if nobody answers there, that is the error


def _with_token(config: Config) -> Config:
    """The configuration with the operators' password from the data directory, unless one is given or none is needed."""
    if config.ops_token or not (config.ops_port or config.demo) or config.redis:
        return config
    return replace(config, ops_token=Directory(config.data).ops_token())


async def _embedded(stack: contextlib.AsyncExitStack, data: Path, memory: int = DEFAULT_MEMORY) -> EmbeddedRedis:
    return await stack.enter_async_context(EmbeddedRedis(data, megabytes=memory))


async def _tell_operators(
    stack: contextlib.AsyncExitStack, gateway: Gateway, config: Config, port: int, *, shared: bool
) -> None:
    # Only here: a server without an operators' port starts sooner.
    from fortythieves_server.ops.metrics import Metrics
    from fortythieves_server.ops.reports import Reports
    from fortythieves_server.ops.routes import LONGEST_FORM, named, operators_routes

    metrics = Metrics(gateway)
    reports = Reports(gateway, metrics)
    for source in (metrics, reports):
        await source.open()
        stack.push_async_callback(source.close)
    accounts = Accounts(config.limits)
    app = web.Application(client_max_size=LONGEST_FORM, middlewares=[named({config.ops_host, *config.ops_names})])
    app.add_routes(operators_routes(metrics, reports, gateway, accounts, config.ops_token))
    server = await server_of(stack, app, gateway, None, Patience(), shutdown_timeout=1)
    # As few connections as an acceptor may have: they must not take the descriptors of players.
    bounds = Bounds(descriptors=0, of_address=config.limits.connections)
    acceptor = Acceptor(server, accounts, Counters(), key_of, bounds)
    opened = await listening(config.ops_host, port, "--ops-port", shared=shared)
    stack.push_async_callback(acceptor.stop)
    acceptor.listen(opened)


async def server_of(
    stack: contextlib.AsyncExitStack,
    app: web.Application,
    gateway: Gateway,
    websockets: WebSocketServer | None,
    patience: Patience,
    shutdown_timeout: float,
) -> Server:
    """The handler of an acceptor: it answers the requests of its connections."""
    runner = web.AppRunner(
        app,
        access_log_class=Answered,
        logger=logs.of_requests(),
        keepalive_timeout=_NEVER,  # the acceptor closes idle connections
        lingering_time=0,  # no request needs the rest of its body to be read
        shutdown_timeout=shutdown_timeout,
    )
    await runner.setup()
    stack.push_async_callback(runner.cleanup)
    assert runner.server is not None
    server = Server(runner.server, websockets, gateway.services.share, patience)
    server.open()
    stack.push_async_callback(server.close)
    return server


def _own_socket(stack: contextlib.AsyncExitStack) -> tuple[Path, socket.socket]:
    """A socket that only this user can open, and its path. It also shows that we are alive."""
    forget_dead(_SOCKET)
    directory = new_directory(_SOCKET)
    stack.callback(shutil.rmtree, directory, ignore_errors=True)
    own = socket.socket(socket.AF_UNIX)
    # It gets its final name once it listens. Otherwise others would take it for a dead one.
    own.bind(str(directory / "new"))
    own.listen(BACKLOG)
    return (directory / "new").rename(directory / _SOCKET), own


def _may_share_with(config: Config) -> Choice | None:
    """With which helpers this server can be shared. None: it is no server at home. Raises `StartError`."""
    if config.workers > 1 or config.public_url or config.proxies:
        if config.share:
            raise StartError("--share is for a server at home: without --workers, --public-url and --proxies.")
        return None
    if config.share:
        config.share_with.check()
    return config.share_with


def _key(config: Config, address: str) -> str:
    """The key under which an address is limited, "" for our proxies and bots: the socket of bots has no address."""
    return "" if not address or is_one_of(config.proxies, address) else key_of(address)


async def _listen(
    stack: contextlib.AsyncExitStack,
    app: web.Application,
    gateway: Gateway,
    config: Config,
    inlet: socket.socket | None,
    times: Times,
) -> tuple[int, Callable[[], Awaitable[None]]]:
    """Open the port, or take connections from the dispatcher. Returns the port, and a function that stops that."""
    await _share_client(stack, gateway.service.store, times.share_client)
    websockets = WebSocketServer(gateway)
    await websockets.open()
    server = await server_of(stack, app, gateway, websockets, Patience(stalled=times.stalled), shutdown_timeout=2)
    bounds = Bounds(descriptors=raise_limit(), of_address=config.limits.connections)
    acceptor = Acceptor(server, gateway.accounts, gateway.counts, partial(_key, config), bounds)
    sockets = [] if inlet else await listening(config.host, config.port)
    port: int = sockets[0].getsockname()[1] if sockets else config.port
    gateway.is_full = lambda: acceptor.is_full
    if config.bots and config.max_bots:
        # Only this user can open it, so every client there is a house bot.
        path, own = _own_socket(stack)
        gateway.services.bots.socket = str(path)
        sockets.append(own)

    async def listen_for_helper() -> int:
        bounds = Bounds(descriptors=_TUNNELLED, of_address=_TUNNELLED)
        own = Acceptor(server, gateway.accounts, gateway.counts, lambda _: "", bounds, gateway.tunnel.greet)
        opened = await listening(HELPER, 0)
        stack.push_async_callback(own.stop)
        own.listen(opened)
        return int(opened[0].getsockname()[1])

    gateway.tunnel.listen = listen_for_helper
    service = gateway.service
    # Without Redis, a worker leaves new connections to the others, as long as one of these has it.
    from_dispatcher = inlet and Inlet(
        inlet, acceptor.take, lambda: acceptor.is_full or not service.store.up, service.registry.is_large
    )

    async def stop() -> None:
        if from_dispatcher:
            from_dispatcher.close()
        await acceptor.stop()

    stack.push_async_callback(stop)
    acceptor.listen(sockets)
    if from_dispatcher:
        from_dispatcher.open()
    return port, stop
