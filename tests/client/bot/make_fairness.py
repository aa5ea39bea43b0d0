"""fairness.json: the cards that a bot would have brought home with a racer's knowledge.

Each log is an object:

- ``game`` and ``number``: the deal; ``log``: the entries; ``width``: of the searches;
- ``falls``: the moves that are known to lower that count, the most expensive first: the entries before it, the counts;
- ``fair``: how many cards the level 3 bot could have brought home.
"""

from collections.abc import Iterator
from typing import Any

from fortythieves.rules.deal import deck_of_number
from fortythieves.rules.games import GAMES
from fortythieves.rules.race_rules import UNDO
from fortythieves.solver.analysis import Log, analysis
from fortythieves_client.bot.fairness import judged, left_over
from tests.shared.solver.make_solver import greedy

NUMBER = 32_004
#: Narrow, so that all takes a second or two.
WIDTH = 6
#: Games in which a bot is fast.
FAIR = ("maria", "streets")
#: The number of moves of a greedy player.
MOVES = 60


def vectors() -> Iterator[dict[str, Any]]:
    """One for some games, with moves that are taken back."""
    for key in FAIR:
        entries = list(map(str, greedy(key, NUMBER, MOVES)))
        yield vector(key, NUMBER, [*entries[:20], UNDO, UNDO, *entries[18:]])


def vector(key: str, number: int, entries: list[str]) -> dict[str, Any]:
    log = Log(GAMES[key], deck_of_number(number), "free", entries)
    found = analysis(log, WIDTH)
    fair = found.home + sum(move.cost for move in judged(log, found.falls, WIDTH)) + left_over(log)
    return {
        "game": key,
        "number": number,
        "log": entries,
        "width": WIDTH,
        "falls": [[fall.at, fall.before, fall.after] for fall in found.falls],
        "fair": fair,
    }
