"""The winnable deals of a room's races: claimed from the pool for a countdown, and settled once one is chosen."""

import contextlib

from fortythieves.errors import Refused
from fortythieves_server.core import events
from fortythieves_server.core.room_state import Race, Room
from fortythieves_server.core.rule_context import NeedsClaim
from fortythieves_server.rooms.cached_room import CachedRoom
from fortythieves_server.store.redis_errors import StoreDown
from fortythieves_server.store.winnable_pool import NEEDED, OverQuota, Short, WinnablePool


class Claims:
    """What is claimed for the races of one room, as long as its countdown is decided."""

    def __init__(self, cached: CachedRoom, pool: WinnablePool) -> None:
        self._cached = cached
        self._pool = pool
        #: By race, game and stars: the deals, or why there are none.
        self._found: dict[tuple[int, str, int], events.Claimed | Refused] = {}

    def claim(self, race: int, game: str, stars: int) -> events.Claimed:
        """What was claimed. Raises `NeedsClaim` if it was not yet, and `Refused` if there are not enough deals."""
        found = self._found.get((race, game, stars))
        if found is None:
            raise NeedsClaim(race, game, stars)
        if isinstance(found, Refused):
            raise found
        return found

    async def fetch(self, needs: NeedsClaim) -> None:
        """Claim the deals, for the next decision. Raises `StoreDown`."""
        room = self._cached.room
        answer = await self._pool.claim(owner_of(room.code, needs.race), needs.game, needs.stars, room.address)
        found: events.Claimed | Refused
        match answer:
            case Short(ready):
                found = Refused("winnable-preparing", ready=ready, needed=NEEDED)
            case OverQuota():
                found = Refused("winnable-quota")
            case _:
                found = events.Claimed(
                    tuple(deal.secret.hex() for deal in answer.deals),
                    tuple(deal.line for deal in answer.deals),
                    tuple(deal.stars for deal in answer.deals),
                )
        self._found[needs.race, needs.game, needs.stars] = found

    def settle(self, before: Room) -> None:
        """Where a deal is chosen now, the others go back to the pool, soon. ``before``: the room before the decision.

        What was found counts for one decision: later there may be more deals.
        """
        races = {race for (race, _, _), found in self._found.items() if isinstance(found, events.Claimed)}
        self._found.clear()
        if before.race.chosen is None:
            races.add(before.race.number)
        for number in races:
            # If another process chose the deal of a race before this one claimed deals for it, they are others.
            race = race_of(self._cached.room, number)
            if race is not None and race.chosen is not None:
                self._cached.soon(self._settle(race))

    async def _settle(self, race: Race) -> None:
        with contextlib.suppress(StoreDown):  # then it is found as a claim in doubt
            owner = owner_of(self._cached.room.code, race.number)
            await self._pool.settle(owner, race.settings.game, race.secret)


def owner_of(code: str, race: int) -> str:
    """Who claims deals for a race."""
    return f"{code}/{race}"


def race_of(room: Room, number: int) -> Race | None:
    """A race of a room, the current one or one before it."""
    return room.race if number == room.race.number else room.past.get(number)
