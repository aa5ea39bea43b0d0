"""Compares all that clients were told with the logs. Pure, and cheap enough to run with each frame.

The logs in Redis are the truth. Every frame that a client gets, and every move that it asks for, is compared with them
when it arrives; every change of the logs is compared with what clients know. The first difference is a `Violation`.
"""

import contextlib
import re
from bisect import bisect
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import msgspec

from fortythieves.errors import Refused
from fortythieves.protocol import to_client
from fortythieves.rules import race_rules
from fortythieves.rules.board import Board
from fortythieves.rules.cards import PACKS, names
from fortythieves.rules.move_notation import DRAW, STOCK, parse_move
from fortythieves.rules.ranking import Result, places
from fortythieves.rules.settings import Settings
from fortythieves.solver.analysis import common
from fortythieves.times import Ms, ms_of
from fortythieves_client.ledger import Ledger
from fortythieves_client.reconnecting import Gap
from fortythieves_client.room import Room as View
from fortythieves_server.core import events, evolve
from fortythieves_server.core.challenge import CHALLENGER, Challenge, Try
from fortythieves_server.core.room_state import Race, Room
from fortythieves_server.store.schema import event_of, move_of

#: Seconds after a loss within which everybody in the room is told.
TOLD_WITHIN = 10.0
#: Seconds within which all know an event: processes look each five seconds.
KNOWN_WITHIN = 12.0
#: Seconds without faults after which that is so, and within which a move is answered.
CALM = ANSWERED_WITHIN = 25.0
#: A frame may have been sent this long ago, under settings that have changed since.
ON_THE_WAY = ms_of(5)
_CARDS = re.compile(r"(?<![\w-])(?:[A2-9TJQK][CDHS])+(?![\w-])")
_A_CARD = re.compile(rb"[A2-9TJQK][CDHS]")
#: A move, and the cards that it revealed. A seat, the number of its entries that were shown, and the next ones.
Entry = tuple[str, str]
Span = tuple[int, int, Sequence[tuple[str, str]]]
_WITH_CARDS = to_client.OwnBoard, to_client.Moved, to_client.Gallery, to_client.Shown
#: The parts of the view of a challenge that only guests with a finished try get.
_HIDDEN = {"best", "finished", "median", "race"}
_READ = msgspec.msgpack.Decoder(to_client.ANY)


class Violation(AssertionError):
    """Something happened that must never happen."""


class NotThere(Violation):
    """A client was told of something that the log does not have. It may be lost since then."""


class Logs(Protocol):
    """The logs as the Redis has them that is the master of a room now."""

    def state(self) -> object:
        """Differs after each change of any log."""

    def epoch(self, code: str) -> str:
        """The epoch of a room. "": there is no such room."""

    def room(self, code: str) -> Sequence[bytes]: ...

    def moves(self, code: str, race: int, seat: int) -> Sequence[bytes]: ...

    def may_be_away(self) -> bool:
        """Whether something fails, so that Redis cannot be reached."""


