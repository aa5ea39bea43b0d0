"""Seeds of the day, and seeds that once found something."""

import os
import subprocess
import sys
from datetime import UTC, datetime
from random import Random

import pytest

from tests.sim.__main__ import worlds
from tests.sim.mutations import MUTATIONS, ROOT, applied
from tests.sim.scripts import Crowd, Script, Struck
from tests.sim.shrink import story
from tests.sim.world import simulate

#: Seconds of CPU time for the seeds of the day, and for each part of a long run.
SECONDS, LONG = 12.0, 600.0
#: Those of the first workers of xdist.
PARTS = 2


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
def test_the_seeds_of_the_day_find_nothing(part: int, soak: bool) -> None:
    day = datetime.now(UTC).date().toordinal()
    first = int(os.environ.get("SEED", day * 1_000_000 + part * 500_000))
    for world in worlds(first, LONG if soak else SECONDS):
        assert world.violation is None, story(world)


def test_a_seed_has_one_timeline_whatever_the_hashes_of_texts_are() -> None:
    command = [sys.executable, "-m", "tests.sim", "1", "--digests", "1"]
    one, other = (
        subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": key}, check=True, capture_output=True).stdout
        for key in "17"
    )
    assert one == other != b""


def test_each_mutation_is_of_the_present_sources() -> None:
    for mutation in MUTATIONS.values():
        assert applied(mutation, ROOT)


def test_an_emptied_node_of_a_cluster_gets_the_schema_back() -> None:
    crowd = Crowd(2, 0, {"countdown": 3, "time_limit": 60})
    world = simulate(Script(1, "cluster", 1, (crowd,), 10.0, (Struck(3.0, "flush", 0.1),)))
    assert world.violation is None, story(world)


def test_a_device_keeps_its_seat_from_one_whose_join_still_waited_when_it_closed() -> None:
    dice = Random(2)
    faults = tuple(Struck(8 + 9 * k + 3 * dice.random(), "full", dice.random(), 12.0) for k in range(4))
    crowd = Crowd(2, 0, {"countdown": 3, "time_limit": 90}, habits=("other device", "break"), whim=0.2)
    world = simulate(Script(2, "single", 2, (crowd,), 40.0, faults, near=False))
    assert world.violation is None, story(world)
