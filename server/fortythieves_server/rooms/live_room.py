"""A room that this process serves: decides commands, catches up with other processes, and does everything that is due.

The order is always: decide against the cached state, commit, apply, acknowledge, broadcast. Several processes may serve
a room at the same time, and none owns it. If a process decided on an old state, it reads the missed entries and
decides once more.
"""

import logging
import secrets
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from fortythieves.errors import CODES, Refused, refuse_if
from fortythieves.protocol import to_client, to_server
from fortythieves.protocol.to_client import Close
from fortythieves.times import Ms, ms_of
from fortythieves_server.common.logs import about
from fortythieves_server.common.prices import NOBODY, Account
from fortythieves_server.core import decide, event_limits, events, evolve
from fortythieves_server.core.playthrough import Progress
from fortythieves_server.core.room_state import Room
from fortythieves_server.core.rule_context import Context, Events, NeedsClaim, Sign, earliest
from fortythieves_server.rooms.broadcast import Peers, Reactions
from fortythieves_server.rooms.cached_room import CachedRoom, progress_of_logs, read_room
from fortythieves_server.rooms.decision_inputs import Claims, Rule, compute_standings, decide_due
from fortythieves_server.rooms.file_process import FileProcess
from fortythieves_server.rooms.pacing import Pacing
from fortythieves_server.rooms.peer import Peer
from fortythieves_server.rooms.seats import Seats
from fortythieves_server.rooms.spectators import Spectators
from fortythieves_server.store.redis_errors import Behind, Lost, StoreDown
from fortythieves_server.store.schema import size_of

log = logging.getLogger(__name__)

#: The most commands that are decided together, and the CPU seconds after which none follows. Moves of all rooms wait
#: for them, and one that brings a new name into a room of a thousand takes 1 ms. Guesses.
TOGETHER, LONGEST = 200, 0.005
#: In an arena, a process without entrants leaves due work to the others for this long. A guess.
BEHIND = Ms(1_500)
HOUR = ms_of(3600)
DAY = 24 * HOUR
#: How long a circle is kept after the last score of its members.
CIRCLE = 60 * DAY
LONGEST_ARENA = ms_of(8 * 3600)
#: A planned start keeps a room for two weeks after its hosts left. A guess.
HOSTS_AWAY = 14 * 24 * HOUR
NEVER = Ms(2**53)


class Keep(NamedTuple):
    """How long a room is kept after its last event."""

    unplayed: Ms  # if it never had a race
    played: Ms  # if it has results


@dataclass(slots=True, eq=False)
class _Command:
    rule: Rule
    account: Account | None
    is_wanted: Callable[[], bool]
    decided: Events = field(default_factory=list)
    done: bool = False
    error: Exception | None = None


