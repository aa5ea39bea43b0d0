"""Deals of Lucas that the narrowest searches win: real ones, for tests that prove them."""

import hashlib
from collections.abc import Iterable
from functools import cache

from fortythieves.rules import deal, winnable
from fortythieves.rules.board import Board
from fortythieves.rules.games import game
from fortythieves.solver.effort import solve, stars
from fortythieves_server.core import events
from fortythieves_server.store.winnable_pool import Deal, WinnablePool

GAME, EFFORT = "lucas", 4

#: The SHA-256 of "winnable N" with these numbers is the secret of such a deal.
NUMBERS = (
    *(1, 16, 17, 19, 20, 27, 28, 33, 34, 40, 54, 63, 65, 69, 74, 76, 85, 92, 96, 100, 101, 103, 113, 117),
    *(121, 123, 127, 128, 141, 142, 147, 151, 154, 160, 165, 166, 167, 174, 179, 182, 183, 185, 186, 190),
)


@cache
def solved(number: int) -> Deal:
    secret = hashlib.sha256(f"winnable {number}".encode()).digest()
    found = solve(Board.deal(game(GAME), deal.deck_of_secret(secret, [])), EFFORT)
    assert found.rung is not None
    return Deal(secret, tuple(map(str, found.moves)), stars(GAME, found.rung))


def claimed(race: int = 1, game: str = GAME, stars: int = 0) -> events.Claimed:
    secrets, lines, found = zip(*map(solved, NUMBERS[: winnable.DEALS]), strict=True)
    return events.Claimed(tuple(secret.hex() for secret in secrets), lines, found)


async def fill(pool: WinnablePool, numbers: Iterable[int]) -> None:
    for one in map(solved, numbers):
        # On a busy machine Redis may answer so late that the client sends the command a second time.
        await pool.add(GAME, one, 100)
        assert not await pool.add(GAME, one, 100), "the pool knows it"


async def ready(pool: WinnablePool, game: str = GAME) -> int:
    return sum((await pool.counts_now())[game])
