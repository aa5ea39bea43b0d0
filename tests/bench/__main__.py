"""Compare the cost of everything with the least it can cost.

    python -m tests.bench [GROUP ...] [--part 0.1]

Each group is some rows of the table; ``--help`` names them. A part of everything is faster and less exact.
"""

import argparse
import importlib
import os
import platform
import sys
import time
from collections.abc import Iterator, Sequence
from types import ModuleType

import uvloop

from tests.bench.figures import Figure, Found, Run, table
from tests.bench.processes import many_files

GROUPS = ["moves", "pace", "latency", "growth", "watchers", "memory", "resume", "workers", "hostile", "page", "day"]


def group(name: str) -> ModuleType:
    """The module that measures a group: its ROWS, and ``measure(run)``."""
    return importlib.import_module(f"tests.bench.{name}")


def measure(names: Sequence[str], run: Run) -> Iterator[Figure]:
    """Measure some groups; one line to standard error for each, to know how long it takes."""
    for name in names:
        began = time.monotonic()
        print(f"{name} ...", end=" ", file=sys.stderr, flush=True)
        module = group(name)
        found: dict[str, Found] = uvloop.run(module.measure(run))
        yield from (Figure(row, found[row.key]) for row in module.ROWS)
        print(f"{time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "groups", nargs="*", choices=[*GROUPS, []], metavar="GROUP", help=f"what to measure: {', '.join(GROUPS)} (all)"
    )
    parser.add_argument("--part", type=float, default=1.0, help="of all people, seconds and rounds (1)")
    options = parser.parse_args()
    many_files()
    began = time.monotonic()
    print(f"\n{table(measure(options.groups or GROUPS, Run(options.part)))}\n")
    machine = f"Python {platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
    print(f"{machine}, {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
