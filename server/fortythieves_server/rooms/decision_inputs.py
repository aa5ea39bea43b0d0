"""Input that is needed first: winnable deals from the pool, large draws and standings, clean texts of a long plan.

Large ones are made by another process, and nowhere else: the event loop serves all rooms, and must not wait for one of
them. If that process is busy, a plan is refused, and draws and standings are tried again.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import Any

import msgspec

from fortythieves.errors import Refused, refuse_if
from fortythieves.tournament.draw import draw
from fortythieves.tournament.plan import Plan
from fortythieves.tournament.results import Entrants
from fortythieves.tournament.rounds import Drawing, Round
from fortythieves.tournament.standings import FORMATS, Row
from fortythieves.tournament.swiss import SMALL
from fortythieves.tournament.teams import TeamRow
from fortythieves_server.common.prices import KEPT, Account
from fortythieves_server.core import decide, decide_tournament, events
from fortythieves_server.core.brackets import Course
from fortythieves_server.core.decide_tournament import Cleaned
from fortythieves_server.core.room_state import Race, Room
from fortythieves_server.core.rule_context import Context, Events, NeedsClaim
from fortythieves_server.core.tournament import Tournament
from fortythieves_server.rooms.cached_room import CachedRoom
from fortythieves_server.rooms.file_process import FileProcess
from fortythieves_server.store.redis_errors import StoreDown

log = logging.getLogger(__name__)

#: A draw is large from this number of entrants on. A smaller one takes 5 ms, and one of a thousand 200 ms (measured).
LARGE = SMALL + 1
#: How often a large draw is made anew because the entrants have changed during the draw.
DRAWS = 3
#: Changes to a plan are long from so many bytes on. Shorter ones are cleaned in 5 ms (measured).
LONG = 2_000

#: Seconds until standings are tried again.
RETRY_AFTER = 1.0

Rule = Callable[[Room, Context], Events]

#: All but the randomness: a plan, the entrants, the rounds so far, and who asks for a half-point bye.
_Inputs = tuple[Plan, Entrants, Sequence[Round], Collection[int]]


class _NeedsDraw(Exception):
    def __init__(self, inputs: _Inputs, chance: str) -> None:
        super().__init__("a large draw is due")
        self.inputs = inputs
        self.chance = chance


async def decide_due(decide_by: Callable[[Rule], Awaitable[None]], file_process: FileProcess) -> None:
    """Decide everything that is due by the rules. A large draw is made in another process before. Raises `Refused`.

    The last draw counts even if entrants came or left during it, so they cannot put it off. The result is the same as
    if they had done so just after it.
    """
    made: tuple[_Inputs, Drawing | None] | None = None
    left = DRAWS

    def known_draw(
        plan: Plan, entrants: Entrants, rounds: Sequence[Round], chance: str, half: Collection[int]
    ) -> Drawing | None:
        inputs = plan, entrants, rounds, half
        if len(entrants) < LARGE or not FORMATS[plan.format].is_slow:
            return draw(plan, entrants, rounds, chance, half)
        is_made = made is not None and (made[0] == inputs or (not left and made[0][::2] == inputs[::2]))
        if made is None or not is_made:
            raise _NeedsDraw(inputs, chance)
        return made[1]

    while True:
        try:
            await decide_by(lambda room, context: decide.due(room, context._replace(draw=known_draw)))
            return
        except _NeedsDraw as needs:
            refuse_if(not left, "too-fast")
            packed = msgspec.msgpack.encode((*needs.inputs[:3], needs.chance, needs.inputs[3]))
            answer = await file_process.do(("round_drawn", (packed,)))
            made, left = (needs.inputs, msgspec.msgpack.decode(answer, type=Drawing | None)), left - 1


async def cleaned(changes: Mapping[str, Any], file_process: FileProcess, account: Account) -> Cleaned:
    """Changes to a plan with clean texts. Raises `Refused`.

    It is checked once more whether the account can pay: other plans of it may have been stored in the meantime.
    """
    if len(msgspec.msgpack.encode(changes)) < LONG:
        return decide_tournament.cleaned(changes)
    answer = await file_process.do(("plan_cleaned", (changes,)), account)
    refuse_if(account.pay(KEPT), "too-fast")
    return Cleaned(msgspec.msgpack.decode(answer))


async def compute_standings(tournament: Tournament | None, file_process: FileProcess) -> None:
    """Let the tournament of a room know its standings, before its view is made."""
    while tournament is not None and tournament.lacks_standings:
        inputs = tournament.plan, tournament.entrants, tournament.with_pars
        try:
            answer = await file_process.do(("standings_of", (msgspec.msgpack.encode(inputs),)))
        except Refused as refused:
            log.warning("large standings have to wait: %s", refused)
            await asyncio.sleep(RETRY_AFTER)
        else:
            tournament.know(*msgspec.msgpack.decode(answer, type=tuple[tuple[Row, ...], tuple[TeamRow, ...], Course]))


class Claims:
    """The winnable deals that are claimed for the next countdown of one room, and settled once one is chosen."""

    def __init__(self, cached: CachedRoom) -> None:
        self._cached = cached
        self._pool = cached.store.pool
        #: By race, game and stars: the deals, or why there are none.
        self._found: dict[tuple[int, str, int], events.Claimed | Refused] = {}

    def claim(self, race: int, game: str, stars: int) -> events.Claimed:
        """The claimed deals. Raises `NeedsClaim` if they must be claimed first, `Refused` if there are not enough."""
        found = self._found.get((race, game, stars))
        if found is None:
            raise NeedsClaim(race, game, stars)
        if isinstance(found, Refused):
            raise found
        return found

    async def fetch(self, needs: NeedsClaim) -> None:
        """Claim the deals, for the next decision. Raises `StoreDown`."""
        room = self._cached.room
        found: events.Claimed | Refused
        try:
            deals = await self._pool.claim(f"{room.code}/{needs.race}", needs.game, needs.stars, room.address)
            secrets, lines, stars = zip(*((deal.secret.hex(), deal.line, deal.stars) for deal in deals), strict=True)
            found = events.Claimed(secrets, lines, stars)
        except StoreDown:
            raise
        except Refused as refused:
            found = refused
        self._found[needs.race, needs.game, needs.stars] = found

    def settle(self, before: Room) -> None:
        """If a deal is chosen now, return the others to the pool soon. ``before``: the room before the decision.

        The claimed deals count for one decision: later there may be more deals.
        """
        races = {race for (race, _, _), found in self._found.items() if isinstance(found, events.Claimed)}
        self._found.clear()
        if before.race.chosen is None:
            races.add(before.race.number)
        for number in races:
            # Another process may have chosen the deal of a race before this one claimed other deals for it.
            race = race_of(self._cached.room, number)
            if race is not None and race.chosen is not None:
                self._cached.run_soon(self._settle(race))

    async def _settle(self, race: Race) -> None:
        with contextlib.suppress(StoreDown):  # then it is found as a claim in doubt
            owner = f"{self._cached.room.code}/{race.number}"
            await self._pool.settle(owner, race.settings.game, race.secret)


def race_of(room: Room, number: int) -> Race | None:
    return room.race if number == room.race.number else room.past.get(number)
