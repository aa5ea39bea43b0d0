"""Compares each frame that a client gets with the logs, and each change of the logs with the knowledge of clients.

The logs in Redis are the truth. The first difference is a `Violation`.
"""

import re
from bisect import bisect
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any

import msgspec

from fortythieves.errors import Refused
from fortythieves.protocol import to_client, to_server
from fortythieves.rules import race_rules
from fortythieves.rules.board import Board
from fortythieves.rules.cards import PACKS, names
from fortythieves.rules.move_notation import DRAW, STOCK, parse_move
from fortythieves.rules.ranking import Result, places
from fortythieves.rules.settings import Settings
from fortythieves.times import Ms, ms_of
from fortythieves_client.ledger import Ledger
from fortythieves_client.reconnecting import Gap
from fortythieves_client.room import Room as View
from fortythieves_server.core import events, evolve
from fortythieves_server.core.challenge import CHALLENGER, Challenge, Try
from fortythieves_server.core.room_state import Race, Room
from fortythieves_server.store.schema import event_of, move_of, of_room
from tests.sim.redis_server import Deployment

#: Seconds within which a client hears that data is lost, and within which all hear of an event: processes look for
#: missed messages each five seconds.
CORRECTED_WITHIN, KNOWN_WITHIN = 10.0, 12.0
#: Seconds without faults after which that is so, and within which a move is answered.
CALM = ANSWERED_WITHIN = 25.0
#: A frame may have been sent this long ago, under settings that have changed since.
ON_THE_WAY = ms_of(5)
_CARDS = re.compile(r"(?<![\w-])(?:[A2-9TJQK][CDHS])+(?![\w-])")
_A_CARD = re.compile(rb"[A2-9TJQK][CDHS]")
#: A move, and the cards that it revealed.
Entry = tuple[str, str]
_WITH_CARDS = to_client.OwnBoard, to_client.Moved, to_client.Gallery, to_client.Shown
#: The parts of the view of a challenge that only guests with a finished try get.
_HIDDEN = {"best", "finished", "median", "race"}
_READ = msgspec.msgpack.Decoder(to_client.ANY)


class Violation(AssertionError):
    """Something happened that must never happen."""


class NotThere(Violation):
    """A client hears of something that the log does not have. It may be lost since then."""


class SeatLog:
    """The log of one seat, and the board to which it leads."""

    def __init__(self, race: Race, asked: Callable[[int], Collection[str]], clock: Callable[[], float]) -> None:
        """``asked``: the moves for which clients asked as the next entry of a log of that length."""
        self._race, self._asked, self._clock = race, asked, clock
        self._begin()

    def _begin(self) -> None:
        self.board = Board.deal(self._race.game, self._race.deck)
        self.start = [names(column) for column in self.board.start()]
        self.stored: list[bytes] = []
        self.entries: list[Entry] = []
        self.times: list[Ms] = []
        #: When each entry was read first.
        self.seen: list[float] = []
        self.reached_at = self._race.starts_at or Ms(0)
        #: For each length: how many hidden cards of each pile these entries have revealed.
        self.revealed: list[Mapping[int, int]] = [{}]

    def follow(self, stored: Sequence[bytes]) -> bool:
        """Read on. Returns whether entries are gone."""
        is_cut = is_other(stored, self.stored)
        if is_cut:
            self._begin()
        for entry in stored[len(self.stored) :]:
            self._append(entry)
        return is_cut

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


