"""Checks rooms periodically: does what is due, counts spectators, finds dead connections, deletes unused rooms.

There is no coordinator. Every process does this, and each decision is checked against the log.
"""

import asyncio
import gc
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from fortythieves.errors import Refused
from fortythieves.protocol.to_client import Close
from fortythieves.times import Ms
from fortythieves_server.common.logs import about
from fortythieves_server.common.tasks import end
from fortythieves_server.rooms.claims import race_of
from fortythieves_server.rooms.front_page import FrontPage
from fortythieves_server.rooms.gathering import Gathering
from fortythieves_server.rooms.live_room import LiveRoom
from fortythieves_server.rooms.registry import Registry
from fortythieves_server.rooms.schedule import HOUR
from fortythieves_server.store.redis_errors import Behind, Lost, StoreDown
from fortythieves_server.store.store import Store

log = logging.getLogger(__name__)

#: Seconds between two sweeps, and between two checks of whether other processes are alive.
SWEEP, PRESENCE = 1.0, 5.0
#: Seconds between two looks for claims of winnable deals that nobody settled.
CLAIMS = 30.0
#: A claim that is older was left by a process that died: a countdown takes ten seconds at most.
IN_DOUBT = Ms(60_000)
#: Seconds for which a room without connections stays in memory.
LINGER = 30.0
#: The same for a room whose people are connected to other processes.
LINGER_ELSEWHERE = 2.0
#: Milliseconds after which a process checks a room that another one should have checked.
LATE = Ms(3000)
#: A room is checked at least this often, whatever it asked for.
LOOK_AT_LEAST = HOUR

#: Called with the code of a room and a guest in it.
BringBack = Callable[[str, str], None]


