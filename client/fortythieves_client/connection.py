"""The Python client: everything that PROTOCOL.md lets a person do, as awaitables.

It keeps what the server tells (the room, our own board, the rivals' progress), and when the line breaks it comes back
by itself: same seat, same board, moves that were under way sent again (the server applies each once).
"""

import asyncio
import random
import secrets
from collections import deque
from collections.abc import Callable
from types import TracebackType
from typing import Any, NamedTuple, Self, TypeVar

import msgpack
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.frames import Close as CloseFrame

from fortythieves import to_client, to_server
from fortythieves.cards import Card
from fortythieves.errors import Refused
from fortythieves.games import game
from fortythieves.moves import Move
from fortythieves_client.address import parse_address
from fortythieves_client.clock import ServerClock, local_ms
from fortythieves_client.race import UNDO, OwnRace, Progress
from fortythieves_client.room import Room

T = TypeVar("T")

#: The whole log of a long race in a room of a thousand fits.
MAX_FRAME = 4 * 2**20
#: Seconds for one attempt to connect, say hello and sit down again.
OPEN_TIMEOUT = 10.0
#: Seconds between attempts to come back: doubled from the first to the last, each jittered so that a server
#: that restarts does not meet everybody at once.
FIRST_DELAY, LAST_DELAY = 0.1, 5.0

#: Closed with one of these, there is nothing to come back to.
FINAL = frozenset(
    {
        to_client.Close.TOO_BIG,
        to_client.Close.INVALID,
        to_client.Close.TAKEN_OVER,
        to_client.Close.KICKED,
        to_client.Close.BAD_TOKEN,
        to_client.Close.ROOM_GONE,
        to_client.Close.BAD_VERSION,
    }
)

_ANSWERS = (to_client.Ok, to_client.Refused, to_client.Moved, to_client.Unmoved, to_client.Pong)


