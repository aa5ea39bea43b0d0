"""Signs of those who look on reach all who do not race, by all processes, and nobody who does."""

import asyncio

from fortythieves.protocol import to_client, to_server
from fortythieves_server.common.limits import Rate
from fortythieves_server.core import events
from fortythieves_server.rooms.broadcast import MOST_REACTIONS, Reactions
from fortythieves_server.rooms.room_service import RoomService
from tests.refusals import refusal
from tests.server.clients import Client, ann_and_bob, store_of, stored
from tests.server.stores import Admin
from tests.server.tables import CODE, lobby, racing


async def watching(hub: RoomService, guest: str) -> Client:
    client = Client(hub, guest)
    client.live = await hub.watch(client.peer, guest, to_server.Watch(1, CODE, guest.title()))
    await client.until(lambda: client.view)
    return client


def react(client: Client, sign: to_server.Sign) -> None:
    assert client.live is not None
    client.hub.react(client.live, client.peer, sign)


def heard(client: Client) -> list[int]:
    """How many of each sign the client was told of."""
    counts = [message.counts for message in client.heard(to_client.Reactions)]
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
    assert refusal(react, bob, "sad") == "racing" and bob.heard(to_client.Reactions) == []
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
    assert len(ann.heard(to_client.Reactions)) == 2


async def test_a_slow_client_misses_only_reactions(one: RoomService, admin: Admin) -> None:
    await store_of(admin, lobby(1))
    ann = await Client(one, "ann").join()
    queue = ann.peer.send_queue
    queue.put(b"\x92\xa8watchers\x01")
    for _ in range(5000):
        queue.put_if_free(b"\x92\xa9reactions\x96\x01\x00\x00\x00\x00\x00")
    assert queue.open and queue.waiting == 11
    await ann.until(lambda: ann.heard(to_client.Watchers))
    await asyncio.sleep(0)
    assert heard(ann) == []
