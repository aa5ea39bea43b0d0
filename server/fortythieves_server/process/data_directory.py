"""The directory in which the embedded Redis keeps everything. One program at a time owns it.

==================  ==================================================================================================
``lock``            locked by the program that owns the directory; holds its process id
``redis.lock``      locked as long as a server runs here, even one that has outlived its parent
``redis.version``   the newest version that has written here; an older one might not even find the data
``redis.seconds``   how many seconds the data has counted at least
``redis.socket``    the path of the socket (it is elsewhere if the path here would be too long)
``redis.log``       the log of the server; the one before it is ``redis.log.1``
``ops-token``       the password of the operators
``appendonly*``     the data
==================  ==================================================================================================
"""

import contextlib
import errno
import os
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path

from fortythieves_server.common.errors import StartError
from fortythieves_server.process.runtime_directory import LONGEST_SOCKET, is_of, new_directory

_SOCKET = "redis.sock"
OPS_TOKEN = "ops-token"

#: A longer log is replaced by a new one. Redis opens the log for each line, so it can be moved at any time.
_LONGEST_LOG = 1_000_000


class Directory:
    """A data directory and its locks. Raises `StartError` with the system's reason if it cannot be used."""

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self.log = self.path / "redis.log"
        self._locks: dict[str, int] = {}
        self._own_socket: Path | None = None

    def own(self) -> None:
        """Create the directory, and lock it until `let_go`."""
        with self._usable():
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            if self._lock("lock"):
                os.truncate(self._locks["lock"], 0)
                os.write(self._locks["lock"], b"%d\n" % os.getpid())
                self.log.touch(mode=0o600)
                return
            owner = (self.path / "lock").read_text("ascii", "replace").strip()
            raise StartError(
                f"Another forty-thieves (process {owner}) keeps its rooms in {self.path}: stop it, or choose another "
                "directory with --data."
            )

    def nothing_runs_here(self) -> bool:
        """Whether every server that was started here has ended. After that, `descriptor` can be passed on."""
        with self._usable():
            return "redis.lock" in self._locks or self._lock("redis.lock")

    @property
    def descriptor(self) -> int:
        """The open lock file. The server inherits it, so the lock lasts as long as the server runs."""
        return self._locks["redis.lock"]

    def let_go(self) -> None:
        while self._locks:
            os.close(self._locks.popitem()[1])
        if self._own_socket:
            shutil.rmtree(self._own_socket.parent, ignore_errors=True)

    def _lock(self, name: str) -> bool:
        import fcntl  # which is not on every system that has the other commands

        descriptor = os.open(self.path / name, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(descriptor)
            if error.errno not in (errno.EWOULDBLOCK, errno.EACCES):
                raise
            return False
        self._locks[name] = descriptor
        return True

    @contextlib.contextmanager
    def _usable(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            # mkdir says "file exists" for a file.
            reason = "it is not a directory" if isinstance(error, FileExistsError) else error.strerror or error
            raise StartError(f"Rooms cannot be kept in {self.path}: {reason}.") from error

    def ops_token(self) -> str:
        """The operators' password. It is drawn once and then kept; only the owner of the directory can read it."""
        file = self.path / OPS_TOKEN
        with self._usable():
            with contextlib.suppress(FileExistsError):
                descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
                with os.fdopen(descriptor, "w") as drawn:
                    drawn.write(f"{secrets.token_urlsafe(24)}\n")
            return file.read_text("ascii").strip()

    @property
    def has_data(self) -> bool:
        """Whether a server was ever started here."""
        return (self.path / "redis.socket").exists()

    @property
    def old_socket(self) -> Path | None:
        """The socket of the last server. None if there was none, or if it is gone. Then another user may be there."""
        try:
            old = Path(os.fsdecode((self.path / "redis.socket").read_bytes()))
            is_ours = old.parent == self.path or is_of(old.parent, self.path.stat().st_uid)
        except OSError:
            return None
        return old if is_ours else None

    def new_socket(self) -> Path:
        """The socket for the next server: a path that is short enough."""
        old, socket = self.old_socket, self.path / _SOCKET
        if old and old.parent != self.path:
            shutil.rmtree(old.parent, ignore_errors=True)  # a killed server has left it
        with self._usable():
            if len(os.fsencode(socket)) > LONGEST_SOCKET:
                socket = self._own_socket = new_directory(_SOCKET) / _SOCKET
            (self.path / "redis.socket").write_bytes(os.fsencode(socket))
        return socket

    @property
    def written_by(self) -> tuple[int, ...]:
        """The newest version of a server that was started here. () before the first start."""
        try:
            return tuple(map(int, (self.path / "redis.version").read_text("ascii").split(".")))
        except (OSError, ValueError):
            return ()

    @written_by.setter
    def written_by(self, version: tuple[int, ...]) -> None:
        with self._usable():
            (self.path / "redis.version").write_text(".".join(map(str, version)), "ascii")

    @property
    def seconds(self) -> int:
        """How many seconds the data had counted for certain. 0: unknown."""
        try:
            return int((self.path / "redis.seconds").read_bytes())
        except (OSError, ValueError):
            return 0

    def keep_seconds(self, seconds: int) -> None:
        """Write this down, if the disk allows it. In place: a file that is written anew may be found empty."""
        with contextlib.suppress(OSError):
            descriptor = os.open(self.path / "redis.seconds", os.O_WRONLY | os.O_CREAT, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(b"%019d\n" % seconds)
                file.flush()
                os.fsync(descriptor)

    @property
    def snapshot(self) -> bytes:
        """The first bytes of the snapshot, which contain its format. Empty if no separate file has one."""
        first = [b""]
        with self._usable():
            for path in self.path.glob("appendonlydir/*.base.rdb"):
                with path.open("rb") as file:
                    first.append(file.read(9))
        return max(first)  # a server that is killed while it replaces the snapshot leaves two; the newer format counts

    def shorten_log(self) -> int:
        """Start a new log if this one is long. Returns the length of the current one."""
        with contextlib.suppress(OSError):
            size = self.log.stat().st_size
            if size <= _LONGEST_LOG:
                return size
            self.log.replace(self.path / "redis.log.1")
        return 0

    def log_from(self, position: int) -> str:
        try:
            with self.log.open("rb") as log:
                log.seek(position)
                return log.read(_LONGEST_LOG).decode("utf-8", "replace")
        except OSError:
            return ""
