"""The races of an arena, each in a separate room, on several processes."""

import asyncio

import pytest

from fortythieves.errors import Refused
from fortythieves.protocol import to_client, to_server
from fortythieves.record import proof
from fortythieves.record.race_record import read as read_record
from fortythieves.times import Ms
from fortythieves.tournament import matching
from fortythieves.tournament.audit import audit
from fortythieves.tournament.export import read
from fortythieves_server.common.limits import Limits, Rate
from fortythieves_server.common.prices import KEPT, Accounts
from fortythieves_server.core import room_list
from fortythieves_server.core.decide_arena import COME_WITHIN
from fortythieves_server.rooms.heats import Heats
from fortythieves_server.rooms.records import Records
from fortythieves_server.rooms.room_service import RoomService
from fortythieves_server.store.redis_errors import StoreDown
from fortythieves_server.store.room_logs import Full
from tests.refusals import refusal_of
from tests.server.clients import Client, store_of
from tests.server.core.test_decide_arena import Hall
from tests.server.stores import Admin
from tests.server.tables import CODE, MINUTE, racing


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matching, "GATHER", Ms(0))


def arena_of(client: Client) -> dict[str, dict[str, list[object]]]:
    found: dict[str, dict[str, list[object]]] = client.view["tournament"]["arena"]
    return found


async def called(client: Client) -> str:
    await client.until(lambda: str(client.seat) in arena_of(client)["racing"])
    heat = arena_of(client)["under_way"][str(arena_of(client)["racing"][str(client.seat)])]
    return str(heat[0])


async def at_the_race(service: RoomService, client: Client) -> Client:
    code = await called(client)
    await client.hang_up()
    there = await Client(service, client.guest).join(code)
    await there.ready()
    return there


async def opened(service: RoomService, admin: Admin, *, people: int = 2) -> list[Client]:
    """An arena that is open, and its entrants as they come in, together."""
    await store_of(admin, Hall(people).open().arena)
    clients = [Client(service, f"guest {n}") for n in range(1, people + 1)]
    await asyncio.gather(*(client.join() for client in clients))
    return clients


async def raced(service: RoomService, one: Client, other: Client) -> tuple[Client, Client]:
    """Both at their race, which is over: one drew three cards, the other one."""
    ann, bob = await at_the_race(service, one), await at_the_race(service, other)
    await ann.draw(3)
    await bob.draw(1)
    await bob.do(to_server.Leave(1))
    await ann.do(to_server.Leave(2))
    return ann, bob


async def test_the_result_of_a_race_is_reported_to_its_arena(one: RoomService, admin: Admin, records: Records) -> None:
    ann, bob = await opened(one, admin)
    await raced(one, ann, bob)
    back = await Client(one, "guest 1").join()
    await back.until(lambda: arena_of(back)["sheets"].get("2"))
    sheets = arena_of(back)["sheets"]
    assert [float(str(sheet[0])) for sheet in sheets.values()] == [0, 0], "both gave up early"
    live = await one.registry.room(CODE)
    assert (await one.finished.review(live, 1)).race == 1
    assert await refusal_of(one.finished.review(live, 2)) == "unknown-race"
    file = await records.tournament(CODE, ".bundle.json", "https://cards.example.org")
    whole = b"".join([file.body, *([part async for part in file.more] if file.more else [])])
    bundle = read(whole)
    assert [finding for finding in audit(bundle) if not finding.ok] == []
    assert [row.place for row in bundle.standings] == [1, 1]
    for kind in (".csv", "-results.csv", "-teams.csv", ".json"):
        assert (await records.tournament(CODE, kind, "https://cards.example.org")).body


