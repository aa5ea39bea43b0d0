"""signatures.json: weak keys, with which anyone can sign, and valid and invalid signatures.

- ``weak``: every way to write a point of small order in 32 bytes; ``sound``: some keys that are not weak;
- ``signed``: a ``content``, a ``signature``, a ``key``, all in hexadecimal, and whether it is valid (``ok``).

The points come from the curve's equation alone, so they do not depend on the tested code.
"""

from collections.abc import Iterator
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

# RFC 8032, 5.1: the field, the curve -x² + y² = 1 + d x² y², and the order of its large subgroup.
P = 2**255 - 19
D = -121665 * pow(121666, -1, P) % P
L = 2**252 + 27742317777372353535851937790883648493

Point = tuple[int, int]
IDENTITY: Point = (0, 1)


def plus(a: Point, b: Point) -> Point:
    (x1, y1), (x2, y2) = a, b
    both = D * x1 * x2 * y1 * y2 % P
    x = (x1 * y2 + x2 * y1) * pow(1 + both, -1, P) % P
    return x, (y1 * y2 + x1 * x2) * pow(1 - both, -1, P) % P


def times(n: int, point: Point) -> Point:
    product = IDENTITY
    while n:
        if n & 1:
            product = plus(product, point)
        point, n = plus(point, point), n >> 1
    return product


def with_y(y: int) -> Point | None:
    """A point with this y, if there is one."""
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    for root in (x, x * pow(2, (P - 1) // 4, P) % P):
        if root * root % P == square:
            return root, y
    return None


def small_order() -> set[Point]:
    """The eight points whose order divides eight."""
    found: set[Point] = set()
    y = 2
    while len(found) < 8:
        if (point := with_y(y)) is not None:
            torsion = times(L, point)
            found |= {times(n, torsion) for n in range(8)}
        y += 1
    return found


def written(y: int) -> Iterator[bytes]:
    """All 32-byte texts that decoders read as this y: also values that are not below p, and both signs of x."""
    for value in (y, y + P):
        if value < 2**255:
            for sign in (0, 1):
                yield (value | sign << 255).to_bytes(32, "little")


def weak() -> list[str]:
    return sorted({form.hex() for _, y in small_order() for form in written(y)})


def vectors() -> dict[str, Any]:
    keys = [Ed25519PrivateKey.from_private_bytes(bytes(range(n, 32 + n))) for n in range(8)]
    public = [key.public_key().public_bytes_raw().hex() for key in keys]
    content = b"a race"
    signature = keys[0].sign(content)
    r, s = signature[:32], int.from_bytes(signature[32:], "little")
    tries: list[tuple[bytes, bytes, str, bool]] = [
        (content, signature, public[0], True),
        (b"another race", signature, public[0], False),
        (content, signature, public[1], False),
        (content, signature[:32], public[0], False),
        (content, signature + b"\0", public[0], False),
        # RFC 8032, 5.1.7: S must be below L, or one signature has a second form.
        (content, r + (s + L).to_bytes(32, "little"), public[0], False),
        (content, signature, "f" * 64, False),
        (content, signature, "", False),
    ]
    signed = [{"content": said.hex(), "signature": by.hex(), "key": key, "ok": ok} for said, by, key, ok in tries]
    return {"weak": weak(), "sound": public, "signed": signed}
