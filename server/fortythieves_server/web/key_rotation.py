"""The stored signing keys. One process rotates them, and all others follow."""

import asyncio
import contextlib
import logging
import secrets

from fortythieves.times import Ms
from fortythieves_server.common.tasks import end
from fortythieves_server.core import key_history
from fortythieves_server.core.key_history import ANNOUNCED, LOOK, Key, Ring
from fortythieves_server.rooms.records import RecordKey
from fortythieves_server.store.redis_errors import StoreDown
from fortythieves_server.store.store import Store
from fortythieves_server.web.guest_tokens import Guests

log = logging.getLogger(__name__)


class Rings:
    """The keys of guest tokens and of records. Call `read` first."""

    def __init__(self, store: Store, look_every: float = LOOK, announced: Ms = ANNOUNCED) -> None:
        """``look_every``: seconds between two reads. ``announced``: how long a key is known before it is used."""
        self._look_every = look_every
        self._announced = announced
        self._store = store
        self._clock = store.clock
        self.passes: Ring = ()
        self.records: Ring = ()
        self._following: asyncio.Task[None] | None = None

    async def read(self) -> None:
        """Read the stored keys. If there are none, those of servers with a single key are used. Raises `StoreDown`."""
        first_pass = Key(Ms(0), (await self._store.keys.signing_key()).hex())
        seed = await self._store.keys.record_key()
        first_record = Key(Ms(0), seed.hex(), RecordKey(seed).public)
        self.passes = await self._stored("passes", (first_pass,))
        self.records = await self._stored("records", (first_record,))

    async def _stored(self, name: str, first: Ring) -> Ring:
        return key_history.decode(await self._store.keys.key_ring(name, key_history.encode(first)))

    async def rotate(self, *, passes: bool, records: bool) -> None:
        """Add new keys. All processes begin to use them soon. Raises `StoreDown`."""
        now = self._clock.now()
        if passes:
            ring = key_history.rotated(self.passes, secrets.token_hex(32), "", now, self._announced)
            await self._change("passes", ring)
        if records:
            seed = secrets.token_bytes(32)
            ring = key_history.rotated(self.records, seed.hex(), RecordKey(seed).public, now, self._announced)
            await self._change("records", ring)
        await self.read()

    async def _change(self, name: str, ring: Ring) -> None:
        before = self.passes if name == "passes" else self.records
        if not await self._store.keys.change_key_ring(name, key_history.encode(before), key_history.encode(ring)):
            raise StoreDown("the keys were changed by somebody else at the same time; try again")

    async def trim(self) -> None:
        now = self._clock.now()
        for name, ring, trimmed in (
            ("passes", self.passes, key_history.passes_trimmed(self.passes, now)),
            ("records", self.records, key_history.records_trimmed(self.records, now, self._announced)),
        ):
            if ring != trimmed:
                with contextlib.suppress(StoreDown):  # another process was faster
                    await self._change(name, trimmed)

    def follow(self, guests: Guests, record_key: RecordKey) -> None:
        """Make this process use the current keys from now on."""
        self._use(guests, record_key)
        self._following = asyncio.create_task(self._follow(guests, record_key), name="keys")

    def _use(self, guests: Guests, record_key: RecordKey) -> None:
        now = self._clock.now()
        guests.use(key_history.accepted(self.passes, now))
        record_key.use(bytes.fromhex(key_history.current(self.records, now).secret))

    async def _follow(self, guests: Guests, record_key: RecordKey) -> None:
        while True:
            await asyncio.sleep(self._look_every)
            try:
                await self.read()
                self._use(guests, record_key)
                await self.trim()
            except StoreDown as error:
                log.debug("reading the keys was postponed: %s", error)
            except Exception:
                log.exception("reading the keys failed")

    async def close(self) -> None:
        await end([self._following])
