"""The child of the filler (`winnable_filler`): it draws secrets, and looks for moves that win their decks.

It gets a game on each line of its standard input, and answers each with one line of JSON. It draws the secrets itself,
so a process that can only write to it knows none. For the deal of a day, it gets the stars and the secret, too. It runs
when no other process needs the processor, hardly ever while players make moves, and ends when its input closes, also
during a search.

Its argument, if it gets one, is the descriptor of the file that the servers touch while players make moves.
"""

import contextlib
import json
import os
import secrets
import select
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import cast

from fortythieves.rules.board import Board
from fortythieves.rules.deal import SECRET_BYTES, deck_of_secret
from fortythieves.rules.games import game
from fortythieves.solver.day import is_won
from fortythieves.solver.effort import Stars, solve, stars

#: How much longer it rests than it works while players make moves. A search at the lowest priority still delays a move
#: that arrives on its core by up to a tick of the system's clock, which is 4 ms on many systems: beside a search that
#: never rests, the slowest hundredth of moves takes twice as long (row `winnable` of the benchmark).
REST = 100
#: For how many seconds after a move that is so. The servers touch the file once a second.
AFTER_A_MOVE = 3.0


def attempt(key: str, moves_are_made: Callable[[], bool], wanted: str = "", given: str = "") -> dict[str, object]:
    """Draw a secret and search. Returns an empty answer if its deck was not won, or if the input has closed.

    ``wanted``, ``given``: the stars and the secret of a day.
    """
    should_stop = _rests_and_asks(moves_are_made)
    if given:
        return {"secret": given} if is_won(key, cast("Stars", int(wanted)), bytes.fromhex(given), should_stop) else {}
    secret = secrets.token_bytes(SECRET_BYTES)
    solved = solve(Board.deal(game(key), deck_of_secret(secret, [])), should_stop=should_stop)
    if solved.rung is None:
        return {}
    return {"secret": secret.hex(), "line": [*map(str, solved.moves)], "stars": stars(key, solved.rung)}


def _rests_and_asks(moves_are_made: Callable[[], bool]) -> Callable[[], bool]:
    """Whether the input has closed. While players make moves, that is only answered after a rest."""
    worked_until = time.process_time()

    def is_abandoned() -> bool:
        nonlocal worked_until
        before, worked_until = worked_until, time.process_time()
        rest = REST * (worked_until - before) if moves_are_made() else 0
        # One question at a time is asked, so there is nothing else to read.
        return bool(select.select([sys.stdin.buffer], [], [], rest)[0])

    return is_abandoned


def touched(descriptor: int) -> bool:
    """Whether a server has touched the file a moment ago, because players make moves."""
    return abs(time.time() - os.fstat(descriptor).st_mtime) < AFTER_A_MOVE  # the clock may have been ahead


def _give_way() -> None:
    """Run only when the processor has nothing else to do."""
    if hasattr(os, "nice"):
        os.nice(19)
    if hasattr(os, "SCHED_IDLE"):
        with contextlib.suppress(OSError):  # some containers forbid it
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    # Linux may share the processor among sessions first (sched(7), "The autogroup feature"). Then all that is above
    # only counts within ours. Run by hand, this process is in the session of a shell, and leaves it as it is.
    if os.getsid(0) == os.getpid():
        with contextlib.suppress(OSError):
            Path("/proc/self/autogroup").write_text("19")


def serve(moves_are_made: Callable[[], bool] = lambda: False) -> None:
    """Answer until the input closes."""
    while line := sys.stdin.buffer.readline():
        key, *of_day = line.decode().split()
        found = json.dumps(attempt(key, moves_are_made, *of_day)) + "\n"
        try:
            os.write(sys.stdout.fileno(), found.encode())
        except BrokenPipeError:
            return  # the server was killed


if __name__ == "__main__":
    _give_way()
    serve(*(partial(touched, int(descriptor)) for descriptor in sys.argv[1:]))
