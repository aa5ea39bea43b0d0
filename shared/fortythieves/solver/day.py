"""The deal of the day: for each day (UTC) one deal that the solver wins, from a chain of keys.

The key of a day is the SHA-256 of the key of the next day. A server draws the last key first, so once it has published
any key, the keys of all days before and after are fixed. It publishes the key of a day when that day is over. The deal
is the first one of its key that has the stars of its weekday, so nobody can choose it, and everyone can find it again.
"""

import hashlib
import json
from collections.abc import Callable
from importlib.resources import files
from typing import Final, NamedTuple, cast

from fortythieves.rules.board import Board
from fortythieves.rules.deal import deck_of_secret
from fortythieves.rules.games import game
from fortythieves.solver.effort import EFFORT, MEASURED, Stars, solve, stars
from fortythieves.times import Ms, ms_of

DAY: Final = ms_of(86_400)
#: The game and the stars of each weekday, Monday first.
WEEK: Final[tuple[tuple[str, Stars], ...]] = tuple(
    (key, cast("Stars", count))
    for key, count in json.loads((files("fortythieves.solver") / "week.json").read_text("utf-8"))
)
#: 1970-01-01, the day 0, was a Thursday.
_FIRST_WEEKDAY: Final = 3
_PREFIX: Final = b"forty-thieves day v1"


class DayProof(NamedTuple):
    """How the deal of a day follows from its key."""

    day: int  # days since 1970-01-01 (UTC)
    key: str  # in hexadecimal
    counter: int  # how many deals of the key were tried before
    stars: int  # 0: none was found in time, so nobody knows whether this one can be won


def day_of(at: Ms) -> int:
    return int(at // DAY)


def begins_at(day: int) -> Ms:
    return Ms(day * int(DAY))


def game_of(day: int) -> tuple[str, Stars]:
    """The game and the stars of a day."""
    return WEEK[(day + _FIRST_WEEKDAY) % len(WEEK)]


def earlier(key: bytes, days: int) -> bytes:
    """The key of the day that is so many days before."""
    for _ in range(days):
        key = hashlib.sha256(key).digest()
    return key


def secret_of(key: bytes, counter: int) -> bytes:
    """The secret of a deal of a key, counted from 0."""
    return hashlib.sha256(_PREFIX + key + counter.to_bytes(4, "big")).digest()


def is_won(key: str, wanted: Stars, secret: bytes, should_stop: Callable[[], bool] = lambda: False) -> bool:
    """Whether the solver wins the deal of a secret in a game, with exactly these stars.

    ``should_stop``: as `solve` has it.
    """
    effort = (*MEASURED[key].stars, EFFORT)[wanted - 1]
    rung = solve(Board.deal(game(key), deck_of_secret(secret, [])), effort, should_stop).rung
    return rung is not None and stars(key, rung) == wanted
