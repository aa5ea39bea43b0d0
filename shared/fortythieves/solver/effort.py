"""How hard a deal is: the width of the narrowest search that wins it. Each rung of the ladder is twice as wide as
the one before. A deal that no rung wins may be winnable all the same.
"""

import json
from collections.abc import Callable, Mapping
from importlib.resources import files
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, cast

from fortythieves.rules.board import Board
from fortythieves.solver.search import Found, search

Stars = Literal[1, 2, 3]

#: The widths of the searches. The last one takes up to half a minute in a game with sequences.
LADDER: Final = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)


class Measured(NamedTuple):
    """The effort of searches in a game, measured by `python -m tests.bench.solver`."""

    #: The share of deals that they win, in per cent.
    won: int
    #: The widest search that wins a deal of one star, and of two. About a third of the winnable deals has each number.
    #: Empty if nearly all deals are won by the same width, or nearly none: then they have one star.
    stars: tuple[int, ...]


_FILE = json.loads((files("fortythieves.solver") / "efforts.json").read_text("utf-8"))
#: The widest search by default. The measurements were made with it.
EFFORT: Final[int] = _FILE["effort"]
MEASURED: Final[Mapping[str, Measured]] = MappingProxyType(
    {key: Measured(row["won"], (*row["stars"],)) for key, row in _FILE["games"].items()}
)
#: The games of which winnable deals are prepared. Of the others, the solver wins less than one deal in ten, or all.
PREPARED: Final = tuple(key for key, measured in MEASURED.items() if measured.stars and measured.won >= 10)


def stars(key: str, rung: int) -> Stars:
    """How hard a deal of a game is, by the width of the search that won it."""
    harder = sum(rung > widest for widest in MEASURED[key].stars)
    return cast("Stars", 1 + harder)


def solve(board: Board, effort: int = EFFORT, should_stop: Callable[[], bool] = lambda: False) -> Found:
    """Search with each width of the ladder up to the effort, until one search wins. Returns the best of their results,
    with the positions of all searches. ``should_stop``: as `search` has it.
    """
    if effort < LADDER[0]:
        raise ValueError("an effort is at least 1")
    stopped = False

    def asked() -> bool:
        nonlocal stopped
        stopped = should_stop()
        return stopped

    best, positions = Found((), -1, 0, None), 0
    for width in LADDER:
        if width > effort or best.won or stopped:
            break
        found = search(board, width, asked)
        positions += found.positions
        if found.home > best.home:
            best = found
    return best._replace(positions=positions)
