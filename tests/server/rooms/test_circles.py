"""Circles on a real Redis: their members race together, challenge each other, and are scored for the days."""

import asyncio

import pytest
from msgspec.structs import replace

from fortythieves.errors import Refused
from fortythieves.protocol import to_client, to_server
from fortythieves.rules.ranking import Result
from fortythieves.solver.day import DayProof
from fortythieves.times import Ms
from fortythieves_server.core import decide_challenge, decide_circle, events
from fortythieves_server.core.rule_context import Events
from fortythieves_server.rooms.live_room import CIRCLE, DAY
from fortythieves_server.rooms.room_service import RoomService
from tests.refusals import refusal_of
from tests.server.clients import KEEP, Client, store_of, stored
from tests.server.core.test_decide_circle import Friends
from tests.server.rooms.test_heats import begin_try, race_try, visitor
from tests.server.stores import Admin, until

Say = to_server.Membership
#: A deal with an ace on the first column.
WITH_ACES = {"game": "forty-thieves", "deal": "32002"}


async def founded(service: RoomService) -> str:
    ann = Client(service, "ann")
    await service.found(ann.peer, "ann", to_server.Found(1, "Friday", "Ann"))
    await ann.until(lambda: ann.received(to_client.Challenged))
    return ann.received(to_client.Challenged)[-1].code


async def member(service: RoomService, guest: str, code: str) -> Client:
    client = await visitor(service, guest, code)
    assert client.live is not None
    await service.in_circle(client.live, client.peer, Say(1, "join", 0, guest.title()))
    await client.until(lambda: "members" in client.view["circle"] and client.received(to_client.OwnTry)[-1].number)
    return client


async def until_scored(client: Client, kind: str, key: str) -> None:
    await client.until(lambda: [row[:2] for row in client.view["circle"]["scores"]] == [[kind, key]])


async def test_members_race_together_and_another_process_shows_the_score(one: RoomService, two: RoomService) -> None:
    code = await founded(one)
    bob = await member(two, "bob", code)
    host = Client(one, "ann")
    host.live = await one.create(host.peer, "ann", to_server.Create(1, "Ann", WITH_ACES, circle=code))
    room = host.live.room.code
    assert host.live.room.of_circle == code
    await bob.until(lambda: [race[0] for race in bob.view["circle"]["races"].values()] == [1])
    rival = await Client(two, "bob").join(room)
    await rival.until(lambda: rival.received(to_client.OwnTry) == [to_client.OwnTry(2, code, None)])
    stranger = await Client(two, "eve").join(room)
    await stranger.do(to_server.Leave(1))
    assert not stranger.received(to_client.OwnTry) and code not in str(stranger.view)
    await rival.ready()
    await host.do(to_server.Ready(1, ""))
    await host.do(to_server.Start(2))
    await host.draw(1)
    await rival.until(lambda: rival.entries is not None)
    await rival.move("1-F")
    await rival.until_moved(1)
    for racer in (host, rival):
        await racer.do(to_server.Leave(3))
    await until_scored(bob, "race", f"{room}/1")
    assert bob.view["circle"]["scores"][0][3] == [[2, 1], [1, 2]] and bob.view["circle"]["races"] == {}


async def test_a_stranger_cannot_race_or_challenge_in_the_name_of_a_circle(one: RoomService) -> None:
    code = await founded(one)
    eve = Client(one, "eve")
    create = to_server.Create(1, "Eve", {}, circle=code)
    assert await refusal_of(one.create(eve.peer, "eve", create)) == "not-member"
    assert await refusal_of(one.create(eve.peer, "eve", replace(create, circle="QQQQQQ"))) == "not-member"
    create = replace(create, plan={"rounds": 1})
    assert await refusal_of(one.create(eve.peer, "ann", replace(create, circle=code))) == "bad-plan"
    client = await visitor(one, "eve", code)
    assert client.live is not None and "members" not in client.view["circle"]
    assert await refusal_of(one.in_circle(client.live, client.peer, to_server.ChangeCircle(1, "Mine", 0))) == "not-host"


