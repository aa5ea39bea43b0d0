"""The races of an arena: opens a room for each, and tells the arena how it ended.

A room is opened before the arena's log says that it is for a race. So whoever is called there finds it. If the arena
cannot take it after all, because another process was faster or this one died, nobody ever comes to that room: its race
ends by itself, and the arena does not know it.
"""

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Protocol

from fortythieves.errors import Refused
from fortythieves.times import Ms
from fortythieves_server.common.logs import about
from fortythieves_server.core import decide_arena, events, evolve, room_list
from fortythieves_server.core.room_state import Room
from fortythieves_server.core.rule_context import Context, Events, Sign, promise_deal
from fortythieves_server.rooms.room_codes import new_code
from fortythieves_server.store.redis_errors import StoreDown
from fortythieves_server.store.room_logs import Full, Taken
from fortythieves_server.store.store import Store

log = logging.getLogger(__name__)

#: A process without anybody of the arena leaves it so long to those that have some. A guess.
BEHIND = Ms(1_500)
#: Seconds until a race that should be over, and is not, is looked at again.
AGAIN = 1.0

Rule = Callable[[Room, Context], Events]
DecideBy = Callable[[Rule], Awaitable[None]]


class Served(Protocol):
    """A room that this process serves."""

    @property
    def room(self) -> Room: ...

    async def decide(self, rule: Rule) -> None: ...


class Heats:
    """``find``: a stored room. Raises `Refused` and `StoreDown`."""

    def __init__(self, store: Store, sign: Sign, find: Callable[[str], Awaitable[Served]]) -> None:
        self._store = store
        self._sign = sign
        self._find = find

    async def tend(self, served: Served) -> None:
        """Do what is due in an arena, or in the room of one of its races. Raises `Refused` and `StoreDown`."""
        room = served.room
        if room.closed:
            return
        if room.of_arena is not None:
            await self.tell(served, room, room.of_arena.arena)
        elif room.tournament is not None and room.tournament.is_arena:
            await self._begin(served)
            await self._look_for(served)

    async def tell(self, served: Served, room: Room, arena: str) -> None:
        """Tell the arena how a race ended. It can be told again."""
        over = decide_arena.result_to_report(room)
        if over is None:
            return
        try:
            found = await self._find(arena)
        except Refused as refused:
            if refused.code != "unknown-room":
                raise
        else:
            await found.decide(lambda held, context: decide_arena.heat_ended(held, room.code, over))
        await served.decide(
            lambda room, context: [events.ResultReported()] if decide_arena.result_to_report(room) else []
        )

    async def _begin(self, served: Served) -> None:
        """Begin the races for which enough are free."""
        room, now = served.room, self._store.clock.now()
        seats = decide_arena.picks(room, Context(now, secrets.token_hex(32), {}))
        if not seats:
            return
        soon = now + decide_arena.COME_WITHIN
        wanted = [new_code() for _ in seats]
        # First of all, so that some process lets the races end if this one dies a moment later.
        await self._store.directory.look_at(dict.fromkeys(wanted, soon))
        codes = await asyncio.gather(
            *(
                self._opened(room, some, n, code)
                for n, (some, code) in enumerate(zip(seats, wanted, strict=True), start=1)
            )
        )
        races = [(code, some) for code, some in zip(codes, seats, strict=True) if code is not None]
        await served.decide(lambda held, context: decide_arena.matched(held, races, context))

    async def _opened(self, room: Room, seats: tuple[int, ...], nth: int, code: str) -> str | None:
        """A new room for a race, or None if the server is full. ``code``: the one to try first."""
        tournament = room.tournament
        assert tournament is not None
        settings, of_arena = decide_arena.room_of(room, tournament, seats, tournament.arena.count + nth)
        while True:
            secret, now = secrets.token_hex(32), self._store.clock.now()
            promise = promise_deal(self._sign, code, 1, secret, now)
            created = events.Created(code, settings, secret, promise=promise, of_arena=of_arena)
            try:
                await self._store.logs.create(code, created, room_list.summary(evolve.begin(now, created)))
            except Taken:
                code = new_code()
                await self._store.directory.look_at({code: now + decide_arena.COME_WITHIN})
                continue
            except Full:
                log.warning("room %s: no race begins, because the server is full", room.code, extra=about(room.code))
                with contextlib.suppress(StoreDown):
                    await self._store.directory.forget(code)
                await asyncio.sleep(AGAIN)
                return None
            return code

    async def _look_for(self, served: Served) -> None:
        """Give up races whose rooms are gone."""
        tournament = served.room.tournament
        late = decide_arena.overdue(tournament, self._store.clock.now()) if tournament is not None else []
        for code in late:
            try:
                found = await self._find(code)
            except Refused as refused:
                if refused.code != "unknown-room":
                    raise
                await served.decide(partial(_gone, code))
            else:
                await self.tend(found)
        if late:
            await asyncio.sleep(AGAIN)


def _gone(code: str, room: Room, context: Context) -> Events:
    return decide_arena.heat_ended(room, code, None)
