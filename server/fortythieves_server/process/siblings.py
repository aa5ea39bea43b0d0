"""The workers of one port, and how one hands a new connection to another.

Each worker has a Unix socket in a directory that only this user can open. An offer contains the connection and a pipe
with one byte in it, the token. Whoever reads the token serves the connection: the worker to which it is offered, or, if
that takes too long, the one that accepted it. So no connection is served twice, and none waits for a worker that is
stopped, busy or gone.
"""

import array
import asyncio
import contextlib
import errno
import itertools
import os
import socket
import struct
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Literal, NamedTuple

from fortythieves_server.common.tasks import end
from fortythieves_server.core.affinity import preferred

#: Rooms prefer one worker each, or none. Wrong: each worker believes something else about it, so connections go to and
#: fro as often as they can, which tests use.
Affinity = Literal["on", "off", "wrong"]

#: Seconds between two signs of life, and seconds without one after which nothing is handed to a worker.
BEAT, SILENCE = 1.0, 2.5
#: Seconds until rooms prefer a worker that was started later than the others. When a worker dies, its people come back
#: within seconds, some before and some after its successor is there: so all of them stay together with another worker,
#: and move when nobody moves. A worker that soon dies again is not preferred at all. A guess.
SETTLING = 10.0
#: Workers that begin within so many seconds begin together: they are preferred at once.
TOGETHER = 2.0
#: Seconds in which a worker must take a connection. As long, its client may have to wait.
WITHIN = 0.5
#: How many connections are on offer at a time. Above that, they are served where they are. Each takes two descriptors.
MOST = 128
#: Seconds until the next attempt if the queue of a worker is full. Linux holds ten messages, others more.
AGAIN = 0.002
#: Messages read in a row before other tasks run.
IN_A_ROW = 16

#: A message: what it is, the number of its sender, the milliseconds since that one began, the number of the offer.
_MESSAGE = struct.Struct("!cHQQ")
_OFFER, _TAKEN, _DECLINED, _PING, _PONG = b"o", b"t", b"d", b"?", b"!"

_FULL = {errno.EAGAIN, errno.ENOBUFS}
_TOKEN = b"1"


class Place(NamedTuple):
    """The place of a worker among those of its port."""

    directory: Path
    number: int
    workers: int
    affinity: Affinity = "on"


class _Heard(NamedTuple):
    """When a worker was heard last, and when it began, by the clock of the event loop."""

    at: float
    began: float


class Offer:
    """A connection that another worker has accepted. Call `take` or `decline`."""

    def __init__(self, connection: socket.socket, token: int, answer: Callable[[bytes], None]) -> None:
        self.connection = connection
        self._token = token
        self._answer = answer

    def take(self) -> bool:
        """Whether the connection is ours. If not, it is served elsewhere by now."""
        ours = _take(self._token)
        if ours:
            self._answer(_TAKEN)
        return ours

    def decline(self) -> None:
        """Leave the connection to the worker that offers it."""
        os.close(self._token)
        self.connection.close()
        self._answer(_DECLINED)


