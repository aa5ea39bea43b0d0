"""Compare the cost of everything with the least it can cost.

    python -m tests.bench [GROUP ...] [--profile] [--part 0.1] [--json FILE]

Each group is some rows of the table; ``--help`` names them. A part of everything is faster and less exact.
"""

import argparse
import asyncio
import importlib
import json
import os
import platform
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from tests.bench.figures import Figure, Found, table
from tests.bench.processes import many_files
from tests.bench.run import Run

GROUPS = (
    "rules",
    "moves",
    "pace",
    "latency",
    "winnable",
    "growth",
    "watchers",
    "memory",
    "resume",
    "workers",
    "cluster",
    "entrance",
    "hostile",
    "wire",
    "page",
    "overlay",
)


def group(name: str) -> ModuleType:
    """The module that measures a group: its ROWS, and ``measure(run)``."""
    return importlib.import_module(f"tests.bench.{name}")


def measure(names: Sequence[str], run: Run) -> list[Figure]:
    """Measure some groups; one line to standard error for each, to know how long it takes."""
    figures = []
    for name in names:
        began = time.monotonic()
        print(f"{name} ...", end=" ", file=sys.stderr, flush=True)
        module = group(name)
        found = _run(module, run)
        figures += [Figure(row, found[row.key]) for row in module.ROWS]
        print(f"{time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    return figures


def _run(module: ModuleType, run: Run) -> dict[str, Found]:
    import uvloop

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        found: dict[str, Found] = runner.run(module.measure(run))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "groups", nargs="*", choices=[*GROUPS, []], metavar="GROUP", help=f"what to measure: {', '.join(GROUPS)} (all)"
    )
    parser.add_argument("--profile", action="store_true", help="where the servers' time goes, on standard error")
    parser.add_argument("--part", type=float, default=1.0, help="of all people, seconds and rounds (1)")
    parser.add_argument("--json", type=Path, default=Path("build/bench.json"), help="where all is written to")
    options = parser.parse_args()
    many_files()
    began = time.monotonic()
    figures = measure(options.groups or GROUPS, Run(options.part, options.profile))
    machine = f"Python {platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
    if options.profile:
        machine += "; with a profiler, which costs several times as much as what it looks at: no figure counts"
    print(f"\n{table(figures)}\n\n{machine}, {time.monotonic() - began:.0f} s")
    options.json.parent.mkdir(parents=True, exist_ok=True)
    written = {
        "machine": machine,
        "seconds": round(time.monotonic() - began),
        "figures": [f.as_json() for f in figures],
    }
    options.json.write_text(json.dumps(written, indent=1) + "\n")


if __name__ == "__main__":
    main()
