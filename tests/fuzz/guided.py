"""One target with a coverage-guided fuzzer (atheris, libFuzzer).

Usage: python -m tests.fuzz.guided TARGET [option of libFuzzer ...] [directory of inputs ...]
"""

import sys
from collections.abc import Callable
from typing import Any

import atheris

with atheris.instrument_imports(include=["fortythieves", "fortythieves_server", "fortythieves_client"]):
    from tests.fuzz.targets import GROUPS, Target

from hypothesis import HealthCheck, given, settings


def entry(target: Target) -> Callable[[bytes], Any]:
    """A function for the bytes of the fuzzer: the input itself, or the choices that make it."""
    if target.seeds:
        return target.check

    @settings(database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(target.given)
    def check(value: Any) -> None:
        target.check(value)

    made: Callable[[bytes], Any] = check.hypothesis.fuzz_one_input  # type: ignore[attr-defined]
    return made


def main() -> None:
    name = sys.argv.pop(1)
    [target] = [target for group in GROUPS.values() for target in group if target.name == name]
    atheris.Setup(sys.argv, entry(target))
    atheris.Fuzz()


if __name__ == "__main__":
    main()
