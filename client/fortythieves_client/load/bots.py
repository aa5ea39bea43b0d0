"""The bots of a load test: racers and spectators. They keep no boards, so that the test does not measure itself."""

import asyncio
import contextlib
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from fortythieves.errors import Refused
from fortythieves.protocol import to_client, to_server
from fortythieves.times import Ms
from fortythieves_client.ledger import Ledger
from fortythieves_client.load.play import endless
from fortythieves_client.load.results import Results
from fortythieves_client.reconnecting import Handler, ReconnectingConnection, RefusedByServer, reject, resolve

#: Seconds before a bot repeats a request that was refused for now.
RETRY_AFTER = 0.25
#: A move refused with one of these codes is repeated.
RETRYABLE_MOVES = frozenset({"store-down", "too-fast", "not-in-room"})


def ms() -> float:
    return time.perf_counter() * 1000


class Bot(Handler):
    """A connection, and the counts that every bot keeps."""

    def __init__(self, url: str, name: str, results: Results, reconnect_timeout: float) -> None:
        self.connection = ReconnectingConnection(url, None, reconnect_timeout, self)
        self.name = name
        self.results = results
        self.code = ""
        #: Whether the bot itself closes the connection.
        self.leaving = False
        self._broken_at: float | None = None

    async def ask(self, message: Callable[[int], to_server.Message]) -> None:
        """Send a command, and repeat it while the server cannot save anything. Raises `Refused`."""
        while True:
            try:
                return await self.connection.request(message)
            except Refused as refused:
                if refused.code != "store-down":
                    raise
            await asyncio.sleep(RETRY_AFTER)

    def room_code(self) -> str:
        return self.code

    def disconnected(self) -> None:
        if self._broken_at is None:
            self._broken_at = ms()

    def closed(self, error: Exception) -> None:
        if not self.leaving:
            self.results.gone[str(error)] += 1

    def handle(self, message: to_client.Message) -> None:
        match message:
            case to_client.RoomState():
                if self._broken_at is not None:
                    self.results.back_to_play_ms.append(ms() - self._broken_at)
                    self.results.reconnects += 1
                    self._broken_at = None
            case to_client.Notice():
                self.results.notices[message.code] += 1


class Watcher(Bot):
    _watches = False

    async def watch(self, code: str) -> None:
        self.code = code
        await self.connection.open()
        self._watches = True
        await self.ask(lambda c: to_server.Watch(c, code, self.name))

    def rejoin(self, c: int) -> to_server.Watch | None:
        return to_server.Watch(c, self.code, self.name) if self._watches else None


@dataclass
class Raced:
    """One race of a bot."""

    #: The acknowledged entries in order. The log must be the same.
    acknowledged: Ledger[str] = field(default_factory=Ledger)
    #: When the cards arrived (ms of the local clock).
    dealt_at: float | None = None
    #: In a tournament: when the new standings arrived.
    standings_at: Ms | None = None
    dealt: asyncio.Event = field(default_factory=asyncio.Event)
    over: asyncio.Event = field(default_factory=asyncio.Event)
    ranked: asyncio.Event = field(default_factory=asyncio.Event)


