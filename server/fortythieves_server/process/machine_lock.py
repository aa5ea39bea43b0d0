"""A lock that one process of this user on this machine holds at a time."""

import contextlib
import fcntl
import hashlib
import logging
import os
import tempfile
from pathlib import Path

from fortythieves_server.store import redis_url

log = logging.getLogger(__name__)


class MachineLock:
    """A lock with a name. The system releases it when all processes that have its descriptor have ended."""

    def __init__(self, name: str, folder: Path | None = None) -> None:
        folder = folder or Path(tempfile.gettempdir())
        self.path = folder / f"forty-thieves-{os.getuid()}-{name}.lock"
        #: The open file, if this process holds the lock. Children that inherit it hold the lock, too.
        self.descriptor: int | None = None
        self._said = False

    def take(self) -> bool:
        """Whether this process holds the lock, or could take it just now."""
        if self.descriptor is not None:
            return True
        try:
            # Another user may have put a file or a link there. We only use our own.
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
            try:
                if os.fstat(descriptor).st_uid != os.getuid():
                    raise PermissionError(f"{self.path} belongs to another user")
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                os.close(descriptor)
                raise
        except OSError as error:
            if not isinstance(error, BlockingIOError) and not self._said:
                log.warning("no winnable deals are prepared here, because there is no lock: %s", error)
                self._said = True
            return False
        self.descriptor = descriptor
        return True

    def touch(self) -> None:
        """Set the time of the file to now, also if another process holds the lock. The holder sees it in `os.fstat`."""
        with contextlib.suppress(OSError):  # no process holds the lock, or another user's does
            os.utime(self.path, follow_symlinks=False)

    def release(self) -> None:
        """Let others take the lock, once no child has the descriptor."""
        if self.descriptor is not None:
            with contextlib.suppress(OSError):
                os.close(self.descriptor)
            self.descriptor = None


def name_of_redis(url: str) -> str:
    """A name for what this address leads to, the same for all processes of a server. It contains no password."""
    parsed = redis_url.parse(url)
    place = parsed.hosts or parsed.address.rpartition("@")[2].partition("?")[0]
    return hashlib.sha256(repr((parsed.kind, place, parsed.service)).encode()).hexdigest()[:16]
