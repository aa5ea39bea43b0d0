"""The races of an arena: opens a room for each, and tells the arena how it ended.

A room is opened before the arena's log names it. So the called racers find it. If the arena cannot take
it after all, because another process was faster or this one died, no racer ever joins that room: its race ends by
itself, and the arena does not know it.
"""

import asyncio
import contextlib
import logging
import secrets
from functools import partial
from itertools import count, repeat

from fortythieves_server.common.logs import about
from fortythieves_server.common.prices import KEPT
from fortythieves_server.core import decide_arena, events
from fortythieves_server.core.room_state import Room
from fortythieves_server.core.rule_context import Context, Events, Sign, promise_deal
from fortythieves_server.rooms.live_room import LiveRoom
from fortythieves_server.rooms.registry import Registry, new_code
from fortythieves_server.store.redis_errors import StoreDown
from fortythieves_server.store.room_logs import Full, Taken
from fortythieves_server.store.store import Store

log = logging.getLogger(__name__)

#: Bytes of Redis for the room of a race (an estimate). Its racers pay for it like for any room.
RACE = 1_500
#: Seconds until a race that should be over, and is not, is checked once more.
AGAIN = 1.0


class Heats:
    """The arenas of a process, and the rooms of their races."""

    def __init__(self, registry: Registry, store: Store, sign: Sign) -> None:
        self._registry = registry
        self._store = store
        self._sign = sign

    async def act(self, live: LiveRoom) -> None:
        """Do everything that is due in an arena, or in the room of a race. Raises `Refused`."""
        room = live.room
        if room.closed:
            return
        if room.of_arena is not None:
            await self.report(live, room, room.of_arena.arena)
        elif room.tournament is not None and room.tournament.is_arena:
            await self._begin_races(live)
            await self._give_up_lost_races(live)

    async def report(self, live: LiveRoom, room: Room, arena: str) -> None:
        """Report to the arena how a race ended. A second report does no harm."""
        over = decide_arena.result_to_report(room, live.cached.progress)
        if over is None:
            return
        found = await self._registry.find(arena)
        if found and not found.room.closed:
            await found.decide(
                lambda room_of_arena, context: decide_arena.heat_ended(room_of_arena, room.code, over), live.payer
            )
        await live.decide(lambda room, _: [] if room.is_reported else [events.ResultReported()], live.payer)

    async def _begin_races(self, live: LiveRoom) -> None:
        room, now = live.room, self._store.clock.now()
        context = Context(live.cached.now(), secrets.token_hex(32), {})
        seats = decide_arena.picks(room, context)
        if not seats:
            return
        if in_debt := {seat for seat, peer in live.peers.seated.items() if peer.account.pay(KEPT)}:
            seats = decide_arena.picks(room, context, in_debt)
        if not seats:
            await asyncio.sleep(AGAIN)
            return
        soon = now + decide_arena.COME_WITHIN
        wanted = [new_code() for _ in seats]
        # Before all else, so that some process lets the races end if this one dies a moment later.
        await self._store.directory.schedule(dict.fromkeys(wanted, soon))
        codes = await asyncio.gather(*map(self._open_room, repeat(room), seats, count(1), wanted))
        races = [(code, some) for code, some in zip(codes, seats, strict=True) if code is not None]
        for _, some in races:
            for peer in [live.peers.seated[seat] for seat in some if seat in live.peers.seated]:
                peer.account.charge("kept", RACE / len(some))
        await live.decide(lambda arena, context: decide_arena.matched(arena, races, context), live.payer)

    async def _open_room(self, room: Room, seats: tuple[int, ...], nth: int, code: str) -> str | None:
        """A new room for a race, or None if the server is full. ``code``: the one to try first."""
        tournament = room.tournament
        assert tournament is not None
        settings, of_arena = decide_arena.room_of(room, tournament, seats, tournament.arena.count + nth)
        while True:
            secret, now = secrets.token_hex(32), self._store.clock.now()
            promise = promise_deal(self._sign, code, 1, secret, now)
            created = events.Created(code, settings, secret, promise=promise, of_arena=of_arena)
            try:
                await self._store.logs.create(code, created)
            except Taken:
                code = new_code()
                await self._store.directory.schedule({code: now + decide_arena.COME_WITHIN})
                continue
            except Full:
                log.warning("room %s: no race begins, because the server is full", room.code, extra=about(room.code))
                with contextlib.suppress(StoreDown):
                    await self._store.directory.unschedule(code)
                await asyncio.sleep(AGAIN)
                return None
            return code

    async def _give_up_lost_races(self, live: LiveRoom) -> None:
        tournament = live.room.tournament
        late = decide_arena.overdue(tournament, live.cached.now()) if tournament is not None else []
        for code in late:
            found = await self._registry.find(code)
            if found and not found.room.closed:
                await self.act(found)
            else:
                await live.decide(partial(_gone, code))
        if late:
            await asyncio.sleep(AGAIN)


def _gone(code: str, room: Room, context: Context) -> Events:
    return decide_arena.heat_ended(room, code, None)
