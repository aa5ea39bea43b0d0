import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from itsdangerous import TimestampSigner

from fortythieves_server.web.guest_tokens import DAY, Guests
from tests.refusals import refusal

KEY = bytes(range(32))


class Time:
    """A clock that only changes when it is set."""

    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now


def test_a_pass_says_whose_it_is() -> None:
    guests = Guests(KEY)
    guest_id, token = guests.issue()
    assert guests.guest_of(token) == guest_id
    assert guests.guest_of(guests.token(guest_id)) == guest_id


def test_guest_ids_are_sixteen_characters_that_fit_into_a_url() -> None:
    guests = Guests(KEY)
    ids = {guests.issue()[0] for _ in range(1000)}
    assert len(ids) == 1000
    assert all(re.fullmatch("[A-Za-z0-9_-]{16}", guest_id) for guest_id in ids)


def test_a_pass_is_short_enough_for_a_url() -> None:
    _, token = Guests(KEY).issue()
    assert len(token) < 80
    assert re.fullmatch("[A-Za-z0-9_.-]+", token)


def test_every_process_with_the_key_takes_the_pass() -> None:
    guest_id, token = Guests(KEY).issue()
    assert Guests(KEY).guest_of(token) == guest_id


def test_a_pass_signed_with_another_key_is_not_ours() -> None:
    _, token = Guests(bytes(32)).issue()
    assert refusal(Guests(KEY).guest_of, token) == "bad-token"


def test_a_signature_made_for_another_purpose_is_no_pass() -> None:
    token = TimestampSigner(KEY).sign("abcdefghijklmnop").decode()
    assert refusal(Guests(KEY).guest_of, token) == "bad-token"


def test_a_changed_pass_is_not_ours() -> None:
    guests = Guests(KEY)
    _, token = guests.issue()
    other = "A" if token[0] != "A" else "B"
    assert refusal(guests.guest_of, other + token[1:]) == "bad-token"


def test_a_pass_lasts_ninety_days_and_no_longer() -> None:
    time = Time()
    guests = Guests(KEY, now=time)
    guest_id, token = guests.issue()
    time.now += 90 * DAY
    assert guests.guest_of(token) == guest_id
    time.now += 1
    assert refusal(guests.guest_of, token) == "expired-token"


def test_a_new_pass_for_the_same_guest_lasts_from_now_on() -> None:
    time = Time()
    guests = Guests(KEY, now=time)
    guest_id, _ = guests.issue()
    time.now += 60 * DAY
    token = guests.token(guest_id)
    time.now += 60 * DAY
    assert guests.guest_of(token) == guest_id


def test_a_pass_from_a_process_whose_clock_is_ahead_is_good() -> None:
    ahead, here = Time(), Time()
    ahead.now += 30
    guest_id, token = Guests(KEY, now=ahead).issue()
    assert Guests(KEY, now=here).guest_of(token) == guest_id


def test_a_weak_key_is_not_taken() -> None:
    with pytest.raises(ValueError, match="16 bytes"):
        Guests(b"secret")


def test_neither_key_nor_pass_is_in_a_repr() -> None:
    guests = Guests(b"sixteen bytes or more")
    assert "sixteen" not in repr(guests)


@given(
    token=st.text(st.characters(codec=None, categories=None)) | st.from_regex(r"[A-Za-z0-9_-]{16}\.[\w-]{6}\.[\w-]{43}")
)
@example(token="." * 300)
@example(token="\0")
@example(token="a.b.c")
def test_any_other_text_is_refused(token: str) -> None:
    assert refusal(Guests(KEY).guest_of, token) == "bad-token"


@given(cut=st.integers(0, 66))
def test_a_cut_pass_is_refused(cut: int) -> None:
    guests = Guests(KEY)
    _, token = guests.issue()
    assert refusal(guests.guest_of, token[:cut]) == "bad-token"


def test_an_address_is_kept_as_a_hash_that_is_the_same_at_every_process_with_the_key() -> None:
    kept = Guests(KEY).address_hash("198.51.100.7")
    assert re.fullmatch("[0-9a-f]{16}", kept)
    assert kept == Guests(KEY).address_hash("198.51.100.7")
    assert kept != Guests(KEY).address_hash("198.51.100.8")


def test_without_the_key_nobody_finds_an_address_by_its_hash() -> None:
    assert Guests(KEY).address_hash("198.51.100.7") != Guests(bytes(32)).address_hash("198.51.100.7")
