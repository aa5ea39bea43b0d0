"""The winnable deals of a room's races: claimed from the pool for a countdown, and settled once one is chosen."""

import contextlib

from fortythieves.errors import Refused
from fortythieves_server.core import events
from fortythieves_server.core.room_state import Race, Room
from fortythieves_server.core.rule_types import NeedsClaim
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

    def forget(self) -> None:
        """What was found counts for one decision: later there may be more deals."""
        self._found.clear()

    def settle(self, before: Room) -> None:
        """If a deal was chosen since then, the others go back to the pool, soon."""
        race = race_of(self._cached.room, before.race.number)
        if race is not None and race.chosen is not None and before.race.chosen is None:
            self._cached.soon(self._settle(race.number, race.settings.game, race.chosen.leaf))

    async def _settle(self, race: int, game: str, leaf: int) -> None:
        with contextlib.suppress(StoreDown):  # then it is found as a claim in doubt
            await self._pool.settle(owner_of(self._cached.room.code, race), game, leaf)


def owner_of(code: str, race: int) -> str:
    """Who claims deals for a race."""
    return f"{code}/{race}"


def race_of(room: Room, number: int) -> Race | None:
    """A race of a room, the current one or one before it."""
    return room.race if number == room.race.number else room.past.get(number)
