"""The progress and the reactions that the people of a room get."""

import asyncio
from collections.abc import Sequence
from types import SimpleNamespace
from typing import cast

from fortythieves.protocol import to_client, to_server
from fortythieves.times import Ms
from fortythieves_client.reconnecting import decode
from fortythieves_server.common.counters import Counters
from fortythieves_server.common.limits import Rate
from fortythieves_server.core import events
from fortythieves_server.core.playthrough import Progress
from fortythieves_server.rooms.broadcast import MOST_REACTIONS, SMALL, Peers, Reactions
from fortythieves_server.rooms.cached_room import CachedRoom
from fortythieves_server.rooms.pacing import EARLY, SHORTEST, Pacing
from fortythieves_server.rooms.peer import Peer, SendQueue
from fortythieves_server.rooms.room_service import RoomService
from fortythieves_server.rooms.spectators import Spectators
from fortythieves_server.store.clock import Clock
from fortythieves_server.store.store import Store
from tests.refusals import refusal
from tests.server.clients import Client, ann_and_bob, store_of, stored
from tests.server.rooms.conftest import watching
from tests.server.stores import Admin, until
from tests.server.tables import lobby, racing

#: With this many people, progress waits for 0.4 s, or for 0.1 s if there is a move to acknowledge.
PEOPLE = 400


class Rows:
    def __init__(self, rows: list[dict[int, int]]) -> None:
        self.rows = rows

    def send_now(self, frame: bytes) -> bool:
        message = decode(frame)
        assert isinstance(message, to_client.ProgressRows)
        self.rows.append({row[0]: row[1] for row in message.rows})
        return True

    def begin_to_write(self) -> None:
        raise AssertionError("nothing waits")


class Room:
    """The people of one room, and the rows of progress that each was sent, frame by frame."""

    def __init__(self, people: int = 4, watchers: int = 0) -> None:
        store = cast("Store", SimpleNamespace(clock=Clock()))
        self.cached = CachedRoom(racing(min(people, 4)).room, "epoch", "", {}, store, asyncio.Queue())
        self.ticks = 0
        spectators = SimpleNamespace(refresh_soon=self._tick, peers={})
        pacing = Pacing()
        pacing.count(PEOPLE)
        self.peers = Peers(self.cached, cast("Spectators", spectators), pacing)
        self.wait = pacing.wait(people)
        self.sent: dict[int, list[dict[int, int]]] = {}
        for seat in range(1, people + 1):
            self.peers.seated[seat] = self._peer(seat)
        for n in range(watchers):
            self.peers.watchers[self._peer(-n)] = None

    def _tick(self) -> None:
        self.ticks += 1

    def _peer(self, seat: int) -> Peer:
        self.sent[seat] = []
        return Peer("", SendQueue(Rows(self.sent[seat])), Counters(), seat=max(seat, 0))

    def move(self, *seats: int) -> None:
        for seat in seats:
            moves = self.cached.moves_of(seat) + 1
            self.cached.progress[seat] = Progress(moves, 0, Ms(0), 64, 0, "", Ms(0))
        self.peers.moved(seats)


async def told_with_a_move(people: int = 4, watchers: int = 0, together: Sequence[int] = (2,)) -> Room:
    """A room where seat 1 has moved and later others ``together``, which can get the progress with their own moves."""
    loop = asyncio.get_running_loop()
    while True:
        room = Room(people, watchers)
        room.move(1)
        early = loop.time() + max(EARLY * room.wait, SHORTEST)
        await until(lambda early=early: loop.time() > early)  # type: ignore[misc]
        room.move(*together)
        if not room.ticks:  # otherwise this machine was so slow that they got it during the wait
            return room


async def test_progress_is_sent_to_rivals_once_per_interval() -> None:
    room = Room()
    room.move(1)
    room.move(1)
    room.move(2)
    assert not any(room.sent.values())
    await until(lambda: room.sent[4])
    assert room.sent == {1: [{2: 1}], 2: [{1: 2}], 3: [{1: 2, 2: 1}], 4: [{1: 2, 2: 1}]}
    assert room.ticks == 1


async def test_old_progress_is_sent_once_with_the_next_acknowledgement() -> None:
    room = await told_with_a_move(watchers=2)
    assert [*room.sent.values()] == [[], [{1: 1}], [], [], [], []]
    await until(lambda: room.sent[1])
    everything = {peer: [{1: 1, 2: 1}] for peer in (3, 4, 0, -1)}
    assert room.sent == {1: [{2: 1}], 2: [{1: 1}], **everything}, "spectators get the progress of all racers"


async def test_old_progress_is_sent_with_that_of_all_moves_made_together() -> None:
    room = await told_with_a_move(together=(2, 3, 4))
    assert room.sent == {1: [], 2: [{1: 1, 3: 1, 4: 1}], 3: [{1: 1, 2: 1, 4: 1}], 4: [{1: 1, 2: 1, 3: 1}]}
    await until(lambda: room.sent[1])
    assert room.sent[1] == [{2: 1, 3: 1, 4: 1}]


