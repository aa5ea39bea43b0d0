"""Ed25519 signatures, and which keys and signatures are refused though the mathematics would accept them.

There are eight points of the curve whose order divides eight. With one of them as the key and as R, S = 0 is a
signature of any content, or of every eighth: nobody needs to know a secret. OpenSSL accepts them, and RFC 8032 does not
forbid them. The browser refuses the same (client/web/src/record/signature.js).
"""

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

KEY_BYTES, SIGNATURE_BYTES = 32, 64

_P = 2**255 - 19
#: The y of the two points of order 8 whose y is even; the y of the other two is its negative. A test computes them.
_Y8 = int.from_bytes(bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"), "little")
#: A point and its negative share y, so five of them belong to the eight points: orders 4, 1, 2, and 8.
_SMALL_ORDER = frozenset({0, 1, _P - 1, _Y8, _P - _Y8})


def is_sound(point: bytes) -> bool:
    """Whether 32 bytes may be a key, or the R of a signature: canonical, and not of small order.

    RFC 8032, 5.1.3: y is a number below p; the highest bit is the sign of x.
    """
    y = int.from_bytes(point, "little") & (2**255 - 1)
    return len(point) == KEY_BYTES and y < _P and y not in _SMALL_ORDER


def is_signed(content: bytes, signature: bytes, key: bytes) -> bool:
    """Whether the owner of the key has signed the content."""
    if len(signature) != SIGNATURE_BYTES or not is_sound(key) or not is_sound(signature[:KEY_BYTES]):
        return False
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, content)
    except (InvalidSignature, ValueError):  # ValueError: the key is no point of the curve.
        return False
    return True
