"""Drawing lots: an order that depends on nothing but the chance that is given, and the seats."""

import hashlib
from collections.abc import Iterable


def by_lot(chance: str, seats: Iterable[int]) -> list[int]:
    """The seats in an order that nobody could know before. ``chance``: 64 hex digits."""
    known = bytes.fromhex(chance)
    return sorted(seats, key=lambda seat: hashlib.sha256(known + str(seat).encode()).digest())
