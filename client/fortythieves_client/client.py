"""The Python client: everything that PROTOCOL.md lets a player do, as awaitables.

It keeps the state that the server sends: the room, the player's own board, and the progress of rivals. If the
connection breaks, it reconnects by itself, with the same seat and board. Unconfirmed moves are repeated; the server
applies each once.
"""

import asyncio
import contextlib
import logging
import random
import secrets
from collections import deque
from collections.abc import Callable, Coroutine, Iterator, Sequence
from typing import Any, Concatenate, NamedTuple, ParamSpec, Self, TypeVar
from urllib.parse import quote

from fortythieves.errors import CannotRead, Refused
from fortythieves.protocol import to_client, to_server
from fortythieves.record.race_record import SIZE_LIMIT
from fortythieves.rules.cards import Card
from fortythieves.rules.games import game
from fortythieves.rules.move_notation import Move
from fortythieves.rules.race_rules import UNDO
from fortythieves.times import Ms
from fortythieves_client.address import parse_address
from fortythieves_client.deal_check import DealCheck
from fortythieves_client.race import OwnRace, Progress
from fortythieves_client.reconnecting import (
    RETRYABLE,
    Gap,
    Handler,
    ReconnectingConnection,
    RefusedByServer,
    reject,
    resolve,
)
from fortythieves_client.room import Room
from fortythieves_client.verify import fetch

log = logging.getLogger(__name__)

T = TypeVar("T")
P = ParamSpec("P")

#: Seconds before a failed reveal of the nonce is repeated. The server waits three seconds for it.
REVEAL_RETRY = 0.2
#: The least and the most seconds between two questions whether another process can save, if ours cannot.
ELSEWHERE = 2.0, 6.0


def _command(
    kind: Callable[Concatenate[int, P], to_server.Message],
) -> Callable[Concatenate["Client", P], Coroutine[Any, Any, None]]:
    """A method that sends a command and waits for the answer. Its arguments are the fields of the message."""

    async def send(self: "Client", /, *fields: P.args, **named: P.kwargs) -> None:
        await self._connection.request(lambda c: kind(c, *fields, **named))

    send.__doc__ = kind.__doc__
    return send


class _InFlight(NamedTuple):
    message: to_server.Move
    done: asyncio.Future[tuple[Card, ...]]


class _MovesInFlight:
    """The moves of one seat that are not confirmed yet, in order."""

    def __init__(self) -> None:
        self._moves: list[_InFlight] = []

    def __len__(self) -> int:
        return len(self._moves)

    def __iter__(self) -> Iterator[to_server.Move]:
        """The messages, including moves that are added during the iteration."""
        return (move.message for move in self._moves)

    def add(self, message: to_server.Move) -> asyncio.Future[tuple[Card, ...]]:
        """Add a move. Returns the future of the cards that it reveals."""
        done: asyncio.Future[tuple[Card, ...]] = asyncio.get_running_loop().create_future()
        self._moves.append(_InFlight(message, done))
        return done

    def confirm(self, race: OwnRace) -> None:
        """Answer all moves whose places the log has reached, with our move or with one from another tab."""
        for move in [move for move in self._moves if move.message.n < len(race.log)]:
            self._moves.remove(move)
            entry = race.log[move.message.n]
            if entry.text == move.message.text:
                resolve(move.done, entry.turned)
            else:
                reject(move.done, Refused("out-of-turn", at=len(race.log), n=move.message.n))

    def refuse(self, error: Exception, first: int = 0) -> None:
        """Refuse all moves from this place of the log on."""
        refused = [move for move in self._moves if move.message.n >= first]
        self._moves = [move for move in self._moves if move.message.n < first]
        for move in refused:
            reject(move.done, error)


