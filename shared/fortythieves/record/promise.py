"""A server's promise of a deal: before a race it signs the commitment, the race, and the time.

Without it, a server could show each racer another commitment, or later claim another one. A racer who keeps the promise
can prove the server's commitment.
"""

from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from fortythieves.record.signature import is_signed
from fortythieves.times import Ms


class Promise(NamedTuple):
    """When the race was set up, and the server's key and signature in hexadecimal."""

    at: Ms
    key: str
    signature: str


def promised_bytes(code: str, race: int, commitment: str, at: Ms) -> bytes:
    """The bytes that are signed. A record begins with another byte, so one cannot pass as the other."""
    return f"forty-thieves promise v1\n{code}/{race}\n{commitment}\n{at}".encode()


def promise(key: Ed25519PrivateKey, code: str, race: int, commitment: str, at: Ms) -> Promise:
    """Sign a promise."""
    signature = key.sign(promised_bytes(code, race, commitment, at)).hex()
    return Promise(at, key.public_key().public_bytes_raw().hex(), signature)


def is_promised(promise: Promise, code: str, race: int, commitment: str) -> bool:
    """Whether the owner of the promise's key has signed it."""
    content = promised_bytes(code, race, commitment, promise.at)
    return is_signed(content, bytes.fromhex(promise.signature), bytes.fromhex(promise.key))
