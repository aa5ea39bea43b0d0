"""A short run of every target with dozens of inputs."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, NoReturn

import pytest
from hypothesis import HealthCheck, given, settings

from tests.fuzz.targets import GROUPS, Target

TARGETS = [target for group in GROUPS.values() for target in group]
#: `make fuzz` has more.
EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "40"))
#: The limit for a target, in CPU seconds: a hundred times the normal time.
ENDLESS = 120


@contextmanager
def an_end() -> Iterator[None]:
    """Fail if a target hangs, by CPU time."""

    def hangs(number: int, frame: FrameType | None) -> NoReturn:
        raise AssertionError("the target hangs")

    before = signal.signal(signal.SIGVTALRM, hangs)
    signal.setitimer(signal.ITIMER_VIRTUAL, ENDLESS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_the_property_of_a_target_holds_for_random_inputs(target: Target) -> None:
    @settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
    @given(target.given)
    def check(value: Any) -> None:
        target.check(value)

    with an_end():
        check()

    for seed in target.seeds() if target.seeds else ():
        target.check(seed)
