"""Settings for all tests."""

import gc
import os
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.examples import USUAL

# aiohttp reads all certificates at its import: a fifth of the start of a server (0.90 s, without them 0.74 s).
os.environ.setdefault("SSL_CERT_FILE", os.devnull)

# No server of a test searches for winnable deals by default, because this would use a whole core.
os.environ.setdefault("FORTY_THIEVES_WINNABLE", "0")

# No deadline, because the machine may be busy. The examples are the same each time; `make soak` tries other ones, and
# forty times as many.
settings.register_profile(
    "any machine",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=True,
    print_blob=True,
    max_examples=USUAL // 2,
)
settings.register_profile("soak", settings.get_profile("any machine"), derandomize=False, max_examples=2000)
settings.load_profile("any machine")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--soak", action="store_true", help="for longer, and with examples by chance: make soak")


#: The workers of xdist, and which one this is.
WORKERS = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
HERE = Path(__file__).parent


def pytest_configure(config: pytest.Config) -> None:
    gc.disable()  # collecting tests frees almost nothing (3.1 s, now 2.6)
    if config.getoption("soak"):
        settings.load_profile("soak")
    if WORKERS > 1 and [Path(argument).resolve() for argument in config.args] == [HERE]:
        config.args = _from_elsewhere([str(path) for path in sorted(HERE.rglob("test_*.py"))])


def _from_elsewhere(files: list[str]) -> list[str]:
    """All files, with another first file for each worker.

    In a fresh clone, each worker then compiles its own part (15 s of CPU, now 9).
    """
    first = WORKER * len(files) // WORKERS
    return files[first:] + files[:first]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let each other worker begin with tests in browsers, and the rest with the long ones; short ones fill the time.

    A worker that tests in a browser starts one, and two servers (4 s of CPU). xdist gives each worker a part of the
    list, which must be the same for all workers; who has finished takes tests from the end of another part.
    """
    if WORKERS == 1:
        return
    items.sort(key=lambda item: (item.get_closest_marker("long") is None, item.path))
    browsers = [item for item in items if HERE / "e2e" in item.path.parents]
    others = [item for item in items if HERE / "e2e" not in item.path.parents]
    count = sum(item.get_closest_marker("long") is not None for item in others)
    long, short = others[:count], iter(others[count:])
    dealt: list[pytest.Item] = []
    for worker in range(WORKERS):
        size = (len(items) - len(dealt)) // (WORKERS - worker)
        number, odd = divmod(worker, 2)
        first = long[number :: WORKERS // 2] if odd else _share(browsers, number, (WORKERS + 1) // 2)
        dealt += [*first, *islice(short, max(0, size - len(first)))]
    items[:] = [*dealt, *short]


def _share(items: list[pytest.Item], number: int, count: int) -> list[pytest.Item]:
    """The long ones in turns, and the short ones file by file, because tests of a file share fixtures."""
    long = [item for item in items if item.get_closest_marker("long")]
    short = items[len(long) :]
    return [*long[number::count], *short[len(short) * number // count : len(short) * (number + 1) // count]]


def pytest_collection_finish() -> None:
    """Keep permanent objects out of the garbage collector (3 s of 37)."""
    gc.freeze()
    gc.enable()


@pytest.fixture
def soak(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("soak"))
