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

#: Bytes of the longest record that is made; RECORD.md says why. A race of a thousand takes about half of it. Its JSON
#: twin is at most twice as long, which readers accept.
LONGEST = record.SIZE_LIMIT // 2


class Records:
    """Makes records of the races in the store. ``seed``: the 32 bytes of the server's Ed25519 key."""

    def __init__(self, hub: Hub, store: Store, seed: bytes) -> None:
        self._hub = hub
        self._store = store
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        #: By room, race and when it was over: a room that is forgotten may be opened again, with another first race.
        #: None: the record is too long.
        self._kept: OrderedDict[tuple[str, int, int | None], record.Plain | None] = OrderedDict()

    @property
    def public_key(self) -> str:
        """What signatures are checked with, in hex."""
        return self._key.public_key().public_bytes_raw().hex()

    async def of(self, code: str, number: int) -> record.Plain:
        """The record of a race. Raises `Refused` ("unknown-race", "not-over-yet", "store-down", "huge-record")."""
        race = await self._hub.finished_race(code, number)
        name = code, number, race.over_at
        if name not in self._kept:
            try:
                self._kept[name] = _short(record.sign(await self._make(code, race), self._key))
            except StoreDown:
                raise Refused("store-down") from None
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(name)
        found = self._kept[name]
        if found is None:
            raise Refused("huge-record")
        return found

    async def _make(self, code: str, race: Race) -> record.Plain:
        stored = await self._store.read(code)
        moves = {seat: await self._store.moves(code, race.number, seat) for seat in race.racers}
        return record_of(code, race, stored.entries if stored else [], moves)


def _short(made: record.Plain) -> record.Plain | None:
    return made if len(record.packed(made)) <= LONGEST else None
