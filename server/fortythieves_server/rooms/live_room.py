"""A room in this process: its state, the people connected here, their commands, and its clock.

The order of work is always: decide against the cached fold, commit, evolve, acknowledge, fan out. Several
processes may serve a room at once; none owns it. Who decided on an old fold reads what it missed and decides
again.
"""

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from fortythieves.errors import CODES, Refused
from fortythieves.protocol import to_client, to_server
from fortythieves.protocol.to_client import Close
from fortythieves.protocol.wire import encode
from fortythieves_server.common.tasks import slices
from fortythieves_server.core import decide, entry_list, events, race_review, room_state, views
from fortythieves_server.core.judge_moves import Progress
from fortythieves_server.core.room_state import Room
from fortythieves_server.core.rule_types import Events, Given, Sign
from fortythieves_server.rooms.broadcast import Audience, Line
from fortythieves_server.rooms.moves import Boards, Result
from fortythieves_server.rooms.pacing import Pacing
from fortythieves_server.rooms.spectators import Scene, Spectators
from fortythieves_server.store.clock import Clock
from fortythieves_server.store.store import Behind, Closed, Head, Lost, Newer, Store, StoreDown

log = logging.getLogger(__name__)

#: The most requests that are decided together.
ASKED = 200
#: Seconds between two tries to do what has to be done and cannot be, without Redis.
AGAIN = 1.0

#: What somebody is told of whom something of the server's own has failed.
BUG = "Something is wrong here, and it is not you"

#: In ms.
HOUR = 3_600_000
#: Later than any time.
NEVER = 2**53


class Keep(NamedTuple):
    """How long a room is kept after its last event, in ms."""

    #: One in which no race was ever started.
    unplayed: int
    #: One that has results.
    played: int


Rule = Callable[[Room, Given], Events]


class _Asked:
    """Something that is asked of a room, and what came of it."""

    __slots__ = ("done", "error", "rule")

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.done = False
        self.error: Exception | None = None


