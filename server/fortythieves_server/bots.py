"""House bots: each is a program of its own that joins by the door like anybody, and sees what a player sees."""

import asyncio
import contextlib
import logging
import sys

from fortythieves.errors import Refused

log = logging.getLogger(__name__)

#: Seconds that a bot has to go by itself when it is told to stop.
GRACE = 2.0


class Bots:
    """The bots that this server plays."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._watchers: set[asyncio.Task[None]] = set()
        #: The address at which bots find this server; known once it listens.
        self.url = ""

    async def add(self, code: str, level: int) -> None:
        """Send a bot to a room. Raises `Refused`."""
        if not self._most:
            raise Refused("no-bots")
        if len(self._watchers) >= self._most:
            raise Refused("too-many-bots")
        command = (sys.executable, "-m", "fortythieves_server", "bot", self.url, code, "--level", str(level))
        process = await asyncio.create_subprocess_exec(
            *command, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.DEVNULL, start_new_session=True
        )
        watcher = asyncio.create_task(self._watch(process, code))
        self._watchers.add(watcher)
        watcher.add_done_callback(self._watchers.discard)

    async def _watch(self, process: asyncio.subprocess.Process, code: str) -> None:
        try:
            status = await process.wait()
            if status:
                log.warning("room %s: a bot ended with status %s", code, status)
        finally:
            if process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    process.terminate()
                try:
                    await asyncio.wait_for(process.wait(), GRACE)
                except TimeoutError:
                    process.kill()

    async def close(self) -> None:
        """Send all bots home."""
        for watcher in self._watchers:
            watcher.cancel()
        await asyncio.gather(*self._watchers, return_exceptions=True)
