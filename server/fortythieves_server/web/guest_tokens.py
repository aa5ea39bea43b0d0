"""Guest tokens: who a guest is, signed by the server and kept by the client. Also hashes of addresses."""

import hmac
import re
import secrets
import time
from collections.abc import Callable, Sequence
from hashlib import sha256

from itsdangerous import BadSignature, TimestampSigner

from fortythieves.errors import Refused, refuse_if

#: In seconds: 90 days.
MAX_AGE = 90 * 24 * 60 * 60

#: 12 random bytes (96 bits) cannot be guessed, and make 16 characters that fit into a URL and a Redis key.
_ID_BYTES = 12
_ID = re.compile(r"[A-Za-z0-9_-]{16}")

#: A token has about 70 characters. The signature of a much longer one is not even checked.
_LONGEST_TOKEN = 200


class Guests:
    """Issues guest tokens and reads them.

    A token is ``guest id . time . signature``. Every process with the same key accepts it. Whoever has a token can use
    the guest's seat, so it must not be logged. ``now`` gives seconds since the epoch.
    """

    __slots__ = ("_addresses", "_now", "_signer")

    def __init__(self, key: bytes, now: Callable[[], float] | None = None) -> None:
        if len(key) < 16:
            raise ValueError("a key of at least 16 bytes is needed")
        self._now = now or time.time
        self._signer = _Signer([key], self._now)
        self._addresses = hmac.digest(key, b"forty-thieves address v1", "sha256")

    def use(self, keys: Sequence[bytes]) -> None:
        """Accept tokens signed with any of these keys, and sign with the last one."""
        self._signer = _Signer(keys, self._now)

    def issue(self) -> tuple[str, str]:
        """Create a new guest. Returns the id and the token."""
        guest_id = secrets.token_urlsafe(_ID_BYTES)
        return guest_id, self.token(guest_id)

    def token(self, guest_id: str) -> str:
        return self._signer.sign(guest_id).decode("ascii")

    def guest_of(self, token: str) -> str:
        """The guest of this token. Raises `Refused` ("bad-token", "expired-token")."""
        refuse_if(not token.isascii() or len(token) > _LONGEST_TOKEN, "bad-token")
        try:
            # Not unsign(max_age=...): that refuses a token from a process whose clock is a second ahead of ours.
            signed, issued = self._signer.unsign(token, return_timestamp=True)
        except BadSignature:
            raise Refused("bad-token") from None
        guest_id = signed.decode("ascii")
        refuse_if(not _ID.fullmatch(guest_id), "bad-token")
        refuse_if(self._now() - issued.timestamp() > MAX_AGE, "expired-token")
        return guest_id

    def address_hash(self, address: str) -> str:
        """The hash that rooms store instead of an address. All processes agree on it. It needs the key to be reversed.

        It has 64 bits: of a million addresses, two collide in one of 40 million servers. A plain hash would be useless,
        because there are only 2^32 IPv4 addresses to try.
        """
        return hmac.digest(self._addresses, address.encode(), "sha256")[:8].hex()


class _Signer(TimestampSigner):
    """A signer that gets the time from its caller, and whose signatures are valid for guest tokens only."""

    def __init__(self, keys: Sequence[bytes], now: Callable[[], float]) -> None:
        super().__init__(keys, salt="forty-thieves guest pass v1", key_derivation="hmac", digest_method=sha256)
        self._now = now

    def get_timestamp(self) -> int:
        return int(self._now())
