"""The long run of `make fuzz`: it fuzzes each group of targets for a time.

The inputs of a guided fuzzer stay in `build/fuzz` for the next run. Without atheris (it has wheels for Linux on
x86-64), hypothesis alone makes the inputs.
"""

import argparse
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from tests.fuzz.targets import GROUPS, Target

BUILD = Path("build") / "fuzz"
#: An input that takes more seconds is a hang. The memory of a process, MB.
HANG, MEMORY = 20, 2048
#: The tests with a real server, and their examples a second.
SERVED = {"http": ("test_http.py", 30), "api": ("test_api.py", 2), "rooms": ("test_rooms.py", 10)}
#: The examples of a target a second.
IN_A_SECOND = 100


class Ran(NamedTuple):
    name: str
    tries: int
    seconds: float
    #: Reached places in the code, if known.
    reached: int | None
    #: The output if a bug was found.
    found: str = ""

    def __str__(self) -> str:
        reached = "" if self.reached is None else f", {self.reached} places in the code"
        return f"{'FOUND' if self.found else 'ok   '}  {self.name:<24} {self.tries:>9} in {self.seconds:.0f} s{reached}"


def guided(target: Target, seconds: int) -> Ran:
    """Run atheris in a separate process, because it ends its process."""
    corpus = BUILD / target.name
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(target.seeds() if target.seeds else ()):
        (corpus / f"seed-{number}").write_bytes(seed)
    options = (f"-max_total_time={seconds}", f"-timeout={HANG}", f"-rss_limit_mb={MEMORY}", "-max_len=16384")
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz.guided", target.name, *options, f"-artifact_prefix={corpus}-", corpus],
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        timeout=seconds + 120,
    )
    said = done.stdout + done.stderr
    tries = [int(n) for n in re.findall(r"^#(\d+)|^Done (\d+) runs", said, re.MULTILINE) for n in n if n]
    reached = [int(n) for n in re.findall(r"\bcov: (\d+)", said)]
    found = said[-6000:] if done.returncode else ""
    return Ran(target.name, max(tries, default=0), time.monotonic() - began, max(reached, default=None), found)


def tested(name: str, file: str, in_a_second: int, seconds: int) -> Ran:
    began, examples = time.monotonic(), seconds * in_a_second
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"tests/fuzz/{file}"],
        env={**os.environ, "FUZZ_EXAMPLES": str(examples)},
        capture_output=True,
        text=True,
        check=False,
    )
    found = (done.stdout + done.stderr)[-6000:] if done.returncode else ""
    return Ran(name, examples, time.monotonic() - began, None, found)


def runs(groups: list[str], seconds: int) -> Iterator[Ran]:
    for group in groups:
        if group in SERVED:
            yield tested(group, *SERVED[group], seconds)
            continue
        for target in GROUPS[group]:
            share = max(1, seconds // len(GROUPS[group]))
            if find_spec("atheris"):
                yield guided(target, share)
            else:
                test = f"test_targets.py::test_the_property_of_a_target_holds_for_random_inputs[{target.name}]"
                yield tested(target.name, test, IN_A_SECOND, share)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Fuzz whatever reads what others wrote.")
    parser.add_argument("groups", nargs="*", choices=[*GROUPS, *SERVED, []], help="which targets; all if none is named")
    parser.add_argument("--seconds", type=int, default=60, help="for each group (60)")
    options = parser.parse_args()
    found = []
    for ran in runs(options.groups or [*GROUPS, *SERVED], options.seconds):
        print(ran, flush=True)
        found += [ran] if ran.found else []
    for ran in found:
        print(f"\n{ran.name}\n{ran.found}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
