"""The process that owns the port gives each new connection to the worker that should serve its room.

Between the two is a pair of sockets that keep messages apart. Before a connection is handed over, the worker is asked
whether it has room. One that does not answer in time is stopped or too busy, and is skipped until it answers.
"""

import array
import asyncio
import contextlib
import errno
import itertools
import socket
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import blake2b

from fortythieves_server.process.accepted_socket import AcceptedSocket, room_in

#: Seconds in which a worker must answer. A client may have to wait for as long.
WITHIN = 0.5
#: Seconds until the next attempt if the queue of a worker is full. Linux holds ten messages, others more.
_AGAIN = 0.002
#: Messages read in a row before other tasks run.
_IN_A_ROW = 16
#: Rooms of which something is remembered: the oldest is forgotten. Each takes about 200 bytes.
_MOST_ROOMS = 10_000

_QUEUE_IS_FULL = {errno.EAGAIN, errno.ENOBUFS}

_ASK, _YES, _FULL, _CONNECTION, _LARGE = b"?", b"y", b"n", b"c", b"l"
_LONGEST = 16


def ranked(code: str, workers: Iterable[int]) -> list[int]:
    """The workers in the order in which they should serve a room, so that its people are together.

    The method is rendezvous hashing (Thaler and Ravishankar, 1998). If a worker dies, only its rooms move, and they are
    spread evenly over the others. It saves work and decides nothing: any process serves any room.
    """
    weights = {worker: blake2b(f"{code} {worker}".encode(), digest_size=8).digest() for worker in workers}
    return sorted(weights, key=lambda worker: (weights[worker], worker), reverse=True)


def pair() -> tuple[socket.socket, socket.socket]:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    for end in (ours, theirs):
        end.setblocking(False)
    return ours, theirs


class _Worker:
    """A worker as the dispatcher sees it. ``is_large`` is called with rooms that others may serve, too."""

    def __init__(self, end: socket.socket, is_large: Callable[[str], None]) -> None:
        self._end = end
        self._is_large = is_large
        #: Done with whether it has room, while it was asked and has not answered.
        self._answer: asyncio.Future[bool] | None = None
        self._is_late = False
        asyncio.get_running_loop().add_reader(end, self._read)

    def close(self) -> None:
        asyncio.get_running_loop().remove_reader(self._end)
        self._end.close()
        self._answered(has_room=False)

    async def has_room(self) -> bool | None:
        """Whether it can take one more connection. None: it does not answer."""
        if self._is_late:
            return None
        answer = self._answer
        if answer is None:
            answer = self._answer = asyncio.get_running_loop().create_future()
            if not await self._send(_ASK):
                self._answer = None
                answer.set_result(False)
        with contextlib.suppress(TimeoutError):
            return await asyncio.wait_for(asyncio.shield(answer), WITHIN)
        self._is_late = True
        return None

    async def take(self, connection: socket.socket) -> bool:
        """Hand a connection over. Returns whether it was sent."""
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [connection.fileno()]))]
        return await self._send(_CONNECTION, rights)

    async def _send(self, message: bytes, rights: list[tuple[int, int, "array.array[int]"]] | None = None) -> bool:
        """Send a message, and wait while the queue of its reader is full. Returns whether it was sent."""
        loop = asyncio.get_running_loop()
        until = loop.time() + WITHIN
        while loop.time() < until:
            try:
                self._end.sendmsg([message], rights or [])
            except OSError as error:
                if error.errno not in _QUEUE_IS_FULL:
                    return False
                await asyncio.sleep(_AGAIN)
            else:
                return True
        return False

    def _read(self) -> None:
        for _ in range(_IN_A_ROW):
            try:
                message = self._end.recv(_LONGEST)
            except OSError:
                return
            if message in (_YES, _FULL):
                self._answered(has_room=message == _YES)
            elif message.startswith(_LARGE):
                self._is_large(message[len(_LARGE) :].decode("ascii", "replace"))

    def _answered(self, *, has_room: bool) -> None:
        answer, self._answer = self._answer, None
        self._is_late = False
        if answer is not None and not answer.done():
            answer.set_result(has_room)