class SeatLog:
    """The log of one seat, and the board to which it leads."""

    def __init__(self, race: Race, asked: Callable[[int], Collection[str]], clock: Callable[[], float]) -> None:
        """``asked``: what clients have asked for as the next entry of a log of that length."""
        self._race = race
        self._clock = clock
        self._asked = asked
        #: How many entries the racer was told.
        self.told = 0
        self._begin()

    def _begin(self) -> None:
        self.board = Board.deal(self._race.game, self._race.deck)
        self.start = [names(column) for column in self.board.start()]
        self.stored: list[bytes] = []
        self.entries: list[Entry] = []
        self.times: list[Ms] = []
        #: When each entry was seen first.
        self.seen: list[float] = []
        self.reached_at = self._race.starts_at or Ms(0)
        #: For each length: how many hidden cards of each pile these entries have revealed.
        self.revealed: list[Mapping[int, int]] = [{}]

    def is_of(self, race: Race, seat: int) -> bool:
        return seat in race.racers and (race.starts_at, race.deck) == (self._race.starts_at, self._race.deck)

    def follow(self, stored: Sequence[bytes]) -> int:
        """Read on. Returns how many entries are missing or different that the racer was told."""
        n, told = len(self.stored), self.told
        if len(stored) < n or (n and stored[n - 1] != self.stored[-1]):
            kept = self.stored[: common(stored, self.stored)]
            self.told = min(told, len(kept))
            self._begin()
            for entry in kept:
                self._append(entry)
        for entry in stored[len(self.stored) :]:
            self._append(entry)
        return told - self.told

    def _append(self, entry: bytes) -> None:
        at, text = move_of(entry)
        n, board = len(self.entries), self.board
        if text not in self._asked(n):
            raise Violation(f"nobody asked for entry {n}: {text}, but for {self._asked(n)}")
        if self.times and at < self.times[-1]:
            raise Violation(f"entry {n} is older than the one before it")
        home = board.home
        try:
            turned = race_rules.play(board, self._race.settings.undo, text)
        except Refused as refused:
            raise Violation(f"entry {n} is illegal: {text}: {refused}") from None
        known = self.revealed[-1]
        if turned and not (text == str(DRAW) and board.redeals_left < board.game.redeals):  # then all of it was seen
            pile = parse_move(text).source
            known = {**known, pile: known.get(pile, 0) + len(turned) // 2}
        self.revealed.append(known)
        self.stored.append(entry)
        self.entries.append((text, turned))
        self.times.append(at)
        self.seen.append(self._clock())
        if board.home != home:
            self.reached_at = at

    def tell(self, client: str, first: int, entries: Sequence[Entry]) -> None:
        """A racer is told of entries. Raises `NotThere` if the log does not have them."""
        if self.entries[first : first + len(entries)] != list(entries):
            raise NotThere(f"{client} got entries that are not at {first} of its log: {entries[-3:]}")
        self.told = max(self.told, first + len(entries))


class Loss(NamedTuple):
    """Entries that clients know are lost. ``unaware``: the clients that must hear of it. None: all."""

    at: float
    epoch: str
    unaware: frozenset[str] | None = None


@dataclass
class RoomLog:
    """The log of a room, and everything that follows from it."""

    code: str
    epoch: str = ""
    stored: list[bytes] = field(default_factory=list)
    #: The state of the logs when they were read.
    followed: object = None
    room: Room | None = None
    seats: dict[tuple[int, int], SeatLog] = field(default_factory=dict)
    #: When each event was seen first, and how many events some client was told.
    seen: list[float] = field(default_factory=list)
    told: int = 0
    lost: Loss | None = None
    #: Since when it has its epoch, and when it had to wait for the last time.
    renewed: float = 0.0
    disturbed: float = 0.0
    #: When each race was set to begin.
    began: dict[int, float] = field(default_factory=dict)
    #: Since when these settings hold.
    ruled: list[tuple[Ms, Settings]] = field(default_factory=list)
    over: set[int] = field(default_factory=set)
    seated: dict[int, str] = field(default_factory=dict)
    #: By race, seat and length of its log: the moves for which clients asked.
    asked: defaultdict[tuple[int, int, int], set[str]] = field(default_factory=lambda: defaultdict(set))

    def race(self, number: int) -> Race | None:
        if self.room is None:
            return None
        return self.room.race if self.room.race.number == number else self.room.past.get(number)

    @property
    def is_blind(self) -> bool:
        """Whether progress is hidden until the round is over."""
        return self.room is not None and self.room.tournament is not None and self.room.tournament.plan.blind

    def may_be_seen(self, race: Race, seat: int, n: int, now: Ms) -> bool:
        """Whether a spectator may know the first ``n`` entries of a seat by the settings of these seconds."""
        log = self.seats[race.number, seat]
        active = [self.seats[race.number, other].revealed[-1] for other in race.active]
        if not race.on or n == 0:
            return True
        for _, settings in self.ruled[-1:] + [one for one in self.ruled if one[0] > now - ON_THE_WAY]:
            may = settings.watch == "open"
            if settings.watch == "delayed":
                may = log.times[n - 1] <= now - ms_of(settings.delay)
            elif settings.watch == "frontier" and settings.late != "join" and settings.undo != "free":
                may = all(seen.get(pile, 0) >= count for seen in active for pile, count in log.revealed[n].items())
            if may:
                return True
        return False


@dataclass
class Told:
    """What one connection of a client was told, also before it broke."""

    name: str
    guest: str = ""
    view: View | None = None
    #: By race: the entries of its own log in this epoch.
    boards: defaultdict[int, Ledger[Entry]] = field(default_factory=lambda: defaultdict(Ledger))
    #: By race and seat: how many entries it saw as a spectator; and how far the rivals are.
    shown: dict[tuple[int, int], int] = field(default_factory=dict)
    progress: dict[tuple[int, int], int] = field(default_factory=dict)
    #: Since when it is connected. None: it is not.
    since: float | None = None
    #: When it got the last notice of a loss, and when it sent the moves that are not answered, by their number.
    warned: float = -1.0
    waiting: dict[int, float] = field(default_factory=dict)

    def is_old(self, room: RoomLog) -> bool:
        """Whether it still hears of data that is lost, and will soon be told so."""
        epoch = self.view.epoch if self.view is not None else ""
        return epoch != room.epoch or (room.lost is not None and room.lost.epoch == epoch)

    def note(self, message: to_client.Message) -> None:
        """Remember a message that cannot be compared, because data was lost."""
        match message:
            case to_client.Patch() if self.view is not None:
                self.view.patch(message.n, message.patch)
            case to_client.OwnBoard():
                self.boards[message.race].replace([(text, turned) for text, turned in message.moves])
            case to_client.Moved():
                with contextlib.suppress(Gap):
                    self.boards[message.race].acknowledge(message.n, (message.text, message.turned))
            case to_client.Gallery():
                self.shown = {(message.race, seat): len(entries) for seat, entries in message.logs}
            case to_client.Shown():
                self.shown |= {(message.race, seat): first + len(more) for seat, first, more in message.logs}
            case to_client.ProgressRows():
                self.progress |= {(message.race, seat): moves for seat, moves, *_ in message.rows}

    def knows_more(self, room: RoomLog) -> bool:
        """Whether a racer knows more than the logs have."""
        view = self.view
        if view is None or not view.seat or view.code != room.code:
            return False
        log = room.seats.get((number := int(view.race["number"]), view.seat))
        return self.knows_more_events(room) or self.boards[number].differences(log.entries if log else [], None)[0] > 0

    def knows_more_events(self, room: RoomLog) -> bool:
        return self.view is not None and self.view.code == room.code and self.view.n > len(room.stored)


class History:
    def __init__(self, logs: Logs, clock: Callable[[], float]) -> None:
        """``clock``: seconds."""
        self._logs = logs
        self._clock = clock
        self.rooms: dict[str, RoomLog] = {}
        self.told: dict[str, Told] = {}
        #: The latest time that any clock of Redis has shown.
        self.now = Ms(0)
        #: Whether Redis may lose what was acknowledged, and until when it does while no server runs.
        self.may_lose, self.alone_until = False, 0.0
        self.moves = 0
        self._checked: object = None

    # What happens

    def asked(self, client: str, race: int, n: int, text: str) -> None:
        """A client sends a move."""
        told = self.told.get(client)
        if told and told.view is not None and told.view.seat:
            self._room(told.view.code).asked[race, told.view.seat, n].add(text)
            if told.since is not None:  # otherwise it is not sent
                told.waiting.setdefault(n, self._clock())

    def disconnected(self, client: str) -> None:
        """The connection broke, or was closed."""
        if client in self.told:
            self.told[client].since = None
            self.told[client].waiting.clear()

    def heard(self, client: str, frame: bytes, now: Ms) -> None:
        """A client gets a frame. Raises `Violation`."""
        self.now = max(self.now, now)
        told = self.told.setdefault(client, Told(client))
        message = _READ.decode(frame)
        if msgspec.msgpack.encode(message) != frame:
            raise Violation(f"{client} got more than a {type(message).__name__}")
        if isinstance(message, to_client.RoomState):
            self._entered(told, message)
        match message:
            case to_client.Welcome():
                told.guest = message.token.partition(".")[0]
            case to_client.Notice("data-lost") if not self.may_lose:
                raise Violation(f"{client} is told that data is lost, and it is not")
            case to_client.Notice("data-lost"):
                told.warned = self._clock()
                if told.view is not None:
                    told.view.epoch = ""  # nothing that it knew counts any more
            case to_client.Notice("store-down") if not self._logs.may_be_away():
                raise Violation(f"{client} is told that Redis is away, and it is not")
            case to_client.Moved() | to_client.Unmoved():  # all before it are answered, all after it refused
                later = message.n if isinstance(message, to_client.Moved) else 2**53
                told.waiting = {n: at for n, at in told.waiting.items() if n >= later}
            case to_client.OwnBoard() | to_client.RoomState():
                told.waiting.clear()
        if told.view is None:
            return
        room = self.follow(told.view.code)
        self._check_blind(told, message, frame)
        race = room.room and room.room.race
        # Few other messages have such bytes at all.
        may_have_cards = not isinstance(message, _WITH_CARDS) and _A_CARD.search(frame) is not None
        if may_have_cards and (cards := _cards_in(msgspec.msgpack.decode(frame), room.code)):
            raise Violation(f"{client} got cards in a {type(message).__name__}: {cards}")
        if told.is_old(room):
            if isinstance(message, to_client.OwnBoard) and room.lost is not None and told.view.epoch == room.epoch:
                is_shorter = len(message.moves) < len(told.boards.get(message.race, ()))
                if is_shorter and told.warned < room.lost.at:
                    raise Violation(f"{client} is told of {len(message.moves)} entries, and not that data is lost")
            told.note(message)
            return
        try:
            if race and race.over_at is None and race.is_secret and race.secret.encode() in frame:
                raise NotThere(f"{client} got the secret of race {race.number}")
            self._compare(told, room, message)
        except NotThere:
            if not self.may_lose:
                raise
            told.note(message)
            room.lost = room.lost or Loss(self._clock(), room.epoch)

    def _compare(self, told: Told, room: RoomLog, message: to_client.Message) -> None:
        """Compare a message with the logs. Raises `Violation`."""
        client, view, race = told.name, told.view, room.room and room.room.race
        assert view is not None
        match message:
            case to_client.RoomState():
                self._compare_view(told, room)
            case to_client.Patch():
                if message.n <= view.n:
                    raise Violation(f"{client} got patch {message.n} after {view.n}")
                view.patch(message.n, message.patch)
                self._compare_view(told, room)
            case to_client.OwnBoard():
                self._board(told, room, message)
            case to_client.Moved():
                self._moved(told, room, message)
            case to_client.Gallery():
                told.shown.clear()
                if message.start is not None:
                    self._check_dealt(told, room, message.race)
                    shown = room.race(message.race)
                    if shown and shown.on and all(rule.watch == "progress" for _, rule in room.ruled):
                        raise Violation(f"{client} sees the deal, though nobody may")
                self._shown(told, room, message.race, [(seat, 0, entries) for seat, entries in message.logs])
            case to_client.Shown():
                self._shown(told, room, message.race, message.logs)
            case to_client.Hidden(number, stock) if race and race.number == number:
                known = [self._seat(room, number, seat).revealed[-1].get(STOCK, 0) for seat in race.active]
                if stock > min(known, default=stock):
                    raise NotThere(f"{client} is told of {stock} cards of the stock: {known}")
            case to_client.OwnTry(number, code):
                one = room.room and room.room.challenge and room.room.challenge.tries.get(number)
                if not one or (one.guest, one.code) != (told.guest, code):
                    raise NotThere(f"{client} is told of a try that is not its own: {message}, {one}")
            case to_client.ProgressRows():
                for seat, moves, *_ in message.rows:
                    if moves > len(self._seat(room, message.race, seat).entries):
                        raise NotThere(f"{client} saw {moves} moves of seat {seat}")
                    told.progress[message.race, seat] = moves

    # The logs

    def _room(self, code: str) -> RoomLog:
        return self.rooms.setdefault(code, RoomLog(code))

    def follow(self, code: str, *, past: bool = False) -> RoomLog:
        """Read on in the logs of a room. Raises `Violation` if acknowledged data is gone that must not be.

        ``past``: also in those of earlier races.
        """
        room, state = self._room(code), self._logs.state()
        if state == room.followed and not past:
            return room
        room.followed = state
        epoch, stored = self._logs.epoch(code), self._logs.room(code)
        n, lost = len(room.stored), 0
        rolled_back = epoch != room.epoch or len(stored) < n or (n > 0 and stored[n - 1] != room.stored[-1])
        if rolled_back:
            same = common(stored, room.stored)
            lost, room.told = max(0, room.told - same), min(room.told, same)
            if room.epoch and not self.may_lose:
                raise Violation(f"room {code}: {lost} events are gone, epoch {room.epoch} is {epoch} now")
            had, (room.epoch, room.room, room.stored) = room.epoch, (epoch, None, [])
            room.seen, room.renewed = room.seen[:same], self._clock()
            room.began.clear()
            room.seated.clear()
            if had:
                room.lost = room.lost or Loss(self._clock(), had)
        for entry in stored[len(room.stored) :]:
            self._append(room, entry)
        lost += self._forget_races(room) if rolled_back else 0
        room.seen += [self._clock()] * (len(room.stored) - len(room.seen))
        number = room.room.race.number if room.room is not None else 0
        for (race, seat), log in list(room.seats.items()):
            if race == number or past:
                told = log.follow(self._logs.moves(code, race, seat))
                lost += told
                if told and not self.may_lose:
                    raise Violation(f"room {code}: {told} entries of seat {seat} are gone")
        if lost:
            room.lost = room.lost or Loss(self._clock(), room.epoch)
        if self._clock() < self.alone_until and room.lost is not None and room.lost.unaware is None:
            room.lost = room.lost._replace(
                unaware=frozenset(told.name for told in self.told.values() if told.knows_more(room))
            )
        return room

    def _forget_races(self, room: RoomLog) -> int:
        """After a loss, forget races that never began. Returns how many of their entries racers were told."""
        lost = 0
        for (number, seat), log in list(room.seats.items()):
            race = room.race(number)
            if race is None or race.revealing or not log.is_of(race, seat):
                lost += log.told
                del room.seats[number, seat]
                room.over.discard(number)
        return lost

    def check_all(self) -> None:
        """Raise `Violation` if acknowledged data is gone from any log, that must not be."""
        if (state := self._logs.state()) == self._checked:
            return
        self._checked = state
        for code in list(self.rooms):  # a challenge leads to the rooms of its tries
            self.follow(code, past=True)

    def _append(self, room: RoomLog, entry: bytes) -> None:
        at, event = event_of(entry)
        before = room.room
        room.room = evolve.replay([(at, event)]) if before is None else evolve.replay_onto(before, [(at, event)])
        room.stored.append(entry)
        race = room.room.race
        if race.starts_at is not None:
            room.began.setdefault(race.number, self._clock())
        match event:
            case events.Joined(seat, guest):
                if room.seated.setdefault(seat, guest) != guest:
                    raise Violation(f"room {room.code}: seat {seat} was given twice")
                if sum(one.guest == guest for one in room.room.people.values()) > 1:
                    raise Violation(f"room {room.code}: a guest has two seats")
            case events.TryStarted(guest) if before and before.challenge:
                if guest in before.challenge.numbers or at > before.challenge.opened.closes_at:
                    raise Violation(f"room {room.code}: {guest} begins a second try, or too late")
            case events.TryFinished(number, result) if before and before.challenge:
                self._check_try(before.challenge, number, result)
            case events.Finished(seat) if before is not None and not before.race.racers[seat].racing:
                raise Violation(f"room {room.code}: seat {seat} has two results")
        if not room.ruled or room.ruled[-1][1] != room.room.settings:
            room.ruled.append((self.now, room.room.settings))
        if race.starts_at is not None and not race.revealing:
            for seat in race.racers:
                self._seat(room, race.number, seat)
        if race.over_at is not None and race.number not in room.over:
            room.over.add(race.number)
            self._check_results(room, race)

    def _seat(self, room: RoomLog, number: int, seat: int) -> SeatLog:
        found = room.seats.get((number, seat))
        if found is None:
            race = room.race(number)
            if race is None or seat not in race.racers:
                raise Violation(f"room {room.code}: seat {seat} is not in race {number}")
            found = room.seats[number, seat] = SeatLog(race, lambda n: room.asked[number, seat, n], self._clock)
            found.follow(self._logs.moves(room.code, number, seat))
        return found

    def _check_results(self, room: RoomLog, race: Race) -> None:
        for seat, result in race.results.items():
            log = self._seat(room, race.number, seat)
            log.follow(self._logs.moves(room.code, race.number, seat))
            want = len(log.entries), log.board.home, log.board.home == len(PACKS)
            if (result.moves, result.home, result.solved) != want:
                raise Violation(f"room {room.code}: seat {seat} has {result}, by its log {want}")
            if log.entries and result.reached_at != log.reached_at:
                raise Violation(f"room {room.code}: seat {seat} reached {result.home} at {log.reached_at}")

    def is_on(self, code: str, number: int) -> bool:
        """Whether a race goes on, so that nobody may have its record."""
        race = self.follow(code).race(number)
        return race is not None and race.on

    # Challenges

    def _challenge(self, code: str) -> Challenge | None:
        room = self.rooms[code].room if code in self.rooms else None
        return room.challenge if room is not None else None

    def tries(self, code: str) -> list[Try]:
        challenge = self._challenge(code)
        return [] if challenge is None else [one for number, one in challenge.tries.items() if number != CHALLENGER]

    def may_know(self, code: str, token: str | None) -> bool:
        """Whether a guest may know all results of a challenge."""
        challenge, guest = self._challenge(code), (token or "").partition(".")[0]
        if challenge is None or challenge.closed or guest in {*challenge.opened.seen, challenge.opened.guest}:
            return True
        return any(one.guest == guest and one.result is not None for one in challenge.tries.values())

    def open_tries(self) -> list[Try]:
        self.check_all()
        return [one for code in list(self.rooms) for one in self.tries(code) if one.result is None]

    def _check_try(self, challenge: Challenge, number: int, result: Result) -> None:
        """The result of a try is that of its race, which ended before the challenge did."""
        one = challenge.tries[number]
        if one.result is not None:
            raise Violation(f"try {number} has two results")
        room = self.follow(one.code).room
        if room is None or room.race.starts_at is None or self.may_lose:
            return
        race, start = room.race, room.race.starts_at
        want = race.results[1]
        if (race.ends_at or Ms(0)) > challenge.opened.closes_at or race.over_at is None:
            raise Violation(f"the race of try {number} ends after its challenge")
        if result != want._replace(when=want.when - start, reached_at=want.reached_at - start):
            raise Violation(f"try {number} has the result {result}, its race {want}")

    def _check_blind(self, told: Told, message: to_client.Message, frame: bytes) -> None:
        """Raise `Violation` if a guest who has not finished a try learns of other results."""
        for code in list(self.rooms):
            challenge, is_here = self._challenge(code), told.view is not None and told.view.code == code
            if challenge is None or not (is_here or told.guest in challenge.numbers) or self.may_know(code, told.guest):
                continue
            others = [one for one in self.tries(code) if one.guest != told.guest and one.code.encode() in frame]
            shown = message.view if isinstance(message, to_client.RoomState) else {}
            shown = message.patch if isinstance(message, to_client.Patch) else shown
            if others or (is_here and (_HIDDEN & shown.get("challenge", {}).keys() or shown.get("chat"))):
                raise Violation(f"{told.name} is told of other tries before its own is over: {others}, {message}")

    # The frames that a client gets

    def _entered(self, told: Told, state: to_client.RoomState) -> None:
        before = told.view
        if before is not None and (before.code, before.epoch) == (state.view["code"], state.epoch):
            room = self.follow(before.code)
            lost = room.lost
            # One may watch while Redis is away, and then sees what the process knows.
            may_be_older = not state.seat and self._logs.may_be_away()
            if state.n < before.n and not may_be_older and (lost is None or lost.epoch != state.epoch):
                raise Violation(f"{told.name} knew {before.n} events, and is told of {state.n}")
            if state.n > before.n and lost and lost.unaware and not told.knows_more(room):
                room.lost = lost._replace(unaware=lost.unaware - {told.name})  # others came first: nothing is less
        else:
            told.boards.clear()
            told.progress.clear()
            told.shown.clear()
        told.view = View(state.epoch, state.n, state.seat, state.view)
        told.since = self._clock() if told.since is None else told.since

    def _compare_view(self, told: Told, room: RoomLog) -> None:
        view = told.view
        assert view is not None
        if view.n > len(room.stored):
            raise NotThere(f"{told.name} is told of {view.n} events, the log has {len(room.stored)}")
        room.told = max(room.told, view.n)
        challenge = room.room and room.room.challenge
        for number, (_, *row) in view.view.get("challenge", {}).get("best", {}).items():
            one = challenge and challenge.tries[int(number)]
            if not one or [one.code, *(one.result or ())] != row:
                raise Violation(f"{told.name} sees another result of try {number}: {row}, {one}")
        race = room.race(int(view.race["number"]))
        if view.over and race is not None:
            rank = places({seat: result for seat, result in race.results.items() if result.is_ranked})
            want = {seat: (one.state, one.home, one.moves, rank.get(seat)) for seat, one in race.results.items()}
            keys = "state", "home", "moves", "place"
            seen = {seat: tuple(racer.get(key) for key in keys) for seat, racer in view.racers.items()}
            if seen != want:
                raise Violation(f"{told.name} sees the results {seen}, by the log they are {want}")

    def _board(self, told: Told, room: RoomLog, board: to_client.OwnBoard) -> None:
        known, entries = told.boards[board.race], [(text, turned) for text, turned in board.moves]
        log = self._own(told, room, board.race)
        if list(board.start) != log.start:
            raise Violation(f"{told.name} got another deal")
        if known.differences(entries, None)[0]:
            raise Violation(f"{told.name} knew {len(known)} entries of its log, and is told of {len(entries)}")
        log.tell(told.name, 0, entries)
        known.replace(entries)

    def _moved(self, told: Told, room: RoomLog, moved: to_client.Moved) -> None:
        entry, known = (moved.text, moved.turned), told.boards[moved.race]
        self._own(told, room, moved.race).tell(told.name, moved.n - 1, [entry])
        try:
            self.moves += known.acknowledge(moved.n, entry)
        except Gap:
            raise Violation(f"{told.name} knew {len(known)} entries, and is told of {moved}") from None

    def _own(self, told: Told, room: RoomLog, number: int) -> SeatLog:
        self._check_dealt(told, room, number)
        return self._seat(room, number, told.view.seat if told.view else 0)

    def _check_dealt(self, told: Told, room: RoomLog, number: int) -> None:
        race = room.race(number)
        if race is None or not race.has_started(self.now):
            raise Violation(
                f"{told.name} got cards at {self.now}, before race {number} has started: {race and race.starts_at}"
            )

    def _shown(self, told: Told, room: RoomLog, number: int, logs: Iterable[Span]) -> None:
        """A spectator is shown more of the boards."""
        race, view = room.race(number), told.view
        if race is None or view is None:
            return
        for seat, first, more in logs:
            log, entries = self._seat(room, number, seat), [(text, turned) for text, turned in more]
            end = first + len(entries)
            if first != told.shown.get((number, seat), 0):
                raise Violation(f"{told.name} is shown seat {seat} from {first}, after {told.shown}")
            if log.entries[first:end] != entries:
                raise NotThere(f"{told.name} is shown entries that seat {seat} does not have at {first}")
            if entries and view.seat in race.active:
                raise Violation(f"{told.name} races, and sees the board of seat {seat}")
            if not room.may_be_seen(race, seat, end, self.now):
                raise Violation(f"{told.name} is shown {end} entries of seat {seat}, which some racers must not know")
            told.shown[number, seat] = end

    # Time passes

    def check_announced(self, calm_since: float) -> None:
        """Raise `Violation` if somebody was not told of a loss in time. ``calm_since``: since when everything works."""
        now = self._clock()
        for room in [room for room in self.rooms.values() if room.lost is not None]:
            lost = room.lost
            assert lost is not None
            everyone = [one for one in self.told.values() if one.view and one.view.epoch == lost.epoch]
            is_less = any(one.knows_more(room) or one.knows_more_events(room) for one in everyone)
            if lost.epoch == room.epoch and lost.unaware is None and not is_less:
                room.lost = None  # another master had it all
                continue
            unaware = [
                one
                for one, view in self._connected()[room.code]
                if view.epoch == lost.epoch and one.warned < lost.at
                if lost.unaware is None or one.name in lost.unaware
            ]
            if any(now > max(lost.at, one.since or 0.0, calm_since) + TOLD_WITHIN for one in unaware):
                raise Violation(f"room {room.code}: {[one.name for one in unaware]} were not told that data is lost")
            if unaware or (room.epoch == lost.epoch and now < max(lost.at, calm_since) + CALM):
                continue
            if room.epoch != lost.epoch or lost.unaware is not None:
                room.lost = None

    def check_known(self, calm_since: float, is_disturbed: Callable[[str], bool]) -> None:
        """Raise `Violation` if a client does not know old events and moves of the room.

        ``is_disturbed``: whether a room may wait.
        """
        before = self._clock() - KNOWN_WITHIN
        for code, room in self.rooms.items():
            room.disturbed = self._clock() if is_disturbed(code) else room.disturbed
        if calm_since > self._clock() - CALM:
            return
        for code, connected in self._connected().items():
            room = self.rooms[code]
            if room.lost is not None or room.room is None or room.disturbed > before:
                continue
            for told, view in connected:
                if (told.since or 0.0) > before:
                    continue
                if view.epoch != room.epoch and room.renewed < before:
                    raise Violation(f"{told.name} knows epoch {view.epoch}, and not {room.epoch}")
                if told.is_old(room):
                    continue
                n = bisect(room.seen, before)
                if view.n < n:
                    raise Violation(f"{told.name} knows {view.n} of {n} events that are old")
                for (race, seat), log in room.seats.items():
                    known, moves = told.progress.get((race, seat), 0), bisect(log.seen, before)
                    if race == int(view.race["number"]) and seat != view.seat and known < moves and not room.is_blind:
                        raise Violation(f"{told.name} knows {known} of {moves} moves of seat {seat} that are old")

    def check_answered(self, calm_since: float, is_disturbed: Callable[[str], bool]) -> None:
        """Raise `Violation` if a move is not answered. ``is_disturbed``: whether a room may wait."""
        for one in self.told.values():
            if not one.waiting or self._clock() <= max(min(one.waiting.values()), calm_since) + ANSWERED_WITHIN:
                continue
            if one.view and not is_disturbed(one.view.code):
                raise Violation(f"{one.name} gets no answer to moves {one.waiting}")

    def _connected(self) -> defaultdict[str, list[tuple[Told, View]]]:
        """By room: the clients that are connected, and what they see."""
        found = defaultdict[str, list[tuple[Told, View]]](list)
        for one in self.told.values():
            if one.since is not None and one.view is not None:
                found[one.view.code].append((one, one.view))
        return found

    def is_in(self, person: str) -> bool:
        """Whether a person is in a room, from any device."""
        return any(one.since is not None and one.name.partition("/")[0] == person for one in self.told.values())

    def unsettled(self) -> str:
        """Which connected client does not know what everybody can know by now. "": none."""
        self.check_all()
        for code, connected in self._connected().items():
            room = self.rooms[code]
            for told, view in connected:
                if (view.epoch, view.n) != (room.epoch, len(room.stored)):
                    return f"{told.name} knows {view.n} of {len(room.stored)} events, epoch {view.epoch}"
                for (race, seat), log in room.seats.items():
                    known = told.progress.get((race, seat), 0)
                    is_rival = race == int(view.race["number"]) and seat != view.seat and not room.is_blind
                    if is_rival and known != len(log.entries):
                        return f"{told.name} knows {known} of {len(log.entries)} moves of seat {seat}"
        return ""


def _cards_in(value: Any, code: str) -> list[str]:
    """The texts with names of cards."""
    if isinstance(value, str):
        return [value] if value != code and _CARDS.search(value) else []
    if isinstance(value, dict):
        return [card for key, one in value.items() for card in (*_cards_in(key, code), *_cards_in(one, code))]
    return [card for one in value for card in _cards_in(one, code)] if isinstance(value, list) else []
