"""Passwords of tournaments: hashed with scrypt in a thread, because hashing is slow on purpose.

No address can hold up another one: each has its own number of tries and its own places in the queue, and the thread
hashes for each address in turn. A password that was right is remembered as a keyed digest, so that of all who know it
only the first one waits for a hash.
"""

import asyncio
import contextlib
import hashlib
import hmac
import os
import secrets
import sys
import threading
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor

from fortythieves.errors import Refused
from fortythieves_server.common.limits import Limits
from fortythieves_server.common.prices import NEW_PASSWORD, PASSWORD, Accounts
from fortythieves_server.common.tasks import end

#: 16 MB and some 50 ms: cheap enough for a tournament, dear enough for anyone who gets hold of the hashes.
_COST = {"n": 2**14, "r": 8, "p": 1}
#: Different passwords that may wait for their hash, of one address and of all: the last one waits for 50 s.
MOST_EACH, MOST = 8, 1000
#: Right passwords that are remembered: more tournaments than a server holds, in some 3 MB.
REMEMBERED = 10_000


class Hasher:
    """Hashes in one thread, for each address in turn.

    scrypt releases the GIL. One thread, and not more, because a small machine has two cores and races need one.
    """

    def __init__(self, each: int = MOST_EACH, most: int = MOST) -> None:
        self._each = each
        self._most = most
        #: By address, the next one first: what it asks for (password and salt), in order.
        self._waiting: OrderedDict[str, dict[tuple[str, bytes], asyncio.Future[bytes]]] = OrderedDict()
        self._thread = ThreadPoolExecutor(1, "passwords", initializer=_yield_to_others)
        self._working: asyncio.Task[None] | None = None
        #: How many hashes it took so far.
        self.hashes = 0

    async def hash(self, address: str, password: str, salt: bytes) -> bytes:
        """The hash of a password. Raises `Refused` if too many others wait."""
        asked = password, salt
        mine = self._waiting.get(address, {})
        if asked not in mine:
            self._make_place(len(mine))
            mine[asked] = asyncio.get_running_loop().create_future()
            self._waiting.setdefault(address, mine)
            if self._working is None or self._working.done():
                self._working = asyncio.create_task(self._work(), name="passwords")
        return await asyncio.shield(mine[asked])

    def _make_place(self, mine: int) -> None:
        """Let one more wait for an address that has so many waiting. Raises `Refused`."""
        if mine >= self._each:
            raise Refused("too-fast")
        if sum(map(len, self._waiting.values())) < self._most:
            return
        longest = max(self._waiting.values(), key=len)
        if len(longest) <= mine + 1:
            raise Refused("too-fast")
        _, newest = longest.popitem()
        newest.set_exception(Refused("too-fast"))

    async def _work(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            address = next(iter(self._waiting))
            self._waiting.move_to_end(address)
            asked = next(iter(self._waiting[address]))
            self.hashes += 1
            try:
                found: bytes | Exception = await loop.run_in_executor(self._thread, _hash, *asked)
            except Exception as error:  # noqa: BLE001 - no memory, say: it is for everybody who asked.
                found = error
            self._answer(asked, found)

    def _answer(self, asked: tuple[str, bytes], found: bytes | Exception) -> None:
        """Answer everybody who waits for the same: when a class comes in, that is one hash for all."""
        for address, mine in list(self._waiting.items()):
            future = mine.pop(asked, None)
            if future is not None and isinstance(found, bytes):
                future.set_result(found)
            elif future is not None and isinstance(found, Exception):
                future.set_exception(found)
            if not mine:
                del self._waiting[address]

    async def close(self) -> None:
        """Hash no more."""
        if self._working is not None:
            await end([self._working])
        for mine in self._waiting.values():
            for future in mine.values():
                future.cancel()
        self._waiting.clear()
        self._thread.shutdown(wait=False, cancel_futures=True)


class Passwords:
    """Sets and checks passwords. One a process."""

    def __init__(self, limits: Limits, hasher: Hasher | None = None) -> None:
        self._hasher = hasher or Hasher()
        self._accounts = Accounts(limits)
        self._key = secrets.token_bytes(32)
        #: By what is stored: the keyed digest of the password. A tournament with another password stores another
        #: hash, so what was remembered of the one before is never found again.
        self._right: OrderedDict[str, bytes] = OrderedDict()

    async def new(self, address: str, password: str) -> str:
        """The password as it is stored: salt and hash, in hexadecimal. Raises `Refused` ("too-fast")."""
        if self._accounts.pay(address, NEW_PASSWORD, _now()):
            raise Refused("too-fast")
        salt = secrets.token_bytes(16)
        stored = f"{salt.hex()}:{(await self._hasher.hash(address, password, salt)).hex()}"
        self._remember(password, stored)
        return stored

    async def check(self, address: str, password: str, stored: str) -> None:
        """Raise `Refused` unless this is the password that was stored ("wrong-password", "too-fast")."""
        # Whoever has no tries left is told nothing: the quick comparison would be one more way to guess.
        if self._accounts.pay(address, PASSWORD, _now()):
            raise Refused("too-fast")
        if not await self._match(address, password, stored):
            raise Refused("wrong-password")
        self._accounts.charge(address, "passwords", _now(), -1)  # A school has one address, and all of them know it.

    async def _match(self, address: str, password: str, stored: str) -> bool:
        right = self._right.get(stored)
        if right is not None and hmac.compare_digest(self._digest(password, stored), right):
            self._right.move_to_end(stored)
            return True
        salt, _, known = stored.partition(":")
        found = await self._hasher.hash(address, password, bytes.fromhex(salt))
        if not hmac.compare_digest(found, bytes.fromhex(known)):
            return False
        self._remember(password, stored)
        return True

    def _remember(self, password: str, stored: str) -> None:
        self._right[stored] = self._digest(password, stored)
        self._right.move_to_end(stored)
        if len(self._right) > REMEMBERED:
            self._right.popitem(last=False)

    def _digest(self, password: str, stored: str) -> bytes:
        """A digest that is worth nothing outside of this process; another one for each tournament."""
        return hmac.digest(self._key, f"{stored} {password}".encode(), "sha256")

    async def close(self) -> None:
        await self._hasher.close()


def _hash(password: str, salt: bytes) -> bytes:
    return hashlib.scrypt(password.encode(), salt=salt, **_COST)


def _now() -> float:
    return asyncio.get_running_loop().time()


def _yield_to_others() -> None:
    """Let everything else on the machine go first. On Linux each thread has a niceness of its own."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)
