"""Share this server beyond its network: a helper program on this machine tunnels from a public address to a port here.

That port serves only the helper, on the loopback interface. But other users of this machine can connect to it, too. So
a forwarded address is only believed on a connection of the helper's own processes.
"""

import asyncio
import contextlib
import logging
import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import psutil
from aiohttp import ClientError, ClientSession, ClientTimeout

from fortythieves.errors import harmless
from fortythieves_server.common import child_process
from fortythieves_server.common.child_process import Backoff, Process
from fortythieves_server.common.tasks import end
from fortythieves_server.process.accepted_socket import AcceptedSocket
from fortythieves_server.process.tunnel_helpers import Choice, Helper

log = logging.getLogger(__name__)

#: The peer of a connection through the helper, and of one to the helper's port that is not the helper's.
HELPER, STRANGER = "127.0.0.1", "tunnel"

#: Runs a program until it ends, or until standard input closes: also if this server is killed. Otherwise the helper
#: would go on to publish its port, which another program may open later. Nothing is left that holds the output open:
#: uvloop gives children more than their standard streams.
_LEASH = """
exec 3<&0
"$@" </dev/null & program=$!
(read -r _ <&3; kill $program && sleep 2 && kill -9 $program) >/dev/null 2>&1 &
wait $program
kill $!
"""

#: Seconds before each restart after failures in a row.
PAUSES = (1.0, 2.0, 5.0, 15.0, 60.0)
#: Seconds between two checks of the public address, between those of one that has not answered yet, and for a check.
CHECK_EVERY, CHECK_FIRST, CHECK_WITHIN = 15.0, 4.0, 10.0
#: Restart the helper after this many failed checks in a row, if nothing came through the tunnel since. A resolver
#: here may not know a new name for a while although friends already reach it.
_FAILED_CHECKS = 4
#: Seconds that the leash has to end the helper.
_END_SECONDS = 5.0
#: Seconds between two searches for the connections of the helper. A search takes milliseconds.
_SEARCH_EVERY = 0.05
#: Characters of the helper's last line that are shown.
_SHOWN = 200
#: Bytes of a line of the helper that are read together.
_LINE = 4096