def is_other(stored: Sequence[bytes], known: Sequence[bytes]) -> bool:
    """Whether a log does not go on from its known entries."""
    n = len(known)
    return len(stored) < n or (n > 0 and stored[n - 1] != known[-1])


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
    #: When each event was read first.
    seen: list[float] = field(default_factory=list)
    #: The epoch in which entries went missing, so that processes may tell of them until they notice.
    shaken: str = ""
    #: When it had to wait for the last time, because its slot moved.
    disturbed: float = -inf
    #: When each race was set to begin.
    began: dict[int, float] = field(default_factory=dict)
    #: Since when these settings hold.
    ruled: list[tuple[Ms, Settings]] = field(default_factory=list)
    over: set[int] = field(default_factory=set)
    seated: dict[int, str] = field(default_factory=dict)
    #: By race, seat and length of its log: the moves for which clients asked.
    asked: defaultdict[tuple[int, int, int], set[str]] = field(default_factory=lambda: defaultdict(set))

    def begin(self, epoch: str) -> None:
        """Read the log again from its beginning."""
        self.epoch, self.room = epoch, None
        for known in (self.stored, self.seats, self.seen, self.began, self.seated):
            known.clear()

    def race(self, number: int) -> Race | None:
        if self.room is None:
            return None
        return self.room.race if self.room.race.number == number else self.room.past.get(number)

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
class Knowledge:
    """Everything that one device of a person knows, also from earlier connections."""

    name: str
    guest: str = ""
    view: View | None = None
    #: By race: the deal, and the entries of its own log in this epoch.
    deals: dict[int, list[str]] = field(default_factory=dict)
    boards: defaultdict[int, Ledger[Entry]] = field(default_factory=lambda: defaultdict(Ledger))
    #: By race and seat: how many entries it saw as a spectator; and how far the rivals are.
    shown: dict[tuple[int, int], int] = field(default_factory=dict)
    progress: dict[tuple[int, int], int] = field(default_factory=dict)
    #: Since when it is connected (None: it is not), and since when it knows more than the logs have.
    since: float | None = None
    wrong_since: float = inf
    #: When it sent the moves that are not answered, by their number; and how many were.
    waiting: dict[int, float] = field(default_factory=dict)
    moves: int = 0

    def forget(self) -> None:
        """Nothing that it knew counts any more."""
        for known in (self.deals, self.boards, self.progress, self.shown):
            known.clear()

    def take(self, message: to_client.Message) -> str:
        """Remember a message. Returns why it does not follow the ones before ("": it does)."""
        match message:
            case to_client.Patch(n, patch) if self.view is not None:
                before = self.view.n
                self.view.patch(n, patch)
                return f"patch {n} comes after {before}" if n <= before else ""
            case to_client.OwnBoard(race, start, moves):
                self.deals[race] = list(start)
                gone, _ = self.boards[race].replace([(text, turned) for text, turned in moves])
                return f"a board has {len(moves)} entries and lacks {gone}, without a notice" if gone else ""
            case to_client.Moved(race, n, text, turned):
                try:
                    self.moves += self.boards[race].acknowledge(n, (text, turned))
                except Gap:
                    return f"entry {n} comes after {len(self.boards[race])}"
            case to_client.Gallery(race, _, _, logs):
                self.shown = {(race, seat): len(entries) for seat, entries in logs}
            case to_client.Shown(race, logs):
                wrong = [seat for seat, first, _ in logs if first != self.shown.get((race, seat), 0)]
                self.shown |= {(race, seat): first + len(more) for seat, first, more in logs}
                return f"entries of seats {wrong} are not the next ones" if wrong else ""
            case to_client.ProgressRows(race, rows):
                self.progress |= {(race, seat): moves for seat, moves, *_ in rows}
        return ""

    def is_wrong(self, room: RoomLog) -> bool:
        """Whether it knows more than the logs have, or of an earlier epoch."""
        view = self.view
        if view is None or (view.epoch, view.code) != (room.epoch, room.code) or view.n > len(room.stored):
            return True
        board, log = self.boards.get(number := int(view.race["number"])), room.seats.get((number, view.seat))
        if log and self.deals.get(number, log.start) != log.start:
            return True
        return board is not None and board.differences(log.entries if log else [], None)[0] > 0


