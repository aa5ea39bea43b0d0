"""A race is dealt from the same numbers on every process, whatever each has heard: two of them, on one Redis."""

from fortythieves.protocol.to_server import Reveal
from fortythieves.rules import deal
from fortythieves.times import Ms
from fortythieves_server.core import events
from fortythieves_server.core.evolve import DEALT_BEFORE
from fortythieves_server.core.room_state import Race
from fortythieves_server.rooms.room_service import RoomService
from fortythieves_server.store.schema import Notification
from tests.server.clients import ann_and_bob, happened, store_of, stored, until_each
from tests.server.stores import Admin, key
from tests.server.tables import MINUTE, lobby, nonce_of, started


def hears_nothing(service: RoomService) -> None:
    """Whatever others say to this process is lost on its way."""

    def lost(notification: Notification) -> None:
        pass

    service.store.notifications.on_notification = lost


def deck_of(race: Race, *seats: int) -> list[int]:
    return deal.deck_of_secret(bytes.fromhex(race.secret), [bytes.fromhex(nonce_of(seat)) for seat in seats])


async def test_a_process_reads_missed_nonces_before_it_deals(one: RoomService, two: RoomService, admin: Admin) -> None:
    """It decides that the time is up, learns that the log is longer, and reads it before it deals."""
    await store_of(admin, started(2))
    ann, bob = await ann_and_bob(one, two)
    for service in (one, two):
        hears_nothing(service)
    await ann.do(Reveal(1, nonce_of(1)))
    await until_each((ann, bob), lambda client: client.race.get("nonces") == {"1": nonce_of(1)})
    log = await admin.list("log")
    assert happened(log, "dealt") == happened(log, "contributed") == 1
    await until_each((ann, bob), lambda client: client.start)
    assert ann.start == bob.start
    assert (await stored(admin)).race.deck == deck_of((await stored(admin)).race, 1)


async def test_a_late_deal_postpones_the_start(one: RoomService, two: RoomService, admin: Admin) -> None:
    """All servers, or Redis, were away from the countdown on, for longer than the race takes."""
    table = lobby(2, time_limit=60)
    table.ready(1, 2)
    table.settle()
    table.reveal(2)
    await store_of(admin, table, ago=2 * MINUTE)
    ann, bob = await ann_and_bob(one, two)
    await until_each((ann, bob), lambda client: client.start)
    room = await stored(admin)
    at = [at for at, event in await _log(admin) if isinstance(event, events.Dealt)]
    assert room.race.starts_at == Ms(at[0]) + DEALT_BEFORE
    assert room.race.deck == deck_of(room.race, 2)
    await ann.draw(1)
    await bob.draw(1)
    assert [Ms(int(entry.split()[0])) >= room.race.starts_at for entry in await admin.list("moves", 1, 1)] == [True]
    assert await admin.redis.llen(key("moves", 1, 2)) == 1


async def _log(admin: Admin) -> list[tuple[int, events.Event]]:
    found = []
    for entry in await admin.list("log"):
        at, _, event = entry.split(b" ", 2)
        found.append((int(at), events.decode(event)))
    return found