class Sweeper:
    """Checks the rooms of all processes that are due, and frees memory of this one."""

    def __init__(
        self,
        registry: Registry,
        front_page: FrontPage,
        gathering: Gathering,
        store: Store,
        linger: float = LINGER,
        is_here: Callable[[str], bool] = lambda code: True,
    ) -> None:
        """``is_here``: whether this process should serve a room. It checks the others only if nobody else does."""
        self._registry = registry
        self._front_page = front_page
        self._gathering = gathering
        self._is_here = is_here
        self._store = store
        self.clock = store.clock
        #: Called for each house bot that is away although somebody is here: its server has ended.
        self.bring_back: BringBack = lambda code, guest: None
        self._linger = linger
        self._empty_since: dict[str, float] = {}
        #: By code: when a process checks the room next, and how many spectators this process has counted.
        self._looks: dict[str, Ms] = {}
        self._watched: dict[str, int] = {}
        #: Everything that is stored about a room as long as it is in memory.
        self._by_code: tuple[dict[str, Any], ...] = (self._empty_since, self._looks, self._watched, front_page.listed)
        self._tasks: list[asyncio.Task[None]] = []

    def open(self, sweep_every: float, check_every: float) -> None:
        """Start sweeping and checking. Both intervals are in seconds."""
        self._tasks = [
            asyncio.create_task(_every(sweep_every, self.sweep), name="sweep"),
            asyncio.create_task(_every(check_every, self.check_presence), name="presence"),
            asyncio.create_task(_every(CLAIMS, self.settle_claims), name="claims of winnable deals"),
        ]

    async def close(self) -> None:
        await end(self._tasks)

    async def settle_claims(self, older_than: Ms = IN_DOUBT) -> None:
        """Settle the winnable deals that were claimed by processes which died.

        They go back only if the log says which one was chosen. Otherwise a commit with them may still be on its way.
        """
        pool = self._store.pool
        for owner, game in await pool.unsettled(older_than):
            code, _, number = owner.partition("/")
            race, waits = None, False
            try:
                room = (await self._registry.stored_room(code)).room
            except Refused as refused:
                if refused.code != "unknown-room":
                    raise
            else:
                race = race_of(room, int(number)) if number.isdecimal() else None
                waits = race is not None and race.on and race.chosen is None and not room.closed
            if waits:
                continue  # it counts down still
            log.warning("a race left winnable deals of %s behind: %s", game, owner[:20], extra=about(code[:12]))
            if race is None or race.chosen is None:
                await pool.throw_away(owner, game)
            else:
                await pool.settle(owner, game, race.secret)

    def keeps(self, code: str) -> bool:
        """Whether anything about a room is in memory."""
        return code in self._registry or any(code in kept for kept in self._by_code)

    async def sweep(self) -> None:
        """Check the rooms that are due, whether served here or not. Then drop rooms that nobody needs."""
        self._registry.pacing.count(sum(len(room.peers) for room in self._registry))
        now = self.clock.now()
        for code, at in await self._store.directory.due(now):
            if now < at + LATE and not self._is_here(code):
                continue  # otherwise several processes would read the room
            try:
                await self.look_at(code, now)
            except (StoreDown, Refused):
                raise
            except Exception:  # an unreadable room must not stop all others
                log.exception("checking room %s failed", code, extra=about(code))
                await self._store.directory.look_at({code: now + LOOK_AT_LEAST})
        await self._write_down(now)
        self._gathering.look()
        await self.let_go()

    async def look_at(self, code: str, now: Ms) -> None:
        """Do what is due in a room, and schedule its next check. Delete it if it was idle for too long."""
        try:
            room = await self._registry.stored_room(code)
        except Refused as refused:
            if refused.code == "unknown-room":
                await self._store.directory.forget(code)
            return
        await room.catch_up.look()
        await room.drop_dead_peers(await self.alive([room]))
        if room.schedule.expires_at <= now and not any(person.here for person in room.room.people.values()):
            await self.forget(code, room)
            return
        self._looks[code] = max(min(room.schedule.next_look, now + LOOK_AT_LEAST), now + Ms(1000))
        await self._store.directory.look_at({code: self._looks[code]})

    async def forget(self, code: str, room: LiveRoom) -> None:
        """Delete a room from the store, unless something has happened in it since it was read."""
        races = {**room.room.past, room.room.race.number: room.room.race}
        seats = {number: list(race.racers) for number, race in races.items()}
        try:
            await self._store.logs.delete(code, room.cached.epoch, room.room.n, room.room.at, seats)
        except (Behind, Lost):
            return  # somebody has come after all
        log.info("room %s was deleted: it was idle for too long", code, extra=about(code))
        room.people.close(Close.ROOM_GONE, "This room has been idle for too long")

    async def _write_down(self, now: Ms) -> None:
        """Store when the rooms served here must be checked, and which of them are on the front page."""
        rooms = {room.room.code: room for room in self._registry.rooms()}
        looks = {code: max(min(room.schedule.next_look, now + LOOK_AT_LEAST), now) for code, room in rooms.items()}
        # When a check was due, some process has done it, and scheduled the next one at a time that we do not know.
        changed = {code: at for code, at in looks.items() if not now < self._looks.get(code, now) <= at}
        if changed:
            await self._store.directory.look_at(changed, sooner=True)
            self._looks.update(changed)
        counted = [room for code, room in rooms.items() if self._watched.get(code, 0) != len(room.peers.watchers)]
        self._watched.update((room.room.code, len(room.peers.watchers)) for room in counted)
        await self._count_watchers(counted)
        await self._front_page.publish([room for room in rooms.values() if self._front_page.has_news(room)])

    async def let_go(self) -> None:
        now = asyncio.get_running_loop().time()
        for room in self._registry:
            code = room.room.code
            if self._registry.is_loading(code):
                continue  # its clients will come back
            if room.in_use and not room.cached.gone:
                self._empty_since.pop(code, None)
            elif (
                room.cached.gone
                or not self._is_here(code)
                or now - self._empty_since.setdefault(code, now) > self._linger_of(room)
            ):
                for kept in self._by_code:
                    kept.pop(code, None)
                await self._registry.let_go(room)
                if not len(self._registry):
                    gc.collect()  # nobody is here who would have to wait

    def _linger_of(self, room: LiveRoom) -> float:
        """Seconds for which a room without connections here stays in memory. Meanwhile all its events are read here."""
        served_elsewhere = any(person.here for person in room.room.people.values())
        return min(self._linger, LINGER_ELSEWHERE) if served_elsewhere else self._linger

    async def check_presence(self) -> None:
        """Look for lost notifications of rooms with people, and for dead processes."""
        rooms = [room for room in self._registry if len(room.peers)]
        alive = await self.alive(rooms)
        heads = await self._store.logs.heads([room.room.code for room in rooms])
        # Before any other await: each room is compared with its state at the time of the read.
        news = [not room.cached.is_at(head) for room, head in zip(rooms, heads, strict=True)]
        for room, has_news in zip(rooms, news, strict=True):
            try:
                if has_news:
                    await room.catch_up.look()
                await room.drop_dead_peers(alive)
                self._bring_bots_back(room)
            except (StoreDown, Refused) as error:
                log.debug("room %s is postponed: %s", room.room.code, error, extra=about(room.room.code))
            except Exception:
                log.exception("checking room %s failed", room.room.code, extra=about(room.room.code))
        await self._count_watchers(rooms)
        await self._front_page.publish(
            [room for room in rooms if not room.cached.gone and self._front_page.lists(room)]
        )

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
        except (StoreDown, Refused) as error:
            log.debug("postponed: %s", error)
        except Exception:
            log.exception("periodic work failed")
