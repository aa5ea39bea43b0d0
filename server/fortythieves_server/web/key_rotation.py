"""The stored signing keys, one after the other. One process rotates them, and all others follow.

A ring has the newest key first. All processes know a new key for a while before any of them signs with it. So no client
gets a signature that another process does not know yet.
"""

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Iterator
from typing import Any

import msgspec

from fortythieves.times import Ms, ms_of
from fortythieves_server.common.tasks import end
from fortythieves_server.rooms.records import RecordKey
from fortythieves_server.store.redis_errors import StoreDown
from fortythieves_server.store.store import Store
from fortythieves_server.web.guest_tokens import Guests

log = logging.getLogger(__name__)

#: How long a key is known before it is used. Processes reload the keys every `LOOK` seconds.
ANNOUNCED = Ms(30_000)
LOOK = 10.0
#: How long a guest token signed with an earlier key stays valid.
PASSES_FOR = ms_of(30 * 24 * 3_600)


class Key(msgspec.Struct, frozen=True):
    """A key, and since when it is used. ``secret`` is "" once it is not needed. Both are in hexadecimal."""

    since: Ms
    secret: str
    public: str = ""


Ring = tuple[Key, ...]

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Ring).decode


def current(ring: Ring, now: Ms) -> Key:
    return next((key for key in ring if key.since <= now), ring[-1])


def _with_ends(ring: Ring) -> Iterator[tuple[Key, Ms | None]]:
    """Each key, and when the next one replaced it, if any did."""
    yield from zip(ring, [None, *(key.since for key in ring)], strict=False)


def records_trimmed(ring: Ring, now: Ms, announced: Ms = ANNOUNCED) -> Ring:
    """The ring for records without old secrets. Its public keys are kept forever."""
    gone = (until is not None and until + announced <= now for _, until in _with_ends(ring))
    return tuple(Key(key.since, "" if old else key.secret, key.public) for key, old in zip(ring, gone, strict=True))


def passes_trimmed(ring: Ring, now: Ms) -> Ring:
    """The ring for guest tokens, without the keys of expired tokens."""
    return tuple(key for key, until in _with_ends(ring) if until is None or until + PASSES_FOR > now)


def accepted(ring: Ring, now: Ms) -> list[bytes]:
    """The keys of valid guest tokens. The one that signs new tokens is last."""
    kept = [bytes.fromhex(key.secret) for key in passes_trimmed(ring, now)]
    signing = bytes.fromhex(current(ring, now).secret)
    return [*(key for key in reversed(kept) if key != signing), signing]


def published_keys(ring: Ring, now: Ms) -> dict[str, Any]:
    """The published keys of records, for checks of a record."""
    keys = [{"key": key.public, "since": key.since, "until": until} for key, until in _with_ends(ring)]
    return {"algorithm": "Ed25519", "key": current(ring, now).public, "keys": keys}


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
        return decode(await self._store.keys.key_ring(name, encode(first)))

    async def rotate(self, *, passes: bool, records: bool) -> None:
        """Add new keys. All processes begin to use them soon. Raises `StoreDown`."""
        used_from = self._clock.now() + self._announced
        if passes:
            await self._change("passes", (Key(used_from, secrets.token_hex(32)), *self.passes))
        if records:
            seed = secrets.token_bytes(32)
            await self._change("records", (Key(used_from, seed.hex(), RecordKey(seed).public), *self.records))
        await self.read()

    async def _change(self, name: str, ring: Ring) -> None:
        before = self.passes if name == "passes" else self.records
        if not await self._store.keys.change_key_ring(name, encode(before), encode(ring)):
            raise StoreDown("the keys were changed by somebody else at the same time; try again")

    async def trim(self) -> None:
        now = self._clock.now()
        for name, ring, trimmed in (
            ("passes", self.passes, passes_trimmed(self.passes, now)),
            ("records", self.records, records_trimmed(self.records, now, self._announced)),
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
        guests.use(accepted(self.passes, now))
        record_key.use(bytes.fromhex(current(self.records, now).secret))

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