class LiveRoom:
    def __init__(self, cached: CachedRoom, keep: Keep, pacing: Pacing, sign: Sign, file_process: FileProcess) -> None:
        self.cached = cached
        self.spectators = Spectators(cached)
        self.peers = Peers(cached, self.spectators, pacing)
        self.reactions = Reactions(cached, self.peers, pacing)
        self.seats = Seats(cached, self.peers)
        #: The connections that are joining, until that is committed. They are alive, though they serve no seat yet.
        self.arriving: set[str] = set()
        #: By epoch and race: the review of a finished race.
        self.reviews: dict[tuple[str, int], to_client.Reviewed] = {}
        #: When the room must be checked next, by the store's clock: something is due, or it is idle and may be deleted.
        self.next_check = NEVER
        #: What the sweeper has stored last: when a process checks the room next, and how many spectators are here.
        self.stored_check: Ms | None = None
        self.counted_watchers = 0
        #: What the front page has stored last: the room, and whether it is listed.
        self.published: Room | None = None
        self.is_listed = False
        #: Whether its Redis works, as far as its clients were told.
        self.is_saved = True
        #: Since when there are no connections here, by the event loop.
        self.empty_since: float | None = None
        self._claims = Claims(cached)
        self._store = cached.store
        self._keep = keep
        self._sign = sign
        self._file_process = file_process
        self._waiting: list[_Command] = []
        #: The last event that was read at first, and the guests from before it that knew of more than there was.
        self._read_to = cached.room.at
        self._witnesses: set[str] = set()
        #: The last race for which boards were sent to all racers.
        self._dealt = 0
        self._skip_dealt_boards()
        self.set_timer()

    @property
    def room(self) -> Room:
        return self.cached.room

    @property
    def in_use(self) -> bool:
        """Whether there are connections here, or commands that wait.

        To read the log of a day with ten thousand tries takes 0.2 s (measured), so an open day stays in memory.
        """
        challenge = self.room.challenge
        is_open_day = challenge is not None and challenge.opened.day is not None and not challenge.closed
        return len(self.peers) > 0 or bool(self.arriving) or self.cached.lock.locked() or is_open_day

    @property
    def payer(self) -> Account:
        """The account for events that are due by the clock: of the host, or else of the first player here."""
        seated = self.peers.seated
        peer = seated.get(self.room.host or 0) or (seated[min(seated)] if seated else None)
        return peer.account if peer is not None else NOBODY

    # Commands

    async def decide(
        self, rule: Rule, account: Account | None = None, is_wanted: Callable[[], bool] = lambda: True
    ) -> None:
        """Decide, commit, apply. Raises `Refused`; then nothing happened.

        ``account`` is charged for the stored bytes. Without one, they are stored even if Redis is nearly full.
        ``is_wanted``: whether the caller still wants it. It is asked again as long as Redis is away.

        Commands that arrive during a commit are decided together in the next one, in their order. If a thousand people
        return at the same time, that makes a few commits and a few broadcasts.
        """
        cached = self.cached
        command = _Command(rule, account, is_wanted)
        self._waiting.append(command)
        try:
            async with cached.lock:
                while not command.done and not cached.gone:
                    try:
                        await self._carry_out()
                    except Lost:
                        await self._recover()
                    except NeedsClaim as needs:
                        await self._claims.fetch(needs)
        finally:
            if not command.done:
                self._waiting.remove(command)
        refuse_if(not command.done, "unknown-room", code=cached.room.code)
        if command.error is not None:
            raise command.error

    async def _carry_out(self) -> None:
        """Decide and commit all commands. If the log has changed, read it instead.

        Raises `Lost`, `StoreDown`, and `NeedsClaim` if winnable deals have to be claimed first.
        """
        await self._read()
        answered, decided = self._decided(self.cached.now())
        before = self.cached.room
        if decided:
            wanted = [command.is_wanted for command in answered if command.decided]
            committed = await self._commit(decided, lambda: all(is_wanted() for is_wanted in wanted))
            if committed is None:
                return
            for event in decided if log.isEnabledFor(logging.INFO) else ():  # only their kinds: they may be secret
                kind, seat = event.__struct_config__.tag, getattr(event, "seat", None)
                log.info("room %s, seat %s: %s", before.code, seat, kind, extra=about(before.code, seat))
            at, last = committed
            await self._apply([(at, event) for event in decided], last)
        self._claims.settle(before)
        for command in answered:
            command.done = True
            size = sum(map(size_of, command.decided))
            self._store.memory.grew(size)
            if command.account is not None:
                command.account.charge("kept", self._store.memory.price(size))
        # Callers that were cancelled during the commit no longer wait.
        self._waiting = [command for command in self._waiting if not command.done]

    def _decided(self, now: Ms) -> tuple[list[_Command], Events]:
        """The commands that have a result or an error now, and their events."""
        answered: list[_Command] = []
        events_of_all: Events = []
        room, waiting = self.cached.room, self._waiting[:TOGETHER]
        began = time.thread_time()
        for command in waiting:
            if answered and time.thread_time() - began > LONGEST:
                break
            context = Context(
                now,
                secrets.token_hex(32),
                self.cached.progress,
                watched=self.spectators.has_person,
                sign=self._sign,
                claim=self._claims.claim,
                has_winnable=self._store.pool.is_filled,
            )
            answered.append(command)
            command.error, command.decided = None, []  # those of a decision that could not be committed
            try:
                refuse_if(not command.is_wanted(), "not-in-room")
                decided = command.rule(room, context)
                if command.account is not None and self._store.memory.is_short:
                    event_limits.check_needed(decided, racing=room.race.on)
            except NeedsClaim:
                raise  # all commands are decided once more, with the deals
            except Exception as error:  # noqa: BLE001 - a refusal or a bug; either is for the caller
                command.error = error
                continue
            command.decided = decided
            events_of_all += decided
            if command is waiting[-1]:
                break
            for event in decided:
                room = evolve.evolve(room, now, event)
            if room.race.number != self.cached.room.race.number:
                break  # the boards of the new race are only known after the commit
        return answered, events_of_all

    async def _commit(self, decided: Events, is_wanted: Callable[[], bool]) -> tuple[Ms, str] | None:
        """When all is on disk: the time, and the last entry. None: the log had changed, and was read.

        Raises `Lost`, `StoreDown`.
        """
        cached = self.cached
        before, sealed = cached.room, decide.sealed(decided)
        try:
            return await self._store.logs.commit(
                before.code,
                cached.epoch,
                before.n,
                cached.last,
                cached.now(),
                before.race.number,
                decided,
                sealed,
                is_wanted,
            )
        except Behind:
            cached.stale = True
            await self._read()
            same = all(cached.moves_of(seat) == moves for seat, moves in sealed.items())
            if cached.room.n == before.n and same and is_wanted():
                raise Lost from None  # no entry was missed, so the logs contradict each other
            return None

    def close(self, code: int, reason: str) -> None:
        """This process no longer serves the room."""
        self.cached.close()
        self.peers.close(code, reason)

    # Events

    async def _apply(self, happened: Sequence[tuple[Ms, events.Event]], last: str) -> None:
        """Apply the next events of the log, with their times, to the state and to the connections of this process.

        The caller holds the lock. Nothing waits here, except for large standings.
        """
        cached = self.cached
        before = cached.room.race.number
        room = evolve.replay_onto(cached.room, happened)
        await compute_standings(room.tournament, self._file_process)
        cached.room, cached.last = room, last
        cached.run_on()
        if cached.room.race.number != before:
            cached.forget_boards({})
            for peer in self.peers.seated.values():
                peer.entries_sent = None
                self.spectators.peers.pop(peer, None)
        self.peers.room_changed()
        for _, event in happened:
            self._react(event)
        self.spectators.refresh_soon()
        self.set_timer()

    def _react(self, event: events.Event) -> None:
        seated = self.peers.seated
        match event:
            case events.Left(seat, kicked):
                if seat in seated:
                    self._unseat(seated[seat], CODES["kicked"] if kicked else "")
                if kicked:
                    self._disconnect_watchers(CODES["kicked"], self.room.banned)
            case events.Here(seat) if seat in seated:
                person = self.room.people.get(seat)
                # If the other connection is gone again, the one here keeps the seat (`Sweeper.drop_dead_connections`).
                if person is not None and person.via not in (None, seated[seat].via):
                    seated.pop(seat).send_queue.close(Close.TAKEN_OVER, "Another connection took this seat")
            case events.Removed():
                self._disconnect_watchers(CODES["kicked"], self.room.banned)
            case events.Counted():
                self._hide_boards_from_racers()
            case events.StartedLate(seat):
                self._hide_boards_from_racers()
                if seat in seated:
                    self.cached.run_soon(self.seats.send_board(seat))
            case events.RoomClosed(reason):
                text = "An operator has closed this room"
                self.close(Close.ROOM_GONE, f"{text}: {reason}" if reason else text)
            case events.Changed(settings) if settings.watching == "nobody":
                self._disconnect_watchers(CODES["not-watchable"], {peer.guest for peer in self.peers.watchers})
                for peer in seated.values():
                    self.spectators.peers.pop(peer, None)

    def _unseat(self, peer: Peer, reason: str = "", code: int = Close.KICKED) -> None:
        self.peers.leave(peer)
        peer.seat = 0
        if reason:
            peer.send_queue.close(code, reason)

    def _disconnect_watchers(self, reason: str, guests: Collection[str]) -> None:
        self._disconnect([watcher for watcher in self.peers.watchers if watcher.guest in guests], reason, Close.KICKED)

    def _disconnect(self, watchers: Sequence[Peer], reason: str, code: int) -> None:
        for watcher in watchers:
            self.peers.leave(watcher)
            watcher.send_queue.close(code, reason)

    def _hide_boards_from_racers(self) -> None:
        """Stop showing boards to racers, on all their connections."""
        race = self.cached.room.race
        if not race.on:
            return
        for seat in self.peers.seated.keys() & race.active:
            self.spectators.peers.pop(self.peers.seated[seat], None)
        looking = [peer for peer in self.peers.watchers if not peer.is_projector and race.is_raced_by(peer.guest)]
        self._disconnect(looking, "You race now, on another connection", Close.TAKEN_OVER)

    # Other processes, and lost data

    async def catch_up(self) -> None:
        """Read the entries that other processes have appended. Raises `StoreDown`."""
        cached = self.cached
        if cached.stale or cached.lost_epoch == cached.epoch:
            async with cached.lock:
                try:
                    if cached.lost_epoch == cached.epoch and not cached.gone:
                        raise Lost
                    await self._read()
                except Lost:
                    await self._recover()

    async def _read(self) -> None:
        """Read the missed entries. The caller holds the lock. Raises `Lost`, `StoreDown`."""
        cached = self.cached
        if not cached.stale:
            return
        cached.stale = False
        try:
            # The last known entry is read, too. If the log was cut and grew again, this entry differs.
            stored = await self._store.logs.read(cached.room.code, cached.room.n - 1)
            if stored is None or stored.epoch != cached.epoch or not stored.entries:
                raise Lost
            if stored.first != cached.last:
                raise Lost
            if missed := stored.entries[1:]:
                await self._apply(missed, stored.last)
            number, known = cached.room.race.number, dict(cached.progress)
            progress = await self._store.logs.progress(cached.room.code, number)
            if not all(seat in progress and _goes_on(progress[seat], row) for seat, row in known.items()):
                raise Lost  # a failover has cut the log, which is noticed here even if that seat never moves again
        except BaseException:
            cached.stale = True
            raise
        for seat, row in progress.items():
            self.seats.add_from_elsewhere(cached.room.race.number, seat, row)

    async def has_lost(self, guest: str, known: to_server.Resume) -> bool:
        """Whether Redis has less than a returning client knows, because data was lost while no process noticed.

        A client may be mistaken, or lie. But two guests with seats from before this process read the room are believed,
        once: then the room gets a new epoch, and all its clients are told. Raises `StoreDown`.
        """
        if not self._has_less(guest, known):
            return False
        self.cached.stale = True  # notifications may be missing
        await self.catch_up()
        if not self._has_less(guest, known):
            return False
        seat = self.room.seat_of(guest)
        if known.epoch == self.cached.epoch and seat and self.room.people[seat].since <= self._read_to:
            self._witnesses.add(guest)
            if len(self._witnesses) > 1:
                async with self.cached.lock:
                    await self._recover(unseen=1)
                self._read_to = Ms(0)
        return True

    def _has_less(self, guest: str, known: to_server.Resume) -> bool:
        cached, room, seat = self.cached, self.room, self.room.seat_of(guest)
        moves = cached.moves_of(seat) if seat else known.moves
        is_short = room.n < known.n or (room.race.number, moves) < (known.race, known.moves)
        return is_short or cached.epoch != known.epoch

    async def _recover(self, unseen: int = 0) -> None:
        """Redis has lost data: continue with the rest, and inform all clients. Raises `StoreDown`.

        ``unseen``: how many lost events clients know at least, and this process does not.
        """
        cached, code, before = self.cached, self.cached.room.code, self.cached.room
        cached.stale, cached.lost_epoch = True, ""
        # During a failover, two servers may both believe that they are the master. The log was read from one and is
        # written to the other. The second one compares its logs, and says whether data is lost.
        if not await self._store.logs.renew(
            code, cached.epoch, before.n + unseen, cached.last, before.race.number, cached.progress
        ):
            raise StoreDown("Redis does not show the last write yet")
        log.error("room %s: the log was cut or replaced; continuing with the rest", code, extra=about(code))
        try:
            room, epoch, last, _ = await read_room(code, self._store)
        except Refused as refused:
            if refused.code != "unknown-room":
                raise
            self.close(Close.ROOM_GONE, "This room is no longer there")
            return
        if epoch == cached.epoch:
            raise StoreDown("Redis does not show the last write yet")
        progress = await progress_of_logs(room, self._store)
        await self._store.logs.mend(code, epoch, room.race.number, progress)
        await compute_standings(room.tournament, self._file_process)
        cached.room, cached.epoch, cached.last = room, epoch, last
        cached.forget_boards(progress)
        cached.stale = False
        self._skip_dealt_boards()
        self.peers.start_over()
        self.spectators.forget()
        self._hide_boards_from_racers()
        for peer in self.peers.all():
            peer.send(to_client.Notice("data-lost", CODES["data-lost"]))
            self._welcome_again(peer)
        self.spectators.refresh_soon()
        self.set_timer()

    def _welcome_again(self, peer: Peer) -> None:
        peer.entries_sent = None
        person = self.cached.room.people.get(peer.seat)
        if peer.seat and (person is None or person.guest != peer.guest):
            self._unseat(peer, "Your seat is no longer there", Close.ROOM_GONE)
            return
        self.peers.welcome(peer)
        if peer.seat:
            self.cached.run_soon(self.seats.send_board(peer.seat))

    # Due work

    async def act(self) -> None:
        """Deal the boards, catch up with the log, and do everything that is due. Raises `Refused`."""
        race = self.room.race
        if self._dealt != race.number and race.running(self.cached.now()):
            self._dealt = race.number
            for number in self.peers.seated:
                self.cached.run_soon(self.seats.send_board(number))
        await self.catch_up()
        await decide_due(lambda rule: self.decide(rule, self.payer), self._file_process)
        await self.spectators.refresh_if_any()

    def _skip_dealt_boards(self) -> None:
        """Clients get the board of a race that runs already when they join."""
        race = self.room.race
        self._dealt = race.number if race.running(self.cached.now()) else 0

    @property
    def expires_at(self) -> Ms:
        """When the room is deleted, if nothing happens and it is empty."""
        room, tournament, planned = self.room, self.room.tournament, None
        if room.closed:
            return room.at + self._keep.unplayed
        if tournament is not None:
            planned = tournament.next_at
            if not planned and tournament.is_arena:
                planned = tournament.arena.closes_at(tournament.plan)
            seen = [person.away_at or room.at for seat, person in room.people.items() if room.is_led_by(seat)]
            planned = planned and min(planned, max(seen, default=room.opened_at) + HOSTS_AWAY)
        if room.circle is not None:
            scored_until = room.circle.scores[-1].at + CIRCLE if room.circle.scores else Ms(0)
            return max(room.circle.used_until + self._keep.played, scored_until)
        if room.challenge is not None:
            planned = room.challenge.opened.closes_at
        begun = room.race.starts_at is not None or (tournament and tournament.begun)
        played = begun or bool(room.past) or room.challenge is not None
        # The races of an arena are there as long as the arena, which may be open for hours.
        longer = LONGEST_ARENA if room.of_arena is not None else Ms(0)
        until = room.of_arena.until if room.of_arena is not None else Ms(0)
        # Of a day, only a summary is kept after one more day.
        kept = self._keep.played if played else self._keep.unplayed
        if room.race.day is not None:
            kept = min(kept, DAY)
        active_until = max(room.at, room.race.ends_at or Ms(0), planned or Ms(0), until)
        return active_until + longer + kept

    def set_timer(self) -> None:
        """Set the time when the room acts next, after a change that may affect it."""
        room, race = self.room, self.room.race
        due = decide.next_due(room, self.cached.progress, watched=self.spectators.has_person)
        if due is not None and room.tournament is not None and room.tournament.is_arena and not self.peers.seated:
            due += BEHIND
        idle = not any(person.here for person in room.people.values())  # a room with people is not deleted
        check = min(NEVER if due is None else due, self.expires_at if idle else NEVER)
        self.next_check = check - self.cached.ahead
        starts_at = race.starts_at if race.on and not race.revealing and self._dealt != race.number else None
        self.cached.act_at(earliest(due, starts_at, self.spectators.next_change))


def _goes_on(row: Progress, known: Progress) -> bool:
    """Whether a stored row can be a later one of the same log."""
    return row.moves > known.moves or row.log_hash == known.log_hash
