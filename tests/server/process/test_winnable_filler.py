"""The filler with a real Redis and a real child, also where the child is killed, hangs, or answers nonsense."""

import asyncio
import contextlib
import itertools
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import psutil
import pytest

from fortythieves_server.config import FEWEST
from fortythieves_server.process import deal_search
from fortythieves_server.process.winnable_filler import COMMAND, TIMES, Filler, MachineLock, Times, name_of_redis
from fortythieves_server.rooms.days import Days
from fortythieves_server.rooms.room_service import RoomService
from fortythieves_server.store.schema import of_pool
from fortythieves_server.store.store import Store
from fortythieves_server.store.winnable_pool import NEEDED, read
from tests.server.programs import children_with
from tests.server.stores import Admin, opened, until, until_it_is
from tests.server.winnable import ready
from tests.serving import serving

#: Two games that are solved in a tenth of a second.
GAMES = ("lucas", "little-forty")
#: A child that does not give way: on a busy machine a test would wait for it for minutes. It cannot write to any file.
NO_FILES = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))"
EAGER = (sys.executable, "-c", f"{NO_FILES}; from fortythieves_server.process.deal_search import serve; serve()")
QUICK = Times(look=0.01, timeout=60, look_at_moves=0.01, pauses=(0.0, 0.01))


@contextlib.asynccontextmanager
async def filling(
    store: Store,
    folder: Path,
    most: int = FEWEST,
    games: tuple[str, ...] = GAMES,
    times: Times = QUICK,
    command: tuple[str, ...] = EAGER,
    moves: Callable[[], int] = lambda: 0,
) -> AsyncIterator[Filler]:
    filler = Filler(store.pool, most, MachineLock("filler", folder), moves, games, times, command)
    filler.open()
    try:
        yield filler
    finally:
        await filler.close()


async def until_ready(store: Store, count: int, game: str = GAMES[0]) -> None:
    async def so() -> bool:
        return await ready(store.pool, game) >= count

    await until_it_is(so)


async def test_a_pool_gets_deals_for_a_race_of_each_game_first(store: Store, admin: Admin, tmp_path: Path) -> None:
    for game in GAMES:  # some are there already, because to find one takes a tenth of a second
        await admin.redis.rpush(of_pool(game, "ready:1"), *(["x"] * (NEEDED - 3)))
    async with filling(store, tmp_path):
        for game in GAMES:
            await until_ready(store, NEEDED, game)
    for game in GAMES:
        lists = [await admin.redis.lrange(of_pool(game, f"ready:{stars}"), 0, -1) for stars in (1, 2, 3)]
        found = set(itertools.chain(*lists)) - {b"x"}
        assert len(found) >= 3 and all(read(game, 0, entry) for entry in found), "each attempt draws another secret"
    assert store.pool.counters.tried >= store.pool.counters.added >= 6


async def test_the_deals_of_today_and_tomorrow_are_found_first(one: RoomService, tmp_path: Path) -> None:
    days = Days(one.store, one.registry, lambda day: day.to_bytes(32, "big"))
    filler = Filler(one.store.pool, FEWEST, MachineLock("filler", tmp_path), lambda: 0, GAMES, QUICK, EAGER, days)
    filler.open()
    try:

        async def both_are_open() -> bool:
            return len(await Days(one.store, one.registry, lambda day: None).archive()) == 2

        await until_it_is(both_are_open)
    finally:
        await filler.close()


async def test_days_whose_search_always_ends_the_child_have_deals_without_a_promise_and_the_pool_is_filled(
    one: RoomService, tmp_path: Path
) -> None:
    days = Days(one.store, one.registry, lambda day: day.to_bytes(32, "big"))
    act = "import sys\nfor line in sys.stdin: print('{}', flush=True) if len(line.split()) == 1 else sys.exit()"
    command = (sys.executable, "-c", act)
    filler = Filler(one.store.pool, FEWEST, MachineLock("filler", tmp_path), lambda: 0, GAMES, QUICK, command, days)
    filler.open()
    try:

        async def both_are_open() -> bool:
            found = await Days(one.store, one.registry, lambda day: None).archive()
            return [day["stars"] for day in found] == [0, 0]

        await until_it_is(both_are_open)
    finally:
        await filler.close()
    assert one.store.pool.counters.tried > 0


