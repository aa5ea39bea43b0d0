"""A server process made of its real parts. Only its port, its child processes and its Redis are simulated."""

import asyncio
import contextlib
import socket
from collections.abc import Awaitable, Callable

from aiohttp import web

from fortythieves.errors import Refused
from fortythieves.solver import day
from fortythieves_server.app import Times, running, server_of
from fortythieves_server.common.errors import StartError
from fortythieves_server.common.limits import key_of
from fortythieves_server.common.tasks import end
from fortythieves_server.config import Config
from fortythieves_server.rooms.days import Days
from fortythieves_server.rooms.file_process import done
from fortythieves_server.rooms.room_service import RoomService
from fortythieves_server.web.gateway import Gateway
from fortythieves_server.web.key_rotation import Rings
from fortythieves_server.web.server import Patience
from fortythieves_server.web.websocket_server import WebSocketServer
from tests.sim.network import SYSTEM, Network, NetworkLoop, Port, Transport

PORT = 8040
#: Seconds that a job of the file process takes.
A_JOB = 0.02
#: Seconds that the search for the deal of a day takes.
A_SEARCH = 20.0
#: Seconds after a failed start until the next one.
AGAIN = 1.0


class ServerProcess:
    """One server process on a machine. Each start knows only its settings."""

    def __init__(self, network: Network, machine: str, config: Config, number: int = 0) -> None:
        self.network = network
        self.machine = machine
        self.config = config
        self.loop: NetworkLoop | None = None
        #: While it serves.
        self.gateway: Gateway | None = None
        #: How it ended, for each time that it did not crash: None, or an error.
        self.ended: list[BaseException | None] = []
        #: The tasks of ours that were not done when it ended by itself.
        self.left_over: list[str] = []
        self._number = number
        self._stop: asyncio.Event
        #: The tasks that serve connections.
        self._connections: dict[asyncio.Task[None], None]

    @property
    def service(self) -> RoomService | None:
        return None if self.gateway is None else self.gateway.service

    def start(self) -> None:
        if self.loop is not None:
            return
        self.loop = self.network.process(self.machine)
        self.loop.on_crash = self._crashed
        self._connections = {}
        self.loop.spawn(self._run(self.loop))

    def stop(self) -> None:
        """Tell it to stop, as SIGTERM does."""
        if self.loop is not None:
            self.loop.call_soon_threadsafe(self._stop.set)

    def crash(self) -> None:
        if self.loop is not None:
            self.loop.crash()

    def _crashed(self) -> None:
        self.loop = self.gateway = None

    async def _run(self, loop: NetworkLoop) -> None:
        self._stop = asyncio.Event()
        error: BaseException | None = None
        try:
            async with running(self.config, number=self._number, listen=self._listen, do_files=_do_files):
                await self._stop.wait()
        except StartError as failed:
            error = failed.with_traceback(None)
            error.__context__ = None
            self.network.simulation.later(AGAIN, self.start)
        except Exception as failed:  # noqa: BLE001
            error = failed
            loop.call_exception_handler({"message": "a server process failed", "exception": failed})
        finally:
            if loop.is_alive:
                self.ended.append(error)
                loop.call_soon(self._exit, loop)

    def _exit(self, loop: NetworkLoop) -> None:
        """The process has ended by itself."""
        # If one node of a cluster fails, redis-py still waits for the others, a second or two.
        kinds = [str(task.get_coro()) for task in asyncio.all_tasks(loop)]
        self.left_over += [kind for kind in kinds if "RedisCluster._execute_command" not in kind]
        loop.crash()

    async def _listen(
        self,
        stack: contextlib.AsyncExitStack,
        app: web.Application,
        gateway: Gateway,
        config: Config,
        _: socket.socket | None,
        times: Times,
    ) -> tuple[int, Callable[[], Awaitable[None]]]:
        """Replaces the function of `app` that opens real sockets."""
        websockets = WebSocketServer(gateway)
        await websockets.open()
        http = await server_of(stack, app, gateway, websockets, Patience(stalled=times.stalled), shutdown_timeout=2)

        async def serve(connection: "Accepted") -> None:
            if line := await connection.request_line():
                await http.serve(connection, line)  # type: ignore[arg-type]  # not a socket

        def accept(transport: Transport) -> None:
            task = asyncio.get_running_loop().create_task(serve(Accepted(transport)))
            self._connections[task] = None
            task.add_done_callback(self._connections.pop)

        days = asyncio.create_task(_prepare_days(gateway.service)) if config.day else None
        assert self.loop is not None
        port = Port(self.loop, config.port, accept)

        async def stop() -> None:
            port.close()
            await end([*self._connections, days])

        self.gateway = gateway
        return config.port, stop


class Accepted:
    """Replaces an `AcceptedSocket`."""

    is_house = is_tunnelled = False

    def __init__(self, transport: Transport) -> None:
        self.transport = transport
        self.peer: str = transport.get_extra_info("peername")[0]
        self.address = key_of(self.peer)

    async def request_line(self) -> bytes:
        return await self.transport.first_line()

    @property
    def unconfirmed(self) -> int:
        return min(self.transport.unread, SYSTEM)

    def twin(self) -> "Accepted":
        return Accepted(self.transport)

    def hang_up(self) -> None:
        self.transport.abort()

    def requested(self) -> None:
        """There is no acceptor that counts connections."""

    close = forget = requested


async def _prepare_days(service: RoomService) -> None:
    """Replaces the filler, which has a child process. No process waits for another one."""
    rings = Rings(service.store)
    days = Days(service.store, service.registry, rings.key_of_day)
    while True:
        with contextlib.suppress(Refused):
            await rings.read()
            if (search := await days.next_search()) is not None:
                await asyncio.sleep(A_SEARCH)
                await days.searched(search, is_won=day.is_won(search.game, search.stars, search.secret))
                continue
        await asyncio.sleep(5)


async def _do_files(packed: bytes) -> tuple[int, bytes]:
    """Replaces the child process for files."""
    await asyncio.sleep(A_JOB)
    return done(packed)
