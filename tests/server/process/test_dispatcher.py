"""The worker of a room gets each of its connections; a worker that is dead, stopped or full is skipped."""

import asyncio
import socket
from collections import Counter
from collections.abc import AsyncIterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fortythieves_server.process import dispatcher
from fortythieves_server.process.accepted_socket import AcceptedSocket
from fortythieves_server.process.dispatcher import Dispatcher, Inlet, pair, ranked
from fortythieves_server.rooms.registry import LETTERS
from tests.server.stores import until

CODE = "KQXWVD"
LINE = f"GET /ws?room={CODE} HTTP/1.1\r\n".encode()
FIRST, SECOND, THIRD = ranked(CODE, range(3))


class Owner:
    def requested(self, connection: AcceptedSocket) -> None: ...
    def moved(self, connection: AcceptedSocket, to: AcceptedSocket) -> None: ...
    def forget(self, connection: AcceptedSocket) -> None: ...


class Worker:
    def __init__(self, inlet: socket.socket) -> None:
        self.taken: list[socket.socket] = []
        self.is_full = self.is_large = False
        self.inlet = Inlet(
            inlet, lambda connection, peer: self.taken.append(connection), lambda: self.is_full, lambda _: self.is_large
        )


class Site:
    def __init__(self) -> None:
        self.dispatcher = Dispatcher(3)
        self.workers: dict[int, Worker] = {}
        self.clients: list[socket.socket] = []
        for number in range(3):
            self.begin(number)

    def begin(self, number: int) -> None:
        if number in self.workers:
            self.workers[number].inlet.close()
        ours, theirs = pair()
        self.workers[number] = Worker(theirs)
        self.workers[number].inlet.open()
        self.dispatcher.add(number, ours)

    async def connect(self, line: bytes = LINE) -> int | None:
        client, accepted = socket.socketpair()
        self.clients.append(client)
        client.send(line + b"\r\n")
        before = {number: len(worker.taken) for number, worker in self.workers.items()}
        await self.dispatcher.serve(AcceptedSocket(accepted, "", "", Owner()), line)
        for _ in range(5):
            await asyncio.sleep(0)
        return next((n for n, worker in self.workers.items() if len(worker.taken) > before[n]), None)

    def close(self) -> None:
        for worker in self.workers.values():
            for taken in worker.taken:
                taken.close()
            worker.inlet.close()
        for client in self.clients:
            client.close()
        self.dispatcher.close()


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    site = Site()
    yield site
    site.close()


async def test_a_connection_comes_to_the_worker_of_its_room(site: Site) -> None:
    assert [await site.connect() for _ in range(5)] == [FIRST] * 5
    assert site.workers[FIRST].taken[0].recv(1000).startswith(LINE), "nothing was read from it"


async def test_connections_without_a_room_are_spread_over_all_workers(site: Site) -> None:
    assert sorted([await site.connect(b"GET / HTTP/1.1\r\n") for _ in range(6)], key=str) == [0, 0, 1, 1, 2, 2]


async def test_a_full_worker_is_skipped_until_it_has_room_again(site: Site) -> None:
    site.workers[FIRST].is_full = True
    assert await site.connect() == SECOND
    site.workers[FIRST].is_full = False
    assert await site.connect() == FIRST


async def test_if_all_workers_are_full_one_of_them_refuses_the_client(site: Site) -> None:
    for worker in site.workers.values():
        worker.is_full = True
    assert await site.connect() == FIRST


async def test_a_stopped_worker_is_waited_for_once(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dispatcher, "WITHIN", 0.05)
    end = site.workers[FIRST].inlet
    asyncio.get_running_loop().remove_reader(end.fileno())
    assert await site.connect() == SECOND
    began = asyncio.get_running_loop().time()
    assert [await site.connect() for _ in range(20)] == [SECOND] * 20
    assert asyncio.get_running_loop().time() < began + 20 * 0.05
    end.open()
    await asyncio.sleep(0.01)
    assert await site.connect() == FIRST


async def test_the_people_of_a_dead_worker_stay_together(site: Site) -> None:
    site.dispatcher.remove(FIRST)
    assert await site.connect() == SECOND
    site.begin(FIRST)
    assert await site.connect() == SECOND, "the others of this room are there"
    site.dispatcher.remove(SECOND)
    assert await site.connect() == FIRST


async def test_a_large_room_is_spread_over_all_workers(site: Site) -> None:
    site.workers[FIRST].is_large = True
    assert await site.connect() == FIRST
    await until(lambda: CODE in site.dispatcher.large)
    assert {await site.connect() for _ in range(3)} == {0, 1, 2}


async def test_a_client_that_has_left_is_not_served(site: Site) -> None:
    client, accepted = socket.socketpair()
    client.close()
    connection = AcceptedSocket(accepted, "", "", Owner())
    await site.dispatcher.serve(connection, LINE)
    assert connection.fileno() == -1


#: Codes as any others, always the same.
CODES = [f"{LETTERS[n % 20]}{LETTERS[n // 20 % 20]}{LETTERS[n // 400 % 20]}BCD" for n in range(4000)]


@given(st.sampled_from(CODES), st.sets(st.integers(0, 255), min_size=1, max_size=12), st.data())
def test_when_a_worker_dies_the_order_of_the_others_stays(code: str, workers: set[int], data: st.DataObject) -> None:
    gone = data.draw(st.sampled_from(sorted(workers)))
    order = ranked(code, sorted(workers, reverse=True))
    assert sorted(order) == sorted(workers)
    assert ranked(code, workers - {gone}) == [worker for worker in order if worker != gone]


@pytest.mark.parametrize("count", [2, 3, 4, 8])
def test_rooms_are_spread_evenly(count: int) -> None:
    share = len(CODES) / count
    rooms = Counter(ranked(code, range(count))[0] for code in CODES)
    assert all(abs(rooms[worker] - share) < 5 * share**0.5 for worker in range(count))
