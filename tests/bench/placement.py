"""How evenly rooms are spread over processes, and how many move when processes die and join: a simulation.

    python -m tests.bench.placement [--rooms 10000] [--changes 200] [--seed 1]

Each change is a process that dies or one that joins. It prints, for some numbers of processes: the people of the
busiest process against the mean, and which share of the rooms moved at each change against the least that has to (those
of the process that died, or the share of the one that joined).
"""

import argparse
import random
from collections import Counter
from collections.abc import Mapping
from statistics import mean, median
from typing import NamedTuple

from fortythieves_server.core.affinity import preferred
from fortythieves_server.rooms.registry import LENGTH, LETTERS

#: How many people are in a room, and how often; a guess. One in a thousand is a tournament.
SIZES = {2: 500, 4: 380, 8: 100, 30: 19, 500: 1}
#: Processes on average: one machine, a few, and a cluster.
PROCESSES = (4, 16, 64)


class Found(NamedTuple):
    """Of all changes."""

    #: People of the busiest process against the mean.
    busiest: list[float]
    #: The share of the rooms that moved, and the least share.
    moved: list[float]
    least: list[float]


def simulate(rooms: Mapping[str, int], processes: int, changes: int, chance: random.Random) -> Found:
    """``rooms``: the people of each, by code."""
    alive = list(range(processes))
    at = {code: preferred(code, alive) for code in rooms}
    found = Found([], [], [])
    for number in range(processes, processes + changes):
        joins = len(alive) < 2 or chance.random() < processes / (processes + len(alive))
        gone = -1 if joins else alive.pop(chance.randrange(len(alive)))
        if joins:
            alive.append(number)
        # Only these can move (`tests/server/core/test_affinity.py`).
        now = {
            code: preferred(code, [of, number] if joins else alive) for code, of in at.items() if joins or of == gone
        }
        before, at = at, {**at, **now}
        moved = sum(at[code] != before[code] for code in rooms)
        forced = len(rooms) / len(alive) if joins else sum(process == gone for process in before.values())
        people: Counter[int] = Counter()
        for code, process in at.items():
            people[process] += rooms[code]
        found.busiest.append(max(people.values()) / (sum(people.values()) / len(alive)))
        found.moved.append(moved / len(rooms))
        found.least.append(forced / len(rooms))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rooms", type=int, default=10_000)
    parser.add_argument("--changes", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    sizes = chance.choices([*SIZES], [*SIZES.values()], k=options.rooms)
    rooms = {"".join(chance.choices(LETTERS, k=LENGTH)): size for size in sizes}
    print(f"{len(rooms):,} rooms with {sum(rooms.values()):,} people, {options.changes} changes")
    print("processes  busiest against mean: median  most   rooms moved: mean  the least: mean")
    for processes in PROCESSES:
        found = simulate(rooms, processes, options.changes, chance)
        busiest = f"{median(found.busiest):>29.2f}  {max(found.busiest):>4.2f}"
        print(f"{processes:>9}  {busiest}  {mean(found.moved):>17.2%}  {mean(found.least):>15.2%}")


if __name__ == "__main__":
    main()