async def test_after_an_acknowledgement_progress_waits_for_an_interval() -> None:
    loop = asyncio.get_running_loop()
    room = await told_with_a_move()
    moved = loop.time()
    room.move(3)
    await until(lambda: len(room.sent[2]) == 2)
    assert room.sent[2] == [{1: 1}, {3: 1}]
    assert loop.time() >= moved + room.wait
    assert room.sent[4] == [{1: 1, 2: 1, 3: 1}]


async def test_a_crowd_gets_one_progress_frame() -> None:
    room = await told_with_a_move(SMALL + 1)
    assert not any(room.sent.values())
    await until(lambda: room.sent[3])
    assert all(frames == [{1: 1, 2: 1}] for frames in room.sent.values())
    room.move(1)
    await until(lambda: len(room.sent[2]) == 2)
    assert room.sent[1] == [{1: 1, 2: 1}]
    assert room.sent[2] == [{1: 1, 2: 1}, {1: 2}]


async def test_the_rest_of_a_crowd_gets_all_progress() -> None:
    room = Room(SMALL + 1)
    room.move(1)
    room.peers.leave(room.peers.seated[SMALL + 1])
    room.move(2)
    await until(lambda: room.sent[SMALL])
    assert room.sent[1] == [{2: 1}]
    assert room.sent[2] == [{1: 1}]
    assert all(room.sent[seat] == [{1: 1, 2: 1}] for seat in range(3, SMALL + 1))


def react(client: Client, sign: to_server.Sign) -> None:
    assert client.live is not None
    client.service.react(client.live, client.peer, sign)


def of_racers(client: Client) -> list[tuple[int, int]]:
    return [shown for message in client.received(to_client.Reactions) for shown in message.racers]


def heard(client: Client) -> list[int]:
    counts = [message.counts for message in client.received(to_client.Reactions)]
    return [sum(column) for column in zip(*counts, strict=True)]


async def test_reactions_reach_everyone_except_racers(one: RoomService, two: RoomService, admin: Admin) -> None:
    table = racing(2)
    table.moves(1, to=150, home=104, outcome="solved")
    table.settle()
    await store_of(admin, table)
    ann, bob = await ann_and_bob(one, two)
    eve, fay = await watching(one, "eve"), await watching(two, "fay")
    react(eve, "heart")
    for client in (ann, eve, fay):
        await client.until(lambda client=client: heard(client) == [0, 0, 1, 0, 0, 0])  # type: ignore[misc]
    react(ann, "clap")  # her own race is over
    await fay.until(lambda: heard(fay) == [1, 0, 1, 0, 0, 0])
    assert bob.received(to_client.Reactions) == []
    react(bob, "sad")  # while racing: all get it, he also
    assert refusal(react, bob, "sad") == "too-fast"
    for client in (ann, bob, eve, fay):
        await client.until(lambda client=client: of_racers(client) == [(2, 5)])  # type: ignore[misc]
    assert ann.live is not None
    assert refusal(ann.live.reactions.add, "sad", 2) == "too-fast"  # at the other process, too
    assert heard(bob) == [0] * 6 and heard(ann) == [1, 0, 1, 0, 0, 0]
    assert not any(isinstance(event, events.Chatted) for event in (await stored(admin)).chat.values())


async def test_muted_people_cannot_react(one: RoomService, admin: Admin) -> None:
    await store_of(admin, lobby(2))
    ann = await Client(one, "ann").join()
    eve = await watching(one, "eve")
    assert eve.live is not None
    await one.spectator_chats(eve.live, eve.peer, to_server.Chat(1, "k", "spam"))
    await ann.until(lambda: ann.view["chat"])
    await ann.do(to_server.Mute(1, int(next(iter(ann.view["chat"]))), True))
    assert refusal(react, eve, "clap") == "muted"


async def test_reactions_are_limited_and_sent_together(one: RoomService, admin: Admin) -> None:
    await store_of(admin, lobby(1))
    ann = await Client(one, "ann").join()
    assert ann.live is not None
    live = ann.live
    few = Reactions(live.cached, live.peers, one.registry.pacing, Rate(1, "hour", 3))
    for _ in range(1000):
        few.add("fire")
    await ann.until(lambda: heard(ann) == [0, 0, 0, 3, 0, 0])
    many = Reactions(live.cached, live.peers, one.registry.pacing, Rate(1, "hour", 10**6))
    for _ in range(1000):
        many.add("wow")
    await ann.until(lambda: heard(ann) == [0, MOST_REACTIONS, 0, 3, 0, 0])
    assert len(ann.received(to_client.Reactions)) == 2


async def test_a_slow_client_misses_only_reactions(one: RoomService, admin: Admin) -> None:
    await store_of(admin, lobby(1))
    ann = await Client(one, "ann").join()
    queue = ann.peer.send_queue
    queue.put(b"\x92\xa8watchers\x01")
    for _ in range(5000):
        queue.put_if_free(b"\x92\xa9reactions\x96\x01\x00\x00\x00\x00\x00")
    assert queue.open and queue.waiting == 11
    await ann.until(lambda: ann.received(to_client.Watchers))
    await asyncio.sleep(0)
    assert heard(ann) == []