async def test_the_child_ends_when_all_is_full_and_is_back_when_something_is_missing(
    store: Store, admin: Admin, tmp_path: Path
) -> None:
    for stars in (1, 2, 3):  # their contents are not read here
        await admin.redis.rpush(of_pool(GAMES[0], f"ready:{stars}"), *(["x"] * (FEWEST // 3 - (stars == 1))))
    async with filling(store, tmp_path, games=GAMES[:1]) as filler:
        for _ in range(2):
            await until_ready(store, FEWEST)
            await until(lambda: filler.pid is None)
            await admin.redis.lpop(of_pool(GAMES[0], "ready:1"))
        await until_ready(store, FEWEST)
        assert (await store.pool.counts_now())[GAMES[0]] == (NEEDED, NEEDED, NEEDED)


#: Dies in the first game, and finds something in all others.
CHOOSY = (
    "import sys\n"
    "from fortythieves_server.process import deal_search\n"
    "for line in sys.stdin:\n"
    "    if line.strip() == 'lucas':\n"
    "        sys.exit(1)\n"
    "    print(__import__('json').dumps(deal_search.attempt(line.strip(), lambda: False)), flush=True)\n"
)


async def test_a_game_in_which_the_child_always_ends_does_not_keep_the_others_back(
    store: Store, tmp_path: Path
) -> None:
    async with filling(store, tmp_path, command=(sys.executable, "-c", CHOOSY)):
        await until_ready(store, 3, GAMES[1])
    assert await ready(store.pool, GAMES[0]) == 0


async def test_a_child_that_fails_is_not_started_again_at_once(store: Store, tmp_path: Path) -> None:
    times = QUICK._replace(pauses=(0.0, 3600.0))
    async with filling(store, tmp_path, times=times, command=(sys.executable, "-c", "")) as filler:
        await until(lambda: store.pool.counters.restarts == 1 and filler.pid is None)
        for _ in range(100):
            await asyncio.sleep(0)
        assert store.pool.counters.restarts == 1
    assert TIMES.pauses[-1] > 1


@pytest.mark.parametrize(
    "act",
    [
        *(
            f"input(); print({said!r}, flush=True); input()"
            for said in ("nonsense", "[]", '{"secret": 5}', "x" * 100_000)
        ),
        'input(); print(\'{"stars": 4, "secret": "00"}\', flush=True); input()',
        "import time; time.sleep(3600)",
        "import os; os.kill(os.getpid(), 9)",
    ],
)
async def test_a_child_that_talks_nonsense_hangs_or_dies_is_replaced(store: Store, tmp_path: Path, act: str) -> None:
    times, pids = QUICK._replace(timeout=0.2 if "sleep" in act else 60), set[int]()
    async with filling(store, tmp_path, times=times, command=(sys.executable, "-c", act)) as filler:

        def replaced() -> bool:
            pids.update([filler.pid] if filler.pid else [])
            return store.pool.counters.restarts >= 2 and len(pids) >= 2

        await until(replaced)
    assert not any(psutil.pid_exists(pid) for pid in pids)
    assert await ready(store.pool, GAMES[0]) == 0


#: Holds the lock with its child, until it is killed.
HOLDER = """
import asyncio, pathlib, sys
from fortythieves_server.process.winnable_filler import Filler, MachineLock
from fortythieves_server.store.clock import Clock
from fortythieves_server.store.store import Store

async def main():
    store = Store(sys.argv[1], "holder", Clock())
    await store.open()
    lock = MachineLock("filler", pathlib.Path(sys.argv[2]))
    filler = Filler(store.pool, 9000, lock, lambda: 0, ("forty-thieves",), command=sys.argv[3:])
    filler.open()
    while not filler.pid:
        await asyncio.sleep(0.002)
    print(filler.pid, flush=True)
    await asyncio.sleep(3600)

asyncio.run(main())
"""


async def test_the_lock_and_the_work_move_on_when_its_holder_is_killed(url: str, store: Store, tmp_path: Path) -> None:
    holder = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", HOLDER, url, str(tmp_path), *EAGER), stdout=asyncio.subprocess.PIPE
    )
    assert holder.stdout is not None
    orphan = int(await holder.stdout.readline())
    async with filling(store, tmp_path, games=GAMES[:1]) as filler:
        pids = [filler.pid]
        assert not MachineLock("filler", tmp_path).take()
        holder.kill()
        await holder.wait()
        await until_ready(store, 1)
        assert pids == [None] and filler.pid is not None
        assert not psutil.pid_exists(orphan) or psutil.Process(orphan).status() == psutil.STATUS_ZOMBIE


async def test_the_child_knows_no_redis_and_no_secret_of_ours_and_gives_way(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORTY_THIEVES_REDIS", "redis://:hunter2@127.0.0.1")
    async with filling(store, tmp_path, games=GAMES[:1], command=COMMAND) as filler:
        await until(lambda: filler.pid is not None)
        assert filler.pid is not None
        child = psutil.Process(filler.pid)
        await until(lambda: child.nice() == 19)
        group = Path(f"/proc/{child.pid}/autogroup")  # of systems that share the processor among sessions
        await until(lambda: not group.exists() or group.read_text().endswith(" 19\n"))
        known = json.dumps([child.environ(), child.cmdline()])
        assert "FORTY_THIEVES" not in known
        assert "hunter2" not in known
        assert "redis" not in " ".join(child.cmdline())


#: Works for five milliseconds, then asks whether it is to go on, and reports the time until the answer.
WORKS_AND_ASKS = """
import time
from fortythieves_server.config import FEWEST
from fortythieves_server.process import deal_search

goes_on = deal_search._rests_and_asks(lambda: True)
began = time.process_time()
while time.process_time() < began + 0.005:
    pass
asked = time.monotonic()
assert not goes_on()
print(time.monotonic() - asked)
"""


def test_while_moves_are_made_the_child_rests_a_hundred_times_as_long_as_it_works() -> None:
    command = (sys.executable, "-c", WORKS_AND_ASKS)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert float(child.stdout.readline()) >= 0.005 * 100


async def test_the_child_of_another_process_hears_of_moves_that_are_made_here(
    url: str, store: Store, tmp_path: Path
) -> None:
    path = MachineLock("filler", tmp_path).path
    async with opened(url, "two") as other, filling(store, tmp_path) as filler:
        await until(lambda: filler.pid)
        with path.open() as file:
            for wrong in (2**32, 0):
                os.utime(path, (wrong,) * 2)
                assert not deal_search.touched(file.fileno())
            async with filling(other, tmp_path, moves=itertools.count().__next__) as neighbour:
                await until(lambda: deal_search.touched(file.fileno()))
                assert neighbour.pid is None


@pytest.mark.parametrize("listens", [True, False])
def test_a_search_ends_with_its_parent(listens: bool) -> None:
    reading, writing = os.pipe()
    if not listens:
        os.close(reading)
    done = subprocess.run(EAGER, input=b"lucas\n", stdout=writing, stderr=subprocess.PIPE, timeout=60, check=True)
    assert done.stderr == b""
    os.close(writing)
    if listens:
        os.close(reading)


@pytest.mark.parametrize(("winnable", "count"), [(FEWEST, 1), (0, 0)])
async def test_a_server_has_a_child_that_prepares_deals_if_it_is_to(tmp_path: Path, winnable: int, count: int) -> None:
    async with serving(tmp_path, winnable=winnable):
        await until(lambda: len(children_with(COMMAND[-1])) == count)
    assert children_with(COMMAND[-1]) == []


def test_one_of_two_holds_the_lock_until_it_lets_go(tmp_path: Path) -> None:
    one, two, other = (MachineLock(name, tmp_path) for name in "xxy")
    assert one.take() and one.take() and other.take()
    assert not two.take()
    assert one.path.stat().st_mode & 0o077 == 0, "nobody else can open it"
    one.release()
    assert two.take() and not one.take()
    two.release()
    other.release()
    assert [*tmp_path.iterdir()] == [], "no file is left behind"


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
