"""Directories in places where another user has put something in our way."""

import os
import socket
import tempfile
from pathlib import Path

import pytest

from fortythieves_server.process.runtime_directory import forget_dead, is_of, new_directory, shared_directory


@pytest.fixture(autouse=True)
def place(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The directory for temporary files. Its path is short enough for sockets."""
    place = tmp_path_factory.mktemp("t")
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    return place


def plant(kind: str, path: Path) -> None:
    match kind:
        case "file":
            path.touch()
        case "link":
            path.symlink_to("/")
        case _:
            path.mkdir()
            path.chmod(0o777)


@pytest.mark.parametrize("kind", ["file", "link", "open directory"])
def test_a_name_that_another_user_has_taken_is_not_used(place: Path, kind: str) -> None:
    plant(kind, taken := place / f"forty-thieves-{os.geteuid()}")
    shared = shared_directory()
    assert shared != taken and shared == shared_directory()
    assert is_of(shared, os.geteuid()) and shared.stat().st_mode & 0o777 == 0o700
    assert not is_of(shared, os.geteuid() + 1)


def test_a_runtime_directory_is_only_used_if_nobody_else_can_write_there(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime := place / "runtime"))
    assert shared_directory().parent == place
    runtime.mkdir(mode=0o700)
    assert shared_directory().parent == new_directory("x").parent == runtime
    runtime.chmod(0o777)
    assert shared_directory().parent == place


def test_a_socket_has_a_short_path_whatever_tmpdir_is(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    long = place / ("x" * 80)
    long.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(long))
    path = new_directory("bots") / "bots"
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(path))
    path.unlink()
    path.parent.rmdir()


def listening(directory: Path) -> socket.socket:
    one = socket.socket(socket.AF_UNIX)
    one.bind(str(directory / "bots"))
    one.listen(0)
    return one


def test_only_our_own_dead_sockets_are_deleted_and_none_is_waited_for(place: Path) -> None:
    dead, busy = new_directory("bots"), new_directory("bots")
    listening(dead).close()
    (place / "forty-thieves-link").symlink_to(dead)
    plant("open directory", planted := place / "forty-thieves-planted")
    listening(planted).close()
    with listening(busy), socket.socket(socket.AF_UNIX) as first, socket.socket(socket.AF_UNIX) as second:
        for client in (first, second):  # nobody accepts them, and no more fit into the queue
            client.setblocking(False)
            client.connect_ex(str(busy / "bots"))
        forget_dead("bots")
        assert busy.exists() and planted.exists() and not dead.exists()