@pytest.mark.parametrize("end", [events.ChallengeClosed(), events.RoomClosed(), None])
async def test_a_day_is_scored_among_the_members_when_it_is_over(
    one: RoomService, two: RoomService, admin: Admin, end: events.Event | None
) -> None:
    code = Friends("bob").room.room.code
    await store_of(admin, Friends("bob").room, ago=2 * DAY)
    [(_, key)] = decide_circle.overdue(await stored(admin, code), one.clock.now())
    yesterday = int(key)
    room = await one.registry.open(decide_challenge.opened_day(DayProof(yesterday, "00" * 32, 0, 1)), Ms(60_000))
    await one.store.directory.name_day(yesterday, room.code)
    day = await one.registry.room(room.code)
    tries: list[events.Event] = []
    for number, (guest, home) in enumerate({"ann": 3, "eve": 90, "bob": 9}.items(), start=2):
        tries.append(events.TryStarted(guest, guest, 0, "TRYAAA"))
        tries.append(events.TryFinished(number, Result("gave_up", Ms(5), home, 4, Ms(5))))
    await day.decide(lambda *_: [*tries, *([end] if end else [])])
    bob = await visitor(two, "bob", code)
    await one.sweeper.check_room(code, one.clock.now())
    await until_scored(bob, "day", str(yesterday))
    assert bob.view["circle"]["scores"][0][3] == [[2, 1], [1, 2]]
    await two.sweeper.check_room(code, two.clock.now())
    assert len(bob.view["circle"]["scores"]) == 1


async def test_a_challenge_inside_is_listed_and_scored_when_its_owner_closes_it(one: RoomService) -> None:
    code = await founded(one)
    bob = await member(one, "bob", code)
    host = Client(one, "ann")

    async def raced(host: Client) -> to_server.Challenge:
        host.live = await one.create(host.peer, "ann", to_server.Create(1, "Ann", {"game": "lucas"}))
        await host.do(to_server.Start(1))
        await host.draw(3)
        await host.do(to_server.Leave(2))
        return to_server.Challenge(3, host.live.room.code, 1, 1, circle=code)

    asked = await raced(host)
    await one.challenge(host.peer, "ann", asked)
    await bob.until(lambda: bob.view["circle"]["deals"])
    [deal] = bob.view["circle"]["deals"]
    await one.challenge(host.peer, "ann", asked)
    await host.until(lambda: [sent.code for sent in host.received(to_client.Challenged)] == [deal, deal])
    assert [*bob.view["circle"]["deals"]] == [deal], "the same deal again is the same challenge"
    circle = await one.registry.room(code)
    full: Events = [events.DealAdded(f"FULL{n}", Ms(2**50), "bob") for n in range(decide_circle.OPEN_DEALS - 2)]
    await circle.decide(lambda *_: full)
    others = [Client(one, "ann") for _ in range(2)]
    races = [await raced(other) for other in others]
    two = (one.challenge(other.peer, "ann", asked) for other, asked in zip(others, races, strict=True))
    [refused] = filter(None, await asyncio.gather(*two, return_exceptions=True))
    assert isinstance(refused, Refused) and refused.code == "many-deals"
    own = await begin_try(await visitor(one, "bob", deal))
    await race_try(one, "bob", own.code, draws=2)
    live = await one.registry.room(deal)
    await until(lambda: live.room.challenge and not live.room.challenge.hides_from("bob"))
    await one.in_challenge(live, host.peer, to_server.ChangeChallenge(4, 0))
    await until_scored(bob, "challenge", deal)
    assert bob.view["circle"]["scores"][0][3] == [[2, 1], [1, 2]]


async def test_a_circle_is_kept_for_long_only_after_a_score(one: RoomService) -> None:
    code = await founded(one)
    await member(one, "bob", code)
    live = await one.registry.room(code)
    came = live.room.at
    assert live.expires_at == came + KEEP.played
    await live.decide(lambda *_: [events.DealAdded("DEALBC", came + 30 * DAY, "ann")])
    assert live.expires_at == came + 30 * DAY + KEEP.played
    await live.decide(lambda *_: [events.Scored("race", "RMCDFG/1", came, ((1, 1), (2, 2)))])
    assert live.expires_at == came + CIRCLE
