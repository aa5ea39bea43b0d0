"""House bots: one process plays all bots of a server (`fortythieves_client.bot.pool`).

Each bot joins like any player, and sees only what a player sees. The process is started for the first bot, restarted if
it dies, and ended when no bot has been needed for a while. It gets its input on standard input. It gets neither our
arguments nor our environment, because these can contain passwords. Bots keep their seats when the server ends, and the
process that serves the people of their rooms after that brings them back.
"""

import asyncio
import itertools
import json
import logging
from collections.abc import Callable, Mapping
from typing import NamedTuple

from fortythieves.errors import refuse_if
from fortythieves_server.common import child_process
from fortythieves_server.common.child_process import Backoff, Process, close_input, how_it_ended, own_program, pipes
from fortythieves_server.common.logs import about
from fortythieves_server.common.tasks import end
from fortythieves_server.core.decide_lobby import MOST_BOTS

log = logging.getLogger(__name__)

#: Seconds for which the process stays without bots, and seconds in which it must end by itself.
IDLE, GRACE = 60.0, 3.0
#: Seconds before each restart, and seconds after which a run counts as successful (`Backoff`).
PAUSES = (0.1, 0.1, 1.0, 5.0)
A_WHILE = 60.0
#: Failures in a row after which there are no more bots.
MOST_FAILURES = 5
COMMAND = own_program("fortythieves_client.bot.pool")


class _Bot(NamedTuple):
    """A bot that plays or is starting. ``address`` is that of its host. Without a level, it returns to its seat."""

    id: int
    code: str
    level: int | None
    guest: str
    token: str
    address: str

    @property
    def line(self) -> dict[str, object]:
        return {"id": self.id, "code": self.code, "level": self.level, "guest": self.token}


class Bots:
    """The bots of this server process. ``new_guest`` makes a guest, and ``token_of`` a token for one."""

    def __init__(
        self, most: int, new_guest: Callable[[], str], token_of: Callable[[str], str], idle: float = IDLE
    ) -> None:
        self._most = most
        self._new_guest = new_guest
        self._token_of = token_of
        self._idle = idle
        self._bots: dict[int, _Bot] = {}
        self._ids = itertools.count(1)
        self._keeper: asyncio.Task[None] | None = None
        self._process: Process | None = None
        self._is_closing = False
        #: The address of this server, and the socket for bots. Both are known once it listens.
        self.url = self.socket = ""

    def __len__(self) -> int:
        return len(self._bots)

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process is not None else None

    def add(self, code: str, level: int, address: str) -> None:
        """Send a bot to a room, for a host at some address. Raises `Refused`."""
        refuse_if(not self._most, "no-bots")
        of_address = sum(bot.address == address for bot in self._bots.values())
        refuse_if(len(self._bots) >= self._most or self._is_closing, "too-many-bots")
        # Half of them are left for others: bots stay as long as their host does.
        refuse_if(of_address >= max(self._most // 2, MOST_BOTS), "too-many-bots")
        # Some of them may still be joining, so the room does not know them yet.
        refuse_if(sum(bot.code == code for bot in self._bots.values()) >= MOST_BOTS, "enough-bots", most=MOST_BOTS)
        self._begin(code, level, self._new_guest(), address)

    def bring_back(self, code: str, guest: str) -> None:
        """Send the bot of a seat back to it, unless it is on its way, or there are too many."""
        is_known = any((bot.code, bot.guest) == (code, guest) for bot in self._bots.values())
        if not is_known and len(self._bots) < self._most and not self._is_closing:
            self._begin(code, None, guest, "")

    def _begin(self, code: str, level: int | None, guest: str, address: str) -> None:
        bot = _Bot(next(self._ids), code, level, guest, self._token_of(guest), address)
        self._bots[bot.id] = bot
        if self._process is not None:
            _tell(self._process, bot.line)
        if self._keeper is None or self._keeper.done():
            self._keeper = asyncio.create_task(self._keep(), name="bots")

    async def _keep(self) -> None:
        """Run the process as long as there are bots, and a while longer."""
        now = asyncio.get_running_loop().time
        backoff = Backoff(PAUSES, A_WHILE)
        while self._bots:
            began = now()
            if how := await self._run():
                backoff.ended(now() - began)
                log.warning("the process of the house bots ended %s", how)
                if backoff.failures > MOST_FAILURES:
                    log.error("house bots are off: their process ended %s times in a row", backoff.failures)
                    self._bots.clear()
                    return
                await asyncio.sleep(backoff.pause)

    async def _run(self) -> str:
        """Run the process once. Returns how it ended, or "" if we ended it."""
        try:
            process = await child_process.start_helper(*COMMAND)
        except OSError as error:
            return f"before it started: {error.strerror}"
        _tell(process, {"url": self.url, "socket": self.socket})
        for bot in self._bots.values():
            _tell(process, bot.line)
        self._process = process
        try:
            died = await self._listen(process)
        finally:
            self._process = None
            await child_process.end(process, ask=close_input, seconds=GRACE)
        return how_it_ended(process) if died else ""

    async def _listen(self, process: Process) -> bool:
        """Read which bots have left. Returns whether the process has ended; False if it was idle for a while."""
        _, lines = pipes(process)
        while True:
            try:
                line = await asyncio.wait_for(lines.readline(), self._idle)
            except TimeoutError:
                if not self._bots:
                    return False
                continue
            if not line.endswith(b"\n"):
                return True
            left = json.loads(line)
            bot = self._bots.pop(left["gone"], None)
            if bot is not None and left["why"] is not None:
                log.warning("room %s: a house bot left: %s", bot.code, left["why"], extra=about(bot.code))

    async def close(self) -> None:
        self._is_closing = True
        self._bots.clear()
        await end([self._keeper])


def _tell(process: Process, line: Mapping[str, object]) -> None:
    pipes(process)[0].write(json.dumps(line).encode() + b"\n")
