"""The records of finished races: made from the logs when somebody asks, and signed."""

from collections import OrderedDict

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from fortythieves import record
from fortythieves.errors import Refused
from fortythieves_server.hub import Hub
from fortythieves_server.race import Race
from fortythieves_server.recording import record_of
from fortythieves_server.store import Store, StoreDown

#: Records that are kept in memory, for those who come to see the same race.
KEPT = 16


class Records:
    """Makes records of the races in the store. ``seed``: the 32 bytes of the server's Ed25519 key."""

    def __init__(self, hub: Hub, store: Store, seed: bytes) -> None:
        self._hub = hub
        self._store = store
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self._kept: OrderedDict[tuple[str, int], record.Plain] = OrderedDict()

    @property
    def public_key(self) -> str:
        """What signatures are checked with, in hex."""
        return self._key.public_key().public_bytes_raw().hex()

    async def of(self, code: str, number: int) -> record.Plain:
        """The record of a race. Raises `Refused` ("unknown-race", "not-over-yet", "store-down")."""
        race = await self._hub.finished_race(code, number)
        if (code, number) not in self._kept:
            try:
                self._kept[code, number] = record.sign(await self._make(code, race), self._key)
            except StoreDown:
                raise Refused("store-down") from None
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end((code, number))
        return self._kept[code, number]

    async def _make(self, code: str, race: Race) -> record.Plain:
        stored = await self._store.read(code)
        moves = {seat: await self._store.moves(code, race.number, seat) for seat in race.racers}
        return record_of(code, race, stored.entries if stored else [], moves)