class Client(Handler):
    """A player on a server.

    ``async with Client("http://192.168.1.5:8040") as client: room = await client.create("Ann", game="lucas")``

    ``url``: the address of the server, or a room link; then `join` needs no code. ``code``: the room that we are going
    to join. The address of the connection names it, so that one of several server processes serves all its players.
    ``token``: the guest token of an earlier connection, which brings the seat back. ``reconnect_timeout``: seconds for
    which a broken connection is retried. ``socket``: for a server's own bots, which connect to a separate socket.

    Every method that sends a command waits for the server's answer. It raises `Refused` if the server refuses, and
    `reconnecting.Closed` if the connection is closed for good.
    """

    def __init__(
        self,
        url: str,
        *,
        code: str | None = None,
        token: str | None = None,
        reconnect_timeout: float = 60.0,
        socket: str | None = None,
    ) -> None:
        self._address = parse_address(url)
        self._code = code or self._address.code
        self._is_of_server = socket is not None
        self._connection = ReconnectingConnection(self._address.socket, token, reconnect_timeout, self, socket)
        #: The current room, or None. It stays the same object as long as we are in the room.
        self.room: Room | None = None
        #: Our own board in the current race, once the cards are dealt.
        self.race: OwnRace | None = None
        #: The progress of each seat: that of rivals from the server, and our own from our board.
        self.progress: dict[int, Progress] = {}
        #: The latest notices from the server.
        self.notices: deque[to_client.Notice] = deque(maxlen=20)
        #: Our memory of each deal, to check it later.
        self.deal_check = DealCheck()
        self._reviews: dict[int, to_client.Reviewed] = {}
        self._challenge = ""
        self._name = ""
        self._bot = False
        self._password = ""
        self._list: Sequence[to_client.ListRow] | None = None
        self._race_number = 0
        self._moves_in_flight = _MovesInFlight()
        self._waiters: list[Callable[[], None]] = []
        #: The nonces that are being revealed, and the objections to races that were reported.
        self._revealing: dict[str, asyncio.Task[None]] = {}
        self._objected: set[tuple[str, int, str]] = set()
        #: Looks for another process, because ours cannot save.
        self._seeking: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        await self._connection.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connection. We keep our seat; see `leave`."""
        for task in (*self._revealing.values(), *([self._seeking] if self._seeking else [])):
            task.cancel()
        await self._connection.close()

    def interrupt(self) -> None:
        """Break the connection without a close frame, as a tunnel does. The client reconnects by itself."""
        self._connection.interrupt()

    @property
    def token(self) -> str | None:
        """Our guest token. Anyone who has it can take our seat."""
        return self._connection.token

    @property
    def software(self) -> str:
        """The server's software version."""
        return self._connection.software

    def now(self) -> Ms:
        """The server's time since the epoch. It gets more precise with each `ping`."""
        return self._connection.clock.now()

    async def ping(self) -> None:
        """Make a round trip, which improves the estimate of the server's clock."""
        await self._connection.ping()

    async def until(self, condition: Callable[[], T | None]) -> T:
        """Wait until ``condition`` returns something true, and return it. It is called after every message, so it
        misses no state. Raises its exceptions, and `Closed` if the connection ends for good.
        """
        if found := condition():
            return found
        if self._connection.error is not None:
            raise self._connection.error
        result: asyncio.Future[T] = asyncio.get_running_loop().create_future()

        def check() -> None:
            try:
                if found := condition():
                    resolve(result, found)
                elif self._connection.error is not None:
                    reject(result, self._connection.error)
            except Exception as error:  # noqa: BLE001 - for the waiting caller
                reject(result, error)

        self._waiters.append(check)
        try:
            return await result
        finally:
            self._waiters.remove(check)

    # Rooms

    async def record(self, race: int) -> bytes:
        """The record of a finished race of our room. Raises `CannotRead`, and `ValueError` if we are in no room."""
        if self.room is None:
            raise ValueError("Which room? We are not in one.")
        address = f"{self._address.site}/api/races/{self.room.code}/{race}"
        data, _ = await fetch(self._address.site, address, SIZE_LIMIT, ask_key=False, token=self.token)
        return data

    async def create(
        self,
        name: str,
        *,
        bot: bool = False,
        plan: dict[str, Any] | None = None,
        password: str = "",
        face: int | None = None,
        **settings: Any,
    ) -> Room:
        """Open a room and take a seat in it. ``settings`` that are left out have their defaults.

        With a ``plan`` (``{}`` for the defaults) it is a tournament, which may need a ``password``. Returns the room.
        """
        self._name, self._bot, self._password = name, bot, ""
        await self._connection.request(lambda c: to_server.Create(c, name, settings, bot, plan, password, face))
        return self._seated()

    async def join(
        self,
        name: str,
        code: str | None = None,
        *,
        bot: bool = False,
        password: str = "",
        ticket: str = "",
        face: int | None = None,
    ) -> Room:
        """Take a seat in a room, or return to it. Without ``code``, it is that of the client, or of its link.

        ``password``: for a tournament that needs one. ``ticket``: from a personal link. Returns the room. Raises
        `Refused`, and `ValueError` if there is no code.
        """
        wanted = code or self._code
        if wanted is None:
            raise ValueError("Which room? The address names none.")
        self._name, self._bot, self._password = name, bot, password
        await self._connection.request(lambda c: to_server.Join(c, wanted, name, None, bot, password, ticket, face))
        return self._seated()

    def _seated(self) -> Room:
        if self.room is None:
            raise RuntimeError("The server answered ok but sent no room.")
        return self.room

    async def leave(self) -> None:
        """Leave the room for good."""
        await self._connection.request(to_server.Leave)
        self.room = None
        self._switch_race(0)

    async def ready(self, nonce: str | None = None) -> None:
        """Become ready and commit to a nonce for the deal: 16 random bytes in hexadecimal, "" for none. It is revealed
        automatically once the countdown has begun. Bots add none.
        """
        commitment = self._commitment(nonce)
        await self._connection.request(lambda c: to_server.Ready(c, commitment))

    def _commitment(self, nonce: str | None) -> str:
        room = self._seated()
        if nonce == "" or (nonce is None and self._bot):
            return ""
        return self.deal_check.draw(room.code, int(room.race["number"]) + room.over, nonce)

    async def rematch(self, nonce: str | None = None) -> None:
        """After a race: set up the next one, and become ready for it."""
        commitment = self._commitment(nonce)
        await self._connection.request(lambda c: to_server.Rematch(c, commitment))

    async def chat(self, text: str, key: str | None = None) -> None:
        """Send a chat message. A message with a ``key`` that was used before is ignored."""
        key = secrets.token_hex(8) if key is None else key
        await self._connection.request(lambda c: to_server.Chat(c, key, text))

    async def rename(self, name: str, face: int | None = None) -> None:
        """Change our name, and perhaps our face."""
        await self._connection.request(lambda c: to_server.Rename(c, name, face))
        self._name = name

    async def change_settings(self, **settings: Any) -> None:
        """Change some settings. All players become unready."""
        await self._connection.request(lambda c: to_server.ChangeSettings(c, settings))

    async def change_plan(self, *, password: str = "", **changes: Any) -> None:
        """As a host: change some of the plan, or the ``password`` for entering."""
        await self._connection.request(lambda c: to_server.ChangePlan(c, changes, password))

    async def entry_list(self) -> Sequence[to_client.ListRow]:
        """As a host: the entry list, with the entrant of each name and the ticket of its personal link."""
        self._list = None
        await self._connection.request(to_server.ShowList)
        return await self.until(lambda: self._list)

    async def review(self, race: int) -> to_client.Reviewed:
        """As the host: the unusual facts of a finished race."""
        await self._connection.request(lambda c: to_server.Review(c, race))
        return self._reviews[race]  # it arrives before the answer

    async def challenge(self, race: int, days: int = 7) -> str:
        """Challenge friends to the deal of a finished race of our room. Returns the code of the challenge."""
        room = self._seated()
        await self._connection.request(lambda c: to_server.Challenge(c, room.code, race, days))
        return self._challenge  # it arrives before the answer

    # Other commands

    unready = _command(to_server.Unready)
    give_up = _command(to_server.GiveUp)
    take_back = _command(to_server.TakeBack)
    agree_to_end = _command(to_server.AgreeToEnd)
    stand_aside = _command(to_server.StandAside)
    predict = _command(to_server.Predict)
    end_race = _command(to_server.EndRace)
    start = _command(to_server.Start)
    lock = _command(to_server.Lock)
    kick = _command(to_server.Kick)
    mute = _command(to_server.Mute)
    admit = _command(to_server.Admit)
    remove = _command(to_server.Remove)
    hand_over = _command(to_server.HandOver)
    add_bot = _command(to_server.AddBot)
    enter = _command(to_server.Enter)
    round = _command(to_server.Round)
    timer = _command(to_server.Timer)
    judge = _command(to_server.Judge)
    withdraw = _command(to_server.Withdraw)
    check_in = _command(to_server.CheckIn)
    registration = _command(to_server.Registration)
    half_bye = _command(to_server.HalfBye)
    team = _command(to_server.Team)
    rename_entrant = _command(to_server.RenameEntrant)
    correct = _command(to_server.Correct)
    replay_match = _command(to_server.ReplayMatch)
    swap = _command(to_server.Swap)
    announce = _command(to_server.Announce)
    undo_action = _command(to_server.Undo)
    release = _command(to_server.Release)
    co_host = _command(to_server.CoHost)

    # The race

    async def play(self, move: Move | str) -> tuple[Card, ...]:
        """Play a move and wait until it is on the server's disk. Returns the revealed cards. Raises `Refused`."""
        if self._connection.error is not None:
            raise self._connection.error
        if self.race is None:
            raise Refused("not-racing")
        n = len(self.race.log) + len(self._moves_in_flight)
        message = to_server.Move(self.race.number, n, str(move))
        done = self._moves_in_flight.add(message)
        await self._connection.send(message)
        return await done

    async def undo(self) -> None:
        """Undo the last move, if the settings allow it. Raises `Refused`."""
        await self.play(UNDO)

    # Callbacks of the connection (`reconnecting.Handler`)

    def room_code(self) -> str:
        return self.room.code if self.room is not None else self._code or ""

    def rejoin(self, c: int) -> to_server.Join | None:
        if self.room is None:
            return None
        moves = len(self.race.log) if self.race else 0
        resume = to_server.Resume(self.room.epoch, self._race_number, moves, self.room.n)
        return to_server.Join(c, self.room.code, self._name, resume, self._bot, self._password)

    def unconfirmed(self) -> Iterator[to_server.Message]:
        return iter(self._moves_in_flight)

    def closed(self, error: Exception) -> None:
        self._moves_in_flight.refuse(error)
        self._changed()

    def handle(self, message: to_client.Message) -> None:
        match message:
            case to_client.Moved():
                self._moved(message)
            case to_client.Unmoved(race, n, _, code, text, parameters):
                # All moves after the refused one depend on it, so they are refused, too.
                if self.race is not None and race == self.race.number:
                    self._moves_in_flight.refuse(RefusedByServer(code, text, parameters), n)
            case to_client.ProgressRows(race, rows):
                if race == self._race_number:
                    self.progress.update((seat, Progress(*row)) for seat, *row in rows)
            case to_client.Patch(n, patch, now):
                self._connection.clock.reached(now)
                if self.room is not None:
                    self.room.patch(n, patch)
                    self._room_changed(self.room)
            case to_client.RoomState():
                self._entered(message)
            case to_client.OwnBoard(race, start, moves):
                self.race = OwnRace(race, game(self._seated().race["game"]), start, moves)
                self._update_own_progress(self.race)
                self._moves_in_flight.confirm(self.race)
            case to_client.Reviewed(race):
                self._reviews[race] = message
            case to_client.Challenged(code):
                self._challenge = code
            case to_client.EntryList(rows):
                self._list = rows
            case to_client.Notice():
                self.notices.append(message)
                may_move = self._connection.several and not self._is_of_server
                if message.code == "store-down" and may_move and not self._seeking:
                    self._seeking = asyncio.create_task(self._seek_process())
                elif message.code == "store-back":
                    self._found_process()
            case _:
                pass  # `ReconnectingConnection` handles answers
        self._changed()

    def _changed(self) -> None:
        for check in self._waiters:
            check()

    async def _seek_process(self) -> None:
        """Go to another process, as soon as the balancer knows one that can save."""
        site = self._address.site
        while self._seeking is not None:
            await asyncio.sleep(random.uniform(*ELSEWHERE))
            with contextlib.suppress(CannotRead):
                await fetch(site, f"{site}/readyz?room={quote(self.room_code())}", SIZE_LIMIT, ask_key=False)
                self._seeking = None  # reconnecting may take longer than the time until the next question
                self.interrupt()

    def _found_process(self) -> None:
        if self._seeking is not None:
            self._seeking.cancel()
            self._seeking = None

    def _entered(self, state: to_client.RoomState) -> None:
        self._connection.clock.reached(state.now)
        self._found_process()
        if self.room is None:
            self.room = Room(state.epoch, state.n, state.seat, state.view)
        else:
            if self.room.epoch != state.epoch:
                self._switch_race(0)
            self.room.update(state.epoch, state.n, state.seat, state.view)
        self._room_changed(self.room)

    def _room_changed(self, room: Room) -> None:
        """Remember promises, reveal our nonce when it is time, and log a warning if the deal is another one."""
        number = int(room.race["number"])
        self._switch_race(number)
        self.deal_check.observe(room.view)
        nonce = self.deal_check.to_reveal(room.view, room.seat)
        if nonce is not None and nonce not in self._revealing:
            self._revealing[nonce] = asyncio.create_task(self._reveal(room, number, nonce))
        for objection in self.deal_check.objections(room.view, room.seat):
            if (room.code, number, objection) not in self._objected:
                self._objected.add((room.code, number, objection))
                self.notices.append(to_client.Notice("broken-promise", objection))
                log.warning("room %s, race %s: %s", room.code, number, objection)

    async def _reveal(self, room: Room, number: int, nonce: str) -> None:
        while True:
            try:
                await self._connection.request(lambda c: to_server.Reveal(c, nonce))
            except Refused as refused:
                if refused.code not in RETRYABLE:
                    self.notices.append(to_client.Notice(refused.code, str(refused)))
                    return
                await asyncio.sleep(REVEAL_RETRY)
            except ConnectionError:
                return  # pending calls already get the error
            else:
                self.deal_check.revealed(room.code, number, nonce)
                return

    def _switch_race(self, number: int) -> None:
        """Reset the board, the progress and pending moves if the current race is another one."""
        if number != self._race_number:
            self._race_number = number
            self.race = None
            self.progress.clear()
            self._moves_in_flight.refuse(Refused("over"))

    def _moved(self, message: to_client.Moved) -> None:
        race = self.race
        if race is None or message.race != race.number or message.n <= len(race.log):
            return
        if message.n > len(race.log) + 1:
            raise Gap
        race.append(message.text, message.turned)
        self._update_own_progress(race)
        self._moves_in_flight.confirm(race)

    def _update_own_progress(self, race: OwnRace) -> None:
        """Update our own progress. The server does not send it to us."""
        self.progress[self._seated().seat] = Progress(len(race.log), race.board.home, race.board.stock_count)
