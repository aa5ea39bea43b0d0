"""Drawing lots: an order that depends only on the given randomness and the seats."""

import hashlib
from collections.abc import Iterable


def by_lot(chance: str, seats: Iterable[int]) -> list[int]:
    """The seats in random order. ``chance``: 64 unpredictable hexadecimal digits."""
    known = bytes.fromhex(chance)
    return sorted(seats, key=lambda seat: hashlib.sha256(known + str(seat).encode()).digest())