class Siblings:
    """The other workers of this port. ``on_offer`` gets the connections that they offer."""

    def __init__(
        self,
        place: Place,
        *,
        within: float = WITHIN,
        beat: float = BEAT,
        silence: float = SILENCE,
        settling: float = SETTLING,
    ) -> None:
        self._place = place
        self._within = within
        self._beat = beat
        self._silence = silence
        self._settling = settling
        self._began = 0.0
        self._others = [number for number in range(place.workers) if number != place.number]
        self._heard: dict[int, _Heard] = {}
        self._has_heard = asyncio.Event()
        self._numbers = itertools.count(1)
        #: Our offers that are not answered yet.
        self._offers: dict[int, asyncio.Future[None]] = {}
        self._socket: socket.socket | None = None
        self._beating: asyncio.Task[None] | None = None
        self.on_offer: Callable[[Offer], None] = Offer.decline
        #: What became of the connections that were offered to others: "taken", "declined", "late" or "failed".
        self.offered: Counter[str] = Counter()

    async def open(self) -> None:
        """Begin to exchange messages. A worker that replaces another one takes its place at once.

        Returns when all that are there have answered, or after the time in which one must take a connection.
        """
        self._began = asyncio.get_running_loop().time()
        own = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        own.setblocking(False)
        new = self._place.directory / f"new-{os.getpid()}"
        own.bind(str(new))
        new.rename(self._path(self._place.number))
        self._socket = own
        asyncio.get_running_loop().add_reader(own, self._read)
        asked = {number for number in self._others if self._say(number, _PING)}
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._within):
                while asked - self._heard.keys():
                    self._has_heard.clear()
                    await self._has_heard.wait()
        self._beating = asyncio.create_task(self._beat_on(), name="siblings")

    async def close(self) -> None:
        """Neither offer nor take any more. What was on offer is served where it is."""
        if self._socket is not None:
            asyncio.get_running_loop().remove_reader(self._socket)
            self._socket.close()
            self._socket = None
        await end([self._beating])

    def is_here(self, code: str) -> bool:
        """Whether this process should serve a room, as far as it knows who is alive."""
        return self._place.affinity == "off" or self._preferred(code) == self._place.number

    async def hand_over(self, connection: socket.socket, code: str) -> bool:
        """Offer a connection to the worker that should serve its room. Returns whether that one has taken it."""
        while not self.is_here(code) and len(self._offers) < MOST:
            outcome = await self._offer(connection, self._preferred(code))
            self.offered[outcome] += 1
            if outcome != "failed":
                return outcome == "taken"
        return False

    async def _offer(self, connection: socket.socket, to: int) -> str:
        """Offer a connection to a worker. Returns the outcome, as in `offered`."""
        try:
            token, writer = os.pipe()
        except OSError:
            return "declined"  # no descriptor is left
        os.write(writer, _TOKEN)
        os.close(writer)
        number = next(self._numbers)
        answer = self._offers[number] = asyncio.get_running_loop().create_future()
        outcome = "declined"
        try:
            async with asyncio.timeout(self._within):
                if await self._send(to, _OFFER, number, [connection.fileno(), token]):
                    await answer
                else:
                    outcome = "failed"
        except TimeoutError:
            outcome = "late"
        finally:
            del self._offers[number]
            ours = _take(token)
        if not ours:
            return "taken"
        if outcome != "declined":
            self._heard.pop(to, None)  # until it is heard again
        return outcome

    def _path(self, number: int) -> Path:
        return self._place.directory / str(number)

    def _preferred(self, code: str) -> int:
        own, now = self._place.number, asyncio.get_running_loop().time()
        began = {number: heard.began for number, heard in self._heard.items() if heard.at > now - self._silence}
        began[own] = self._began
        settled = max(now - self._settling, min(began.values()) + TOGETHER)
        processes = [number for number, then in began.items() if then <= settled]
        return preferred(f"{code} {own}" if self._place.affinity == "wrong" else code, processes)

    async def _send(self, to: int, what: bytes, number: int, descriptors: list[int]) -> bool:
        """Send a message, and wait as long as the queue of its reader is full. Returns whether there is a reader."""
        while not (sent := self._say(to, what, number, descriptors)):
            if sent is None:
                return False
            await asyncio.sleep(AGAIN)
        return True

    def _say(self, to: int, what: bytes, number: int = 0, descriptors: list[int] | None = None) -> bool | None:
        """Send a message. Returns False if the queue of its reader is full, and None if there is no reader."""
        if self._socket is None:
            return None
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))] if descriptors else []
        age = round((asyncio.get_running_loop().time() - self._began) * 1000)
        try:
            self._socket.sendmsg([_MESSAGE.pack(what, self._place.number, age, number)], rights, 0, str(self._path(to)))
        except OSError as error:
            return False if error.errno in _FULL else None
        return True

    async def _beat_on(self) -> None:
        """Ask the others again and again whether they are there."""
        while True:
            for number in self._others:
                self._say(number, _PING)
            await asyncio.sleep(self._beat)

    def _read(self) -> None:
        for _ in range(IN_A_ROW):
            if self._socket is None:
                return
            try:
                # The flag keeps descriptors from programs that we start.
                data, more, _, _ = self._socket.recvmsg(
                    _MESSAGE.size + 1, socket.CMSG_SPACE(8), getattr(socket, "MSG_CMSG_CLOEXEC", 0)
                )
            except OSError:
                return
            descriptors = array.array("i")
            for _, kind, found in more:
                if kind == socket.SCM_RIGHTS:
                    descriptors.frombytes(found[: len(found) - len(found) % descriptors.itemsize])
            if len(data) != _MESSAGE.size:  # of another release: the port is served while workers are replaced
                _close(descriptors)
                continue
            what, sender, age, number = _MESSAGE.unpack(data)
            now = asyncio.get_running_loop().time()
            self._heard[sender] = _Heard(now, now - age / 1000)
            self._has_heard.set()
            self._handle(what, sender, number, list(descriptors))

    def _handle(self, what: bytes, sender: int, number: int, descriptors: list[int]) -> None:
        if what == _OFFER:
            self._offered(sender, number, descriptors)
        elif what == _PING:
            self._say(sender, _PONG)
        elif what in (_TAKEN, _DECLINED) and (answer := self._offers.get(number)) and not answer.done():
            answer.set_result(None)

    def _offered(self, sender: int, number: int, descriptors: list[int]) -> None:
        loop = asyncio.get_running_loop()
        until = loop.time() + self._within

        def answer(said: bytes) -> None:
            # If it is never heard, the other looks at the token itself.
            if self._say(sender, said, number) is False and loop.time() < until:
                loop.call_later(AGAIN, answer, said)

        if len(descriptors) == 2:
            self.on_offer(Offer(socket.socket(fileno=descriptors[0]), descriptors[1], answer))
            return
        # This process may open no more descriptors, so the system kept those back that are missing.
        _close(descriptors)
        answer(_DECLINED)


def _close(descriptors: Iterable[int]) -> None:
    for descriptor in descriptors:
        os.close(descriptor)


def _take(token: int) -> bool:
    """Whether nobody else has taken the token before. Closes it."""
    try:
        return os.read(token, 1) == _TOKEN
    finally:
        os.close(token)
