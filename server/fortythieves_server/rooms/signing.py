"""The key with which records and promises are signed."""

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from fortythieves.record.promise import Promise, promise
from fortythieves.times import Ms


class RecordKey:
    """An Ed25519 key with a ``seed`` of 32 bytes."""

    def __init__(self, seed: bytes) -> None:
        self.use(seed)

    def use(self, seed: bytes) -> None:
        self.seed = seed
        self._key = Ed25519PrivateKey.from_private_bytes(seed)

    @property
    def public(self) -> str:
        return self._key.public_key().public_bytes_raw().hex()

    def promise(self, code: str, race: int, commitment: str, at: Ms) -> Promise:
        """The promise that a race uses what this commits to (64 hex digits). ``at``: ms since the epoch."""
        return promise(self._key, code, race, commitment, at)
