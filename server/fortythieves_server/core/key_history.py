"""The keys that a server signs with, one after the other. Pure.

A ring has the newest key first. A new one is known to all processes for a while before any of them signs with it, so
nobody is shown a signature that another process does not know yet.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

#: In ms: how long a key is known before it is used. Processes look every `LOOK` seconds.
ANNOUNCED = 30_000
LOOK = 10.0
#: How long a guest pass is still good that an earlier key has signed (ms).
PASSES_FOR = 30 * 24 * 3_600_000


class Key(msgspec.Struct, frozen=True):
    """A key and since when it is used (ms). ``secret`` is "" once nobody needs it; both are in hexadecimal."""

    since: int
    secret: str
    public: str = ""


Ring = tuple[Key, ...]

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Ring).decode


def current(ring: Ring, now: int) -> Key:
    """The key to sign with."""
    return next((key for key in ring if key.since <= now), ring[-1])


def with_ends(ring: Ring) -> Iterator[tuple[Key, int | None]]:
    """Each key, and when the next one takes its place, if there is one."""
    ends = [None, *(key.since for key in ring)]
    yield from zip(ring, ends, strict=False)


def rotated(ring: Ring, secret: str, public: str, now: int, announced: int = ANNOUNCED) -> Ring:
    """The ring with a new key, to be used in a moment."""
    return (Key(now + announced, secret, public), *ring)


def records_trimmed(ring: Ring, now: int, announced: int = ANNOUNCED) -> Ring:
    """The public keys of records are kept for ever; the secrets go once they are not used any more."""
    gone = (end is not None and end + announced <= now for _, end in with_ends(ring))
    return tuple(Key(key.since, "" if old else key.secret, key.public) for key, old in zip(ring, gone, strict=True))


def passes_trimmed(ring: Ring, now: int) -> Ring:
    """What passes were signed with is kept for as long as they are still good."""
    return tuple(key for key, end in with_ends(ring) if end is None or end + PASSES_FOR > now)


def accepted(ring: Ring, now: int) -> list[bytes]:
    """All keys whose passes are good, that which new ones are signed with last."""
    kept = [bytes.fromhex(key.secret) for key in passes_trimmed(ring, now)]
    signing = bytes.fromhex(current(ring, now).secret)
    return [*(key for key in reversed(kept) if key != signing), signing]


def listed(ring: Ring, now: int) -> dict[str, Any]:
    """What is told of the keys of records, to whoever wants to check one."""
    return {
        "algorithm": "Ed25519",
        "key": current(ring, now).public,
        "keys": [{"key": key.public, "since": key.since, "until": end} for key, end in with_ends(ring)],
    }
