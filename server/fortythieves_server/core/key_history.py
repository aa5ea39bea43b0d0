"""The keys with which a server signs, one after the other. Pure.

A ring has the newest key first. All processes know a new key for a while before any of them signs with it. So no client
gets a signature that another process does not know yet.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from fortythieves.times import Ms, ms_of

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


def with_ends(ring: Ring) -> Iterator[tuple[Key, Ms | None]]:
    """Each key, and when the next one replaced it, if any did."""
    ends = [None, *(key.since for key in ring)]
    yield from zip(ring, ends, strict=False)


def rotated(ring: Ring, secret: str, public: str, now: Ms, announced: Ms = ANNOUNCED) -> Ring:
    """The ring with a new key, which is used ``announced`` from now."""
    return (Key(now + announced, secret, public), *ring)


def records_trimmed(ring: Ring, now: Ms, announced: Ms = ANNOUNCED) -> Ring:
    """The ring for records without old secrets. Its public keys are kept forever."""
    gone = (end is not None and end + announced <= now for _, end in with_ends(ring))
    return tuple(Key(key.since, "" if old else key.secret, key.public) for key, old in zip(ring, gone, strict=True))


def passes_trimmed(ring: Ring, now: Ms) -> Ring:
    """The ring for guest tokens, without the keys of expired tokens."""
    return tuple(key for key, end in with_ends(ring) if end is None or end + PASSES_FOR > now)


def accepted(ring: Ring, now: Ms) -> list[bytes]:
    """The keys of valid guest tokens. The one that signs new tokens is last."""
    kept = [bytes.fromhex(key.secret) for key in passes_trimmed(ring, now)]
    signing = bytes.fromhex(current(ring, now).secret)
    return [*(key for key in reversed(kept) if key != signing), signing]


def listed(ring: Ring, now: Ms) -> dict[str, Any]:
    """The published keys of records, for checks of a record."""
    return {
        "algorithm": "Ed25519",
        "key": current(ring, now).public,
        "keys": [{"key": key.public, "since": key.since, "until": end} for key, end in with_ends(ring)],
    }
