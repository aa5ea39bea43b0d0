"""Lets rooms act when something is due, and checks all rooms periodically: counts spectators, finds dead connections,
and deletes unused rooms.

There is no coordinator. Every process does this, and each decision is checked against the log.
"""

import asyncio
import contextlib
import gc
import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from fortythieves.errors import Refused
from fortythieves.protocol.to_client import Close
from fortythieves.times import Ms
from fortythieves_server.common.logs import about
from fortythieves_server.common.tasks import end
from fortythieves_server.core import decide, decide_lobby
from fortythieves_server.core.room_state import Room
from fortythieves_server.core.rule_context import Context, Events
from fortythieves_server.rooms.cached_room import RETRY_AFTER
from fortythieves_server.rooms.decision_inputs import race_of
from fortythieves_server.rooms.heats import Heats
from fortythieves_server.rooms.live_room import HOUR, LiveRoom
from fortythieves_server.rooms.peer import Peer
from fortythieves_server.rooms.registry import FrontPage, Registry
from fortythieves_server.store.redis_errors import Behind, Lost
from fortythieves_server.store.store import Store

log = logging.getLogger(__name__)

#: Seconds between two sweeps, and between two checks of whether other processes are alive.
SWEEP, PRESENCE = 1.0, 5.0
#: Seconds between two searches for claims of winnable deals that no process settled.
CLAIMS = 30.0
#: A claim that is older was left by a process that died: a countdown takes ten seconds at most.
IN_DOUBT = Ms(60_000)
#: Seconds for which a room without connections stays in memory.
LINGER = 30.0
#: The same if the people of the room are connected to other processes.
LINGER_ELSEWHERE = 2.0
#: Milliseconds after which a process checks a room that another one should have checked.
LATE = Ms(3000)
#: A room is checked at least this often, even if it asked for less.
CHECK_AT_LEAST = HOUR


#: Called with the code of a room and a guest in it.
BringBack = Callable[[str, str], None]


