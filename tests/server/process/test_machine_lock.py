"""One process of a user on a machine holds the lock."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fortythieves_server.process.machine_lock import MachineLock, name_of_redis

#: Takes the lock, reports it, and keeps it until it is killed.
HOLDER = (
    "import sys, pathlib\n"
    "from fortythieves_server.process.machine_lock import MachineLock\n"
    "lock = MachineLock('x', pathlib.Path(sys.argv[1]))\n"
    "print(lock.take(), flush=True)\n"
    "sys.stdin.read()\n"
)


def test_one_of_two_holds_the_lock_until_it_lets_go(tmp_path: Path) -> None:
    one, two = MachineLock("x", tmp_path), MachineLock("x", tmp_path)
    assert one.take()
    assert one.take()
    assert not two.take()
    one.release()
    assert two.take()
    assert not one.take()
    two.release()


def test_a_lock_of_another_name_is_another_lock(tmp_path: Path) -> None:
    one, two = MachineLock("x", tmp_path), MachineLock("y", tmp_path)
    assert one.take()
    assert two.take()
    one.release()
    two.release()


def test_the_lock_of_a_killed_process_is_free(tmp_path: Path) -> None:
    mine = MachineLock("x", tmp_path)
    command = [sys.executable, "-c", HOLDER, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"True\n"
        assert not mine.take()
        other.kill()
        other.wait()
        assert mine.take()
    mine.release()


def test_a_link_that_lies_there_is_not_followed(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    lock = MachineLock("x", tmp_path)
    lock.path.symlink_to(tmp_path / "elsewhere")
    assert not lock.take()
    assert not lock.take()
    assert not (tmp_path / "elsewhere").exists()
    assert len(caplog.records) == 1


def test_nobody_else_can_open_the_file(tmp_path: Path) -> None:
    lock = MachineLock("x", tmp_path)
    assert lock.take()
    assert lock.path.stat().st_mode & 0o077 == 0
    lock.release()


def test_the_name_of_a_redis_depends_on_the_place_and_on_no_password() -> None:
    assert name_of_redis("redis://user:one@host:1/2") == name_of_redis("redis://user:two@host:1/2?socket_timeout=3")
    assert name_of_redis("redis+cluster://:one@a:1,b:2") == name_of_redis("redis+cluster://:two@a:1,b:2")
    places = (
        "redis://host:1/2",
        "redis://host:1/3",
        "redis://host:2/2",
        "unix:///a",
        "unix:///b",
        "redis+cluster://a:1",
    )
    assert len({*map(name_of_redis, places)}) == len(places)


def test_a_file_that_is_not_there_or_is_a_link_is_not_touched(tmp_path: Path) -> None:
    lock = MachineLock("x", tmp_path)
    lock.touch()
    assert not lock.path.exists()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.touch()
    os.utime(elsewhere, (0, 0))
    lock.path.symlink_to(elsewhere)
    lock.touch()
    assert elsewhere.stat().st_mtime == 0
