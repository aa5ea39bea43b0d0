"""A room as one process serves it: the cached fold, the people connected here, and the clock that drives it.

The order of work is always: decide against the cached fold, commit, evolve, acknowledge, fan out. Several
processes may serve a room at once; none owns it. Who decided on an old fold reads what it missed and decides
again.
"""

import asyncio
import contextlib
import logging
import secrets
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from fortythieves import to_client, to_server
from fortythieves.errors import CODES, Refused
from fortythieves.to_client import Close
from fortythieves.wire import encode
from fortythieves_server import decide, events, race, views
from fortythieves_server.clock import Clock
from fortythieves_server.outbox import Outbox
from fortythieves_server.race import Race, Room
from fortythieves_server.rule import Events, Given
from fortythieves_server.store import Behind, Closed, Lost, Store, StoreDown
from fortythieves_server.track import Progress, Track, fold
from fortythieves_server.viewers import Scene, Viewers

log = logging.getLogger(__name__)

#: The most seconds between two frames to everybody in a room with many people, and those in one with few.
TICK_MANY, TICK_FEW = 0.25, 0.05
#: More people than this are a crowd, which is told of events once a tick, too, of several at once.
CROWD = 40
#: A client that missed more moves than this gets its board anew.
RESUME_MOVES = 200
#: Seconds between two tries to do what has to be done and cannot be, without Redis.
AGAIN = 1.0

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


class Line:
    """One client's connection, as its room sees it."""

    __slots__ = ("guest", "n", "name", "outbox", "seat", "told", "via", "view")

    def __init__(self, via: str, outbox: Outbox) -> None:
        self.via = via
        self.outbox = outbox
        #: 0: none, or a watcher, who goes by ``name``.
        self.seat = 0
        self.name = ""
        self.guest = ""
        #: How many entries of its own log the client has; None before it has its board.
        self.told: int | None = None
        #: The view that the client has, and after how many events.
        self.view: views.View = {}
        self.n = 0

    def tell(self, message: to_client.Said) -> None:
        """Queue a message that is for this client alone."""
        self.outbox.put(encode(message))


class _Board:
    """A seat's track as this process knows it, None if it has to be read; used under its lock."""

    __slots__ = ("lock", "track")

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.track: Track | None = None


