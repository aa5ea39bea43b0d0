import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from fortythieves_server.common.errors import StartError
from fortythieves_server.process.data_directory import Directory


@contextmanager
def owned(path: Path) -> Iterator[Directory]:
    directory = Directory(path)
    directory.own()
    try:
        yield directory
    finally:
        directory.let_go()


def test_a_directory_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    with owned(tmp_path / "new" / "data") as directory:
        assert directory.path.stat().st_mode & 0o777 == 0o700
        assert {file.name: file.stat().st_mode & 0o777 for file in directory.path.iterdir()} == {
            "lock": 0o600,
            "redis.log": 0o600,
        }
    tmp_path.chmod(0o755)
    with owned(tmp_path) as directory:
        assert tmp_path.stat().st_mode & 0o777 == 0o755, "one that was there keeps its own"
        assert directory.old_socket is None
        assert directory.new_socket() == directory.old_socket == tmp_path / "redis.sock"


def test_a_second_owner_is_told_who_the_first_one_is(tmp_path: Path) -> None:
    with owned(tmp_path), pytest.raises(StartError) as error:
        Directory(tmp_path).own()
    assert str(error.value) == (
        f"Another forty-thieves (process {os.getpid()}) keeps its rooms in {tmp_path}: stop it, or choose another "
        "directory with --data."
    )


@pytest.mark.parametrize(
    ("place", "reason"),
    [("file", "it is not a directory"), ("file/below", "Not a directory"), ("x" * 300, "File name too long")],
)
def test_a_directory_that_cannot_be_used_is_said_in_one_sentence(tmp_path: Path, place: str, reason: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StartError) as error:
        Directory(tmp_path / place).own()
    assert str(error.value) == f"Rooms cannot be kept in {tmp_path / place}: {reason}."


def test_the_lock_of_a_server_lasts_as_long_as_whoever_inherited_it(tmp_path: Path) -> None:
    with owned(tmp_path) as directory:
        assert directory.nothing_runs_here()
        inherited = os.dup(directory.descriptor)
    with owned(tmp_path) as directory:
        assert not directory.nothing_runs_here()
        os.close(inherited)
        assert directory.nothing_runs_here()
        assert directory.nothing_runs_here()


def test_a_socket_whose_name_would_be_too_long_lies_elsewhere(tmp_path: Path) -> None:
    with owned(tmp_path / ("directory" * 10)) as directory:
        socket = directory.new_socket()
        assert len(os.fsencode(socket)) <= 103
        assert socket.parent.stat().st_mode & 0o777 == 0o700
        assert directory.old_socket == socket
    assert not socket.parent.exists()


def test_what_a_killed_server_left_elsewhere_is_swept_up(tmp_path: Path) -> None:
    path = tmp_path / ("directory" * 10)
    left = Path(tempfile.mkdtemp(prefix="forty-thieves-")) / "redis.sock"
    path.mkdir()
    (path / "redis.socket").write_bytes(os.fsencode(left))
    with owned(path) as directory:
        assert directory.new_socket() != left
        assert not left.parent.exists()


def test_a_long_log_is_begun_anew(tmp_path: Path) -> None:
    with owned(tmp_path) as directory:
        directory.log.write_text("old\n")
        assert directory.shorten_log() == 4
        directory.log.write_text("x" * 1_000_001)
        assert directory.shorten_log() == 0
        assert (tmp_path / "redis.log.1").stat().st_size == 1_000_001
        assert directory.log_from(0) == ""
        directory.log.write_text("old\nnew\n")
        assert directory.log_from(4) == "new\n"
