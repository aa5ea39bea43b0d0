"""Run seeds: ``python -m tests.sim 17``, or as many from a seed on as fit into ``--seconds``.

A failure is made smaller, and its story is printed. The same seed gives the same timeline on one version of Python:
``--digests 1000`` compares that many seeds with two values of PYTHONHASHSEED.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import count

from tests.sim.shrink import shrunk, story, unpacked
from tests.sim.world import Script, World, day_of, script_of, simulate

#: The most seconds of CPU time for making a failure smaller.
SHRINK = 60.0
#: For digests: the virtual seconds of a seed, and the seeds of a block.
SHORT, BLOCK = 12.0, 20
HASHED = "PYTHONHASHSEED"


def worlds(first: int, seconds: float, redis: str = "", *, are_days: bool = False) -> Iterator[World]:
    """The worlds of seeds from the first one on, until CPU seconds are over. ``are_days``: of `day_of`."""
    end = time.process_time() + seconds
    for seed in count(first):
        yield simulate(day_of(seed) if are_days else script_of(seed, redis))
        if time.process_time() > end:
            return


def print_digests(first: int, number: int) -> None:
    for seed in range(first, first + number):
        world = simulate(script_of(seed, seconds=SHORT))
        print(seed, world.simulation.digest.hexdigest(), world.violation or "", flush=True)


def compare_digests(first: int, number: int) -> int:
    """Run each seed twice, in processes that hash texts in different ways. Returns how many seeds differ."""
    different = 0
    for begin in range(first, first + number, BLOCK):
        command = [sys.executable, "-m", "tests.sim", str(begin), "--digests", str(min(BLOCK, first + number - begin))]
        one, other = (
            subprocess.run(
                command, env={**os.environ, HASHED: key}, check=True, stdout=subprocess.PIPE, text=True
            ).stdout
            for key in "17"
        )
        pairs = zip(one.splitlines(), other.splitlines(), strict=True)
        found = [line for pair in pairs if pair[0] != pair[1] for line in pair]
        different += len(found) // 2
        print(*found, f"{begin - first + BLOCK} seeds: {different} differ", sep="\n", flush=True)
    return different


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.sim", description=__doc__)
    parser.add_argument("seed", nargs="?", default="1", help="the first seed, or a script in JSON")
    parser.add_argument("--seconds", type=float, default=0.0, help="of CPU time; 0: only this seed")
    parser.add_argument("--redis", default="", help='the kind of Redis: single, sentinel, "sentinel safe", cluster')
    parser.add_argument("--days", action="store_true", help="simulate some hours of challenges with each seed")
    parser.add_argument("--as-it-is", action="store_true", help="do not make failures smaller")
    parser.add_argument("--first", action="store_true", help="stop at the first failure")
    parser.add_argument("--digests", type=int, default=0, metavar="SEEDS", help="compare two timelines of each seed")
    arguments = parser.parse_args()
    script: Script | None = unpacked(arguments.seed) if arguments.seed.startswith("{") else None
    first = script.seed if script is not None else int(arguments.seed)
    if arguments.digests and HASHED in os.environ:
        print_digests(first, arguments.digests)
        return 0
    if arguments.digests:
        return compare_digests(first, arguments.digests) > 0
    failed = run = moves = tries = proved = virtual = 0
    began = time.process_time()
    found = worlds(first, arguments.seconds, arguments.redis, are_days=arguments.days)
    for world in [simulate(script)] if script is not None else found:
        tries += sum(len(world.history.tries(code)) for code in world.challenges)
        proved += len(world.proved)
        run, moves, virtual = run + 1, moves + world.history.moves, virtual + int(world.simulation.now)
        if world.violation is not None:
            failed += 1
            is_as_small_as_can_be = arguments.as_it_is or script is not None
            print(story(world if is_as_small_as_can_be else shrunk(world, SHRINK)), flush=True)
            if arguments.first:
                break
    spent = time.process_time() - began
    print(
        f"{run} seeds, {virtual / 3600:.1f} virtual hours, {moves} moves, {moves / spent:.0f} a second, {tries} tries, "
        f"{proved} of them of days that are over: {failed} failed"
    )
    if not arguments.seconds:
        print(f"digest {world.simulation.digest.hexdigest()[:32]}")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
