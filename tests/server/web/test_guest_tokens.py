import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from itsdangerous import TimestampSigner

from fortythieves_server.web.guest_tokens import MAX_AGE, Guests
from tests.refusals import refusal

KEY = bytes(range(32))


def test_a_token_says_whose_it_is_at_every_process_with_the_key() -> None:
    guest_id, token = Guests(KEY).issue()
    for one in (token, Guests(KEY).token(guest_id)):
        assert Guests(KEY).guest_of(one) == guest_id
        assert len(one) < 80 and re.fullmatch("[A-Za-z0-9_.-]+", one), "it fits into a URL"


def test_a_token_with_another_signature_is_refused() -> None:
    token = Guests(KEY).issue()[1]
    changed = ("A" if token[0] != "A" else "B") + token[1:]
    another_purpose = TimestampSigner(KEY).sign("abcdefghijklmnop").decode()
    for wrong in (Guests(bytes(32)).issue()[1], another_purpose, changed):
        assert refusal(Guests(KEY).guest_of, wrong) == "bad-token"


def test_a_token_lasts_ninety_days_from_its_last_renewal() -> None:
    now = [1_700_000_000.0]
    guests = Guests(KEY, lambda: now[0])
    guest_id, token = guests.issue()
    now[0] += MAX_AGE
    assert guests.guest_of(token) == guest_id
    renewed = guests.token(guest_id)
    now[0] += 1
    assert refusal(guests.guest_of, token) == "expired-token"
    assert guests.guest_of(renewed) == guest_id


def test_a_token_from_a_process_whose_clock_is_ahead_is_good() -> None:
    guest_id, token = Guests(KEY, lambda: 1_700_000_030.0).issue()
    assert Guests(KEY, lambda: 1_700_000_000.0).guest_of(token) == guest_id


def test_a_weak_key_is_refused_and_no_key_is_in_a_repr() -> None:
    with pytest.raises(ValueError, match="16 bytes"):
        Guests(b"secret")
    assert "sixteen" not in repr(Guests(b"sixteen bytes or more"))


@given(st.text(st.characters(codec=None, categories=None)) | st.from_regex(r"[A-Za-z0-9_-]{16}\.[\w-]{6}\.[\w-]{43}"))
@example("." * 300)
@example("\0")
@example(Guests(KEY).issue()[1][:-1])
def test_any_other_text_is_refused(token: str) -> None:
    assert refusal(Guests(KEY).guest_of, token) == "bad-token"


def test_the_hash_of_an_address_depends_on_the_key() -> None:
    kept = Guests(KEY).address_hash("198.51.100.7")
    assert re.fullmatch("[0-9a-f]{16}", kept) and kept == Guests(KEY).address_hash("198.51.100.7")
    assert kept not in {Guests(KEY).address_hash("198.51.100.8"), Guests(bytes(32)).address_hash("198.51.100.7")}
