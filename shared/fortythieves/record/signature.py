"""Ed25519 signatures of records and promises. Some that the mathematics accepts are refused.

Eight points of the curve have an order that divides eight. With one of them as the key and as R, S = 0 is a valid
signature of any content, or of every eighth, without a secret. OpenSSL accepts these, and RFC 8032 allows
them. The browser refuses the same ones (client/web/src/record/signature.js).
"""

from typing import NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from fortythieves.times import Ms

KEY_BYTES, SIGNATURE_BYTES = 32, 64

_P = 2**255 - 19
#: The even y of two of the points of order 8. The y of the other two is its negative. A test computes them.
_Y8 = int.from_bytes(bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"), "little")
#: A point and its negative have the same y, so the eight points have only five: of orders 4, 1, 2, 8 and 8.
_SMALL_ORDER = frozenset({0, 1, _P - 1, _Y8, _P - _Y8})


def is_sound(point: bytes) -> bool:
    """Whether these may be a key or the R of a signature: canonical (RFC 8032, 5.1.3), and not of small order."""
    y = int.from_bytes(point, "little") & (2**255 - 1)
    return len(point) == KEY_BYTES and y < _P and y not in _SMALL_ORDER


def is_signed(content: bytes, signature: bytes, key: bytes) -> bool:
    """Whether the owner of the key has signed the content."""
    if len(signature) != SIGNATURE_BYTES or not is_sound(key) or not is_sound(signature[:KEY_BYTES]):
        return False
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, content)
    except (InvalidSignature, ValueError):  # ValueError: the key is not a point of the curve
        return False
    return True


class Promise(NamedTuple):
    """A server's promise of a deal: when the race was set up, and its key and signature in hexadecimal. With it, a
    racer can prove the commitment, so the server cannot show each racer another one.
    """

    at: Ms
    key: str
    signature: str


def promised_bytes(code: str, race: int, commitment: str, at: Ms) -> bytes:
    """The bytes that are signed. A record begins with another byte, so one cannot pass as the other."""
    return f"forty-thieves promise v1\n{code}/{race}\n{commitment}\n{at}".encode()


def promise(key: Ed25519PrivateKey, code: str, race: int, commitment: str, at: Ms) -> Promise:
    """Sign the commitment, the race, and the time before the race."""
    signature = key.sign(promised_bytes(code, race, commitment, at)).hex()
    return Promise(at, key.public_key().public_bytes_raw().hex(), signature)


def is_promised(promise: Promise, code: str, race: int, commitment: str) -> bool:
    """Whether the owner of the promise's key has signed it."""
    content = promised_bytes(code, race, commitment, promise.at)
    return is_signed(content, bytes.fromhex(promise.signature), bytes.fromhex(promise.key))
