"""How many deals of each game the solver wins, and the CPU time.

    python -m tests.bench.solver [--deals 100] [--effort 128] [--processes 2] [--game lucas ...]

It also prints the widths of the winning searches, and the limits of the stars for `effort.py`.
"""

import argparse
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

from fortythieves.rules.board import Board
from fortythieves.rules.deal import deck_of_number
from fortythieves.rules.games import GAMES
from fortythieves.solver.effort import EFFORT, LADDER, solve

#: The first deal; nothing was tuned on these.
FIRST = 60_001


class Tried(NamedTuple):
    key: str
    number: int
    rung: int | None
    home: int
    positions: int
    #: Of CPU time.
    seconds: float


def attempt(key: str, number: int, effort: int) -> Tried:
    board = Board.deal(GAMES[key], deck_of_number(number))
    before = time.process_time()
    solved = solve(board, effort)
    return Tried(key, number, solved.rung, solved.home, solved.positions, time.process_time() - before)


def thirds(rungs: Sequence[int]) -> tuple[int, int]:
    """The widest searches of one star and of two: those that win about one and two thirds of the deals."""
    counts = Counter(rungs)
    share = [sum(counts[width] for width in LADDER[: at + 1]) / len(rungs) for at in range(len(LADDER))]
    highest = LADDER.index(max(rungs))
    pairs = [(one, two) for one in range(highest) for two in range(one + 1, highest)]
    one, two = min(pairs, key=lambda pair: (share[pair[0]] - 1 / 3) ** 2 + (share[pair[1]] - 2 / 3) ** 2)
    return LADDER[one], LADDER[two]


def lines(key: str, tried: Sequence[Tried]) -> Iterator[str]:
    rungs = [one.rung for one in tried if one.rung is not None]
    seconds, positions = sum(one.seconds for one in tried), sum(one.positions for one in tried)
    home = sum(one.home for one in tried) / len(tried)
    yield (
        f"{key:14}{len(rungs) / len(tried):6.0%}{home:7.1f}{seconds / len(tried):9.2f}"
        f"{positions / len(tried):11,.0f}{len(rungs) / seconds:9.2f}"
    )
    counts = Counter(rungs)
    yield " " * 14 + "  ".join(f"{width}: {counts[width]}" for width in LADDER if counts[width])
    if len(counts) > 2:
        yield " " * 14 + f"stars: {thirds(rungs)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=100, help="of each game (100)")
    parser.add_argument("--effort", type=int, default=EFFORT, choices=LADDER, help=f"the widest search ({EFFORT})")
    parser.add_argument("--processes", type=int, default=2, help="how many at a time (2)")
    parser.add_argument("--game", action="append", choices=GAMES, help="which game, once for each (all)")
    options = parser.parse_args()
    print("game            won   home    CPU s  positions  proved/s", flush=True)
    with ProcessPoolExecutor(options.processes) as pool:
        for key in options.game or GAMES:
            numbers = range(FIRST, FIRST + options.deals)
            keys, efforts = [key] * options.deals, [options.effort] * options.deals
            for line in lines(key, list(pool.map(attempt, keys, numbers, efforts))):
                print(line, flush=True)


if __name__ == "__main__":
    main()
