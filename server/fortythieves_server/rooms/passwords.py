"""Passwords of tournaments. They are hashed with scrypt in a thread, because hashing is slow on purpose.

No address can block another: each has its own number of attempts and its own places in the queue, and the thread serves
addresses in turn. A right password is remembered as a keyed digest, so only the first guest who gives it waits for a
hash.
"""

import asyncio
import contextlib
import hashlib
import hmac
import os
import secrets
import sys
import threading
from collections import Counter, OrderedDict
from concurrent.futures import ThreadPoolExecutor

from fortythieves.errors import refuse_if
from fortythieves_server.common.fair_queue import Slots
from fortythieves_server.common.limits import Limits
from fortythieves_server.common.prices import NEW_PASSWORD, PASSWORD, Accounts
from fortythieves_server.common.tasks import end

#: 16 MB and about 50 ms: cheap enough for a tournament, expensive for a thief of the hashes.
_COST = {"n": 2**14, "r": 8, "p": 1}
#: How many different passwords of one address, and of all, may wait for a hash. The last one waits for 50 s.
MOST_EACH, MOST = 8, 1000
#: How many right passwords are remembered: more than a server has tournaments, in about 3 MB.
REMEMBERED = 10_000


class Hasher:
    """Computes hashes, addresses in turn. In one thread: a small machine has two cores, and races need one."""

    def __init__(self) -> None:
        self._slots = Slots(1, waiting=MOST)
        self._thread = ThreadPoolExecutor(1, "passwords", initializer=_yield_to_others)
        #: The hashes that are not finished, by password and salt; and how many each address has requested.
        self._tasks: dict[tuple[str, bytes], asyncio.Task[bytes]] = {}
        self._requested = Counter[str]()
        self.hashes = 0

    async def hash(self, address: str, password: str, salt: bytes) -> bytes:
        """The hash of a password. Raises `Refused` if too many others wait."""
        key = password, salt
        task = self._tasks.get(key)
        if task is None:
            refuse_if(self._requested[address] >= MOST_EACH, "too-fast")
            self._requested[address] += 1
            task = self._tasks[key] = asyncio.create_task(self._hash(address, *key), name="passwords")
            task.add_done_callback(lambda task: self._done(address, key, task))
        return await asyncio.shield(task)  # equal passwords share a hash: for a school class, one is enough

    async def _hash(self, address: str, password: str, salt: bytes) -> bytes:
        async with self._slots.turn(address):
            self.hashes += 1
            return await asyncio.get_running_loop().run_in_executor(self._thread, _hash, password, salt)

    def _done(self, address: str, key: tuple[str, bytes], task: asyncio.Task[bytes]) -> None:
        del self._tasks[key]
        self._requested[address] -= 1
        if not self._requested[address]:
            del self._requested[address]
        if not task.cancelled():
            task.exception()  # its callers may all be cancelled

    async def close(self) -> None:
        await end(self._tasks.values())
        self._thread.shutdown(wait=False, cancel_futures=True)


class Passwords:
    def __init__(self, limits: Limits, hasher: Hasher | None = None) -> None:
        self._hasher = hasher or Hasher()
        self._accounts = Accounts(limits)
        self._key = secrets.token_bytes(32)
        #: The keyed digests of right passwords, by the stored hash. A new password has another hash, and no digest.
        self._right: OrderedDict[str, bytes] = OrderedDict()

    async def new(self, address: str, password: str) -> str:
        """The password in stored form: salt and hash, in hexadecimal. Raises `Refused` ("too-fast")."""
        refuse_if(self._accounts.of(address).pay(NEW_PASSWORD), "too-fast")
        salt = secrets.token_bytes(16)
        stored = f"{salt.hex()}:{(await self._hasher.hash(address, password, salt)).hex()}"
        self._remember(password, stored)
        return stored

    async def check(self, address: str, password: str, stored: str) -> None:
        """Raise `Refused` unless this is the stored password ("wrong-password", "too-fast")."""
        # Without attempts left, there is no answer at all: the quick comparison would be another way to guess.
        account = self._accounts.of(address)
        refuse_if(account.pay(PASSWORD), "too-fast")
        right = self._right.get(stored, b"")
        if not hmac.compare_digest(self._digest(password, stored), right):
            salt, _, known = stored.partition(":")
            found = await self._hasher.hash(address, password, bytes.fromhex(salt))
            refuse_if(not hmac.compare_digest(found, bytes.fromhex(known)), "wrong-password")
        self._remember(password, stored)
        account.charge("guesses", -1)  # a school shares one address and one password

    def _remember(self, password: str, stored: str) -> None:
        self._right[stored] = self._digest(password, stored)
        self._right.move_to_end(stored)
        if len(self._right) > REMEMBERED:
            self._right.popitem(last=False)

    def _digest(self, password: str, stored: str) -> bytes:
        """A digest that is useless outside of this process, and different for each tournament."""
        return hmac.digest(self._key, f"{stored} {password}".encode(), "sha256")

    async def close(self) -> None:
        await self._hasher.close()


def _hash(password: str, salt: bytes) -> bytes:
    return hashlib.scrypt(password.encode(), salt=salt, **_COST)


def _yield_to_others() -> None:
    """Give everything else on the machine priority. On Linux, each thread has its own niceness."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)
