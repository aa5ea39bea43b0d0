"""What holds for all tests."""

import gc
import os
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# aiohttp reads all certificates of the system when it is imported, which took a fifth of the CPU time of a server's
# start (measured: 0.90 s, without them 0.74 s). The servers of the tests only talk to each other.
os.environ.setdefault("SSL_CERT_FILE", os.devnull)

# No server that a test starts looks for winnable deals, unless the test says so: that would take a whole core.
os.environ.setdefault("FORTY_THIEVES_WINNABLE", "0")

# How long an example takes says more about what else the machine is doing than about the program. The examples are the
# same each time, so that a test fails for who has broken something; `make soak` tries others, and many more.
settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True, print_blob=True
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
    gc.disable()  # Until all tests are collected: nearly all that is made until then stays (3.1 s, now 2.6).
    if config.getoption("soak"):
        settings.load_profile("soak")
    if WORKERS > 1 and [Path(argument).resolve() for argument in config.args] == [HERE]:
        config.args = _from_elsewhere([str(path) for path in sorted(HERE.rglob("test_*.py"))])


def _from_elsewhere(files: list[str]) -> list[str]:
    """All files in a circle in which each worker has another beginning.

    Where nothing is compiled yet, as in a fresh clone, each compiles its part, and finds the rest compiled by the
    others. When all began with the same file, five of them took 15 s of CPU time for that, and now take 9 (measured).
    """
    first = WORKER * len(files) // WORKERS
    return files[first:] + files[:first]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let each worker begin with its share of the long tests: the short ones then fill the time until they end.

    xdist gives each worker a part of the list, and later takes tests from the end of one part for another worker. The
    list has to be the same for all of them.
    """
    if WORKERS == 1:
        return
    items.sort(key=lambda item: item.path)
    long = [item for item in items if item.get_closest_marker("long")]
    short = (item for item in items if not item.get_closest_marker("long"))
    dealt: list[pytest.Item] = []
    for worker in range(WORKERS):
        size = (len(items) - len(dealt)) // (WORKERS - worker)
        share = long[worker::WORKERS]
        dealt += [*share, *islice(short, size - len(share))]
    items[:] = dealt


def pytest_collection_finish() -> None:
    """Keep what stays out of the garbage collector: looking at it again and again took 3 s of 37 (measured)."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.fixture
def soak(request: pytest.FixtureRequest) -> bool:
    """Whether there is time for more than each run has."""
    return bool(request.config.getoption("soak"))