class Closed(ConnectionError):
    """The server ended the connection for good, or did not come back; ``code`` is the WebSocket close code."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(f"{reason or 'The connection is closed.'} ({code})")
        self.code = code
        self.reason = reason

    @property
    def for_good(self) -> bool:
        """Whether the server said that there is nothing to come back to."""
        return self.code in FINAL


class RefusedByServer(Refused):
    """A refusal as the server worded it; its code may be newer than this client."""

    def __init__(self, code: str, message: str) -> None:
        Exception.__init__(self, message)
        self.code = code
        self.details = {}


class _Asked(NamedTuple):
    """A command that is not answered yet."""

    message: to_server.Said
    answer: asyncio.Future[None]


class _Pending(NamedTuple):
    """A log entry that is not confirmed yet."""

    message: to_server.Move
    done: asyncio.Future[tuple[Card, ...]]


class Client:
    """One person at one server.

    ``async with Client("http://192.168.1.5:8000") as client: room = await client.create("Ann", game="lucas")``

    A room link is an address too, and then `join` needs no code. ``token`` is the guest pass of an earlier
    connection: it brings the seat back. ``patience``: seconds to keep trying when the line is broken.
    """

    def __init__(self, url: str, *, token: str | None = None, patience: float = 60.0) -> None:
        self.address = parse_address(url)
        #: The guest pass; whoever has it has our seat.
        self.token = token
        self.patience = patience
        self.clock = ServerClock()
        #: What the server calls itself.
        self.software = ""
        #: The room as it is, once we are in one.
        self.room: Room | None = None
        #: Our own board in the room's present race, once the cards are dealt.
        self.race: OwnRace | None = None
        #: The rivals' progress (and ours) by seat.
        self.progress: dict[int, Progress] = {}
        #: The latest things that the server had to tell.
        self.notices: deque[to_client.Notice] = deque(maxlen=20)
        self._name = ""
        self._bot = False
        self._counter = 0
        self._asked: dict[int, _Asked] = {}
        self._pings: dict[float, asyncio.Future[bool]] = {}
        self._pending: list[_Pending] = []
        self._race_number = 0
        self._waiting: list[asyncio.Future[None]] = []
        self._socket: ClientConnection | None = None
        self._up = asyncio.Event()
        #: Whether anything that was asked on this line was answered on it.
        self._answered = False
        self._ended: Exception | None = None
        self._reader: asyncio.Task[None] | None = None

    # the line

    async def __aenter__(self) -> Self:
        await self._open()
        self._reader = asyncio.create_task(self._live())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Hang up. The seat stays ours; see `leave`."""
        if self._reader is not None:
            self._reader.cancel()
            await asyncio.wait([self._reader])
        self._end(Closed(1000, "This client has hung up."))
        if self._socket is not None:
            await self._socket.close()

    def interrupt(self) -> None:
        """Break the line without a goodbye, as a tunnel does; the client comes back by itself."""
        if self._socket is not None:
            self._socket.transport.abort()

    async def until(self, condition: Callable[[], T | None]) -> T:
        """Wait until something holds, looking again at every message; give back what was found."""
        while not (found := condition()):
            if self._ended is not None:
                raise self._ended
            news = asyncio.get_running_loop().create_future()
            self._waiting.append(news)
            await news
        return found

    async def ping(self) -> None:
        """One round trip, which tells the server's clock better."""
        answered = False
        while not answered:
            await self._wait_until_up()
            sent = local_ms()
            answer = self._pings[sent] = asyncio.get_running_loop().create_future()
            await self._send(to_server.Ping(sent))
            answered = await answer

    # rooms

    async def create(self, name: str, *, bot: bool = False, **settings: Any) -> Room:
        """Open a room and sit down in it; settings left out have their defaults."""
        self._name, self._bot = name, bot
        await self._ask(lambda c: to_server.Create(c, name, settings, bot))
        return self._seated()

    async def join(self, name: str, code: str | None = None, *, bot: bool = False) -> Room:
        """Sit down in a room, or come back to one's seat; without a code in the room that the link named."""
        wanted = code or self.address.code
        if wanted is None:
            raise ValueError("Which room? The address names none.")
        self._name, self._bot = name, bot
        await self._ask(lambda c: to_server.Join(c, wanted, name, None, bot))
        return self._seated()

    async def leave(self) -> None:
        """Leave the room for good."""
        await self._ask(to_server.Leave)
        self.room = self.race = None

    async def ready(self, nonce: str | None = None) -> None:
        """Be ready; the nonce (16 random bytes in hex) makes the deal ours as well."""
        nonce = secrets.token_hex(16) if nonce is None else nonce
        await self._ask(lambda c: to_server.Ready(c, nonce))

    async def unready(self) -> None:
        """Not ready after all."""
        await self._ask(to_server.Unready)

    async def rematch(self, nonce: str | None = None) -> None:
        """After a race: set up the next one, and be ready for it."""
        nonce = secrets.token_hex(16) if nonce is None else nonce
        await self._ask(lambda c: to_server.Rematch(c, nonce))

    async def give_up(self) -> None:
        """Give up the race; for ten seconds it can be taken back."""
        await self._ask(to_server.GiveUp)

    async def take_back(self) -> None:
        """Go on after all."""
        await self._ask(to_server.TakeBack)

    async def chat(self, text: str, key: str | None = None) -> None:
        """Say something; the same key again is not said again."""
        key = secrets.token_hex(8) if key is None else key
        await self._ask(lambda c: to_server.Chat(c, key, text))

    async def rename(self, name: str) -> None:
        """Take another name."""
        await self._ask(lambda c: to_server.Rename(c, name))
        self._name = name

    # for hosts

    async def change_settings(self, **settings: Any) -> None:
        """Change some settings; nobody is ready any more."""
        await self._ask(lambda c: to_server.ChangeSettings(c, settings))

    async def start(self) -> None:
        """Start the countdown."""
        await self._ask(to_server.Start)

    async def lock(self, locked: bool = True) -> None:
        """Let nobody else in, or do again."""
        await self._ask(lambda c: to_server.Lock(c, locked))

    async def kick(self, seat: int) -> None:
        """Remove somebody for good."""
        await self._ask(lambda c: to_server.Kick(c, seat))

    async def hand_over(self, seat: int) -> None:
        """Make somebody else the host."""
        await self._ask(lambda c: to_server.HandOver(c, seat))

    async def add_bot(self, level: int) -> None:
        """Let a house bot join."""
        await self._ask(lambda c: to_server.AddBot(c, level))

    # the race

    async def play(self, move: Move | str) -> tuple[Card, ...]:
        """Make a move and wait until it is on the server's disk; give back the cards it turned up.

        Raises `Refused`. A move that was under way when the line broke is sent again.
        """
        if self._ended is not None:
            raise self._ended
        if self.race is None:
            raise Refused("not-racing")
        number = len(self.race.log) + len(self._pending)
        message = to_server.Move(self.race.number, number, str(move))
        pending = _Pending(message, asyncio.get_running_loop().create_future())
        self._pending.append(pending)
        if self._up.is_set():
            await self._send(message)
        return await pending.done

    async def undo(self) -> None:
        """Take the last move back, where the room allows it."""
        await self.play(UNDO)

    # inside: asking

    def _seated(self) -> Room:
        if self.room is None:
            raise RuntimeError("The server said ok and sent no room.")
        return self.room

    async def _wait_until_up(self) -> None:
        # Whoever is woken may find the line broken again.
        while self._ended is None and not self._up.is_set():
            await self._up.wait()
        if self._ended is not None:
            raise self._ended

    async def _ask(self, message: Callable[[int], to_server.Said]) -> None:
        """Send a command and wait for its answer: nothing, or `Refused`.

        One whose answer was lost with the line is sent once more, for "a command that is already true is answered ok
        again and changes nothing".
        """
        await self._wait_until_up()
        asked = self._expect(message)
        await self._send(asked.message)
        await asked.answer

    def _expect(self, message: Callable[[int], to_server.Said]) -> _Asked:
        self._counter += 1
        asked = _Asked(message(self._counter), asyncio.get_running_loop().create_future())
        self._asked[self._counter] = asked
        return asked

    async def _send(self, message: to_server.Said) -> None:
        """Send what is lost if the line is broken: whoever waits for the answer is told by `_lost`."""
        if self._socket is None:
            return
        try:
            await self._socket.send(msgpack.packb(msgspec.to_builtins(message)))
        except ConnectionClosed:
            return

    # inside: the connection

    async def _open(self) -> None:
        """Connect, say hello, and sit down again where we sat. Raises `OSError` or `Refused`."""
        try:
            async with asyncio.timeout(OPEN_TIMEOUT):
                self._socket = await connect(
                    self.address.socket, compression=None, max_size=MAX_FRAME, close_timeout=1, open_timeout=None
                )
                await self._greet(self._socket)
        except ConnectionClosed as error:
            close = error.rcvd or CloseFrame(1006, "")
            raise Closed(close.code, close.reason) from None
        except InvalidHandshake as error:
            raise Closed(1006, str(error)) from None
        except BaseException:
            if self._socket is not None:
                self._socket.transport.abort()
            raise
        self._answered = False
        # What is played meanwhile joins the end of the list, so the moves go out in their order.
        for asked in list(self._asked.values()):
            await self._send(asked.message)
        for pending in self._pending:
            await self._send(pending.message)
        self._up.set()

    async def _greet(self, socket: ClientConnection) -> None:
        sent = local_ms()
        await self._send(to_server.Hello(to_server.VERSION, self.token))
        while not isinstance(answer := self._read(await socket.recv()), to_client.Welcome):
            self._handle(answer)
        self.token = answer.token
        self.software = answer.software
        self.clock.sample(sent, answer.now, local_ms())
        if self.room is None:
            return
        moves = len(self.race.log) if self.race else 0
        resume = to_server.Resume(self.room.epoch, self._race_number, moves)
        code = self.room.code
        asked = self._expect(lambda c: to_server.Join(c, code, self._name, resume, self._bot))
        await self._send(asked.message)
        try:
            while not asked.answer.done():
                self._handle(self._read(await socket.recv()))
            asked.answer.result()
        finally:
            # If it was in the middle of sitting down that the line broke, then this has done it.
            for c, other in list(self._asked.items()):
                if isinstance(other.message, to_server.Create | to_server.Join):
                    del self._asked[c]
                    _answer(other.answer, None)

    async def _live(self) -> None:
        """Read until the end, coming back after every loss."""
        broken_at, tries = 0.0, 0
        try:
            while True:
                assert self._socket is not None
                opened_at = local_ms()
                closed = await self._listen(self._socket)
                self._lost()
                if closed.for_good:
                    raise closed
                # A line that breaks again before it was of any use is no better than none.
                if not tries or self._answered or local_ms() - opened_at > LAST_DELAY * 1000:
                    broken_at, tries = local_ms(), 0
                if tries or closed.code != to_client.Close.GOING_AWAY:
                    tries += 1
                tries = await self._come_back(broken_at + self.patience * 1000, tries)
        except (OSError, Refused) as error:
            self._end(error)
        except Exception as error:
            # A bug, here or there: whoever waits is told, and so is whoever looks at this task.
            self._end(error)
            raise

    async def _listen(self, socket: ClientConnection) -> Closed:
        try:
            async for frame in socket:
                self._handle(self._read(frame))
        except _Gap:
            socket.transport.abort()
        except ConnectionClosed:
            pass
        await socket.wait_closed()
        return Closed(socket.close_code or 1006, socket.close_reason or "")

    async def _come_back(self, deadline: float, tries: int) -> int:
        """Open the line again, after a pause that grows with the tries; how many there have been then."""
        while True:
            delay = min(FIRST_DELAY * 2 ** (tries - 1), LAST_DELAY) * random.uniform(0.5, 1) if tries else 0
            if local_ms() + delay * 1000 > deadline:
                raise Closed(1006, "The server did not come back.")
            await asyncio.sleep(delay)
            tries += 1
            try:
                await self._open()
            except OSError as error:
                if isinstance(error, Closed) and error.for_good:
                    raise
            else:
                return tries

    def _lost(self) -> None:
        """The line broke. What has been asked and played waits for the next one; a ping measures only its own."""
        self._up.clear()
        for answer in self._pings.values():
            _answer(answer, False)
        self._pings.clear()
        self._news()

    def _end(self, error: Exception) -> None:
        """There is no next line: everybody who waits for something is told."""
        if self._ended is not None:
            return
        self._lost()
        self._ended = error
        for asked in self._asked.values():
            _fail(asked.answer, error)
        self._asked.clear()
        self._refuse_pending(error)
        self._up.set()

    # inside: what the server says

    @staticmethod
    def _read(frame: bytes | str) -> to_client.Message:
        message: to_client.Message = msgspec.convert(msgpack.unpackb(frame), to_client.Message)
        return message

    def _handle(self, message: to_client.Message) -> None:
        self._answered = self._answered or isinstance(message, _ANSWERS)
        match message:
            case to_client.Moved():
                self._moved(message)
            case to_client.Unmoved():
                self._unmoved(message)
            case to_client.ProgressRows(race, rows):
                if self.room is not None and race == self.room.race["number"]:
                    self.progress.update((seat, Progress(*row)) for seat, *row in rows)
            case to_client.Patch(n, patch):
                if self.room is not None:
                    self.room.patch(n, patch)
                    self._forget_old_race()
            case to_client.RoomState(epoch, n, seat, view):
                if self.room is not None and self.room.epoch != epoch:
                    self._forget_race(Refused("over"))
                self.room = Room(epoch, n, seat, view)
                self._forget_old_race()
            case to_client.OwnBoard():
                self._dealt(message)
            case to_client.Ok(c):
                if asked := self._asked.pop(c, None):
                    _answer(asked.answer, None)
            case to_client.Refused(c, code, text):
                if asked := self._asked.pop(c, None):
                    _fail(asked.answer, RefusedByServer(code, text))
            case to_client.Pong(t, now):
                if answer := self._pings.pop(t, None):
                    self.clock.sample(t, now, local_ms())
                    _answer(answer, True)
            case to_client.Notice():
                self.notices.append(message)
            case to_client.Welcome():
                pass
        self._news()

    def _news(self) -> None:
        waiting, self._waiting = self._waiting, []
        for news in waiting:
            _answer(news, None)

    def _forget_old_race(self) -> None:
        """The board and the progress are of the room's present race, or there are none."""
        assert self.room is not None
        number = int(self.room.race["number"])
        if number != self._race_number:
            self._race_number = number
            self._forget_race(Refused("over"))

    def _forget_race(self, why: Exception) -> None:
        self.race = None
        self.progress.clear()
        self._refuse_pending(why)

    def _dealt(self, message: to_client.OwnBoard) -> None:
        assert self.room is not None
        self.race = OwnRace(message.race, game(self.room.race["game"]), message.start, message.moves)
        for pending in list(self._pending):
            self._settle(pending)

    def _moved(self, message: to_client.Moved) -> None:
        race = self.race
        if race is None or message.race != race.number or message.n <= len(race.log):
            return
        if message.n > len(race.log) + 1:
            raise _Gap
        race.append(message.text, message.turned)
        if self._pending:
            self._settle(self._pending[0])

    def _settle(self, pending: _Pending) -> None:
        """Answer a pending move if the log has come to its place: it is there, or another tab's move is."""
        assert self.race is not None
        if pending.message.n >= len(self.race.log):
            return
        self._pending.remove(pending)
        entry = self.race.log[pending.message.n]
        if entry.text == pending.message.text:
            _answer(pending.done, entry.turned)
        else:
            _fail(pending.done, Refused("out-of-turn", at=len(self.race.log), n=pending.message.n))

    def _unmoved(self, message: to_client.Unmoved) -> None:
        """Everything sent from the refused move on stands on it, so it is refused with it."""
        if self.race is not None and message.race == self.race.number:
            self._refuse_pending(RefusedByServer(message.code, message.message), message.n)

    def _refuse_pending(self, error: Exception, first: int = 0) -> None:
        refused = [pending for pending in self._pending if pending.message.n >= first]
        self._pending = [pending for pending in self._pending if pending.message.n < first]
        for pending in refused:
            _fail(pending.done, error)


class _Gap(Exception):
    """An entry of our log is missing; coming back fetches it."""


def _answer(waiting: asyncio.Future[T], result: T) -> None:
    """Answer whoever still waits."""
    if not waiting.done():
        waiting.set_result(result)


def _fail(waiting: asyncio.Future[T], error: Exception) -> None:
    if not waiting.done():
        waiting.set_exception(error)