class History:
    def __init__(self, redis: Deployment, clock: Callable[[], float]) -> None:
        """``clock``: seconds."""
        self._redis = redis
        self._clock = clock
        self.rooms: dict[str, RoomLog] = {}
        self.clients: dict[str, Knowledge] = {}
        #: The latest time that any clock of Redis has shown.
        self.now = Ms(0)
        #: Whether Redis may lose acknowledged data, and since when nothing fails.
        self.may_lose, self.calm_since = redis.may_lose, 0.0
        self._checked: object = None

    @property
    def moves(self) -> int:
        """How many moves were acknowledged."""
        return sum(client.moves for client in self.clients.values())

    # The logs

    def _value(self, code: str, *name: Any) -> Any:
        return self._redis.value(of_room(code, *name).encode())

    def epoch(self, code: str) -> str:
        """The epoch of a room. "": there is no such room."""
        found: bytes = (self._value(code, "meta") or {}).get(b"epoch", b"")
        return found.decode()

    def follow(self, code: str, *, past: bool = False) -> RoomLog:
        """Read on in the logs of a room. Raises `Violation` if acknowledged data is gone that must not be.

        ``past``: also in those of earlier races.
        """
        room, state = self.rooms.setdefault(code, RoomLog(code)), self._redis.state
        if state == room.followed and not past:
            return room
        room.followed = state
        epoch, stored, before = self.epoch(code), self._value(code, "log") or (), room.epoch
        is_cut = epoch != before or is_other(stored, room.stored)
        if is_cut:
            room.begin(epoch)
        for entry in stored[len(room.stored) :]:
            self._append(room, entry)
        room.seen += [self._clock()] * (len(room.stored) - len(room.seen))
        number = room.room.race.number if room.room is not None else 0
        for (race, seat), log in list(room.seats.items()):
            if race == number or past:
                is_cut |= log.follow(self._value(code, "moves", race, seat) or ())
        if is_cut and before:
            room.shaken = before
            known = [one.name for one in self.clients.values() if one.view and one.view.epoch == before]
            if not self.may_lose and any(self.clients[name].is_wrong(room) for name in known):
                raise Violation(f"room {code}, epoch {before}: entries are gone that some of {known} know")
        return room

    def check_all(self) -> None:
        """Raise `Violation` if acknowledged data is gone from any log, that must not be."""
        if (state := self._redis.state) != self._checked:
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
            found.follow(self._value(room.code, "moves", number, seat) or ())
        return found

    def _check_results(self, room: RoomLog, race: Race) -> None:
        for seat, result in race.results.items():
            log = self._seat(room, race.number, seat)
            log.follow(self._value(room.code, "moves", race.number, seat) or ())
            want = len(log.entries), log.board.home, log.board.home == len(PACKS)
            if (result.moves, result.home, result.solved) != want:
                raise Violation(f"room {room.code}: seat {seat} has {result}, by its log {want}")
            if log.entries and result.reached_at != log.reached_at:
                raise Violation(f"room {room.code}: seat {seat} reached {result.home} at {log.reached_at}")

    def is_on(self, code: str, number: int) -> bool:
        """Whether a race goes on, so that its record is a secret."""
        race = self.follow(code).race(number)
        return race is not None and race.on

    # Frames

    def asked(self, name: str, message: to_server.Move) -> None:
        """A client sends a move."""
        client = self.clients.get(name)
        if client and client.view is not None and client.view.seat:
            room = self.rooms[client.view.code]
            room.asked[message.race, client.view.seat, message.n].add(message.text)
            if client.since is not None:  # otherwise it is not sent
                client.waiting.setdefault(message.n, self._clock())

    def disconnected(self, name: str) -> None:
        """The connection broke, or was closed."""
        if name in self.clients:
            self.clients[name].since = None
            self.clients[name].waiting.clear()

    def heard(self, name: str, frame: bytes, now: Ms) -> None:
        """A client gets a frame. Raises `Violation`."""
        self.now = max(self.now, now)
        client = self.clients.setdefault(name, Knowledge(name))
        message = _READ.decode(frame)
        if msgspec.msgpack.encode(message) != frame:
            raise Violation(f"{name} got more than a {type(message).__name__}")
        match message:
            case to_client.Welcome():
                client.guest = message.token.partition(".")[0]
            case to_client.Notice("data-lost"):
                if not self.may_lose:
                    raise Violation(f"{name} hears that data is lost, and it is not")
                if client.view is not None:
                    client.view.epoch = ""
                client.forget()
            case to_client.Notice("store-down") if not self._may_be_away:
                raise Violation(f"{name} hears that Redis is away, and it is not")
            case to_client.Moved() | to_client.Unmoved():  # all before it are answered, all after it refused
                later = message.n if isinstance(message, to_client.Moved) else inf
                client.waiting = {n: at for n, at in client.waiting.items() if n >= later}
            case to_client.RoomState():
                self._entered(client, message)
            case to_client.OwnBoard():
                client.waiting.clear()
        why = client.take(message)
        if client.view is None:
            return
        room = self.follow(client.view.code)
        self._check_hidden(client, room, message, frame)
        if client.view.epoch != room.epoch:
            return
        if why:
            raise Violation(f"{name}: {why}")
        if room.shaken == room.epoch:
            return
        try:
            self._compare(client, room, message, frame)
        except NotThere:
            if not self.may_lose:
                raise
            room.shaken = room.epoch

    @property
    def _may_be_away(self) -> bool:
        return self._clock() <= self.calm_since

    def _entered(self, client: Knowledge, state: to_client.RoomState) -> None:
        client.waiting.clear()
        before = client.view
        if before is None or (before.code, before.epoch) != (state.view["code"], state.epoch):
            client.forget()
        # One may watch while Redis is away, and then sees the state that the process knows.
        elif state.n < before.n and (state.seat or not (self._may_be_away or self.may_lose)):
            raise Violation(f"{client.name} knew {before.n} events, and hears of {state.n}")
        client.view = View(state.epoch, state.n, state.seat, state.view)
        client.since = self._clock() if client.since is None else client.since

    def _check_hidden(self, client: Knowledge, room: RoomLog, message: to_client.Message, frame: bytes) -> None:
        """Raise `Violation` if a message has cards that do not belong there, or results that are secret."""
        # Few messages have such bytes at all.
        if not isinstance(message, _WITH_CARDS) and _A_CARD.search(frame) is not None:
            cards = [text for text in _texts(msgspec.msgpack.decode(frame)) if text != room.code]
            if cards := [text for text in cards if _CARDS.search(text)]:
                raise Violation(f"{client.name} got cards in a {type(message).__name__}: {cards}")
        for code in list(self.rooms):
            challenge, is_here = self._challenge(code), room.code == code
            if challenge is None or not (is_here or client.guest in challenge.numbers):
                continue
            if self.may_know(code, client.guest):
                continue
            others = [one for one in self.tries(code) if one.guest != client.guest and one.code.encode() in frame]
            shown = message.view if isinstance(message, to_client.RoomState) else {}
            shown = message.patch if isinstance(message, to_client.Patch) else shown
            if others or (is_here and (_HIDDEN & shown.get("challenge", {}).keys() or shown.get("chat"))):
                raise Violation(f"{client.name} hears of other tries before its own is over: {others}, {message}")

    def _compare(self, client: Knowledge, room: RoomLog, message: to_client.Message, frame: bytes) -> None:
        """Compare a message with the logs. Raises `Violation`."""
        name, race = client.name, room.room and room.room.race
        if race and race.over_at is None and race.is_secret and race.secret.encode() in frame:
            raise NotThere(f"{name} got the secret of race {race.number}")
        match message:
            case to_client.RoomState() | to_client.Patch():
                self._compare_view(client, room)
            case to_client.OwnBoard(number, start, moves):
                log = self._own(client, room, number)
                if list(start) != log.start:
                    raise NotThere(f"{name} got another deal")
                self._compare_entries(client, log, 0, moves)
            case to_client.Moved(number, n, text, turned):
                self._compare_entries(client, self._own(client, room, number), n - 1, [(text, turned)])
            case to_client.Gallery(number, _, start, logs):
                shown = room.race(number)
                if start is not None:
                    self._check_dealt(client, room, number)
                    if shown and shown.on and all(rule.watch == "progress" for _, rule in room.ruled):
                        raise Violation(f"{name} sees the deal, though nobody may")
                for seat, entries in logs:
                    self._compare_shown(client, room, number, seat, 0, entries)
            case to_client.Shown(number, logs):
                for seat, first, entries in logs:
                    self._compare_shown(client, room, number, seat, first, entries)
            case to_client.Hidden(number, stock) if race and race.number == number:
                known = [self._seat(room, number, seat).revealed[-1].get(STOCK, 0) for seat in race.active]
                if stock > min(known, default=stock):
                    raise NotThere(f"{name} hears of {stock} cards of the stock: {known}")
            case to_client.OwnTry(number, code):
                one = room.room and room.room.challenge and room.room.challenge.tries.get(number)
                if not one or (one.guest, one.code) != (client.guest, code):
                    raise NotThere(f"{name} hears of a try that is not its own: {message}, {one}")
            case to_client.ProgressRows(number, rows):
                for seat, count, *_ in rows:
                    if count > len(self._seat(room, number, seat).entries):
                        raise NotThere(f"{name} saw {count} moves of seat {seat}")

    def _compare_view(self, client: Knowledge, room: RoomLog) -> None:
        view = client.view
        assert view is not None
        if view.n > len(room.stored):
            raise NotThere(f"{client.name} hears of {view.n} events, the log has {len(room.stored)}")
        challenge = room.room and room.room.challenge
        for number, (_, *row) in view.view.get("challenge", {}).get("best", {}).items():
            one = challenge and challenge.tries[int(number)]
            if not one or [one.code, *(one.result or ())] != row:
                raise Violation(f"{client.name} sees another result of try {number}: {row}, {one}")
        race = room.race(int(view.race["number"]))
        if view.over and race is not None:
            rank = places({seat: result for seat, result in race.results.items() if result.is_ranked})
            want = {seat: (one.state, one.home, one.moves, rank.get(seat)) for seat, one in race.results.items()}
            keys = "state", "home", "moves", "place"
            seen = {seat: tuple(racer.get(key) for key in keys) for seat, racer in view.racers.items()}
            if seen != want:
                raise Violation(f"{client.name} sees the results {seen}, by the log they are {want}")

    def _own(self, client: Knowledge, room: RoomLog, number: int) -> SeatLog:
        self._check_dealt(client, room, number)
        return self._seat(room, number, client.view.seat if client.view else 0)

    def _check_dealt(self, client: Knowledge, room: RoomLog, number: int) -> None:
        race = room.race(number)
        if race is None or not race.has_started(self.now):
            start = race and race.starts_at
            raise Violation(f"{client.name} got cards at {self.now}, before race {number} has started: {start}")

    def _compare_entries(self, client: Knowledge, log: SeatLog, first: int, entries: Sequence[Sequence[str]]) -> None:
        if log.entries[first : first + len(entries)] != [(text, turned) for text, turned in entries]:
            raise NotThere(f"{client.name} got entries that are not at {first} of the log: {entries[-3:]}")

    def _compare_shown(
        self, client: Knowledge, room: RoomLog, number: int, seat: int, first: int, entries: Sequence[Sequence[str]]
    ) -> None:
        """A spectator sees more of a board."""
        race, end = room.race(number), first + len(entries)
        if race is None or client.view is None:
            return
        self._compare_entries(client, self._seat(room, number, seat), first, entries)
        if entries and client.view.seat in race.active:
            raise Violation(f"{client.name} races, and sees the board of seat {seat}")
        if not room.may_be_seen(race, seat, end, self.now):
            raise Violation(f"{client.name} sees {end} entries of seat {seat}, which some racers must not know")

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

    # Time passes

    def check_clients(self) -> None:
        """Raise `Violation` if a client was not corrected, not informed or not answered in time."""
        self.check_all()
        now, wrong = self._clock(), set[str]()
        for room in self.rooms.values():
            room.disturbed = now if self._redis.is_moving(room.code) else room.disturbed
        for client, _, room in self._connected():
            client.wrong_since = min(client.wrong_since, now) if client.is_wrong(room) else inf
            if client.wrong_since < inf:
                wrong.add(room.code)
            if now > max(client.wrong_since, client.since or 0.0, self.calm_since) + CORRECTED_WITHIN:
                raise Violation(f"{client.name} was not corrected: room {room.code} has lost data")
            sent = min(client.waiting.values(), default=inf)
            if now > max(sent, self.calm_since) + ANSWERED_WITHIN and room.disturbed < now:
                raise Violation(f"{client.name} gets no answer to moves {client.waiting}")
        for room in self.rooms.values():
            room.shaken = room.shaken if room.code in wrong else ""
        if now > self.calm_since + CALM and (why := self._uninformed(now - KNOWN_WITHIN)):
            raise Violation(why)

    def unsettled(self) -> str:
        """Which connected client does not know everything that the logs have. "": none."""
        self.check_all()
        wrong = [client.name for client, _, room in self._connected() if client.is_wrong(room)]
        return f"{wrong[0]} is wrong" if wrong else self._uninformed(inf)

    def _uninformed(self, before: float) -> str:
        """Which client does not know of some entry that was there before that time."""
        for client, view, room in self._connected():
            if room.shaken or max(room.disturbed, client.since or 0.0) > before:
                continue
            if view.n < (n := bisect(room.seen, before)):
                return f"{client.name} knows {view.n} of {n} events that are old"
            is_blind = room.room is not None and room.room.tournament and room.room.tournament.plan.blind
            for (race, seat), log in room.seats.items():
                known, moves = client.progress.get((race, seat), 0), bisect(log.seen, before)
                if race == int(view.race["number"]) and seat != view.seat and known < moves and not is_blind:
                    return f"{client.name} knows {known} of {moves} moves of seat {seat} that are old"
        return ""

    def _connected(self) -> Iterator[tuple[Knowledge, View, RoomLog]]:
        """The clients that are connected, each with its view and its room."""
        for client in self.clients.values():
            if client.since is not None and client.view is not None:
                yield client, client.view, self.rooms[client.view.code]

    def is_in(self, person: str) -> bool:
        """Whether a person is in a room, from any device."""
        return any(one.since is not None and one.name.partition("/")[0] == person for one in self.clients.values())


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        parts = [*value.keys(), *value.values()] if isinstance(value, dict) else value
        for part in parts:
            yield from _texts(part)
