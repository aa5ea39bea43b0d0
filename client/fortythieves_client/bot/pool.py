"""The process that plays all house bots of a server: ``python -m fortythieves_client.bot.pool``.

The server says on standard input what to do, one JSON object a line: first where it is, and the ticket by which it
knows its own bots; then a line for each bot. It is told on standard output which bots have gone. The pool ends when
its input does, because the server has ended, too. Nothing of this is in the arguments or in the environment, which
other programs can read.
"""

import asyncio
import contextlib
import json
import os
import signal
import sys
from typing import Any

from fortythieves.errors import Refused
from fortythieves_client.bot.house import run_bot
from fortythieves_client.bot.thinker import Thinker

#: The part of one processor that all bots may think with. 16 of the highest level need a fiftieth.
SHARE = 0.25
#: What everything else on the machine comes before.
NICE = 10
#: Bytes of a line at most.
LINE = 4096


class Pool:
    """The bots that play in this process, each a task."""

    def __init__(self, url: str, ticket: str, socket: str) -> None:
        self._url = url
        self._ticket = ticket
        self._socket = socket or None
        self._think = Thinker(SHARE)
        self._bots: set[asyncio.Task[None]] = set()

    def add(self, id: int, code: str, level: int, guest: str) -> None:  # noqa: A002 - the name in the line
        """Let one more play; ``guest``: its guest pass, which brings it back to its seat if it had one."""
        bot = asyncio.create_task(self._play(id, code, level, guest))
        self._bots.add(bot)
        bot.add_done_callback(self._bots.discard)

    async def _play(self, id: int, code: str, level: int, guest: str) -> None:  # noqa: A002
        why = None
        try:
            await run_bot(
                self._url, code, level, token=guest, ticket=self._ticket, socket=self._socket, think=self._think
            )
        except Refused as refused:
            why = refused.code
        except OSError as error:
            why = type(error).__name__
        except Exception as error:  # noqa: BLE001 - one bot that fails must not end the others; the server logs it.
            why = repr(error)
        _say({"gone": id, "why": why})

    async def close(self) -> None:
        """Have all bots take leave."""
        for bot in self._bots:
            bot.cancel()
        await asyncio.gather(*self._bots, return_exceptions=True)


def _say(line: dict[str, Any]) -> None:
    with contextlib.suppress(OSError):  # The server has gone; the end of the input says so, too.
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()


async def _run() -> None:
    loop = asyncio.get_running_loop()
    told = asyncio.StreamReader(LINE)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(told), sys.stdin)
    task = asyncio.current_task()
    assert task is not None
    loop.add_signal_handler(signal.SIGTERM, task.cancel)
    if not (first := await told.readline()):
        return
    pool = Pool(**json.loads(first))
    try:
        while line := await told.readline():
            pool.add(**json.loads(line))
    finally:
        await pool.close()


def main() -> None:
    """Play until the input ends."""
    with contextlib.suppress(OSError):
        os.nice(NICE)
    with contextlib.suppress(asyncio.CancelledError):
        asyncio.run(_run())


if __name__ == "__main__":
    main()