class Racer(Bot):
    """A racer that plays one move after the other and lists the acknowledged ones. ``way``: its moves in every race."""

    def __init__(self, url: str, name: str, results: Results, reconnect_timeout: float, way: Sequence[str]) -> None:
        super().__init__(url, name, results, reconnect_timeout)
        self.races: defaultdict[int, Raced] = defaultdict(Raced)
        self.seat = 0
        self._way = way
        self._epoch = ""
        self._race = 0
        self._sent: to_server.Move | None = None
        self._answer: asyncio.Future[None] | None = None

    def unanswered(self, race: int) -> str | None:
        """A move of a race that was sent and not answered."""
        return self._sent.text if self._sent and self._sent.race == race else None

    # Actions

    async def create(self, settings: dict[str, Any], plan: dict[str, Any] | None = None) -> str:
        """Connect, and open a room, or a tournament and enter it. Returns the code."""
        await self.connection.open()
        await self.ask(lambda c: to_server.Create(c, self.name, settings, plan=plan))
        if plan is not None:
            await self.ask(lambda c: to_server.Enter(c, True))
        return self.code

    async def join(self, code: str) -> None:
        self.code = code
        await self.connection.open()
        await self.ask(lambda c: to_server.Join(c, code, self.name))

    async def race(self, number: int, pauses: Iterator[float], until: float, enough: Callable[[], bool]) -> None:
        """Play a race whose cards are dealt, with these pauses (seconds), until a time of the event loop and
        ``enough``.
        """
        loop = asyncio.get_running_loop()
        for text in endless(self._way):
            if (wait := next(pauses)) + loop.time() > until and enough():
                return
            await asyncio.sleep(wait)
            await self._play(number, text)

    async def _play(self, race: int, text: str) -> None:
        sent_at = ms()
        while True:
            if self.connection.error is not None:
                raise self.connection.error
            self._sent = to_server.Move(race, len(self.races[race].acknowledged), text)
            self._answer = asyncio.get_running_loop().create_future()
            await self.connection.send(self._sent)
            try:
                await self._answer
            except Refused as refused:
                self.results.refused[refused.code] += 1
                if refused.code not in RETRYABLE_MOVES:
                    raise
                await asyncio.sleep(RETRY_AFTER)
            else:
                self.results.latency_ms.append(ms() - sent_at)
                return

    async def give_up(self, number: int) -> None:
        """Give up the race, so that the log is final and can be compared with the record."""
        while not self.races[number].over.is_set():
            try:
                await self.connection.request(to_server.GiveUp)
                return
            except Refused as refused:
                if refused.code not in {"too-early", *RETRYABLE_MOVES}:
                    return
                await asyncio.sleep(RETRY_AFTER)

    async def leave(self) -> None:
        """Leave the room, which ends the race for this seat for good."""
        if self.code:
            with contextlib.suppress(Refused):
                await self.ask(to_server.Leave)
            self.code = ""  # there is no seat to return to

    # Incoming messages

    def rejoin(self, c: int) -> to_server.Join | None:
        if not self.code or not self._epoch:
            return None
        resume = to_server.Resume(self._epoch, self._race, len(self.races[self._race].acknowledged))
        return to_server.Join(c, self.code, self.name, resume)

    def unconfirmed(self) -> Iterator[to_server.Message]:
        if self._sent is not None:
            yield self._sent

    def closed(self, error: Exception) -> None:
        super().closed(error)
        if self._answer is not None:
            reject(self._answer, error)
        for raced in self.races.values():
            for waited_for in (raced.dealt, raced.over, raced.ranked):
                waited_for.set()

    def handle(self, message: to_client.Message) -> None:
        super().handle(message)
        match message:
            case to_client.Moved(number, n, text):
                self._acknowledged(number, self.races[number].acknowledged.acknowledge(n, text))
            case to_client.Unmoved(_, n, _, code, text, parameters):
                if self._sent is not None and self._answer is not None and n == self._sent.n:
                    self._sent = None
                    reject(self._answer, RefusedByServer(code, text, parameters))
            case to_client.OwnBoard(number, _, moves):
                raced = self.races[number]
                lost, new = raced.acknowledged.replace([text for text, _ in moves])
                self.results.lost += lost
                self._acknowledged(number, new)
                if raced.dealt_at is None:
                    raced.dealt_at = ms()
                raced.dealt.set()
            case to_client.RoomState(epoch, _, seat, view):
                self._epoch, self.seat, self.code = epoch, seat, view["code"]
                self._look(view)
            case to_client.Patch(_, patch):
                self._look(patch)

    def _look(self, view: dict[str, Any]) -> None:
        race = view.get("race") or {}
        self._race = race.get("number", self._race)
        if race.get("over_at") is not None:
            self.races[self._race].over.set()
        for number, changed in ((view.get("tournament") or {}).get("rounds") or {}).items():
            raced = self.races[int(number)]
            if changed and changed.get("results") and raced.standings_at is None:
                raced.standings_at = self.connection.clock.now()
                raced.ranked.set()

    def _acknowledged(self, number: int, new: int) -> None:
        self.results.acknowledged += new
        said, known = self._sent, len(self.races[number].acknowledged)
        if new and said is not None and self._answer is not None and said.race == number and said.n < known:
            self._sent = None
            resolve(self._answer, None)