class LiveRoom:
    """One room on one process."""

    def __init__(
        self, room: Room, epoch: str, progress: dict[int, Progress], store: Store, clock: Clock, keep: Keep
    ) -> None:
        self.room = room
        self.epoch = epoch
        self.gone = False
        self.lines: dict[int, Line] = {}
        self._progress = progress
        self._store = store
        self._clock = clock
        self._keep = keep
        self._camera = views.Views()
        self._views = self._camera.of(room)
        self._patch_timer: asyncio.TimerHandle | None = None
        self._watchers: set[Line] = set()
        self._watchers_told = 0
        self._viewers = Viewers(self._scene, self._track_to_show)
        self._lock = asyncio.Lock()
        self._boards: defaultdict[int, _Board] = defaultdict(_Board)
        self._dealt = room.race.number if room.race.running(clock.now()) else 0
        #: The board as it was dealt, by epoch and race.
        self._fresh: tuple[tuple[str, int], bytes] | None = None
        self._changed_seats: set[int] = set()
        self._progress_timer: asyncio.TimerHandle | None = None
        self._timer: asyncio.TimerHandle | None = None
        #: What is being done without anybody waiting for it.
        self.tasks: set[asyncio.Task[None]] = set()
        #: Whether the log may have more than the fold.
        self._stale = False
        self._arriving = 0
        self._set_timer()

    @classmethod
    async def load(cls, code: str, store: Store, clock: Clock, keep: Keep) -> "LiveRoom":
        """The room as it is stored. Raises `Refused` if there is none, and `StoreDown`."""
        room, epoch, progress = await _read(code, store)
        return cls(room, epoch, progress, store, clock, keep)

    # --- people come and go ----------------------------------------------------------------------------------

    async def join(self, line: Line, guest: str, request: to_server.Join) -> None:
        """Seat a guest, or let one come back to a seat, and tell the line all there is to know."""
        self._arriving += 1
        try:
            await self._decide(lambda room, given: decide.join(room, guest, request, line.via, given))
        finally:
            self._arriving -= 1
        seat = self.room.seat_of(guest)
        if seat is None or self.room.people[seat].via != line.via:
            return  # Gone again, or taken over, while the commit was under way.
        line.seat, line.guest, line.told = seat, guest, None
        self.lines[seat] = line
        self._tell_state(line)
        self._tell_progress(line)
        resume = request.resume
        if resume and (resume.epoch, resume.race) == (self.epoch, self.room.race.number):
            line.told = resume.moves or None  # Who has no entry may have no board.
        await self._send_board(seat)

    @property
    def in_use(self) -> bool:
        """Whether somebody is connected here, or about to be."""
        return self.served or self._arriving > 0 or self._lock.locked()

    async def watch(self, line: Line, guest: str, request: to_server.Watch) -> None:
        """Let a guest watch, and tell the line all that a watcher may know. Raises `Refused`."""
        line.name = decide.watch(self.room, guest, request)
        line.guest = guest
        self._watchers.add(line)
        self._tell_state(line)
        line.tell(to_client.Watchers(self._watchers_told))
        self._tell_progress(line)
        await self._begin_to_show(line)

    @property
    def watchers(self) -> int:
        """How many people watch by way of this process."""
        return len(self._watchers)

    def tell_watchers(self, count: int) -> None:
        """Tell everybody how many people watch, if that has changed."""
        if count != self._watchers_told:
            self._watchers_told = count
            self.tell_all(to_client.Watchers(count))

    @property
    def served(self) -> bool:
        """Whether anybody is connected here."""
        return bool(self.lines or self._watchers)

    async def show_boards(self, line: Line, on: bool) -> None:
        """Show the boards to one who does not race, or no longer. Raises `Refused`."""
        if not on:
            self._viewers.leave(line)
            return
        self._may_look(line)
        await self._begin_to_show(line)

    def _may_look(self, line: Line) -> None:
        if line.seat:
            decide.may_look(self.room, line.seat)
        elif line not in self._watchers:
            raise Refused("not-in-room")

    async def _begin_to_show(self, line: Line) -> None:
        try:
            await self._viewers.refresh()
        except StoreDown:
            self._viewers.forget()
            self._soon(self._show_again())
        with contextlib.suppress(Refused):  # Perhaps the line's race has begun meanwhile, or it was turned away.
            self._may_look(line)
            self._viewers.enter(line)
            self._set_timer()

    async def watcher_says(self, line: Line, request: to_server.Chat) -> None:
        """A watcher says something. Raises `Refused`."""
        await self._decide(lambda room, given: decide.watcher_says(room, line.name, request))

    async def hang_up(self, line: Line) -> None:
        """A line is closed."""
        self._watchers.discard(line)
        self._viewers.leave(line)
        if self.lines.get(line.seat) is line:
            del self.lines[line.seat]
        if line.seat and not self.gone:
            await self._decide(lambda room, given: decide.gone(room, line.seat, line.via))

    async def command(self, line: Line, request: to_server.Command) -> None:
        """Carry out what a seat asks for. Raises `Refused`; then nothing happened."""
        await self._decide(lambda room, given: decide.decide(room, line.seat, request, given))

    # --- moves -----------------------------------------------------------------------------------------------

    async def move(self, line: Line, request: to_server.Move) -> None:
        """Make a move and confirm it, or refuse it with a reason."""
        seat = line.seat
        board = self._boards[seat]
        async with board.lock:
            try:
                turned = await self._move(board, seat, request)
            except Refused as refused:
                known = self._progress.get(seat)
                at = len(board.track.entries) if board.track else known.moves if known else 0
                answer = to_client.Unmoved(request.race, request.n, at, refused.code, str(refused))
                line.tell(answer)
                return
        line = self.lines.get(seat, line)
        line.tell(to_client.Moved(request.race, request.n + 1, request.text, turned))
        if line.told == request.n and request.race == self.room.race.number:
            line.told = request.n + 1

    async def _move(self, board: _Board, seat: int, request: to_server.Move) -> str:
        behind = False
        while True:
            current = self.room.race
            if request.race != current.number or seat not in current.racers:
                decide.may_move(self.room, seat, request.race, self._clock.now())
            try:
                track = await self._track(board, seat, sure=behind)
            except StoreDown:
                raise Refused("store-down") from None
            if request.n < len(track.entries):
                text, turned = track.entries[request.n]
                if text == request.text:
                    return turned  # Said twice: done once, answered twice.
            decide.may_move(self.room, seat, request.race, self._clock.now())
            if request.n != len(track.entries):
                raise Refused("out-of-turn", n=request.n, at=len(track.entries))
            epoch, last = self.epoch, track.at
            turned = track.play(request.text)
            board.track = None  # Until it is on disk nobody sees it.
            window = (current.starts_at or 0, current.ends_at or 0)
            try:
                at = await self._store.move(
                    self.room.code,
                    epoch,
                    current.number,
                    seat,
                    request.n,
                    last,
                    request.text,
                    window,
                    track.progress_ahead,
                )
            except Behind:
                behind = True
                continue
            except Closed as closed:
                self.hear_of_events()
                raise Refused(closed.code) from None
            except Lost:
                self._soon(self._recover_from(epoch))
                raise Refused("store-down") from None
            except StoreDown:
                raise Refused("store-down") from None
            track.confirm(at)
            if (self.epoch, self.room.race.number) == (epoch, current.number):
                board.track = track
                self._advance(seat, track.progress)
            return turned

    async def _track(self, board: _Board, seat: int, *, sure: bool) -> Track:
        """The seat's track, as far as anybody has heard; ``sure``: read the log even if nobody has. Under its lock."""
        current = self.room.race
        if board.track is None:
            board.track = Track(current.game, current.deck, current.settings.undo, current.starts_at or 0)
        known = len(board.track.entries)
        if sure or known < self._moves_of(seat):
            board.track.follow(await self._store.moves(self.room.code, current.number, seat, known))
        return board.track

    def _scene(self) -> Scene:
        return Scene(self.room, self._progress, self._clock.now())

    async def _track_to_show(self, number: int, seat: int) -> Track | None:
        board = self._boards[seat]
        async with board.lock:
            if number != self.room.race.number:
                return None
            track = await self._track(board, seat, sure=False)
            return track if number == self.room.race.number else None

    def _advance(self, seat: int, progress: Progress) -> None:
        self._progress[seat] = progress
        self._changed_seats.add(seat)
        if self._progress_timer is None and not self.gone:
            self._progress_timer = asyncio.get_running_loop().call_later(self._pace, self._send_progress)
        if progress.outcome:
            self._set_timer()

    @property
    def _pace(self) -> float:
        """Seconds between two frames to everybody, which cost more the more there are."""
        return min(TICK_MANY, max(TICK_FEW, (len(self.lines) + len(self._watchers)) * 0.002))

    def _send_progress(self) -> None:
        self._progress_timer = None
        if views.is_blind(self.room):
            self._changed_seats.clear()
            return
        frame = self._progress_frame(
            {seat: self._progress[seat] for seat in self._changed_seats if seat in self._progress}
        )
        self._changed_seats.clear()
        self._refresh_viewers()
        whole: list[bytes] = []

        def everything() -> bytes:
            if not whole:
                whole.append(self._progress_frame(self._progress))
            return whole[0]

        for line in self._everybody():
            line.outbox.put_latest(frame, everything)

    def _everybody(self) -> Iterator[Line]:
        yield from self.lines.values()
        yield from self._watchers

    def _refresh_viewers(self) -> None:
        if self._viewers.lines:
            self._soon(self._show_and_wait())

    async def _show_and_wait(self) -> None:
        with contextlib.suppress(StoreDown):  # What was not read is read the next time.
            await self._show_viewers()
        self._set_timer()

    async def _show_again(self) -> None:
        """Show those who came while nothing could be read what there is, as soon as it can be."""
        while self._viewers.lines and not self.gone:
            await asyncio.sleep(AGAIN)
            with contextlib.suppress(StoreDown):
                await self._show_viewers()
                self._set_timer()
                return

    async def _show_viewers(self) -> None:
        if self._viewers.lines:
            await self._viewers.refresh()

    def _tell_progress(self, line: Line) -> None:
        """How far everybody is, for one who comes in."""
        if self._progress and not views.is_blind(self.room):
            line.outbox.put(self._progress_frame(self._progress))

    def _progress_frame(self, progress: dict[int, Progress]) -> bytes:
        rows = [(seat, row.moves, row.home, row.stock) for seat, row in progress.items()]
        return encode(to_client.ProgressRows(self.room.race.number, rows))

    async def _send_board(self, seat: int) -> None:
        """Send a racer the board, or the entries that the client has not been told yet, as soon as they can be read."""
        while seat in self.lines:
            try:
                await self._show(seat)
            except StoreDown:
                await asyncio.sleep(AGAIN)
            else:
                return

    async def _show(self, seat: int) -> None:
        current = self.room.race
        if seat not in current.racers or current.starts_at is None or self._clock.now() < current.starts_at:
            return
        newcomer = self.lines[seat]
        if newcomer.told is None and not self._moves_of(seat):
            newcomer.outbox.put(self._fresh_board())
            newcomer.told = 0
            return
        board = self._boards[seat]
        async with board.lock:
            line = self.lines.get(seat)
            if line is None:
                return
            track = await self._track(board, seat, sure=line.told is not None)
            line = self.lines.get(seat)
            if line is None or current.number != self.room.race.number:
                return
            entries = track.entries
            if line.told is not None and 0 <= len(entries) - line.told <= RESUME_MOVES:
                for n, (text, turned) in enumerate(entries[line.told :], start=line.told + 1):
                    line.tell(to_client.Moved(current.number, n, text, turned))
            else:
                line.tell(to_client.OwnBoard(current.number, track.start, entries))
            line.told = len(entries)

    def _fresh_board(self) -> bytes:
        """The board as it was dealt: the same for all, so hundreds who begin together are sent it at once."""
        current = self.room.race
        dealt = self.epoch, current.number
        if self._fresh is None or self._fresh[0] != dealt:
            start = Track(current.game, current.deck, current.settings.undo, current.starts_at or 0).start
            self._fresh = dealt, encode(to_client.OwnBoard(current.number, start, []))
        return self._fresh[1]

    # --- decisions -------------------------------------------------------------------------------------------

    async def _decide(self, rule: Callable[[Room, Given], Events]) -> None:
        """Decide, commit, evolve, fan out; again from the start if the log has moved on in between."""
        try:
            async with self._lock:
                while not self.gone:
                    try:
                        if await self._carry_out(rule):
                            return
                    except Lost:
                        await self._recover()
        except StoreDown:
            raise Refused("store-down") from None
        raise Refused("unknown-room", code=self.room.code)

    async def _carry_out(self, rule: Callable[[Room, Given], Events]) -> bool:
        """Whether it is done; if not, the log had moved on, and was read. Raises `Lost`, `StoreDown`."""
        if self._stale:
            await self._catch_up()
        given = Given(self._clock.now(), secrets.token_hex(32), self._progress)
        decided = rule(self.room, given)
        if not decided:
            return True
        sealed = decide.sealed(decided)
        before = after = self.room
        for event in decided:
            after = race.evolve(after, given.now, event)
        try:
            at = await self._store.commit(
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
            if self.room.n == before.n and all(self._moves_of(seat) == moves for seat, moves in sealed.items()):
                raise Lost from None  # There is nothing that it could be behind of: the logs contradict each other.
            return False
        self._apply([(at, event) for event in decided])
        return True

    def _moves_of(self, seat: int) -> int:
        return self._progress[seat].moves if seat in self._progress else 0

    def _apply(self, happened: Sequence[tuple[int, events.Event]]) -> None:
        before = self.room.race.number
        for at, event in happened:
            self.room = race.evolve(self.room, at, event)
        self._views = self._camera.of(self.room)
        if self.room.race.number != before:
            self._progress = {}
            self._boards.clear()
            self._changed_seats.clear()
            for line in self.lines.values():
                line.told = None
                self._viewers.leave(line)
        self._tell_what_changed()
        for _, event in happened:
            self._look_after_lines(event)
        self._refresh_viewers()
        self._set_timer()

    def _tell_what_changed(self) -> None:
        """Tell everybody what changed: at once, or in a crowd after a moment, with whatever else happens in it."""
        if self._patch_timer is not None or self.gone:
            return
        if len(self.lines) + len(self._watchers) <= CROWD:
            self._send_patches()
        else:
            self._patch_timer = asyncio.get_running_loop().call_later(self._pace, self._send_patches)

    def _send_patches(self) -> None:
        self._patch_timer = None
        racing = set(self.room.race.active) if self.room.race.on else set()
        frames: dict[tuple[int, bool], bytes] = {}
        for line in self._everybody():
            if line.n == self.room.n:
                continue  # Who has just come in knows it all.
            # Those who race and those who do not see different chat.
            audience = line.seat in racing
            key = id(line.view), audience
            if key not in frames:
                patch = views.merge_patch(line.view, self._views[audience])
                frames[key] = encode(to_client.Patch(self.room.n, patch))
            line.view, line.n = self._views[audience], self.room.n
            line.outbox.put(frames[key])

    def _look_after_lines(self, event: events.Event) -> None:
        match event:
            case events.Left(seat, kicked):
                self._take_the_seat(seat, kicked=kicked)
            case events.Here(seat, via) if seat in self.lines and self.lines[seat].via != via:
                self.lines.pop(seat).outbox.close(Close.TAKEN_OVER, "Another connection took this seat")
            case events.Counted():
                self._keep_racers_from_watching()
            case events.StartedLate(seat):
                self._keep_racers_from_watching()
                if seat in self.lines:
                    self._soon(self._send_board(seat))
            case events.Changed(settings) if settings.watching == "nobody":
                for line in list(self._watchers):
                    self._turn_away(line, Close.KICKED, CODES["not-watchable"])

    def _take_the_seat(self, seat: int, *, kicked: bool) -> None:
        line = self.lines.pop(seat, None)
        if line is not None:
            self._viewers.leave(line)
            line.seat = 0
            if kicked:
                line.outbox.close(Close.KICKED, CODES["kicked"])
        if kicked:
            for watcher in [watcher for watcher in self._watchers if watcher.guest in self.room.banned]:
                self._turn_away(watcher, Close.KICKED, CODES["kicked"])

    def _keep_racers_from_watching(self) -> None:
        """Who begins to race sees no boards any more, on whatever line."""
        current = self.room.race
        if not current.on:
            return
        for seat in current.active:
            if seat in self.lines:
                self._viewers.leave(self.lines[seat])
        racing = {current.racers[seat].guest for seat in current.active}
        for watcher in [watcher for watcher in self._watchers if watcher.guest in racing]:
            self._turn_away(watcher, Close.TAKEN_OVER, "You race now, on another connection")

    def _turn_away(self, watcher: Line, code: int, reason: str) -> None:
        self._watchers.discard(watcher)
        self._viewers.leave(watcher)
        watcher.outbox.close(code, reason)

    def _tell_state(self, line: Line) -> None:
        """All that somebody may know who has just come, or has to forget what was."""
        line.view, line.n = self._views[self.room.race.on and line.seat in self.room.race.active], self.room.n
        line.tell(to_client.RoomState(self.epoch, self.room.n, line.seat, line.view))

    # --- what others did, and what the clock asks for ----------------------------------------------------------

    def hear_of_events(self) -> None:
        """Another process has committed to the room log."""
        if not self._stale:
            self._stale = True
            self._soon(self.look())

    def hear_of_move(self, number: int, seat: int, progress: Progress) -> None:
        """Another process has committed a move."""
        if number != self.room.race.number or self._moves_of(seat) >= progress.moves:
            return
        self._advance(seat, progress)
        line = self.lines.get(seat)
        if line is not None and line.told is not None:
            self._soon(self._send_board(seat))  # Made in another tab, or on the way when this line took over.

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

        def there(via: str) -> bool:
            return any(line.via == via for line in self.lines.values()) or alive(via)

        await self._decide(lambda room, given: decide.gone_lines(room, there))
        for seat, line in list(self.lines.items()):
            person = self.room.people.get(seat)
            if person is not None and person.via is None:
                await self._decide(partial(_back, seat, line.via))

    async def _catch_up(self) -> None:
        """Read the log from where the fold is. Raises `Lost`, `StoreDown`."""
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
            number, known = self.room.race.number, {seat: row.moves for seat, row in self._progress.items()}
            progress = await self._store.progress(self.room.code, number)
            if any(seat not in progress or progress[seat].moves < moves for seat, moves in known.items()):
                raise Lost  # What a failover has cut off is noticed here even if that seat never moves again.
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
        progress = await self._progress_of_logs(room.race)
        self.room, self.epoch, self._progress = room, epoch, progress
        self._stale = False
        self._views = self._camera.of(room)
        self._boards.clear()
        for watcher in self._watchers:
            watcher.tell(to_client.Notice("data-lost", "The server has lost data; this is what is left."))
            self._tell_state(watcher)
            self._tell_progress(watcher)
        self._viewers.forget()
        self._keep_racers_from_watching()
        self._changed_seats.clear()
        self._dealt = room.race.number if room.race.running(self._clock.now()) else 0
        for seat, line in list(self.lines.items()):
            line.told = None
            line.tell(to_client.Notice("data-lost", "The server has lost data; this is what is left."))
            if seat not in room.people or room.people[seat].guest != line.guest:
                del self.lines[seat]
                line.seat = 0
                line.outbox.close(Close.ROOM_GONE, "Your seat is no longer there")
                continue
            self._tell_state(line)
            self._tell_progress(line)
            self._soon(self._send_board(seat))
        self._refresh_viewers()
        self._set_timer()

    async def _progress_of_logs(self, current: Race) -> dict[int, Progress]:
        """How far everybody is by the move logs alone."""
        progress = {}
        for seat in current.racers:
            entries = await self._store.moves(self.room.code, current.number, seat)
            if not entries:
                continue
            start = Track(current.game, current.deck, current.settings.undo, current.starts_at or 0)
            try:
                track = fold(current.game, current.deck, current.settings.undo, current.starts_at or 0, entries)
            except Refused:  # Not even this log is whole. It can still be closed.
                log.exception("room %s: the moves of seat %d cannot be folded", self.room.code, seat)
                progress[seat] = start.progress._replace(moves=len(entries))
            else:
                progress[seat] = track.progress
        return progress

    def close(self, code: int, reason: str) -> None:
        """Serve this room no longer."""
        self.gone = True
        for line in self._everybody():
            line.outbox.close(code, reason)
        self.lines.clear()
        self._watchers.clear()
        for timer in (self._timer, self._progress_timer, self._patch_timer):
            if timer is not None:
                timer.cancel()

    def tell_all(self, message: to_client.Said) -> None:
        """Queue a message for everybody who is connected here."""
        frame = encode(message)
        for line in self._everybody():
            line.outbox.put(frame)

    @property
    def next_look(self) -> int:
        """When somebody has to look at the room again (ms): something is due, or it is idle and may go."""
        times = [decide.next_due(self.room, self._progress)]
        if not any(person.here for person in self.room.people.values()):
            times.append(self.expires_at)  # Somebody who is here has to go first.
        return min((time for time in times if time is not None), default=NEVER)

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
        if self._timer is not None:
            self._timer.cancel()
        times = [decide.next_due(self.room, self._progress)]
        current = self.room.race
        if current.on and self._dealt != current.number:
            times.append(current.starts_at)
        times.append(self._viewers.next_change(self.room))
        at = min((time for time in times if time is not None), default=None)
        if at is None or self.gone:
            self._timer = None
            return
        delay = max(0, at - self._clock.now()) / 1000
        self._timer = asyncio.get_running_loop().call_later(delay, lambda: self._soon(self._tick()))

    async def _tick(self) -> None:
        try:
            current = self.room.race
            if self._dealt != current.number and current.running(self._clock.now()):
                self._dealt = current.number
                for seat in self.lines:
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


def _back(seat: int, via: str, room: Room, given: Given) -> Events:
    person = room.people.get(seat)
    return [events.Here(seat, via)] if person is not None and person.via is None else []


async def _read(code: str, store: Store) -> tuple[Room, str, dict[int, Progress]]:
    stored = await store.read(code)
    if stored is None or not stored.entries:
        raise Refused("unknown-room", code=code)
    room = race.replay(stored.entries)
    return room, stored.epoch, await store.progress(code, room.race.number)
