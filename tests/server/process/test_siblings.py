"""Connections are handed to the worker that should serve their room. Whatever that one does, somebody serves each."""

import array
import asyncio
import os
import resource
import socket
import struct
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path

import pytest

from fortythieves_server.process.siblings import MOST, Affinity, Offer, Place, Siblings
from fortythieves_server.rooms.registry import new_code
from tests.server.stores import until

#: Seconds in which a worker must take a connection: where one does, and where the test waits until it is too late.
LONG, SHORT = 30.0, 0.05


class Worker:
    """One of them. It keeps what it is offered, and takes it, unless it is told otherwise."""

    def __init__(self, place: Place, within: float = LONG, settling: float = 0) -> None:
        self.siblings = Siblings(place, within=within, beat=0.01, silence=LONG, settling=settling)
        self.siblings.on_offer = self._offered
        self.taken: list[socket.socket] = []
        self.waiting: list[Offer] = []
        self.takes = True
        self.waits = False

    def _offered(self, offer: Offer) -> None:
        if self.waits:
            self.waiting.append(offer)
        elif not self.takes:
            offer.decline()
        elif offer.take():
            self.taken.append(offer.connection)


@asynccontextmanager
async def working(
    directory: Path, count: int = 2, *, within: float = LONG, affinity: Affinity = "on"
) -> AsyncIterator[list[Worker]]:
    """Workers that know each other."""
    async with AsyncExitStack() as stack:
        workers = [Worker(Place(directory, number, count, affinity), within) for number in range(count)]
        for worker in workers:
            await worker.siblings.open()
            stack.push_async_callback(worker.siblings.close)
        if affinity == "on":
            codes = [new_code() for _ in range(100)]
            await until(lambda: all(sum(w.siblings.is_here(code) for w in workers) == 1 for code in codes))
        yield workers
        for worker in workers:
            for taken in worker.taken:
                taken.close()


def code_of(worker: Worker) -> str:
    """A room that a worker should serve."""
    return next(code for code in iter(new_code, "") if worker.siblings.is_here(code))


@pytest.fixture
def connection() -> Iterator[socket.socket]:
    """Our end of one. The client says hello at its end."""
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        socket.create_connection(listener.getsockname()) as client,
    ):
        client.send(b"hello")
        accepted, _ = listener.accept()
        with accepted:
            yield accepted


async def test_a_connection_is_handed_over_unread_to_the_worker_that_should_serve_its_room(
    tmp_path: Path, connection: socket.socket
) -> None:
    async with working(tmp_path, 3) as workers:
        one, two, three = workers
        assert await one.siblings.hand_over(connection, code_of(two))
        assert one.siblings.offered == {"taken": 1} and not three.taken
        assert two.taken[0].recv(10) == b"hello"
        assert two.taken[0].getpeername() == connection.getpeername()


async def test_the_room_of_a_worker_itself_stays_with_it(tmp_path: Path, connection: socket.socket) -> None:
    async with working(tmp_path) as (one, two):
        assert not await one.siblings.hand_over(connection, code_of(one))
        assert not one.siblings.offered and not two.taken


async def test_what_a_worker_declines_is_served_where_it_came(tmp_path: Path, connection: socket.socket) -> None:
    async with working(tmp_path) as (one, two):
        two.takes = False
        assert not await one.siblings.hand_over(connection, code_of(two))
        assert one.siblings.offered == {"declined": 1}
        assert connection.recv(10) == b"hello"


async def test_what_a_worker_does_not_take_in_time_is_taken_back_and_served_once(
    tmp_path: Path, connection: socket.socket
) -> None:
    async with working(tmp_path, within=SHORT) as (one, two):
        two.waits = True
        assert not await one.siblings.hand_over(connection, code_of(two))
        assert one.siblings.offered == {"late": 1}
        [offer] = two.waiting
        assert not offer.take(), "it comes too late"
        offer.connection.close()
        assert connection.recv(10) == b"hello"


async def test_a_worker_that_has_taken_a_connection_and_cannot_say_so_keeps_it(
    tmp_path: Path, connection: socket.socket
) -> None:
    async with working(tmp_path, within=SHORT) as (one, two):
        two.waits = True
        handing = asyncio.create_task(one.siblings.hand_over(connection, code_of(two)))
        await until(lambda: two.waiting)
        await two.siblings.close()
        assert two.waiting[0].take()
        assert await handing
        two.waiting[0].connection.close()


async def test_nothing_is_handed_to_a_worker_that_was_late_before_it_is_heard_again(
    tmp_path: Path, connection: socket.socket
) -> None:
    stopped = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    with stopped:
        stopped.bind(str(tmp_path / "1"))
        one = Siblings(Place(tmp_path, 0, 2), within=SHORT, beat=LONG, silence=LONG, settling=0)
        two = Siblings(Place(tmp_path, 1, 2), within=LONG, beat=LONG, silence=LONG, settling=0)
        await one.open()
        await two.open()  # in place of the one that is stopped
        codes = [new_code() for _ in range(20)]
        await until(lambda: not all(map(one.is_here, codes)))
        code = next(code for code in codes if not one.is_here(code))
        (tmp_path / "1").unlink()
        stopped.close()
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as again:
            again.bind(str(tmp_path / "1"))  # reads nothing
            assert not await one.hand_over(connection, code)
            assert one.offered == {"late": 1}
            assert one.is_here(code)
            assert not await one.hand_over(connection, code)
            assert one.offered == {"late": 1}
        await two.close()
        await one.close()


