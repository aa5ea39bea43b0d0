"""Frames that wait for one client, and the order in which they are sent."""

import asyncio
from collections.abc import Callable, Iterator

import pytest

from fortythieves.protocol.to_client import Close
from fortythieves_server.rooms.peer import BYTES, FRAMES, SendQueue
from tests.server.stores import SECONDS, until_there


class Peer:
    """A client that takes frames: directly while it has room, and from its queue while the gate is open."""

    def __init__(self, *, open_: bool = True) -> None:
        self.frames: list[bytes] = []
        self.room = True
        self.gate = asyncio.Event()
        if open_:
            self.gate.set()

    def send_now(self, frame: bytes) -> bool:
        if self.room:
            self.frames.append(frame)
        return self.room

    def begin_to_write(self) -> None:
        """The tests drain the queue."""

    async def take(self, frame: bytes) -> None:
        await self.gate.wait()
        self.frames.append(frame)

    async def has(self, count: int) -> None:
        await until_there(self.frames, count)


def whole() -> bytes:
    return b"whole"


async def drained(send_queue: SendQueue) -> tuple[list[bytes], tuple[int, str]]:
    peer = Peer()
    async with asyncio.timeout(SECONDS):
        why = await send_queue.drain(peer.take)
    return peer.frames, why


async def test_a_later_frame_is_sent_to_a_waiting_peer() -> None:
    send_queue, peer = SendQueue(), Peer()
    draining = asyncio.create_task(send_queue.drain(peer.take))
    for frame in (b"1", b"2", b"3"):
        await asyncio.sleep(0)
        send_queue.put(frame)
    await asyncio.sleep(0)
    send_queue.close(1000, "")
    assert await draining == (1000, "")
    assert peer.frames == [b"1", b"2", b"3"]


async def test_waiting_convergent_frames_become_one_with_all_and_sent_ones_are_changes() -> None:
    send_queue = SendQueue()
    for change in (b"1", b"2", b"3"):
        send_queue.put_latest(change, whole)
    send_queue.close(1000, "")
    assert (await drained(send_queue))[0] == [b"whole"]
    send_queue, peer = SendQueue(), Peer()
    draining = asyncio.create_task(send_queue.drain(peer.take))
    send_queue.put_latest(b"change 1", whole)
    await peer.has(1)
    send_queue.put_latest(b"change 2", whole)
    send_queue.close(1000, "")
    await draining
    assert peer.frames == [b"change 1", b"change 2"]


async def test_frames_are_queued_while_one_is_being_sent() -> None:
    send_queue, peer = SendQueue(), Peer(open_=False)
    draining = asyncio.create_task(send_queue.drain(peer.take))
    send_queue.put(b"1")
    await asyncio.sleep(0)
    send_queue.put_latest(b"change", whole)
    send_queue.put(b"2")
    send_queue.close(1000, "bye")
    send_queue.put(b"too late")
    send_queue.put_latest(b"too late", whole)
    peer.gate.set()
    assert await draining == (1000, "bye")
    assert peer.frames == [b"1", b"2", b"change"]


@pytest.mark.parametrize(("size", "fits"), [(1, FRAMES), (BYTES // 8, 8)], ids=["too many frames", "too many bytes"])
async def test_a_slow_client_is_closed_and_its_frames_are_dropped(size: int, fits: int) -> None:
    send_queue = SendQueue()
    for _ in range(fits):
        send_queue.put(bytes(size))
    send_queue.put(bytes(size))
    frames, (code, _) = await drained(send_queue)
    assert (frames, code) == ([], Close.TOO_SLOW)


async def test_sent_frames_do_not_count() -> None:
    send_queue, peer = SendQueue(), Peer()
    draining = asyncio.create_task(send_queue.drain(peer.take))
    for k in range(3):
        for _ in range(FRAMES):
            send_queue.put(bytes(BYTES // FRAMES))
        await peer.has((k + 1) * FRAMES)
    send_queue.close(1000, "")
    assert await draining == (1000, "")
    assert len(peer.frames) == 3 * FRAMES


async def test_parts_are_made_one_by_one_and_keep_their_order() -> None:
    send_queue, peer = SendQueue(), Peer(open_=False)
    asked: list[int] = []

    def parts() -> Iterator[bytes]:
        for k in range(3):
            asked.append(k)
            # Together they are more than may wait.
            yield bytes([k]) * (BYTES // 2)

    send_queue.put_parts(parts())
    send_queue.put(b"later")
    draining = asyncio.create_task(send_queue.drain(peer.take))
    await asyncio.sleep(0)
    assert asked == [0]
    peer.gate.set()
    await peer.has(4)
    assert [frame[:5] for frame in peer.frames] == [bytes([k]) * 5 for k in range(3)] + [b"later"]
    draining.cancel()


async def test_a_slow_client_gets_no_more_parts_and_the_first_close_reason_counts() -> None:
    send_queue = SendQueue()
    send_queue.put_parts(iter([b"1", b"2"]))
    for _ in range(3):
        send_queue.put(b"x" * (BYTES // 2))
    assert await drained(send_queue) == ([], (Close.TOO_SLOW, "You read more slowly than there is news"))
    send_queue.put_parts(iter([b"1", b"2"]))
    assert (await drained(send_queue))[0] == []
    send_queue = SendQueue()
    send_queue.close(Close.KICKED, "kicked")
    send_queue.close(1000, "")
    assert await drained(send_queue) == ([], (Close.KICKED, "kicked"))


async def test_frames_are_written_directly_if_possible() -> None:
    peer = Peer()
    send_queue = SendQueue(peer)
    send_queue.put(b"1")
    send_queue.put_latest(b"change", whole)
    send_queue.put_parts(iter([b"2"]))
    assert peer.frames == [b"1", b"change", b"2"]
    assert send_queue.waiting == 0


@pytest.mark.parametrize(
    ("first", "sent"),
    [
        (lambda queue: queue.put(b"1"), [b"1", b"exact", b"latest"]),
        (lambda queue: queue.put_latest(b"1", whole), [b"exact", b"whole"]),
        (lambda queue: queue.put_parts(iter([b"1", b"2"])), [b"1", b"2", b"exact", b"latest"]),
    ],
    ids=["exact", "convergent", "parts"],
)
async def test_waiting_frames_are_not_overtaken(first: Callable[[SendQueue], None], sent: list[bytes]) -> None:
    peer = Peer()
    send_queue = SendQueue(peer)
    peer.room = False
    first(send_queue)
    peer.room = True
    send_queue.put_latest(b"latest", whole)
    send_queue.put(b"exact")
    send_queue.close(1000, "")
    await send_queue.drain(peer.take)
    assert peer.frames == sent


async def test_remaining_parts_are_sent_to_a_waiting_peer() -> None:
    peer = Peer()
    send_queue = SendQueue(peer)
    draining = asyncio.create_task(send_queue.drain(peer.take))
    await asyncio.sleep(0)
    send_queue.put_parts(iter([b"1", b"2", b"3"]))
    await peer.has(3)
    assert peer.frames == [b"1", b"2", b"3"]
    draining.cancel()
