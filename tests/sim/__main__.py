"""Run seeds: ``python -m tests.sim 17``, or as many from a seed on as fit into ``--seconds``.

A failure is made smaller, and its story is printed. The same seed gives the same timeline on one version of Python.
"""

import argparse
import contextlib
import sys
import time
from collections.abc import Iterator
from itertools import count

from tests.sim.world import World, script_of, simulate

#: How many smaller scripts are tried, and how many lines of the story are printed.
TRIES, LINES = 80, 40


def worlds(first: int, seconds: float, redis: str = "") -> Iterator[World]:
    """The worlds of seeds from the first one on, until so many seconds of CPU time are over."""
    end = time.process_time() + seconds
    for seed in count(first):
        yield simulate(script_of(seed, redis))
        if time.process_time() > end:
            return


def shrunk(world: World) -> World:
    """A world that fails in the same way with a smaller script, if one is found."""
    tries = TRIES
    with contextlib.suppress(StopIteration):
        smaller = world.script.smaller()
        while tries:
            tries -= 1
            other = simulate(next(smaller))
            if type(other.violation) is type(world.violation):
                world, smaller = other, other.script.smaller()
    return world


def story(world: World) -> str:
    """How it came to a failure, and how to see it again."""
    lines = [f"{at:8.3f} s  {text[:300]}" for at, text in world.story[-LINES:]]
    error = f"{type(world.violation).__name__}: {world.violation}"
    return "\n".join([str(world.script), *lines, error, f"make sim SEED={world.seed}"])


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.sim", description=__doc__)
    parser.add_argument("seed", type=int, nargs="?", default=1, help="the first seed")
    parser.add_argument("--seconds", type=float, default=0.0, help="of CPU time; 0: only this seed")
    parser.add_argument("--redis", default="", help='the kind of Redis: single, sentinel, "sentinel safe", cluster')
    parser.add_argument("--as-it-is", action="store_true", help="do not make failures smaller")
    parser.add_argument("--first", action="store_true", help="stop at the first failure")
    arguments = parser.parse_args()
    failed = run = moves = virtual = 0
    began = time.process_time()
    for world in worlds(arguments.seed, arguments.seconds, arguments.redis):
        run, moves, virtual = run + 1, moves + world.history.moves, virtual + int(world.simulation.now)
        if world.violation is not None:
            failed += 1
            print(story(world if arguments.as_it_is else shrunk(world)), flush=True)
            if arguments.first:
                break
    spent = time.process_time() - began
    print(
        f"{run} seeds, {virtual / 3600:.1f} virtual hours, {moves} moves, {moves / spent:.0f} a second: {failed} failed"
    )
    if not arguments.seconds:
        print(f"digest {world.simulation.digest.hexdigest()[:32]}")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
