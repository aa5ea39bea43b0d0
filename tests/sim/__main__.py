"""Run seeds: ``python -m tests.sim 17``, or as many from a seed on as fit into ``--seconds``.

A failure is made smaller, and its story is printed. The same seed gives the same timeline on one version of Python,
whatever PYTHONHASHSEED is: compare the outputs of ``--digests 1000``.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from itertools import count

from tests.sim.scripts import day_of, script_of
from tests.sim.shrink import shrunk, story, unpacked
from tests.sim.world import World, simulate

#: The most seconds of CPU time for making a failure smaller.
SHRINK = 60.0
#: For digests: the virtual seconds of a seed.
SHORT = 12.0


def worlds(first: int, seconds: float, redis: str = "", *, are_days: bool = False) -> Iterator[World]:
    """The worlds of seeds from the first one on, until CPU seconds are over. ``are_days``: of `day_of`."""
    end = time.process_time() + seconds
    for seed in count(first):
        yield simulate(day_of(seed) if are_days else script_of(seed, redis))
        if time.process_time() > end:
            return


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.sim", description=__doc__)
    parser.add_argument("seed", nargs="?", default="1", help="the first seed, or a script in JSON")
    parser.add_argument("--seconds", type=float, default=0.0, help="of CPU time; 0: only this seed")
    parser.add_argument("--redis", default="", help='the kind of Redis: single, sentinel, "sentinel safe", cluster')
    parser.add_argument("--days", action="store_true", help="simulate some hours of challenges with each seed")
    parser.add_argument("--as-it-is", action="store_true", help="do not make failures smaller")
    parser.add_argument("--first", action="store_true", help="stop at the first failure")
    parser.add_argument("--digests", type=int, default=0, metavar="SEEDS", help="print the digests of short timelines")
    arguments = parser.parse_args()
    is_script = arguments.seed.startswith("{")
    if arguments.digests:
        for seed in range(int(arguments.seed), int(arguments.seed) + arguments.digests):
            world = simulate(script_of(seed, seconds=SHORT))
            print(seed, world.simulation.digest.hexdigest(), world.violation or "", flush=True)
        return 0
    failed = run = moves = tries = proved = virtual = 0
    began = time.process_time()
    if is_script:
        found = iter([simulate(unpacked(arguments.seed))])
    else:
        found = worlds(int(arguments.seed), arguments.seconds, arguments.redis, are_days=arguments.days)
    for world in found:
        tries += sum(len(world.history.tries(code)) for code in world.challenges)
        proved += len(world.proved)
        run, moves, virtual = run + 1, moves + world.history.moves, virtual + int(world.simulation.now)
        if world.violation is not None:
            failed += 1
            print(story(world if arguments.as_it_is or is_script else shrunk(world, SHRINK)), flush=True)
            if arguments.first:
                break
    speed = moves / (time.process_time() - began)
    print(
        f"{run} seeds, {virtual / 3600:.1f} virtual hours, {moves} moves, {speed:.0f} a second, {tries} tries, "
        f"{proved} of them of days that are over: {failed} failed"
    )
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
