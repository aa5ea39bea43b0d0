"""A race is dealt from the same numbers on every process, whatever each has heard: two of them, on one Redis."""

from fortythieves.protocol.to_server import Reveal
from fortythieves.rules import deal
from fortythieves_server.core.room_state import Race
from fortythieves_server.rooms.room_service import RoomService
from fortythieves_server.store.schema import Notification
from tests.server.clients import ann_and_bob, happened, store_of, stored, until_each
from tests.server.stores import Admin
from tests.server.tables import nonce_of, started


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