class Sweeper:
    def __init__(
        self,
        registry: Registry,
        front_page: FrontPage,
        store: Store,
        linger: float = LINGER,
        is_here: Callable[[str], bool] = lambda code: True,
    ) -> None:
        """``is_here``: whether this process should serve a room. It checks the others only if no other process does."""
        self._registry = registry
        self._front_page = front_page
        self.heats = Heats(registry)
        self._is_here = is_here
        self._store = store
        self.clock = store.clock
        #: Called for each house bot that is away although a person is here: its server has ended.
        self.bring_back: BringBack = lambda code, guest: None
        self._linger = linger
        self._tasks: list[asyncio.Task[None]] = []

    def open(self, sweep_every: float, check_every: float) -> None:
        """Start to let rooms act, to sweep and to check. Both intervals are in seconds."""
        self._tasks = [
            asyncio.create_task(self._let_rooms_act(), name="due rooms"),
            asyncio.create_task(_every(sweep_every, self.sweep), name="sweep"),
            asyncio.create_task(_every(check_every, self.check_presence), name="presence"),
            asyncio.create_task(_every(CLAIMS, self.settle_claims), name="claims of winnable deals"),
        ]

    async def close(self) -> None:
        await end(self._tasks)

    # Due rooms

    async def _let_rooms_act(self) -> None:
        while True:
            code = await self._registry.due.get()
            if (room := self._registry.get(code)) is not None and not room.cached.gone:
                room.cached.run_soon(self.act(room))

    async def act(self, room: LiveRoom) -> None:
        """Let a room catch up with its log, and do everything that is due."""
        code = room.room.code
        try:
            await room.act()
            await self.heats.act(room)
        except Refused as refused:
            if not room.cached.gone:
                log.debug("room %s: what is due must wait: %s", code, refused, extra=about(code))
                await asyncio.sleep(RETRY_AFTER)
        except Exception:
            log.exception("room %s: what is due failed", code, extra=about(code))
            await asyncio.sleep(RETRY_AFTER)
        finally:
            room.set_timer()

    async def check_log(self, room: LiveRoom) -> None:
        """Read the log, because notifications may be lost, and do everything that is due."""
        room.cached.stale = True
        with contextlib.suppress(Refused):
            await room.catch_up()
            await self.act(room)

    # Periodic work

    async def settle_claims(self, older_than: Ms = IN_DOUBT) -> None:
        """Settle the winnable deals that were claimed by processes which died.

        They return to the pool only if the log names the chosen one. Otherwise a commit may be on its way.
        """
        pool = self._store.pool
        for owner, game in await pool.unsettled(older_than):
            code, _, number = owner.partition("/")
            found = await self._registry.find(code)
            race = race_of(found.room, int(number)) if found and number.isdecimal() else None
            if found and race and race.on and race.chosen is None and not found.room.closed:
                continue  # its countdown is still running
            log.warning("a race left winnable deals of %s behind: %s", game, owner[:20], extra=about(code[:12]))
            await pool.settle(owner, game, race.secret if race is not None and race.chosen is not None else None)

    async def sweep(self) -> None:
        """Check the rooms that are due, whether served here or not. Then drop unused rooms."""
        self._registry.pacing.count(sum(len(room.peers) for room in self._registry))
        now = self.clock.now()
        for code, at in await self._store.directory.due(now):
            if now < at + LATE and not self._is_here(code):
                continue  # otherwise several processes would read the room
            try:
                await self.check_room(code, now)
            except Refused:
                raise
            except Exception:  # an unreadable room must not stop all others
                log.exception("checking room %s failed", code, extra=about(code))
                await self._store.directory.schedule({code: now + CHECK_AT_LEAST})
        await self._store_checks(now)
        await self.drop_unused()

    async def check_room(self, code: str, now: Ms) -> None:
        """Do everything that is due in a room, and schedule its next check. Delete it if it was idle for too long."""
        room = await self._registry.find(code)
        if room is None:
            await self._store.directory.unschedule(code)
            return
        if room.cached.lock.locked():  # it stays due
            room.cached.note_stale()
            return
        await self.check_log(room)
        await self.drop_dead_connections(room, await self.alive([room]))
        if room.expires_at <= now and not any(person.here for person in room.room.people.values()):
            await self.forget(code, room)
            return
        room.stored_check = max(min(room.next_check, now + CHECK_AT_LEAST), now + Ms(1000))
        await self._store.directory.schedule({code: room.stored_check})

    async def forget(self, code: str, room: LiveRoom) -> None:
        """Delete a room from the store, unless something has happened in it since it was read."""
        races = {**room.room.past, room.room.race.number: room.room.race}
        seats = {number: list(race.racers) for number, race in races.items()}
        try:
            await self._store.logs.delete(code, room.cached.epoch, room.room.n, room.cached.last, seats)
        except (Behind, Lost):
            return  # people have joined since then
        log.info("room %s was deleted: it was idle for too long", code, extra=about(code))
        room.close(Close.ROOM_GONE, "This room has been idle for too long")

    async def _store_checks(self, now: Ms) -> None:
        """Store when the rooms served here must be checked, and which of them are on the front page."""
        rooms = self._registry.rooms()
        changed: dict[LiveRoom, Ms] = {}
        for room in rooms:
            room.cached.run_on()
            check, stored = max(min(room.next_check, now + CHECK_AT_LEAST), now), room.stored_check
            # When a check was due, some process has done it, and scheduled the next one at a time that we do not know.
            if stored is None or not now < stored <= check:
                changed[room] = check
        if changed:
            await self._store.directory.schedule({room.room.code: at for room, at in changed.items()}, sooner=True)
            for room, at in changed.items():
                room.stored_check = at
        counted = [room for room in rooms if room.counted_watchers != len(room.peers.watchers)]
        for room in counted:
            room.counted_watchers = len(room.peers.watchers)
        await self._count_watchers(counted)
        await self._front_page.publish([room for room in rooms if room.published is not room.room])

    async def drop_unused(self) -> None:
        now = asyncio.get_running_loop().time()
        for room in self._registry:
            code = room.room.code
            if self._registry.is_loading(code):
                continue  # its clients will reconnect
            if room.in_use and not room.cached.gone:
                room.empty_since = None
                continue
            room.empty_since = now if room.empty_since is None else room.empty_since
            # All events are read here, as long as the room stays in memory.
            served_elsewhere = any(person.here for person in room.room.people.values())
            linger = min(self._linger, LINGER_ELSEWHERE) if served_elsewhere else self._linger
            if room.cached.gone or not self._is_here(code) or now - room.empty_since > linger:
                await self._registry.drop(room)
                if not len(self._registry):
                    gc.collect()  # no client has to wait for it

    async def check_presence(self) -> None:
        """Look for lost notifications of rooms with people, and for dead processes."""
        rooms = [room for room in self._registry if len(room.peers)]
        alive = await self.alive(rooms)
        heads = await self._store.logs.heads([(room.room.code, room.room.race.number) for room in rooms])
        # Before any other await: each room is compared with its state at the time of the read.
        known = [(room.cached.epoch, room.room.n, room.cached.moves) for room in rooms]
        news = [state != head for state, head in zip(known, heads, strict=True)]
        for room, has_news in zip(rooms, news, strict=True):
            if room.cached.lock.locked():  # its commit may wait for one node of a cluster: the others must not
                if has_news:
                    room.cached.note_stale()
                continue
            try:
                if has_news:
                    await self.check_log(room)
                await self.drop_dead_connections(room, alive)
                self._bring_bots_back(room)
            except Refused as error:
                log.debug("room %s is postponed: %s", room.room.code, error, extra=about(room.room.code))
            except Exception:
                log.exception("checking room %s failed", room.room.code, extra=about(room.room.code))
        await self._count_watchers(rooms)
        await self._front_page.publish([room for room in rooms if not room.cached.gone and room.is_listed])

    def _bring_bots_back(self, room: LiveRoom) -> None:
        people = room.room.people
        if any(seat in people and not people[seat].bot for seat in room.peers.seated):
            for person in people.values():
                if person.is_house_bot and not person.here:
                    self.bring_back(room.room.code, person.guest)

    async def _count_watchers(self, rooms: Sequence[LiveRoom]) -> None:
        """Count the spectators of the rooms at all live processes."""
        here = {room.room.code: len(room.peers.watchers) for room in rooms}
        watched = await self._store.directory.watched(here)
        others = {process for counts in watched.values() for process in counts} - {self._store.process}
        alive = await self._store.processes.alive(sorted(others))
        for room in rooms:
            counts = watched[room.room.code]
            elsewhere = sum(counts[process] for process in counts.keys() & alive)
            room.peers.send_watchers(len(room.peers.watchers) + elsewhere)

    async def drop_dead_connections(self, room: LiveRoom, alive: Callable[[str], bool]) -> None:
        """Mark people with dead connections as away, and connected people as here."""

        def rule(state: Room, context: Context) -> Events:
            here = {*room.arriving, *(peer.via for peer in room.peers.seated.values())}
            return decide.dead_connections(state, lambda via: via in here or alive(via))

        now = Context(room.cached.now(), "", room.cached.progress)
        if rule(room.room, now):  # rarely the case
            await room.decide(rule)
        for seat, peer in list(room.peers.seated.items()):
            back = partial(_back, seat, peer)
            if back(room.room, now):
                await room.decide(back)

    async def alive(self, rooms: Sequence[LiveRoom]) -> Callable[[str], bool]:
        """Whether the process of a connection is alive. The rooms know about connections of this process."""
        vias = (person.via for room in rooms for person in room.room.people.values())
        others = {via.partition("/")[0] for via in vias if via is not None} - {self._store.process}
        dead = others - await self._store.processes.alive(sorted(others))
        # A process that was not asked about, because somebody came through it since then, counts as alive.
        return lambda via: via.partition("/")[0] not in {*dead, self._store.process}


async def _every(seconds: float, work: Callable[[], Awaitable[None]]) -> None:
    while True:
        await asyncio.sleep(seconds)
        try:
            await work()
        except Refused as error:
            log.debug("postponed: %s", error)
        except Exception:
            log.exception("periodic work failed")


def _back(seat: int, peer: Peer, room: Room, context: Context) -> Events:
    person, tournament = room.people.get(seat), room.tournament
    # A seat that an arena has called to a race is in another room.
    is_called = tournament is not None and seat in tournament.arena.racing
    if person is None or person.via is not None or is_called:
        return []
    return decide_lobby.reconnect(room, seat, peer.via, peer.address_in(room.code))
