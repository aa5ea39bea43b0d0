"""A server's promise of a deal: before a race it signs what it is committed to, for which race, and when.

Without it a server could show each racer another commitment, or say afterwards that it was another one. Whoever has
kept a promise has what the server cannot take back.
"""

from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from fortythieves.record.signature import is_signed


class Promise(NamedTuple):
    """When the race was set up (ms), and the server's key and signature in hexadecimal."""

    at: int
    key: str
    signature: str


def promised_bytes(code: str, race: int, commitment: str, at: int) -> bytes:
    """What is signed. A record begins with another byte, so neither can be taken for the other."""
    return f"forty-thieves promise v1\n{code}/{race}\n{commitment}\n{at}".encode()


def promise(key: Ed25519PrivateKey, code: str, race: int, commitment: str, at: int) -> Promise:
    """The server's promise."""
    signature = key.sign(promised_bytes(code, race, commitment, at)).hex()
    return Promise(at, key.public_key().public_bytes_raw().hex(), signature)


def is_promised(promise: Promise, code: str, race: int, commitment: str) -> bool:
    """Whether the owner of the promise's key has signed it."""
    content = promised_bytes(code, race, commitment, promise.at)
    return is_signed(content, bytes.fromhex(promise.signature), bytes.fromhex(promise.key))
