"""Limits the CPU time that all bots of a process use for thinking."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from random import Random

from fortythieves.rules.board import Board
from fortythieves_client.bot.levels import Level, next_moves
from fortythieves_client.bot.search import Plan

Think = Callable[[Board, Level, Random], Awaitable[Plan]]


async def think_directly(board: Board, level: Level, rng: Random) -> Plan:
    """Think without a pause, for a bot in its own process."""
    return next_moves(board, level, rng)


class Thinker:
    """Thinks for all bots of a process, one at a time, and rests in between.

    ``share``: of one CPU, from 0 to 1. If the bots need more, they play more slowly.
    """

    def __init__(self, share: float) -> None:
        self._rest = 1 / share - 1
        self._turn = asyncio.Lock()
        self._rested_at = 0.0

    async def __call__(self, board: Board, level: Level, rng: Random) -> Plan:
        async with self._turn:
            now = asyncio.get_running_loop().time
            await asyncio.sleep(max(0.0, self._rested_at - now()))
            began = time.thread_time()
            plan = next_moves(board, level, rng)
            self._rested_at = now() + (time.thread_time() - began) * self._rest
        return plan
