"""Passwords at the door of a tournament: hashed with scrypt, off the event loop, as hashing is slow on purpose."""

import asyncio
import hashlib
import hmac
import secrets

#: 16 MB and some 50 ms: cheap enough for a door, dear enough for whoever gets hold of the hashes.
_COST = {"n": 2**14, "r": 8, "p": 1}


async def hashed(password: str) -> str:
    """The password as it is stored: salt and hash, in hexadecimal."""
    salt = secrets.token_bytes(16)
    return f"{salt.hex()}:{(await _hash(password, salt)).hex()}"


async def match(password: str, stored: str) -> bool:
    """Whether this is the password that was stored."""
    salt, _, known = stored.partition(":")
    return hmac.compare_digest(await _hash(password, bytes.fromhex(salt)), bytes.fromhex(known))


async def _hash(password: str, salt: bytes) -> bytes:
    return await asyncio.to_thread(hashlib.scrypt, password.encode(), salt=salt, **_COST)
