"""What holds for all tests."""

import gc
import os
from itertools import islice

import pytest
from hypothesis import HealthCheck, settings

# aiohttp reads all certificates of the system when it is imported, which took a fifth of the CPU time of a server's
# start (measured: 0.90 s, without them 0.74 s). The servers of the tests only talk to each other.
os.environ.setdefault("SSL_CERT_FILE", os.devnull)

# How long an example takes says more about what else the machine is doing than about the program. The examples are the
# same each time, so that a test fails for who has broken something; `make soak` tries others, and many more.
settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True, print_blob=True
)
settings.register_profile("soak", settings.get_profile("any machine"), derandomize=False, max_examples=2000)
settings.load_profile("any machine")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--soak", action="store_true", help="for longer, and with examples by chance: make soak")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("soak"):
        settings.load_profile("soak")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let each worker begin with its share of the long tests: the short ones then fill the time until they end.

    xdist gives each worker a part of the list, and later takes tests from the end of one part for another worker.
    """
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    if workers == 1:
        return
    long = [item for item in items if item.get_closest_marker("long")]
    short = (item for item in items if not item.get_closest_marker("long"))
    dealt: list[pytest.Item] = []
    for worker in range(workers):
        size = (len(items) - len(dealt)) // (workers - worker)
        share = long[worker::workers]
        dealt += [*share, *islice(short, size - len(share))]
    items[:] = dealt


def pytest_collection_finish() -> None:
    """Keep what stays out of the garbage collector: looking at it again and again took 3 s of 37 (measured)."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def soak(request: pytest.FixtureRequest) -> bool:
    """Whether there is time for more than each run has."""
    return bool(request.config.getoption("soak"))
