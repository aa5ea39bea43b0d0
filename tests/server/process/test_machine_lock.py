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
    one, two, other = (MachineLock(name, tmp_path) for name in "xxy")
    assert one.take() and one.take() and other.take()
    assert not two.take()
    assert one.path.stat().st_mode & 0o077 == 0, "nobody else can open it"
    one.release()
    assert two.take() and not one.take()
    two.release()
    other.release()


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


def test_the_name_of_a_redis_depends_on_the_place_and_on_no_password() -> None:
    assert name_of_redis("redis://user:one@host:1/2") == name_of_redis("redis://user:two@host:1/2?socket_timeout=3")
    assert name_of_redis("redis+cluster://:one@a:1,b:2") == name_of_redis("redis+cluster://:two@a:1,b:2")
    places = [f"redis://{place}" for place in ("host:1/2", "host:1/3", "host:2/2")]
    places += ["unix:///a", "unix:///b", "redis+cluster://a:1"]
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