class Dispatcher:
    """Gives connections to workers. It is the handler of the acceptor of the process that owns the port."""

    websockets = 0

    def __init__(self, workers: int) -> None:
        self._numbers = range(workers)
        self._workers: dict[int, _Worker] = {}
        self._turns = itertools.cycle(self._numbers)
        #: Rooms that moved to another worker because theirs was dead. They stay there: if some clients came back
        #: before a new worker serves and others after that, two workers would serve the room.
        self._moved: OrderedDict[str, int] = OrderedDict()
        #: Rooms that are too large for one worker.
        self.large: OrderedDict[str, int] = OrderedDict()

    def add(self, number: int, end: socket.socket) -> None:
        """A worker serves from now on. It replaces another one of the same number."""
        self.remove(number)
        self._workers[number] = _Worker(end, lambda code: _remember(self.large, code, 0))

    def remove(self, number: int) -> None:
        if (worker := self._workers.pop(number, None)) is not None:
            worker.close()

    def close(self) -> None:
        for number in self._numbers:
            self.remove(number)

    async def serve(self, connection: AcceptedSocket, line: bytes) -> None:
        """Hand a connection over. If all workers are full, the first of them gets it, and refuses the client."""
        full = None
        for number in self._order(room_in(line)):
            worker = self._workers.get(number)
            has_room = None if worker is None else await worker.has_room()
            if has_room and worker is not None and await worker.take(connection):
                break
            if has_room is False and full is None:
                full = worker
        else:
            if full is not None:
                await full.take(connection)
        connection.close()

    def _order(self, code: str) -> list[int]:
        """The workers in the order in which they are asked."""
        if not code or code in self.large:
            first = next(self._turns)
            return [(first + number) % len(self._numbers) for number in self._numbers]
        order = ranked(code, self._numbers)
        alive = [number for number in order if number in self._workers]
        if self._moved.get(code) in alive:
            order.insert(0, self._moved[code])
        elif alive and order[0] != alive[0]:
            _remember(self._moved, code, alive[0])
        else:
            self._moved.pop(code, None)
        return order

    def drop(self, connection: AcceptedSocket) -> None:
        connection.close()

    def drop_idle(self, address: str | None, most: int) -> int:
        return 0


def _remember(rooms: OrderedDict[str, int], code: str, number: int) -> None:
    rooms[code] = number
    rooms.move_to_end(code)
    if len(rooms) > _MOST_ROOMS:
        rooms.popitem(last=False)


@dataclass(slots=True, eq=False)
class Inlet:
    """The worker's end: it takes the connections that the dispatcher hands over."""

    _end: socket.socket
    _take: Callable[[socket.socket, object], None]
    #: Whether other workers should get new connections.
    _is_full: Callable[[], bool]
    #: Whether a room has too many clients here for one worker.
    _is_large: Callable[[str], bool]

    def fileno(self) -> int:
        return self._end.fileno()

    def open(self) -> None:
        self._end.setblocking(False)
        asyncio.get_running_loop().add_reader(self._end, self._read)

    def close(self) -> None:
        if self._end.fileno() >= 0:
            asyncio.get_running_loop().remove_reader(self._end)
            self._end.close()

    def _read(self) -> None:
        for _ in range(_IN_A_ROW):
            try:
                # The flag keeps descriptors from programs that we start.
                message, rights, _, _ = self._end.recvmsg(
                    _LONGEST, socket.CMSG_SPACE(4), getattr(socket, "MSG_CMSG_CLOEXEC", 0)
                )
            except OSError:
                return
            if message == _ASK:
                self._say(_FULL if self._is_full() else _YES)
            for _, kind, found in rights:
                if kind == socket.SCM_RIGHTS:
                    for number in array.array("i", found[: len(found) - len(found) % 4]):
                        self._begin(number)

    def _begin(self, number: int) -> None:
        connection = socket.socket(fileno=number)
        try:
            code = room_in(connection.recv(256, socket.MSG_PEEK | socket.MSG_DONTWAIT))
            peer = connection.getpeername()
        except OSError:
            connection.close()  # the client has left
            return
        if code and self._is_large(code):
            self._say(_LARGE + code.encode())
        self._take(connection, peer)

    def _say(self, message: bytes) -> None:
        try:
            self._end.send(message)
        except BlockingIOError:
            asyncio.get_running_loop().call_later(_AGAIN, self._say, message)
        except OSError:
            pass  # the dispatcher has ended, or has another worker in our place