async def test_another_process_reports_the_result_after_a_crash(
    one: RoomService, two: RoomService, admin: Admin, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = await opened(one, admin)

    async def dies(*_: object) -> None:
        raise StoreDown("it died")

    with monkeypatch.context() as dying:
        dying.setattr(Heats, "report", dies)
        at_race, _ = await raced(one, ann, bob)
        assert at_race.live is not None
        code = at_race.live.room.code
        await one.registry.drop(at_race.live)
    await two.sweeper.check_room(code, two.clock.now())
    stored = await two.registry.room(CODE)
    assert stored.room.tournament is not None
    assert {*stored.room.tournament.arena.sheets} == {2, 3}
    assert (await two.registry.room(code)).room.is_reported


async def test_racers_pay_for_the_room_of_their_race_and_wait_while_they_are_in_debt(
    one: RoomService, admin: Admin
) -> None:
    accounts = Accounts(Limits()._replace(kept=Rate(1, "hour", 1_000)))
    accounts.of("poor").charge("kept", 5_000)
    await store_of(admin, Hall(3).open().arena)
    clients = [Client(one, f"guest {n}") for n in (1, 2, 3)]
    for client, address in zip(clients, ("poor", "school", "school"), strict=True):
        client.peer.account = accounts.of(address)
        await client.join()
    await called(clients[1])
    assert {*arena_of(clients[0])["racing"]} == {"3", "4"}
    assert accounts.of("school").pay(KEPT) > 0


async def test_an_empty_race_is_checked_soon(one: RoomService, admin: Admin) -> None:
    ann, _ = await opened(one, admin)
    code = await called(ann)
    live = await one.registry.room(code)
    assert live.next_check <= live.room.opened_at + COME_WITHIN
    # It is checked even if no process has it in memory.
    assert code in dict(await one.store.directory.due(live.room.opened_at + COME_WITHIN))


async def test_a_result_for_a_closed_arena_counts_as_reported(one: RoomService, admin: Admin) -> None:
    here = await opened(one, admin)
    ann, bob = [await at_the_race(one, client) for client in here]
    await one.close_room(CODE, "")
    await ann.draw(1)
    await bob.draw(1)
    await bob.do(to_server.Leave(1))
    await ann.do(to_server.Leave(2))
    assert ann.live is not None
    await one.sweeper.check_log(ann.live)
    assert ann.live.room.is_reported


async def test_the_arena_gives_up_a_race_with_a_closed_room(
    one: RoomService, admin: Admin, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, _ = await opened(one, admin)
    await one.close_room(await called(ann), "")
    monkeypatch.setattr("fortythieves_server.core.decide_arena.OVERDUE", Ms(-10_000_000))
    assert ann.live is not None
    await one.sweeper.check_log(ann.live)
    assert not ann.live.room.tournament or 1 not in ann.live.room.tournament.arena.under_way


async def test_an_arena_starts_no_race_while_the_server_is_full(
    one: RoomService, admin: Admin, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = asyncio.Event()

    async def full(*_: object) -> None:
        tried.set()
        raise Full

    with monkeypatch.context() as limited:
        limited.setattr(one.store.logs, "create", full)
        ann, _ = await opened(one, admin)
        await tried.wait()
        assert arena_of(ann)["under_way"] == {}
    assert await called(ann)


async def test_a_new_arena_has_short_races_and_a_thousand_seats(one: RoomService) -> None:
    host = Client(one, "host")
    await host.create({"format": "arena"})
    settings = host.view["settings"]
    assert (settings["seats"], settings["time_limit"], settings["after_win"]) == (1000, 300, 60)
    with pytest.raises(Refused):
        await Client(one, "other").create({"format": "arena", "blind": True})
    await host.do(to_server.Round(1, "start"))
    await host.until(lambda: host.view["tournament"]["phase"] == "racing")


async def challenged(service: RoomService, admin: Admin) -> str:
    """A challenge by Ann, who drew three cards in a race against Bob. Returns its code."""
    await store_of(admin, racing(2), ago=MINUTE)
    ann, bob = await Client(service, "ann").join(), await Client(service, "bob").join()
    await ann.draw(3)
    await bob.do(to_server.Leave(1))
    await ann.do(to_server.EndRace(1))
    await service.challenge(ann.peer, "ann", to_server.Challenge(1, CODE, 1, 7))
    await ann.until(lambda: ann.received(to_client.Challenged))
    return ann.received(to_client.Challenged)[-1].code


async def visitor(service: RoomService, guest: str, code: str) -> Client:
    client = Client(service, guest)
    client.live = await service.watch(client.peer, guest, to_server.Watch(1, code, guest.title()))
    await client.until(lambda: client.view)
    return client


async def begin_try(client: Client) -> to_client.OwnTry:
    assert client.live is not None
    await client.service.in_challenge(client.live, client.peer, to_server.Try(1, client.guest.title()))
    await client.until(lambda: client.received(to_client.OwnTry))
    return client.received(to_client.OwnTry)[-1]


async def race_try(service: RoomService, guest: str, code: str, draws: int) -> Client:
    racer = await Client(service, guest).join(code)
    await racer.ready()
    await racer.draw(draws)
    await racer.do(to_server.Leave(1))
    return racer


async def test_a_guest_sees_all_results_of_a_challenge_after_their_own_try(
    one: RoomService, two: RoomService, admin: Admin, records: Records
) -> None:
    code = await challenged(one, admin)
    cem, dan = await visitor(one, "cem", code), await visitor(two, "dan", code)
    own = await begin_try(cem)
    assert own.place is None
    racer = await race_try(two, "cem", own.code, draws=2)
    await racer.until(lambda: racer.race["source"] == [CODE, 1] and racer.race["promise"])
    await cem.until(lambda: "best" in cem.view["challenge"])
    await cem.until(lambda: cem.received(to_client.OwnTry)[-1].place)
    assert cem.received(to_client.OwnTry)[-1].place == 1  # fewer moves than the challenger
    await dan.until(lambda: dan.view["challenge"]["tries"] == 1)
    assert "best" not in dan.view["challenge"]
    for guest, may in (("cem", True), ("ann", True), ("bob", True), ("dan", False), ("", False)):
        if may:
            assert proof.verify(read_record(await records.record(own.code, 1, guest=guest)))[-1].ok
        else:
            assert await refusal_of(records.record(own.code, 1, guest=guest)) == "unknown-race"


async def test_a_guest_who_has_not_finished_a_try_does_not_learn_which_race_had_its_deal(
    one: RoomService, admin: Admin
) -> None:
    code = await challenged(one, admin)
    cem = await visitor(one, "cem", code)
    own = await begin_try(cem)
    racer = await Client(one, "cem").join(own.code)
    await racer.ready()
    await racer.draw(2)
    stranger = Client(one, "dan")
    watching = one.watch(stranger.peer, "dan", to_server.Watch(1, own.code, "Dan"))
    assert await refusal_of(watching) == "not-watchable"
    live = await one.registry.room(CODE)
    assert live.room.race.promise is not None
    previews = [room_list.preview((await one.registry.room(shown)).room) for shown in (code, own.code)]
    shown = str([cem.messages, racer.messages, stranger.messages, previews])
    assert CODE not in shown and live.room.race.promise.signature not in shown
    assert cem.view["challenge"]["result"][0] == "Ann" and racer.race["source"] == [code, 1]


async def test_two_devices_of_a_guest_that_begin_a_try_together_get_the_same_one(
    one: RoomService, two: RoomService, admin: Admin
) -> None:
    code = await challenged(one, admin)
    devices = await visitor(one, "cem", code), await visitor(two, "cem", code)
    first, second = await asyncio.gather(*map(begin_try, devices))
    assert first == second
    for service in (one, two):
        racer = await Client(service, "cem").join(first.code)
        assert racer.seat == 1


async def test_a_result_of_a_try_is_reported_by_another_process_after_a_crash(
    one: RoomService, two: RoomService, admin: Admin, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = await challenged(one, admin)
    own = await begin_try(await visitor(one, "cem", code))

    async def dies(*_: object) -> None:
        raise StoreDown("it died")

    with monkeypatch.context() as dying:
        dying.setattr(Heats, "report", dies)
        racer = await race_try(one, "cem", own.code, draws=1)
        assert racer.live is not None
        await one.registry.drop(racer.live)
    await two.sweeper.check_room(own.code, two.clock.now())
    stored = (await two.registry.room(code)).room.challenge
    assert stored is not None
    assert not stored.hides_from("cem")


async def test_a_try_that_is_never_raced_ends_by_itself(one: RoomService, two: RoomService, admin: Admin) -> None:
    code = await challenged(one, admin)
    own = await begin_try(await visitor(one, "cem", code))
    live = await two.registry.room(own.code)
    assert live.next_check <= two.clock.now() + COME_WITHIN
    await two.sweeper.check_room(own.code, two.clock.now())
    assert live.room.race.starts_at is None
    assert live.expires_at > two.clock.now() + Ms(7 * 86_400_000)