class LiveRoom:
    """One room on one process."""

    def __init__(
        self,
        room: Room,
        epoch: str,
        progress: dict[int, Progress],
        store: Store,
        clock: Clock,
        keep: Keep,
        pacing: Pacing,
        sign: Sign,
    ) -> None:
        self.room = room
        self.epoch = epoch
        self.gone = False
        self._store = store
        self._clock = clock
        self._keep = keep
        self._sign = sign
        self._boards = Boards(self, progress, store, clock, self._moved, self._answer, self._soon)
        self._audience = Audience(self, self._refresh_viewers, pacing)
        self.spectators = Spectators(self._scene, self._boards.track)
        self._lock = asyncio.Lock()
        #: What hosts are told of races that are over, by number.
        self._reviews: dict[int, to_client.Reviewed] = {}
        #: What is asked of the room and not answered yet.
        self._asked: list[_Asked] = []
        self._dealt = room.race.number if room.race.running(clock.now()) else 0
        self._timer: asyncio.TimerHandle | None = None
        #: When somebody has to look at the room again (ms): something is due, or it is idle and may go.
        self.next_look = NEVER
        #: What is being done without anybody waiting for it.
        self.tasks: set[asyncio.Task[None]] = set()
        #: Whether the log may have more than the fold.
        self._stale = False
        #: The lines of those whose joining is being committed: they are there, though nobody serves them yet.
        self._arriving: set[str] = set()
        self._set_timer()

    @classmethod
    async def load(cls, code: str, store: Store, clock: Clock, keep: Keep, pacing: Pacing, sign: Sign) -> "LiveRoom":
        """The room as it is stored. Raises `Refused` if there is none, and `StoreDown`."""
        room, epoch, progress = await _read(code, store)
        return cls(room, epoch, progress, store, clock, keep, pacing, sign)

    # --- people come and go ----------------------------------------------------------------------------------

    async def join(self, line: Line, guest: str, request: to_server.Join) -> None:
        """Seat a guest, or let one come back to a seat, and tell the line all there is to know."""
        address = line.address_in(self.room.code)
        self._arriving.add(line.via)
        try:
            await self._decide(lambda room, given: decide.join(room, guest, request, line.via, given, address))
        finally:
            self._arriving.discard(line.via)
        seat = self.room.seat_of(guest)
        if seat is None or self.room.people[seat].via != line.via:
            return  # Gone again, or taken over, while the commit was under way.
        line.seat, line.guest, line.told = seat, guest, None
        self._audience.lines[seat] = line
        self._audience.welcome(line)
        resume = request.resume
        if resume and (resume.epoch, resume.race) == (self.epoch, self.room.race.number):
            line.told = resume.moves or None  # Who has no entry may have no board.
        await self._send_board(seat)

    @property
    def in_use(self) -> bool:
        """Whether somebody is connected here, or about to be."""
        return self.people > 0 or bool(self._arriving) or self._lock.locked()

    async def watch(self, line: Line, guest: str, request: to_server.Watch) -> None:
        """Let a guest watch, and tell the line all that a watcher may know. Raises `Refused`."""
        address = line.address_in(self.room.code)
        line.name = decide.watch(self.room, guest, request, self._clock.now(), address)
        line.guest = guest
        self._audience.watchers.add(line)
        self._audience.welcome(line)
        await self._begin_to_show(line)

    @property
    def watchers(self) -> int:
        """How many people watch by way of this process."""
        return len(self._audience.watchers)

    def tell_watchers(self, count: int) -> None:
        """Tell everybody how many people watch, if that has changed."""
        self._audience.tell_watchers(count)

    def tell_all(self, message: to_client.Said) -> None:
        """Queue a message for everybody who is connected here."""
        self._audience.tell(message)

    @property
    def people(self) -> int:
        """How many are connected here, at a seat or to watch."""
        return len(self._audience)

    async def show_boards(self, line: Line, on: bool) -> None:
        """Show the boards to one who does not race, or no longer. Raises `Refused`."""
        if not on:
            self.spectators.leave(line)
            return
        self._may_look(line)
        if not self.spectators.is_shown(line):
            await self._begin_to_show(line)

    async def review(self, line: Line, of: room_state.Race) -> None:
        """Tell somebody what stands out in a race that is over. Raises `Refused`."""
        if of.number not in self._reviews:
            try:
                self._reviews[of.number] = await self._reviewed(of)
            except StoreDown:
                raise Refused("store-down") from None
        line.tell(self._reviews[of.number])

    async def _reviewed(self, of: room_state.Race) -> to_client.Reviewed:
        most = race_review.read_up_to(of.game)
        lengths = {seat: min(racer.result.moves, most) for seat, racer in of.racers.items() if racer.result}
        only_drew: list[int] = []
        for seat, log in (await self._store.raw_moves(self.room.code, of.number, lengths)).items():
            entries = (entry.partition(b" ")[2].decode() for entry in log.split(b"\n"))
            if race_review.only_drew(entries, of.game):
                only_drew.append(seat)
            await asyncio.sleep(0)  # Others go on while hundreds of logs are read.
        return to_client.Reviewed(of.number, race_review.of_one_address(of), sorted(only_drew))

    def _may_look(self, line: Line) -> None:
        if not line.seat and line not in self._audience.watchers:
            raise Refused("not-in-room")
        decide.may_look(self.room, line.guest)

    async def _begin_to_show(self, line: Line) -> None:
        try:
            await self.spectators.refresh()
        except StoreDown:
            self.spectators.forget()
            self._soon(self._show_again())
        with contextlib.suppress(Refused):  # Perhaps the line's race has begun meanwhile, or it was turned away.
            self._may_look(line)
            self.spectators.enter(line)
            self._set_timer()

    async def watcher_says(self, line: Line, request: to_server.Chat) -> None:
        """A watcher says something. Raises `Refused`."""
        address = line.address_in(self.room.code)
        await self._decide(lambda room, given: decide.watcher_says(room, line.guest, line.name, request, address))

    async def hang_up(self, line: Line) -> None:
        """A line is closed."""
        self._audience.leave(line)
        self.spectators.leave(line)
        if line.seat and not self.gone:
            await self._decide(lambda room, given: decide.gone(room, line.seat, line.via))

    async def command(self, line: Line, request: to_server.Command, password: str = "") -> None:
        """Carry out what a seat asks for. Raises `Refused`; then nothing happened.

        ``password``: the hash of the one that is in the request.
        """
        await self._decide(
            lambda room, given: decide.decide(room, line.seat, request, given._replace(password=password))
        )

    async def operate(self, rule: Rule) -> None:
        """Do what an operator asks for. Raises `Refused`; then nothing happened."""
        await self._decide(rule)

    def tell_list(self, line: Line) -> None:
        """Tell a host who has asked for it the entry list, with its links."""
        line.send_big(encode(to_client.EntryList(entry_list.rows(self.room))))

    # --- moves -----------------------------------------------------------------------------------------------

    def move(self, line: Line, request: to_server.Move) -> Awaitable[None] | None:
        """Make a move and confirm it, or refuse it with a reason. One that has to wait its turn must be awaited."""
        return self._boards.move(line, request)

    def is_free(self, seat: int) -> bool:
        """Whether a move of a seat need not wait its turn."""
        return self._boards.is_free(seat)

    def move_now(self, line: Line, request: to_server.Move) -> None:
        """The same as `move`, of a seat that is free."""
        self._boards.move_now(line, request)

    def _answer(self, line: Line, seat: int, request: to_server.Move, epoch: str, result: Result) -> None:
        """Tell a player what came of a move that was decided in an epoch."""
        match result:
            case str(turned):
                served = self._audience.lines.get(seat, line)
                if served.told == request.n and request.race == self.room.race.number:
                    served.told = request.n + 1
                    served.tell(to_client.Moved(request.race, request.n + 1, request.text, turned))
                else:
                    self._tell_out_of_order(served, line, seat, request, turned)
                return
            case Refused():
                refused = result
            case Closed(code=code):
                self.hear_of_events()
                refused = Refused(code)
            case Lost():
                self._soon(self._recover_from(epoch))
                refused = Refused("store-down")
            case StoreDown():
                refused = Refused("store-down")
            case bug:
                line.send_queue.close(Close.BUG, BUG)
                raise bug
        at = self._boards.length(seat)
        line.tell(to_client.Unmoved(request.race, request.n, at, refused.code, str(refused)))

    def _tell_out_of_order(self, served: Line, asked: Line, seat: int, request: to_server.Move, turned: str) -> None:
        """Tell of a move that is not the next one that the connection of its seat has to be told of.

        Each is told of the log in its order, and once; only who asks a second time is told a second time. The moves of
        a connection that was taken over may be made while the newer one is still being told what it missed.
        """
        if request.race == self.room.race.number and (served.told is None or served.told < request.n):
            self._soon(self._tell_missed(served, seat, request, turned, asks=served is asked))
        elif served is asked:  # Or it knows that already, or was told of the next race.
            served.tell(to_client.Moved(request.race, request.n + 1, request.text, turned))

    async def _tell_missed(self, line: Line, seat: int, request: to_server.Move, turned: str, *, asks: bool) -> None:
        """Tell a connection all that comes before a move first. One that had no board yet is answered after it."""
        had_board = line.told is not None
        await self._send_board(seat)
        if asks and not had_board:
            line.tell(to_client.Moved(request.race, request.n + 1, request.text, turned))

    def _moved(self, seat: int, progress: Progress) -> None:
        """A seat has come further."""
        if self.gone:
            return
        self._audience.moved(seat)
        if progress.outcome:
            self._set_timer()

    @property
    def progress(self) -> Mapping[int, Progress]:
        """How far each seat is that has made a move."""
        return self._boards.progress

    def _scene(self) -> Scene:
        return Scene(self.room, self._boards.progress, self._clock.now())

    def _refresh_viewers(self) -> None:
        if self.spectators.lines:
            self._soon(self._show_and_wait())

    async def _show_and_wait(self) -> None:
        with contextlib.suppress(StoreDown):  # What was not read is read the next time.
            await self._show_viewers()
        self._set_timer()

    async def _show_again(self) -> None:
        """Show those who came while nothing could be read what there is, as soon as it can be."""
        while self.spectators.lines and not self.gone:
            await asyncio.sleep(AGAIN)
            with contextlib.suppress(StoreDown):
                await self._show_viewers()
                self._set_timer()
                return

    async def _show_viewers(self) -> None:
        if self.spectators.lines:
            await self.spectators.refresh()

    async def _send_board(self, seat: int) -> None:
        """Send a racer the board, or what the client has not been told of it yet, as soon as it can be read."""
        while seat in self._audience.lines:
            try:
                await self._boards.show(seat, self._audience.lines.get)
            except StoreDown:
                await asyncio.sleep(AGAIN)
            else:
                return

    # --- decisions -------------------------------------------------------------------------------------------

    async def _decide(self, rule: Rule) -> None:
        """Decide, commit, evolve, fan out; again from the start if the log has moved on in between.

        Whatever else is asked meanwhile goes into the next commit together, in the order in which it was asked: when
        a thousand come back at once, that is a few commits, and everybody is told a few times of all who came.
        """
        asked = _Asked(rule)
        self._asked.append(asked)
        try:
            async with self._lock:
                while not asked.done and not self.gone:
                    try:
                        await self._carry_out()
                    except Lost:
                        await self._recover()
        except StoreDown:
            raise Refused("store-down") from None
        finally:
            if not asked.done:
                self._asked.remove(asked)
        if not asked.done:
            raise Refused("unknown-room", code=self.room.code)
        if asked.error is not None:
            raise asked.error

    async def _carry_out(self) -> None:
        """Decide and commit what is asked; if the log had moved on, read it instead. Raises `Lost`, `StoreDown`."""
        if self._stale:
            await self._catch_up()
        answers, decided, after = self._decided(self._clock.now())
        if decided:
            at = await self._commit(decided, after)
            if at is None:
                return
            _log(self.room.code, decided)
            self._apply([(at, event) for event in decided])
        for asked, error in answers:
            asked.done, asked.error = True, error
        # Whoever has stopped waiting meanwhile is not among them any more.
        self._asked = [asked for asked in self._asked if not asked.done]

    def _decided(self, now: int) -> tuple[list[tuple["_Asked", Exception | None]], Events, Room]:
        """What comes of what is asked: of each whether it is refused, all events, and the room after them."""
        answers: list[tuple[_Asked, Exception | None]] = []
        events_of_all: Events = []
        after = self.room
        for asked in self._asked[:ASKED]:
            given = Given(now, secrets.token_hex(32), self._boards.progress, sign=self._sign)
            try:
                decided = asked.rule(after, given)
            except Exception as error:  # noqa: BLE001 - refused, or a bug: in any case it is for whoever asked.
                answers.append((asked, error))
                continue
            answers.append((asked, None))
            events_of_all += decided
            for event in decided:
                after = room_state.evolve(after, now, event)
            if after.race.number != self.room.race.number:
                break  # How far the boards of the new race are is known only after the commit.
        return answers, events_of_all, after

    async def _commit(self, decided: Events, after: Room) -> int | None:
        """The time at which all of it is on disk, or None: the log had moved on, and was read.

        Raises `Lost`, `StoreDown`.
        """
        before, sealed = self.room, decide.sealed(decided)
        try:
            return await self._store.commit(
                before.code,
                self.epoch,
                before.n,
                before.at,
                before.race.number,
                decided,
                sealed,
                views.summary(after),
            )
        except Behind:
            self._stale = True
            await self._catch_up()
            if self.room.n == before.n and all(self._boards.moves_of(seat) == moves for seat, moves in sealed.items()):
                raise Lost from None  # There is nothing that it could be behind of: the logs contradict each other.
            return None

    def _apply(self, happened: Sequence[tuple[int, events.Event]]) -> None:
        before = self.room.race.number
        for at, event in happened:
            self.room = room_state.evolve(self.room, at, event)
        if self.room.race.number != before:
            self._boards.start_over({})
            for line in self._audience.lines.values():
                line.told = None
                self.spectators.leave(line)
        self._audience.room_changed()
        for _, event in happened:
            self._look_after_lines(event)
        self._refresh_viewers()
        self._set_timer()

    def _look_after_lines(self, event: events.Event) -> None:
        match event:
            case events.Left(seat, kicked):
                self._take_the_seat(seat, kicked=kicked)
            case events.Here(seat, via) if seat in self._audience.lines and self._audience.lines[seat].via != via:
                self._audience.lines.pop(seat).send_queue.close(Close.TAKEN_OVER, "Another connection took this seat")
            case events.Removed():
                self._turn_the_banned_away()
            case events.Counted():
                self._keep_racers_from_watching()
            case events.StartedLate(seat):
                self._keep_racers_from_watching()
                if seat in self._audience.lines:
                    self._soon(self._send_board(seat))
            case events.RoomClosed(reason):
                said = "An operator has closed this room"
                self.close(Close.ROOM_GONE, f"{said}: {reason}" if reason else said)
            case events.Changed(settings) if settings.watching == "nobody":
                for line in list(self._audience.watchers):
                    self._turn_away(line, Close.KICKED, CODES["not-watchable"])
                for line in self._audience.lines.values():
                    self.spectators.leave(line)

    def _take_the_seat(self, seat: int, *, kicked: bool) -> None:
        line = self._audience.lines.pop(seat, None)
        if line is not None:
            self.spectators.leave(line)
            line.seat = 0
            if kicked:
                line.send_queue.close(Close.KICKED, CODES["kicked"])
        if kicked:
            self._turn_the_banned_away()

    def _turn_the_banned_away(self) -> None:
        for watcher in [watcher for watcher in self._audience.watchers if watcher.guest in self.room.banned]:
            self._turn_away(watcher, Close.KICKED, CODES["kicked"])

    def _keep_racers_from_watching(self) -> None:
        """Who begins to race sees no boards any more, on whatever line."""
        current = self.room.race
        if not current.on:
            return
        for seat in current.active:
            if seat in self._audience.lines:
                self.spectators.leave(self._audience.lines[seat])
        racing = {current.racers[seat].guest for seat in current.active}
        for watcher in [watcher for watcher in self._audience.watchers if watcher.guest in racing]:
            self._turn_away(watcher, Close.TAKEN_OVER, "You race now, on another connection")

    def _turn_away(self, watcher: Line, code: int, reason: str) -> None:
        self._audience.leave(watcher)
        self.spectators.leave(watcher)
        watcher.send_queue.close(code, reason)

    # --- what others did, and what the clock asks for ----------------------------------------------------------

    def hear_of_events(self) -> None:
        """Another process has committed to the room log."""
        if not self._stale:
            self._stale = True
            self._soon(self.look())

    def hear_of_move(self, number: int, seat: int, progress: Progress) -> None:
        """Another process has committed a move."""
        line = self._audience.lines.get(seat)
        if self._boards.hear(number, seat, progress) and line is not None and line.told is not None:
            self._soon(self._send_board(seat))  # Made in another tab, or on the way when this line took over.

    @property
    def active_at(self) -> int:
        """When the last thing happened here, a move also (ms)."""
        return max([self.room.at, *(row.at for row in self._boards.progress.values())])

    def is_at(self, head: Head | None) -> bool:
        """Whether nothing happened in the stored room that is not known here, nor the other way round."""
        return head == (self.epoch, self.room.n, self.active_at)

    async def look(self) -> None:
        """Read what was missed, then do what is due."""
        self._stale = True
        with contextlib.suppress(StoreDown, Refused):
            async with self._lock:
                try:
                    await self._catch_up()
                except Lost:
                    await self._recover()
            await self._tick()

    async def drop_dead_lines(self, alive: Callable[[str], bool]) -> None:
        """Mark those as away whose connection is no longer there, and those as here who were thought away."""

        def rule(room: Room, given: Given) -> Events:
            here = {*self._arriving, *(line.via for line in self._audience.lines.values())}
            return decide.gone_lines(room, lambda via: via in here or alive(via))

        if rule(self.room, Given(self._clock.now(), "", self._boards.progress)):  # Hardly ever.
            await self._decide(rule)
        for seat, line in list(self._audience.lines.items()):
            person = self.room.people.get(seat)
            if person is not None and person.via is None:
                await self._decide(partial(_back, seat, line.via, line.address_in(self.room.code)))

    async def _catch_up(self) -> None:
        """Read the log from where the fold is. Raises `Lost`, `Newer`, `StoreDown`."""
        if not self._stale:
            return
        self._stale = False
        try:
            # The last entry that is known is read, too: a log that was cut and grew again has another one there.
            stored = await self._store.read(self.room.code, self.room.n - 1)
            if stored is None or stored.epoch != self.epoch or not stored.entries:
                raise Lost
            (at, _), *missed = stored.entries
            if at != self.room.at:
                raise Lost
            if missed:
                self._apply(missed)
            number, known = self.room.race.number, {seat: row.moves for seat, row in self._boards.progress.items()}
            progress = await self._store.progress(self.room.code, number)
            if any(seat not in progress or progress[seat].moves < moves for seat, moves in known.items()):
                raise Lost  # What a failover has cut off is noticed here even if that seat never moves again.
        except Newer as newer:
            self.close(Close.GOING_AWAY, str(newer))
            raise
        except BaseException:
            self._stale = True
            raise
        for seat, row in progress.items():
            self.hear_of_move(self.room.race.number, seat, row)

    async def _recover_from(self, epoch: str) -> None:
        with contextlib.suppress(StoreDown):
            async with self._lock:
                if self.epoch == epoch and not self.gone:
                    await self._recover()

    async def _recover(self) -> None:
        """Redis has lost data: take what it has for the truth, and say so to everybody. Raises `StoreDown`."""
        log.error("room %s: the log was cut or replaced; starting over from what is there", self.room.code)
        self._stale = True
        await self._store.renew(self.room.code, self.epoch)
        try:
            room, epoch, _ = await _read(self.room.code, self._store)
        except Refused:
            self.close(Close.ROOM_GONE, "This room is no longer there")
            return
        if epoch == self.epoch:
            # While one server takes over from another, both may think that they are the master: what is read comes from
            # the one, and what was just written went to the other.
            raise StoreDown("what was written cannot be read yet")
        progress = await self._boards.progress_of_logs(room)
        self.room, self.epoch = room, epoch
        self._reviews.clear()
        self._boards.start_over(progress)
        self._stale = False
        self._audience.start_over()
        self.spectators.forget()
        self._keep_racers_from_watching()
        self._dealt = room.race.number if room.race.running(self._clock.now()) else 0
        for line in list(self._audience.everybody()):
            line.tell(to_client.Notice("data-lost", "The server has lost data; this is what is left."))
            self._come_again(line)
        self._refresh_viewers()
        self._set_timer()

    def _come_again(self, line: Line) -> None:
        """Treat somebody who is here as if just come: what the client knew is not so any more."""
        line.told = None
        person = self.room.people.get(line.seat)
        if line.seat and (person is None or person.guest != line.guest):
            self._audience.leave(line)
            line.seat = 0
            line.send_queue.close(Close.ROOM_GONE, "Your seat is no longer there")
            return
        self._audience.welcome(line)
        if line.seat:
            self._soon(self._send_board(line.seat))

    def close(self, code: int, reason: str) -> None:
        """Serve this room no longer."""
        self.gone = True
        self._audience.close(code, reason)
        self._boards.start_over({})  # Now, and not when Python next looks for what only refers to itself.
        if self._timer is not None:
            self._timer.cancel()

    @property
    def active_until(self) -> int:
        """When the last thing happened here, or is planned to (ms)."""
        current = self.room.race
        planned = self.room.tournament.next_at if self.room.tournament else None
        return max(self.room.at, current.ends_at or 0, planned or 0)

    @property
    def expires_at(self) -> int:
        """When the room is forgotten (ms), if nothing happens and nobody is there."""
        played = bool(self.room.past) or self.room.race.starts_at is not None
        return self.active_until + (self._keep.played if played else self._keep.unplayed)

    def _set_timer(self) -> None:
        """Something has changed that says when something is due."""
        if self._timer is not None:
            self._timer.cancel()
        due = decide.next_due(self.room, self._boards.progress)
        idle = not any(person.here for person in self.room.people.values())  # Somebody who is here has to go first.
        self.next_look = min(NEVER if due is None else due, self.expires_at if idle else NEVER)
        current = self.room.race
        starts_at = (
            current.starts_at if current.on and not current.revealing and self._dealt != current.number else None
        )
        times = (due, starts_at, self.spectators.next_change(self.room))
        at = min((time for time in times if time is not None), default=None)
        if at is None or self.gone:
            self._timer = None
            return
        delay = self._clock.seconds_until(at)
        self._timer = asyncio.get_running_loop().call_later(delay, lambda: self._soon(self._tick()))

    async def _tick(self) -> None:
        try:
            current = self.room.race
            if self._dealt != current.number and current.running(self._clock.now()):
                self._dealt = current.number
                for seat in self._audience.lines:
                    self._soon(self._send_board(seat))
            await self._decide(decide.due)
            await self._show_viewers()
        except (Refused, StoreDown) as refused:
            if not self.gone:
                log.debug("room %s: what is due has to wait: %s", self.room.code, refused)
                await asyncio.sleep(AGAIN)
        except Exception:
            log.exception("room %s: what is due cannot be done", self.room.code)
            await asyncio.sleep(AGAIN)
        finally:
            self._set_timer()

    def _soon(self, work: "asyncio._CoroutineLike[None]") -> None:
        task: asyncio.Task[None] = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self.tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("room %s: a task failed", self.room.code, exc_info=error)


def _log(code: str, happened: Events) -> None:
    """Tell operators who want to know what kinds of things happen in a room; not what was said or drawn by lot."""
    if log.isEnabledFor(logging.INFO):
        for event in happened:
            log.info("room %s, seat %s: %s", code, getattr(event, "seat", None), event.__struct_config__.tag)


def _back(seat: int, via: str, address: str, room: Room, given: Given) -> Events:
    person = room.people.get(seat)
    return decide.back(room, seat, via, address) if person is not None and person.via is None else []


async def _read(code: str, store: Store) -> tuple[Room, str, dict[int, Progress]]:
    stored = await store.read(code)
    if stored is None or not stored.entries:
        raise Refused("unknown-room", code=code)
    room = await folded(stored.entries)
    return room, stored.epoch, await store.progress(code, room.race.number)


async def folded(log: Sequence[tuple[int, events.Event]]) -> Room:
    """The room that a log leads to; while it is a long one, everybody else has a turn now and then."""
    room = room_state.replay(log[:1])
    async for some in slices(log[1:]):
        room = room_state.went_on(room, some)
    return room
