"""Directories for sockets and locks, in places where other users can also put something.

We use only what belongs to this user. Anyone else could keep us waiting, read along, or answer in our place.
"""

import contextlib
import errno
import os
import shutil
import socket
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

from fortythieves_server.common.errors import StartError

_PREFIX = "forty-thieves-"
#: The path of a socket has at most 104 bytes on BSD and macOS, 108 on Linux (unix(7)), including the final NUL.
LONGEST_SOCKET = 103


def is_of(path: Path, user: int) -> bool:
    """Whether this is a directory of that user, and no link, in which no one else can put anything."""
    try:
        found = path.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == user and not found.st_mode & 0o022


def new_directory(name: str) -> Path:
    """A new directory that only this user can enter, for a socket of this name. Raises `StartError`."""
    for place in _places():
        # The random part of the name has 8 characters.
        if len(os.fsencode(place)) + len(f"/{_PREFIX}12345678/{name}") <= LONGEST_SOCKET:
            with contextlib.suppress(OSError):
                return Path(tempfile.mkdtemp(prefix=_PREFIX, dir=place))
    raise StartError("No directory for sockets can be created. Set TMPDIR to a directory with a short path.")


def shared_directory() -> Path:
    """A directory for all processes of this user. Raises `OSError`.

    If another user has taken its name, it has a random suffix.
    """
    name = f"{_PREFIX}{os.geteuid()}"
    for place in _places():
        with contextlib.suppress(OSError):
            (place / name).mkdir(mode=0o700)
        for path in (place / name, *sorted(place.glob(f"{name}-*"))):
            if is_of(path, os.geteuid()):
                return path
        with contextlib.suppress(OSError):
            return Path(tempfile.mkdtemp(prefix=f"{name}-", dir=place))
    raise OSError(errno.EACCES, "no directory for temporary files is writable")


def forget_dead(name: str) -> None:
    """Delete the directories of killed servers: nobody listens at their sockets, which have this name."""
    for place in _places():
        for directory in place.glob(f"{_PREFIX}*"):
            if is_of(directory, os.geteuid()) and _is_dead(directory / name):
                shutil.rmtree(directory, ignore_errors=True)


def _is_dead(path: Path) -> bool:
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as probe:
        probe.setblocking(False)  # one that is too busy to answer is alive
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            return True
    return False


def _places() -> Iterator[Path]:
    runtime = Path(os.environ.get("XDG_RUNTIME_DIR", ""))
    if runtime.is_absolute() and is_of(runtime, os.geteuid()):
        yield runtime
    with contextlib.suppress(OSError):  # none is writable
        yield Path(tempfile.gettempdir())
    yield Path("/tmp")
