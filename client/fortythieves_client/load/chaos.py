"""Kill processes at random, to test what their players lose."""

import asyncio
import contextlib
import os
import random
import re
import signal
from pathlib import Path

from fortythieves_client.load.results import Results


def processes(file: Path) -> list[int]:
    """The running processes in a file, one id per line. Never this process or its parent."""
    with contextlib.suppress(OSError):
        numbers = [int(line) for line in re.findall(r"^[0-9]{1,9}$", file.read_text("ascii", "replace"), re.MULTILINE)]
        return [number for number in numbers if number > 1 and number not in {os.getpid(), os.getppid()}]
    return []


async def kill_now_and_then(file: Path, every: float, dice: random.Random, results: Results) -> None:
    """Every ``every`` seconds, kill one of the processes in the file (SIGKILL)."""
    while True:
        await asyncio.sleep(every)
        if found := processes(file):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(dice.choice(found), signal.SIGKILL)
                results.kills += 1
