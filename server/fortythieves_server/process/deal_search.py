"""The child of the filler (`winnable_filler`): it draws secrets, and looks for moves that win their decks.

It gets a game on each line of its standard input, and answers each with one line of JSON. It draws the secrets itself,
so nobody who can only write to it knows one. It runs when nobody else needs the processor, and ends when its input
closes, also during a search.
"""

import contextlib
import json
import os
import secrets
import select
import sys
from pathlib import Path

from fortythieves.rules.board import Board
from fortythieves.rules.deal import SECRET_BYTES, deck_of_secret
from fortythieves.rules.games import game
from fortythieves.solver.effort import solve, stars


def attempt(key: str) -> dict[str, object]:
    """Draw a secret and search. Returns an empty answer if its deck was not won, or if the input has closed."""
    secret = secrets.token_bytes(SECRET_BYTES)
    solved = solve(Board.deal(game(key), deck_of_secret(secret, [])), should_stop=_is_abandoned)
    if solved.rung is None:
        return {}
    return {"secret": secret.hex(), "line": [*map(str, solved.moves)], "stars": stars(key, solved.rung)}


def _is_abandoned() -> bool:
    """Whether the input has closed. One question at a time is asked, so there is nothing else to read."""
    return bool(select.select([sys.stdin.buffer], [], [], 0)[0])


def _give_way() -> None:
    """Run only when the processor has nothing else to do."""
    if hasattr(os, "nice"):
        os.nice(19)
    if hasattr(os, "SCHED_IDLE"):
        with contextlib.suppress(OSError):  # some containers forbid it
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    # Linux may share the processor among sessions first (sched(7), "The autogroup feature"). Then all that is above
    # only counts within ours, in which there is nobody else.
    with contextlib.suppress(OSError):
        Path("/proc/self/autogroup").write_text("19")


def serve() -> None:
    """Answer until the input closes."""
    while line := sys.stdin.buffer.readline():
        sys.stdout.write(json.dumps(attempt(line.decode().strip())) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    _give_way()
    serve()