async def test_if_a_worker_is_gone_the_next_one_in_line_gets_its_rooms(
    tmp_path: Path, connection: socket.socket
) -> None:
    async with working(tmp_path, 3) as (one, two, three):
        code = code_of(two)
        await two.siblings.close()
        handed_over = await one.siblings.hand_over(connection, code)
        assert one.siblings.offered["failed"] == 1
        assert handed_over == bool(three.taken) == (not one.siblings.is_here(code))


async def test_a_worker_that_replaces_another_gets_what_is_offered(tmp_path: Path, connection: socket.socket) -> None:
    async with working(tmp_path) as (one, two):
        new = Worker(Place(tmp_path, 1, 2))
        await new.siblings.open()
        assert await one.siblings.hand_over(connection, code_of(two))
        assert new.taken and not two.taken
        await two.siblings.close()
        assert await one.siblings.hand_over(connection, code_of(new))
        await new.siblings.close()
        for taken in new.taken:
            taken.close()


@pytest.mark.parametrize(("settling", "share"), [(LONG, {False}), (SHORT, {False, True})])
async def test_a_worker_that_comes_later_gets_no_rooms_before_it_has_settled(
    tmp_path: Path, settling: float, share: set[bool]
) -> None:
    """When a worker dies, some people of a room come back before its successor is there, and some after."""
    new = Worker(Place(tmp_path, 0, 2), settling=settling)
    await new.siblings.open()
    codes = [new_code() for _ in range(100)]
    assert all(map(new.siblings.is_here, codes))
    with _say(tmp_path, 1, b"?", age=2 * LONG):
        await until(lambda: {new.siblings.is_here(code) for code in codes} == share)
    await new.siblings.close()


async def test_once_a_worker_is_open_it_knows_who_is_there(tmp_path: Path) -> None:
    async with working(tmp_path) as workers:
        new = Worker(Place(tmp_path, 2, 3))
        await new.siblings.open()
        codes = [new_code() for _ in range(100)]
        there = [*workers, new]
        assert all(sum(worker.siblings.is_here(code) for worker in there) == 1 for code in codes)
        assert not all(new.siblings.is_here(code) for code in codes)
        await new.siblings.close()


async def test_a_worker_opens_though_another_is_stopped(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as stopped:
        stopped.bind(str(tmp_path / "1"))
        new = Worker(Place(tmp_path, 0, 2), SHORT)
        await new.siblings.open()
        assert new.siblings.is_here(new_code())
        await new.siblings.close()


async def test_what_a_worker_of_another_release_says_is_ignored(tmp_path: Path, connection: socket.socket) -> None:
    async with working(tmp_path, 1) as [one]:
        reader, writer = os.pipe()
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as other:
            for message in (b"o\0\1", b"o\0\1" + bytes(100)):
                rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [connection.fileno(), reader]))
                other.sendmsg([message], [rights], 0, str(tmp_path / "0"))
        os.close(reader)
        with _say(tmp_path, 1, b"?", age=2 * LONG):
            await until(lambda: not one.siblings.is_here(new_code()))
        assert not one.taken
        with pytest.raises(BrokenPipeError):  # its descriptors are closed
            os.write(writer, b"1")
        os.close(writer)


@contextmanager
def _say(directory: Path, number: int, what: bytes, age: float) -> Iterator[None]:
    """Say something to worker 0 for another one, which reads nothing."""
    path = directory / str(number)
    path.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as other:
        other.bind(str(path))
        other.sendto(struct.pack("!cHQQ", what, number, round(age * 1000), 0), str(directory / "0"))
        yield


async def test_a_worker_without_descriptors_declines(tmp_path: Path, connection: socket.socket) -> None:
    """The system keeps descriptors back that a process may not have."""
    async with working(tmp_path) as (one, _):
        reader, writer = os.pipe()
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as other:
            other.bind(str(tmp_path / "7"))
            other.setblocking(False)
            rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [connection.fileno(), reader]))
            free = os.dup(0)
            os.close(free)
            resource.setrlimit(resource.RLIMIT_NOFILE, (free, hard))
            try:
                other.sendmsg([b"o\0\7" + bytes(15) + b"\1"], [rights], 0, str(tmp_path / "0"))
                answer = await asyncio.get_running_loop().sock_recv(other, 100)
                while answer[:1] != b"d":
                    answer = await asyncio.get_running_loop().sock_recv(other, 100)
            finally:
                resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        assert answer[1:3] == b"\0\0" and answer[-8:] == bytes(7) + b"\1"
        assert not one.taken
        os.close(reader)
        os.close(writer)


async def test_only_so_many_connections_are_on_offer_at_a_time(tmp_path: Path, connection: socket.socket) -> None:
    async with working(tmp_path) as (one, two):
        two.waits = True
        code = code_of(two)
        handing = [asyncio.create_task(one.siblings.hand_over(connection, code)) for _ in range(MOST + 5)]
        await until(lambda: len(two.waiting) == MOST)
        done = [task for task in handing if task.done()]
        assert [task.result() for task in done] == [False] * 5
        for offer in two.waiting:
            offer.decline()
        assert not any(await asyncio.gather(*handing))


async def test_off_and_wrong_do_what_they_say(tmp_path: Path, connection: socket.socket) -> None:
    codes = [new_code() for _ in range(200)]
    for affinity in ("off", "wrong"):
        (tmp_path / affinity).mkdir()
        async with working(tmp_path / affinity, affinity=affinity) as (one, two):
            if affinity == "off":
                assert all(one.siblings.is_here(code) and two.siblings.is_here(code) for code in codes)
                assert not await one.siblings.hand_over(connection, codes[0])
            else:
                await until(lambda one=one, two=two: len({_both(one, two, code) for code in codes}) == 4)  # type: ignore[misc]


def _both(one: Worker, two: Worker, code: str) -> tuple[bool, bool]:
    return one.siblings.is_here(code), two.siblings.is_here(code)
