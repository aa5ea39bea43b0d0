"""What hosts can see about finished races: who raced from the same address, and who only drew cards."""

import asyncio

from fortythieves.errors import Refused
from fortythieves.protocol import to_client
from fortythieves_server.core import finished_race
from fortythieves_server.core.room_state import Race
from fortythieves_server.rooms.cached_room import CachedRoom
from fortythieves_server.store.redis_errors import StoreDown
from fortythieves_server.store.store import Store


class Reviews:
    """The reviews of one room. Each is made once."""

    def __init__(self, cached: CachedRoom, store: Store) -> None:
        self._cached = cached
        self._store = store
        self._made: dict[tuple[str, int], to_client.Reviewed] = {}

    async def of(self, race: Race) -> to_client.Reviewed:
        """What stands out in a finished race. Raises `Refused`."""
        key = self._cached.epoch, race.number
        if key not in self._made:
            try:
                self._made[key] = await self._make(race)
            except StoreDown:
                raise Refused("store-down") from None
        return self._made[key]

    async def _make(self, race: Race) -> to_client.Reviewed:
        most = finished_race.read_up_to(race.game)
        lengths = {seat: min(racer.result.moves, most) for seat, racer in race.racers.items() if racer.result}
        only_drew: list[int] = []
        logs = await self._store.logs.raw_moves(self._cached.room.code, race.number, lengths)
        for seat, log in logs.items():
            entries = (entry.partition(b" ")[2].decode() for entry in log.split(b"\n"))
            if finished_race.only_drew(entries, race.game):
                only_drew.append(seat)
            await asyncio.sleep(0)  # others run while hundreds of logs are read
        return to_client.Reviewed(race.number, finished_race.of_one_address(race), sorted(only_drew))
