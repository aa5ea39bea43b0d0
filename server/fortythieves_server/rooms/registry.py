"""All rooms of this process: opens them, lets people in, and clears away those that nobody uses.

There is no coordinator: every process sweeps, and what it does is decided anew against the log each time.
"""

import asyncio
import contextlib
import gc
import itertools
import logging
import secrets
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from fortythieves.errors import CODES, Refused
from fortythieves.protocol import to_client, to_server
from fortythieves.protocol.to_client import Close
from fortythieves.rules.settings import Settings
from fortythieves.tournament.plan import Plan
from fortythieves_server.common.counters import Counters
from fortythieves_server.common.prices import Account
from fortythieves_server.common.tasks import end
from fortythieves_server.core import (
    decide,
    decide_tournament,
    events,
    operator_actions,
    record_access,
    room_state,
    views,
)
from fortythieves_server.core.room_list import listing
from fortythieves_server.core.rule_types import Given, Sign, unsigned
from fortythieves_server.rooms.broadcast import Line
from fortythieves_server.rooms.live_room import HOUR, Keep, LiveRoom
from fortythieves_server.rooms.pacing import Pacing
from fortythieves_server.rooms.passwords import Passwords
from fortythieves_server.rooms.send_queue import SendQueue
from fortythieves_server.store.clock import Clock
from fortythieves_server.store.store import Behind, Full, Lost, Notification, Store, StoreDown, Taken

log = logging.getLogger(__name__)

#: Consonants that cannot be mistaken for a digit: no words, and 64 million codes.
LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
CODE_LENGTH = 6

#: Seconds between two sweeps, and between two looks at whether the others' processes are alive.
SWEEP, PRESENCE = 1.0, 5.0
#: Seconds that a room without anybody connected stays in memory.
LINGER = 30.0
#: Seconds between two rooms that are sent to another process, and at most for all of them.
AWAY_EACH, AWAY_ALL = 0.01, 2.0
#: A room is looked at this often at least, in ms, whatever it said itself.
LOOK_AT_LEAST = HOUR

#: What a tournament room takes where its host says nothing.
TOURNAMENT_SEATS = 600


class Seen(NamedTuple):
    """What there is to see of the rooms of a process, as numbers."""

    rooms: int
    races: int
    watchers: int


