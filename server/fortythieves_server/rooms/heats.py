"""The races of an arena, the tries of a challenge and the scores of a circle: opens a room for each race, and tells
these how it ended.

A room is opened before the log of the arena names it. So the called racers find it. If the arena cannot take
it after all, because another process was faster or this one died, no racer ever joins that room: its race ends by
itself, and the arena does not know it.
"""

import asyncio
import contextlib
import logging
import secrets
from functools import partial
from itertools import count, repeat

from msgspec.structs import replace

from fortythieves.errors import Refused, found
from fortythieves_server.common.logs import about
from fortythieves_server.common.prices import KEPT, Account
from fortythieves_server.core import decide_arena, decide_challenge, decide_circle, decide_tournament, events
from fortythieves_server.core.challenge import Challenge
from fortythieves_server.core.room_state import Race, Room
from fortythieves_server.core.rule_context import Context, Events
from fortythieves_server.rooms.decision_inputs import Rule, race_of
from fortythieves_server.rooms.live_room import LiveRoom
from fortythieves_server.rooms.registry import Registry
from fortythieves_server.store.schema import size_of

log = logging.getLogger(__name__)

#: Bytes of Redis for the room of a race (an estimate). Its racers pay for it like for any room.
RACE = 1_500
#: Seconds until a race that should be over, and is not, is checked once more.
AGAIN = 1.0


class Heats:
    """The arenas and challenges of a process, and the rooms of their races."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    async def act(self, live: LiveRoom) -> None:
        """Do everything that is due in an arena, or in the room of a race. Raises `Refused`."""
        room = live.room
        if room.closed:
            return
        if room.of_arena is not None:
            await self.report(live, room, room.of_arena.arena)
        elif race := decide_circle.race_to_report(room):
            await self._tell(live, race, room.of_circle, partial(_race_over, room.code, race))
        elif room.circle is not None:
            await self._score(live)
        elif room.tournament is not None and room.tournament.is_arena:
            await self._begin_races(live)
            await self._give_up_lost_races(live)
        elif room.tournament is not None and (number := room.tournament.lacks_par):
            par = await self._registry.par(found(race_of(room, number), "unknown-race"))
            await live.decide(lambda room, _: decide_tournament.par_found(room, number, par))

    async def report(self, live: LiveRoom, room: Room, arena: str) -> None:
        """Report to the arena, or to the challenge, how a race ended. A second report does no harm."""
        over = decide_arena.result_to_report(room, live.cached.progress)
        if over is None:
            return

        def rule(parent: Room, context: Context) -> Events:
            if parent.challenge is None or room.of_arena is None:
                return decide_arena.heat_ended(parent, room.code, over)
            [racer] = room.of_arena.racers
            return decide_challenge.try_ended(parent, racer.guest, room.code, over)

        await self._tell(live, room.race, arena, rule)

    async def _tell(self, live: LiveRoom, race: Race, parent: str, rule: Rule) -> None:
        """Decide a rule in the room to which a race belongs, if that is still there, and note that it knows the end."""
        found = await self._registry.find(parent)
        if found and not found.room.closed:
            await found.decide(rule, live.payer)
        reported: Events = [events.ResultReported(race.number)]
        await live.decide(lambda room, _: reported if room.reported < race.number else [], live.payer)

    async def _score(self, live: LiveRoom) -> None:
        """Score the days and challenges of a circle that are over."""
        for kind, key in decide_circle.overdue(live.room, live.cached.now()):
            code = await self._registry.code_of_day(int(key)) if kind == "day" else key
            found = await self._registry.find(code) if code else None
            if found is not None:
                await found.act()  # it may not have closed yet
            challenge = None if found is None else found.room.challenge
            await live.decide(partial(_scored, kind, key, challenge))

    async def score_closed(self, room: Room) -> None:
        """Let a circle score a challenge that its owner has closed early. Otherwise it takes a place until its date."""
        challenge = room.challenge
        if challenge is None or not (challenge.closed and challenge.opened.circle):
            return
        with contextlib.suppress(Refused):
            circle = await self._registry.find(challenge.opened.circle)
            # The code of a circle that was deleted may be that of another room.
            if circle is not None and circle.room.circle is not None and not circle.room.closed:
                await circle.decide(partial(_scored, "challenge", room.code, challenge))

    async def begin_try(self, live: LiveRoom, guest: str, name: str, face: int, address: str, payer: Account) -> None:
        """Begin a guest's one try of a challenge, unless it has begun. Raises `Refused`."""
        decide_challenge.check_may_try(live.room, guest, address, live.cached.now())
        if live.room.challenge is None or guest in live.room.challenge.numbers:
            return
        created = decide_challenge.room_of_try(live.room, guest, name, face, live.cached.now())
        # If another device of the guest is faster, no racer ever joins this room.
        created = await self._registry.open(replace(created, address=address), decide_arena.COME_WITHIN)
        payer.charge("kept", RACE + size_of(created))

        def rule(room: Room, context: Context) -> Events:
            return decide_challenge.start(room, guest, name, face, created.code, address, context)

        await live.decide(rule, payer)

    async def _begin_races(self, live: LiveRoom) -> None:
        room = live.room
        context = Context(live.cached.now(), secrets.token_hex(32), {})
        seats = decide_arena.picks(room, context)
        if not seats:
            return
        if in_debt := {seat for seat, peer in live.peers.seated.items() if peer.account.pay(KEPT)}:
            seats = decide_arena.picks(room, context, in_debt)
        if not seats:
            await asyncio.sleep(AGAIN)
            return
        codes = await asyncio.gather(*map(self._open_room, repeat(room), seats, count(1)))
        races = [(code, some) for code, some in zip(codes, seats, strict=True) if code is not None]
        for _, some in races:
            for peer in [live.peers.seated[seat] for seat in some if seat in live.peers.seated]:
                peer.account.charge("kept", RACE / len(some))
        await live.decide(lambda arena, context: decide_arena.matched(arena, races, context), live.payer)

    async def _open_room(self, room: Room, seats: tuple[int, ...], nth: int) -> str | None:
        """A new room for a race, or None if the server is full."""
        tournament = room.tournament
        assert tournament is not None
        settings, of_arena = decide_arena.room_of(room, tournament, seats, tournament.arena.count + nth)
        created = events.Created("", settings, "", of_arena=of_arena)
        try:
            return (await self._registry.open(created, decide_arena.COME_WITHIN)).code
        except Refused as refused:
            if refused.code != "server-full":
                raise
        log.warning("room %s: no race begins, because the server is full", room.code, extra=about(room.code))
        await asyncio.sleep(AGAIN)
        return None

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


def _race_over(code: str, race: Race, parent: Room, context: Context) -> Events:
    # The code of a circle that was deleted may be that of another room.
    return [] if parent.circle is None else decide_circle.race_over(parent, code, race, context.now)


def _scored(kind: events.ScoreKind, key: str, challenge: Challenge | None, room: Room, context: Context) -> Events:
    return decide_circle.score(room, kind, key, challenge, context.now)


def _gone(code: str, room: Room, context: Context) -> Events:
    return decide_arena.heat_ended(room, code, None)
