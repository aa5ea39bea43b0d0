"""The process that plays all house bots of a server: ``python -m fortythieves_client.bot.pool``.

The server writes to its standard input, one JSON object per line: first its address and the socket for its bots, then a
line for each bot. The pool writes to its standard output which bots have left. It ends when its input closes, because
the server has ended. None of this is in the arguments or in the environment, because other programs can read those.
"""

import asyncio
import contextlib
import json
import os
import signal
import sys
import time
from random import Random
from typing import Any

from fortythieves.bot.levels import Level, next_moves
from fortythieves.bot.search import Plan
from fortythieves.errors import Refused
from fortythieves.rules.board import Board
from fortythieves_client.bot.house import run_bot

#: The share of one CPU that all bots may use for thinking. 16 bots of the highest level need 0.02 (measured).
SHARE = 0.25
#: The process priority, below all other processes of the machine.
NICE = 10
#: The most bytes of a line.
LINE = 4096


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
            plan = next_moves(board, level, rng.random)
            self._rested_at = now() + (time.thread_time() - began) * self._rest
        return plan


class Pool:
    """The bots of this process, each in a task."""

    def __init__(self, url: str, socket: str) -> None:
        self._url = url
        self._socket = socket or None
        self._think = Thinker(SHARE)
        self._bots: dict[asyncio.Task[None], None] = {}

    def add(self, id: int, code: str, level: int | None, guest: str) -> None:  # noqa: A002 - the name in the line
        """Start one bot. ``guest``: its guest token, which brings back a seat that it had, also without a level."""
        bot = asyncio.create_task(self._play(id, code, level, guest))
        self._bots[bot] = None
        bot.add_done_callback(self._bots.pop)

    async def _play(self, id: int, code: str, level: int | None, guest: str) -> None:  # noqa: A002
        why = None
        try:
            await run_bot(self._url, code, level, stays=True, token=guest, socket=self._socket, think=self._think)
        except Refused as refused:
            why = refused.code
        except OSError as error:
            why = type(error).__name__
        except Exception as error:  # noqa: BLE001 - a failing bot must not end the others; the server logs it
            why = repr(error)
        _say({"gone": id, "why": why})

    async def close(self) -> None:
        """End all bots. They keep their seats, to which another process of the server brings them back."""
        for bot in self._bots:
            bot.cancel()
        await asyncio.gather(*self._bots, return_exceptions=True)


def _say(line: dict[str, Any]) -> None:
    with contextlib.suppress(OSError):  # the server has ended; the input closes, too
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()


async def _run() -> None:
    loop = asyncio.get_running_loop()
    lines = asyncio.StreamReader(LINE)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    task = asyncio.current_task()
    assert task is not None
    loop.add_signal_handler(signal.SIGTERM, task.cancel)
    if not (first := await lines.readline()):
        return
    pool = Pool(**json.loads(first))
    try:
        while line := await lines.readline():
            pool.add(**json.loads(line))
    finally:
        await pool.close()


def main() -> None:
    """Play until the input closes."""
    with contextlib.suppress(OSError):
        os.nice(NICE)
    with contextlib.suppress(asyncio.CancelledError):
        asyncio.run(_run())


if __name__ == "__main__":
    main()