class Hub:
    """The rooms of one process, by code."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        keep: Keep,
        passwords: Passwords,
        sign: Sign = unsigned,
        linger: float = LINGER,
    ) -> None:
        self.store = store
        self.clock = clock
        self.counts = Counters()
        self._keep = keep
        self._sign = sign
        self._linger = linger
        self._rooms: dict[str, LiveRoom] = {}
        self._loading: dict[str, asyncio.Task[LiveRoom]] = {}
        self._empty_since: dict[str, float] = {}
        #: By code: the room that was looked at last, and whether the front page lists it.
        self._listed: dict[str, tuple[room_state.Room, bool]] = {}
        self._looks: dict[str, int] = {}
        self._watched: dict[str, int] = {}
        #: All that is kept of a room as long as it is in memory.
        self._by_code: tuple[dict[str, Any], ...] = (
            self._rooms,
            self._empty_since,
            self._listed,
            self._looks,
            self._watched,
        )
        self._numbers = itertools.count(1)
        self._pacing = Pacing()
        self._public: tuple[float, list[dict[str, Any]]] = (0.0, [])
        self._tasks: list[asyncio.Task[None]] = []
        self._passwords = passwords
        store.on_up = self._say_up
        store.on_notification = self._notification
        store.on_gap = self._gap

    async def open(self, sweep_every: float = SWEEP, check_every: float = PRESENCE) -> None:
        """Begin to sweep, and to check who is there: every so many seconds."""
        self._tasks = [
            asyncio.create_task(_every(sweep_every, self.sweep), name="sweep"),
            asyncio.create_task(_every(check_every, self.check_presence), name="presence"),
        ]

    async def close(self) -> None:
        """Tell everybody to come back, and serve nobody any more."""
        await end([*self._tasks, *self._loading.values()])
        pause = min(AWAY_EACH, AWAY_ALL / max(1, len(self._rooms)))
        for room in list(self._rooms.values()):
            room.close(Close.GOING_AWAY, "The server is restarting")
            await asyncio.sleep(pause)  # Or all of them would knock at the next process in the same moment.
        await end(task for room in self._rooms.values() for task in room.tasks)
        self._rooms.clear()

    def line(self, send_queue: SendQueue, address: str = "", account: Account | None = None) -> Line:
        """A connection from an address (its hash), by a name that no other one has.

        ``account``: who pays for what it is sent.
        """
        return Line(f"{self.store.process}/{next(self._numbers)}", send_queue, self.counts, address, account)

    def rooms(self) -> list[LiveRoom]:
        """Those that are in memory."""
        return [room for room in self._rooms.values() if not room.gone]

    def keeps(self, code: str) -> bool:
        """Whether anything of a room is in memory."""
        return any(code in kept for kept in self._by_code)

    def seen(self) -> Seen:
        """How much of everything there is now."""
        now, rooms = self.clock.now(), self.rooms()
        return Seen(
            rooms=len(rooms),
            races=sum(room.room.race.running(now) for room in rooms),
            watchers=sum(room.watchers for room in rooms),
        )

    async def create(self, line: Line, guest: str, request: to_server.Create) -> LiveRoom:
        """Open a room and seat its host. Raises `Refused`; then there is no room."""
        plan = self._plan(request)
        defaults = Settings() if plan is None else Settings(seats=TOURNAMENT_SEATS, auto_start=False)
        settings, revealed = await self._revealed(defaults.changed(request.settings), guest)
        if plan is not None and settings.practice is not None:
            raise Refused("bad-plan", detail="a deal that was played before is for practice")
        password = await self._new_password(line, request.password) if plan is not None else ""
        while True:
            code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
            secret = secrets.token_hex(32)
            promise = self._sign(code, 1, secret, self.clock.now())
            created = events.Created(code, settings, secret, revealed, plan, password, line.address, promise)
            join = to_server.Join(request.c, code, request.name, None, request.bot)
            # Whoever cannot sit down leaves no empty room behind.
            room = room_state.begin(self.clock.now(), created)
            decide.join(room, guest, join, line.via, Given(room.at, "", {}))
            # First, so that somebody clears it away if this process dies a moment later.
            with contextlib.suppress(StoreDown):
                await self.store.look_at({code: room.at + LOOK_AT_LEAST})
            try:
                await self.store.create(code, created, views.summary(room))
            except Taken:
                continue
            except Full:
                with contextlib.suppress(StoreDown):
                    await self.store.forget(code)
                raise Refused("server-full") from None
            except StoreDown:
                raise Refused("store-down") from None
            return await self.join(line, guest, join)

    def _plan(self, request: to_server.Create) -> Plan | None:
        if request.plan is None:
            return None
        plan = decide_tournament.changed(Plan(), request.plan)
        decide_tournament.check_start(plan.starts_at, self.clock.now())
        if plan.entry == "password" and not request.password:
            raise Refused("bad-plan", detail="entry by password needs a password")
        return plan

    async def _revealed(self, settings: Settings, guest: str) -> tuple[Settings, events.Revealed | None]:
        """For practice: the deal of the race that is played again. Raises `Refused`."""
        if settings.practice is None:
            return settings, None
        past = await self.finished_race(*settings.practice, guest)
        if past.settings.practice is not None and past.revealed is not None:
            return settings, replace(past.revealed, deal=settings.deal)
        if not past.is_secret:
            return settings.changed({"deal": past.settings.deal}), None
        return settings, events.Revealed(settings.deal, past.secret, dict(past.nonces))

    async def finished_race(self, code: str, number: int, guest: str = "") -> room_state.Race:
        """A race that is over, for a guest. Raises `Refused` ("unknown-race", "not-over-yet", "store-down").

        That a race is not for this guest is not told apart from there being none.
        """
        try:
            room = await self.room_for(code, guest)
        except Refused as refused:
            if refused.code != "unknown-room":
                raise
            raise self._unknown_race(code, number) from None
        return self._finished(room, number, guest)

    def _finished(self, room: room_state.Room, number: int, guest: str | None = None) -> room_state.Race:
        """The same of a room that is at hand; without a guest it is for the room's host."""
        code = room.code
        found = room.race if number == room.race.number else room.past.get(number)
        if found is None or found.starts_at is None:
            raise self._unknown_race(code, number)
        if guest is not None and record_access.is_for_racers(found) and not record_access.may_have(room, found, guest):
            raise self._unknown_race(code, number)
        if found.over_at is None:
            raise Refused("not-over-yet", code=code, race=number)
        return found

    async def review(self, room: LiveRoom, line: Line, number: int) -> None:
        """Tell the host what stands out in a race that is over. Raises `Refused`."""
        decide.may_review(room.room, line.seat)
        await room.review(line, self._finished(room.room, number))

    def _unknown_race(self, code: str, number: int) -> Refused:
        return Refused("unknown-race", code=code[:12], race=number, days=f"{self._keep.played / 24 / HOUR:g}")

    async def join(self, line: Line, guest: str, request: to_server.Join) -> LiveRoom:
        """Seat a guest in a room. Raises `Refused`."""
        room = await self.room(request.code.strip().upper())
        await self._check_password(room.room, line, guest, request.password)
        await room.join(line, guest, request)
        return room

    async def _new_password(self, line: Line, password: str) -> str:
        """The hash of a password that is set, "" if there is none. Raises `Refused`."""
        return await self._passwords.new(line.address, password) if password else ""

    async def _check_password(self, room: room_state.Room, line: Line, guest: str, password: str) -> None:
        """Raise `Refused` for somebody new to a tournament who does not know its password."""
        held = room.tournament
        if held is None or held.plan.entry != "password" or not room.creator or room.is_creator(guest):
            return
        if room.seat_of(guest) is not None or held.seat_of(guest) is not None:
            return
        if line.account is not None and line.account.is_house:
            return  # A host has asked for it.
        await self._passwords.check(line.address, password, held.password)

    async def command(self, room: LiveRoom, line: Line, request: to_server.Command) -> None:
        """Carry out what a seat asks for. Raises `Refused`; then nothing happened."""
        password = ""
        # Who may not change the plan is told so by its rule, and costs no hash.
        if isinstance(request, to_server.ChangePlan) and room.room.is_led_by(line.seat):
            password = await self._new_password(line, request.password)
        await room.command(line, request, password)

    async def watch(self, line: Line, guest: str, request: to_server.Watch) -> LiveRoom:
        """Let a guest watch a room. Raises `Refused`."""
        room = await self.room(request.code.strip().upper())
        if record_access.asks_watchers(room.room) and not await self._is_let_in(room.room, guest):
            await self._check_password(room.room, line, guest, request.password)
            with contextlib.suppress(StoreDown):  # Then whoever comes again is asked again.
                await self.store.let_in(room.room.code, guest)
        await room.watch(line, guest, request)
        return room

    async def room_for(self, code: str, guest: str) -> room_state.Room:
        """A room for a guest who wants to see what was, without coming in. Raises `Refused`."""
        room = (await self.room(code)).room
        if record_access.asks_watchers(room) and not await self._is_let_in(room, guest):
            raise Refused("unknown-room", code=code)
        return room

    async def _is_let_in(self, room: room_state.Room, guest: str) -> bool:
        """Whether a guest belongs to a room that asks for a password, or has said it at any process."""
        if record_access.is_of(room, guest):
            return True
        try:
            return bool(guest) and await self.store.is_let_in(room.code, guest)
        except StoreDown:
            raise Refused("store-down") from None

    async def room(self, code: str) -> LiveRoom:
        """The room, read from the store where it has to be. Raises `Refused`."""
        room = await self.stored_room(code)
        if room.room.closed:
            raise Refused("unknown-room", code=code)
        return room

    async def unlist(self, code: str, *, unlisted: bool) -> None:
        """An operator takes a room off the front page, or lets it be listed again. Raises `Refused`."""
        room = await self.room(code)
        await room.operate(lambda room, given: operator_actions.unlisted(room, unlisted=unlisted))
        log.warning(
            "an operator has %s", f"taken room {code} off the list" if unlisted else f"let room {code} be listed"
        )
        await self._publish_soon(room)

    async def close_room(self, code: str, reason: str) -> None:
        """An operator closes a room for good, and everybody in it is told. Raises `Refused`."""
        room = await self.room(code)
        await room.operate(lambda room, given: operator_actions.closed(room, reason))
        log.warning("an operator has closed room %s", code)
        await self._publish_soon(room)

    async def _publish_soon(self, room: LiveRoom) -> None:
        """Tell the front page of a room now, and if that cannot be, with all others."""
        with contextlib.suppress(StoreDown):
            await self._publish([room])

    async def stored_room(self, code: str) -> LiveRoom:
        """The room, also one that was closed. Raises `Refused`."""
        if len(code) != CODE_LENGTH or not set(code) <= set(LETTERS):
            raise Refused("unknown-room", code=code[:12])
        room = self._rooms.get(code)
        if room is not None and not room.gone:
            return room
        task = self._loading.get(code)
        if task is None:
            task = self._loading[code] = asyncio.create_task(self._load(code))
            task.add_done_callback(lambda _: self._loading.pop(code, None))
        try:
            return await asyncio.shield(task)
        except StoreDown:
            raise Refused("store-down") from None

    async def _load(self, code: str) -> LiveRoom:
        await self.store.follow(code)  # First, so that nothing falls between the read and the first notification.
        try:
            room = self._rooms[code] = await LiveRoom.load(
                code, self.store, self.clock, self._keep, self._pacing, self._sign
            )
        except BaseException:
            with contextlib.suppress(StoreDown):
                await self.store.unfollow(code)
            raise
        return room

    async def public_rooms(self) -> list[dict[str, Any]]:
        """What the front page lists; asked of the store once a second at most."""
        now = asyncio.get_running_loop().time()
        if now >= self._public[0] + 1:
            self._public = now, await self.read_public_rooms()
        return self._public[1]

    async def read_public_rooms(self) -> list[dict[str, Any]]:
        """The same, as it is now."""
        return [room for room in await self.store.public(self.clock.now()) if room["open"] or room["watchable"]]

    # --- what happens elsewhere ------------------------------------------------------------------------------

    def _say_up(self, up: bool) -> None:
        code = "store-back" if up else "store-down"
        message = "Everything is saved again." if up else CODES["store-down"]
        for room in self._rooms.values():
            room.tell_all(to_client.Notice(code, message))

    def _notification(self, notification: Notification) -> None:
        room = self._rooms.get(notification.code)
        if room is None:
            return
        if notification.race is None or notification.seat is None or notification.progress is None:
            room.hear_of_events()
        else:
            room.hear_of_move(notification.race, notification.seat, notification.progress)

    def _gap(self) -> None:
        for room in self._rooms.values():
            room.hear_of_events()

    # --- sweeping --------------------------------------------------------------------------------------------

    async def sweep(self) -> None:
        """Look after the rooms that are due, served here or not; let go of those that nobody needs any more."""
        self._pacing.people = sum(room.people for room in self._rooms.values())
        now = self.clock.now()
        for code in await self.store.due(now):
            try:
                await self.look_at(code, now)
            except (StoreDown, Refused):
                raise
            except Exception:  # One room that cannot be read must not stop all others.
                log.exception("room %s cannot be looked at", code)
                await self.store.look_at({code: now + LOOK_AT_LEAST})
        await self._write_down(now)
        await self.let_go()

    async def look_at(self, code: str, now: int) -> None:
        """See to what is due in a room, and say when somebody has to look again; forget one that was idle for long."""
        try:
            room = await self.stored_room(code)
        except Refused as refused:
            if refused.code == "unknown-room":
                await self.store.forget(code)
            return
        await room.look()
        await room.drop_dead_lines(await self.alive([room]))
        if room.expires_at <= now and not any(person.here for person in room.room.people.values()):
            await self.forget(code, room)
            return
        self._looks[code] = max(min(room.next_look, now + LOOK_AT_LEAST), now + 1000)
        await self.store.look_at({code: self._looks[code]})

    async def forget(self, code: str, room: LiveRoom) -> None:
        """Remove a room from the store, unless something has happened in it since it was read."""
        races = {**room.room.past, room.room.race.number: room.room.race}
        seats = {number: list(race.racers) for number, race in races.items()}
        try:
            await self.store.delete(code, room.epoch, room.room.n, room.room.at, seats)
        except (Behind, Lost):
            return  # Somebody has come after all.
        log.info("room %s is forgotten: nothing has happened for long", code)
        room.close(Close.ROOM_GONE, "This room has been idle for too long")

    async def _write_down(self, now: int) -> None:
        """Tell the store when to look at the rooms served here, and which of them the front page lists."""
        rooms = {code: room for code, room in self._rooms.items() if not room.gone}
        looks = {code: max(min(room.next_look, now + LOOK_AT_LEAST), now) for code, room in rooms.items()}
        # A look that was due has been taken, by whatever process, and put off to a time that only that one knows.
        changed = {code: at for code, at in looks.items() if not now < self._looks.get(code, now) <= at}
        if changed:
            await self.store.look_at(changed, sooner=True)
            self._looks.update(changed)
        counted = [room for code, room in rooms.items() if self._watched.get(code, 0) != room.watchers]
        self._watched.update((room.room.code, room.watchers) for room in counted)
        await self._count_watchers(counted)
        await self._publish(
            [room for code, room in rooms.items() if self._listed.get(code, (None,))[0] is not room.room]
        )

    async def _publish(self, rooms: Iterable[LiveRoom]) -> None:
        """Say which of these rooms the front page lists."""
        now, rows = self.clock.now(), []
        for live in rooms:
            room = live.room
            row = listing(room, live.active_at, now)
            # A room that was just read may be listed by a process that served it before.
            _, was_listed = self._listed.get(room.code, (None, room.settings.public))
            if row.until or was_listed:
                rows.append(row)
            self._listed[room.code] = room, bool(row.until)
        if rows:
            await self.store.publish(rows, now)

    async def let_go(self) -> None:
        """Drop those rooms from memory that nobody is connected to any more."""
        now = asyncio.get_running_loop().time()
        for code, room in list(self._rooms.items()):
            if code in self._loading:
                continue  # What has gone comes back: it is followed again already.
            if room.in_use and not room.gone:
                self._empty_since.pop(code, None)
            elif room.gone or now - self._empty_since.setdefault(code, now) > self._linger:
                room.close(Close.ROOM_GONE, "This room is no longer there")
                for kept in self._by_code:
                    kept.pop(code, None)
                await self.store.unfollow(code)
                if not self._rooms:
                    gc.collect()  # Nobody is here who would have to wait for that.

    async def check_presence(self) -> None:
        """See for rooms with people whether a notification was lost, and whether the others' processes are alive."""
        rooms = [room for room in self._rooms.values() if room.people]
        alive = await self.alive(rooms)
        heads = await self.store.heads([room.room.code for room in rooms])
        # Before anything else is waited for: each is compared with what the room was like when it was read.
        news = [not room.is_at(head) for room, head in zip(rooms, heads, strict=True)]
        for room, has_news in zip(rooms, news, strict=True):
            try:
                if has_news:
                    await room.look()
                await room.drop_dead_lines(alive)
            except (StoreDown, Refused) as error:
                log.debug("room %s is put off: %s", room.room.code, error)
            except Exception:
                log.exception("room %s cannot be looked at", room.room.code)
        await self._count_watchers(rooms)
        await self._publish(
            [room for room in rooms if not room.gone and self._listed.get(room.room.code, (None, False))[1]]
        )

    async def _count_watchers(self, rooms: Sequence[LiveRoom]) -> None:
        """Add up how many watch the rooms, by all processes that are alive."""
        watched = await self.store.watched({room.room.code: room.watchers for room in rooms})
        others = {process for counts in watched.values() for process in counts} - {self.store.process}
        alive = await self.store.alive(sorted(others))
        for room in rooms:
            counts = watched[room.room.code]
            room.tell_watchers(room.watchers + sum(counts[process] for process in counts.keys() & alive))

    async def alive(self, rooms: list[LiveRoom]) -> Callable[[str], bool]:
        """Whether a connection's process is alive; the own one's connections are known to their rooms."""
        vias = (person.via for room in rooms for person in room.room.people.values())
        others = {via.partition("/")[0] for via in vias if via is not None} - {self.store.process}
        dead = others - await self.store.alive(sorted(others))
        # Whoever came by another process since then is not known to be dead.
        return lambda via: via.partition("/")[0] not in {*dead, self.store.process}


async def _every(seconds: float, work: Callable[[], Awaitable[None]]) -> None:
    """Do some work again and again; what goes wrong once is logged and tried again."""
    while True:
        await asyncio.sleep(seconds)
        try:
            await work()
        except (StoreDown, Refused) as error:
            log.debug("put off: %s", error)
        except Exception:
            log.exception("a sweep failed")
