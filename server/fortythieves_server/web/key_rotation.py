"""The stored signing keys, one after the other. One process rotates them, and all others follow.

A ring has the newest key first. All processes know a new key for a while before any of them signs with it. So no client
gets a signature that another process does not know yet.
"""

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Literal

import msgspec

from fortythieves.solver.day import day_of, earlier
from fortythieves.times import Ms, ms_of, seconds_of
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
#: Which keys an operator rotates.
What = Literal["passes", "records", "all"]

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Ring).decode


class Chain(msgspec.Struct, frozen=True):
    """The chain of the keys of days (`solver.day`), by the day and the key (in hexadecimal) of its end."""

    last: int
    key: str


#: How many days a chain has: 50 years. To compute the first key takes 10 ms.
LINKS = 18_000


def _key_of_records(since: Ms, seed: bytes) -> Key:
    return Key(since, seed.hex(), RecordKey(seed).public)


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
        self._chain = Chain(0, "")
        self._following: asyncio.Task[None] | None = None

    async def read(self) -> None:
        """Read the stored keys. If there are none, new ones are stored. Raises `StoreDown` and `OtherSchema`."""
        keys = self._store.keys
        await keys.check_schema()  # if Redis was emptied, the schema is stored before the keys
        first_pass = Key(Ms(0), (await keys.signing_key()).hex())
        first_record = _key_of_records(Ms(0), secrets.token_bytes(32))
        self.passes = decode(await keys.key_ring("passes", encode((first_pass,))))
        self.records = decode(await keys.key_ring("records", encode((first_record,))))
        chain = encode(Chain(day_of(self._clock.now()) - 1 + LINKS, secrets.token_hex(32)))
        self._chain = msgspec.json.decode(await keys.key_ring("days", chain), type=Chain)

    def key_of_day(self, day: int) -> bytes | None:
        """The key of a day, or None if the chain has none."""
        return _key_of_day(self._chain, day) if 0 <= self._chain.last - day < LINKS else None

    @property
    def first_day_link(self) -> tuple[int, str]:
        """The day before the first one with a deal, and its key, which is published from the beginning."""
        first = self._chain.last - LINKS
        return first, _key_of_day(self._chain, first).hex()

    @property
    def record_seed(self) -> bytes:
        """The seed of the key that signs records now."""
        return bytes.fromhex(current(self.records, self._clock.now()).secret)

    async def rotate(self, *, passes: bool, records: bool) -> None:
        """Add new keys. All processes begin to use them soon. Raises `StoreDown`."""
        used_from = self._clock.now() + self._announced
        if passes:
            await self._change("passes", self.passes, (Key(used_from, secrets.token_hex(32)), *self.passes))
        if records:
            new = _key_of_records(used_from, secrets.token_bytes(32))
            await self._change("records", self.records, (new, *self.records))
        await self.read()

    async def _change(self, name: str, before: Ring, after: Ring) -> None:
        if not await self._store.keys.change_key_ring(name, encode(before), encode(after)):
            raise StoreDown("the keys were changed by somebody else at the same time; try again")

    async def trim(self) -> None:
        now = self._clock.now()
        with contextlib.suppress(StoreDown):  # another process was faster
            if self.passes != (passes := passes_trimmed(self.passes, now)):
                await self._change("passes", self.passes, passes)
            if self.records != (records := records_trimmed(self.records, now, self._announced)):
                await self._change("records", self.records, records)

    async def carry_out(self, what: What | None) -> list[str]:
        """Rotate some keys, if any. Returns the lines to print. Raises `StoreDown`."""
        await self.read()
        if what is not None:
            await self.rotate(passes=what != "records", records=what != "passes")
        keys = published_keys(self.records, self._clock.now())["keys"]
        lines = [f"records  {key['key']}  {_when(key['since'])} to {_when(key['until'])}" for key in keys]
        if what is not None:
            seconds = ANNOUNCED // Ms(1000)
            lines.append(f"All servers on this Redis use the new key in {seconds} seconds. No server needs a restart.")
        if what in ("passes", "all"):
            lines.append("Guest tokens signed with the old key stay valid for 30 more days.")
        if what in ("records", "all"):
            lines.append("Records signed with the old key stay valid.")
        return lines

    def follow(self, guests: Guests, record_key: RecordKey) -> None:
        """Make this process use the current keys from now on."""
        self._use(guests, record_key)
        self._following = asyncio.create_task(self._follow(guests, record_key), name="keys")

    def _use(self, guests: Guests, record_key: RecordKey) -> None:
        guests.use(accepted(self.passes, self._clock.now()))
        record_key.use(self.record_seed)

    async def _follow(self, guests: Guests, record_key: RecordKey) -> None:
        while True:
            await asyncio.sleep(self._look_every)
            try:
                await self.read()
                self._use(guests, record_key)
                await self.trim()
            except StoreDown as error:
                log.debug("reading the keys was postponed: %s", error.reason)
            except Exception:
                log.exception("reading the keys failed")

    async def close(self) -> None:
        await end([self._following])


@lru_cache
def _key_of_day(chain: Chain, day: int) -> bytes:
    return earlier(bytes.fromhex(chain.key), chain.last - day)


def _when(at: Ms | None) -> str:
    return "now" if at is None else "the first" if not at else datetime.fromtimestamp(seconds_of(at), UTC).isoformat()