@dataclass(slots=True, eq=False)
class Tunnel:
    """The tunnel of this process, or none. ``choice``: None if this server cannot be shared."""

    choice: Choice | None
    #: Opens the helper's port and returns it.
    listen: Callable[[], Awaitable[int]] = field(init=False)
    #: Called when the public address is another one than before.
    changed: Callable[[], None] = field(default=lambda: None, init=False)
    #: The public address: "" while there is none.
    url: str = field(default="", init=False)
    _earlier: str = field(default="", init=False)
    #: Whether the public address has answered us.
    answers: bool = field(default=False, init=False)
    #: The last line of a helper that ended.
    trouble: str = field(default="", init=False)
    _port: int = field(default=0, init=False)
    _process: Process | None = field(default=None, init=False)
    _task: asyncio.Task[None] | None = field(default=None, init=False)
    _switching: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)
    #: The ports from which the helper is connected with ours, and when they were looked up.
    _ports: set[int] = field(default_factory=set, init=False)
    _looked_up: float = field(default=0.0, init=False)
    _looking_up: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)
    #: When the last connection came through the tunnel.
    _heard: float = field(default=0.0, init=False)

    @property
    def is_on(self) -> bool:
        return self._task is not None

    async def turn(self, *, on: bool) -> None:
        """Start the helper, or end it. It takes seconds until there is a `url`."""
        async with self._switching:
            if on and self._task is None and self.choice is not None and self.choice.helper is not None:
                self._port = self._port or await self.listen()
                self._task = asyncio.create_task(self._keep_running(self.choice.helper), name="sharing")
            elif not on and self._task is not None:
                await end([self._task])
                self._task, self._earlier = None, ""

    async def close(self) -> None:
        await self.turn(on=False)

    async def greet(self, connection: AcceptedSocket) -> None:
        """Find out whether a connection to the helper's port is the helper's."""
        connection.is_tunnelled = True
        is_ours = await self._is_of_helper(connection)
        connection.peer = HELPER if is_ours else STRANGER
        if is_ours:
            self._heard = asyncio.get_running_loop().time()

    async def _is_of_helper(self, connection: AcceptedSocket) -> bool:
        try:
            port = connection.getpeername()[1]
        except OSError:
            return False
        time = asyncio.get_running_loop().time
        came = time()
        async with self._looking_up:
            if self._looked_up <= came:  # a port that was the helper's earlier may be another program's now
                await asyncio.sleep(self._looked_up + _SEARCH_EVERY - time())
                self._looked_up, process = time(), self._process
                self._ports = set() if process is None else await asyncio.to_thread(_ports, process.pid, self._port)
            return port in self._ports

    async def _keep_running(self, helper: Helper) -> None:
        backoff, time = Backoff(PAUSES), asyncio.get_running_loop().time
        try:
            while True:
                began = time()
                try:
                    await self._run(helper)
                except OSError as error:
                    self.trouble = error.strerror or str(error)
                backoff.ended(time() - began)
                log.warning("%s ended and is started again: %s", helper.name, self.trouble)
                await asyncio.sleep(backoff.pause)
        finally:
            self.trouble = ""

    async def _run(self, helper: Helper) -> None:
        """Run the helper until it ends, or until its address has not answered for too long."""
        assert self.choice is not None
        command = helper.command(self.choice.service, self._port)
        process = self._process = await child_process.start(
            *("/bin/sh", "-c", _LEASH, "sh", *command),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,  # Ctrl-C in a terminal must not reach it directly
            limit=_LINE,
        )
        tasks = [asyncio.create_task(self._read(helper, process)), asyncio.create_task(self._check())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            await end(tasks)
            self.url, self.answers, self._process = "", False, None
            await child_process.end(process, ask=child_process.close_input, seconds=_END_SECONDS)

    async def _read(self, helper: Helper, process: Process) -> None:
        """Read the helper's output until it ends. It contains the public address."""
        _, output = child_process.pipes(process)
        while line := await _line(output):
            text = harmless(line.decode(errors="replace").strip())
            found = helper.address.search(text)
            if found and found[0] != self.url:
                self.url, self.answers, self.trouble = found[0], False, ""
                log.warning("Friends elsewhere can join at %s", self.url)
                if self._earlier != self.url:
                    self.changed()
                self._earlier = self.url
            elif text and not self.url:
                self.trouble = text[:_SHOWN]

    async def _check(self) -> None:
        """Ask the public address until it does not answer any more."""
        time, failed, context = asyncio.get_running_loop().time, 0, ssl.create_default_context()
        async with ClientSession(timeout=ClientTimeout(CHECK_WITHIN)) as client:
            while failed < _FAILED_CHECKS:
                await asyncio.sleep(CHECK_EVERY if self.answers else CHECK_FIRST)
                if not self.url:
                    continue
                began = time()
                try:
                    async with client.get(f"{self.url}/healthz", ssl=context) as answer:
                        has_answered = "version" in await answer.json()
                except (ClientError, TimeoutError, ValueError):
                    has_answered = False
                self.answers = self.answers or has_answered
                is_alive = has_answered or self._heard >= began or not self.answers
                failed = 0 if is_alive else failed + 1
        self.trouble = f"{self.url} does not answer any more."


async def _line(output: asyncio.StreamReader) -> bytes:
    """The next line, or a part of one that is very long. b"": there are no more."""
    try:
        return await output.readline()
    except ValueError:  # it was longer than the limit, and has been dropped
        return b"\n"


def _ports(pid: int, port: int) -> set[int]:
    """From which ports a process and its children are connected with a port here."""
    found = set[int]()
    with contextlib.suppress(psutil.Error):
        for process in (leash := psutil.Process(pid), *leash.children(recursive=True)):
            with contextlib.suppress(psutil.Error):
                opened = process.net_connections("tcp")
                found |= {one.laddr.port for one in opened if one.raddr and one.raddr.port == port}
    return found
