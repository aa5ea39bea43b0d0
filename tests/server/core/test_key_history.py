"""The keys of a server, one after the other."""

from fortythieves.times import Ms
from fortythieves_server.core import key_history
from fortythieves_server.core.key_history import ANNOUNCED, PASSES_FOR, Key, Ring
from fortythieves_server.web.guest_tokens import Guests
from tests.server.tables import NOON

FIRST: Ring = (Key(Ms(0), "aa" * 32, "11" * 32),)
SECOND = key_history.rotated(FIRST, "bb" * 32, "22" * 32, NOON)
USED = NOON + ANNOUNCED


def test_a_new_key_is_known_before_it_is_used() -> None:
    assert [key_history.current(SECOND, now).secret[:2] for now in (NOON, USED - Ms(1), USED)] == ["aa", "aa", "bb"]
    assert [key[:1] for key in key_history.accepted(SECOND, NOON)] == [b"\xbb", b"\xaa"]
    assert [key[:1] for key in key_history.accepted(SECOND, USED)] == [b"\xaa", b"\xbb"]


def test_a_ring_can_be_stored() -> None:
    assert key_history.decode(key_history.encode(SECOND)) == SECOND


def test_all_keys_of_records_are_published_with_their_times() -> None:
    told = key_history.listed(SECOND, USED)
    assert told["key"] == "22" * 32
    assert told["keys"] == [
        {"key": "22" * 32, "since": USED, "until": None},
        {"key": "11" * 32, "since": 0, "until": USED},
    ]
    assert key_history.listed(SECOND, NOON)["key"] == "11" * 32


def test_an_old_key_of_records_keeps_only_its_public_part() -> None:
    assert key_history.records_trimmed(SECOND, USED) == SECOND
    newest, old = key_history.records_trimmed(SECOND, USED + ANNOUNCED)
    assert (newest, old) == (SECOND[0], Key(Ms(0), "", "11" * 32))


def test_guest_tokens_of_an_old_key_are_valid_for_thirty_days() -> None:
    old, new = Guests(b"a" * 32), Guests(b"a" * 32)
    guest, token = old.issue()
    for now, good in ((USED, True), (USED + PASSES_FOR - Ms(1), True), (USED + PASSES_FOR, False)):
        ring = (Key(USED, "bb" * 32), Key(Ms(0), (b"a" * 32).hex()))
        new.use(key_history.accepted(ring, now))
        fresh = new.issue()
        assert new.guest_of(fresh[1]) == fresh[0]
        try:
            assert new.guest_of(token) == guest
        except Exception as error:  # noqa: BLE001 - its text is checked below
            assert str(error) == "This guest token was not issued by this server." and not good
        else:
            assert good
    assert len(key_history.passes_trimmed(SECOND, USED + PASSES_FOR)) == 1
