"""The server's promise of a deal, and the racers' nonces."""

from fortythieves.record import race_record
from fortythieves.record.proof import remarks
from fortythieves.record.signature import is_promised, promise, promised_bytes
from fortythieves.rules.deal import commitment
from fortythieves.times import Ms
from tests.shared.make_records import (
    NOON,
    OTHER,
    SERVER,
    by_name,
    changed,
    failed,
    promised_by_another,
    public,
    signed_again,
)

RECORDS = by_name()
SHORT = RECORDS["short"]
KEY = public(SERVER)


def test_a_promise_is_for_one_commitment_race_room_and_time() -> None:
    committed = commitment(bytes.fromhex("5e" * 32))
    made = promise(SERVER, "KQXWVD", 1, committed, NOON)
    assert is_promised(made, "KQXWVD", 1, committed)
    assert not is_promised(made, "KQXWVB", 1, committed)
    assert not is_promised(made, "KQXWVD", 2, committed)
    assert not is_promised(made, "KQXWVD", 1, "0" * 64)
    assert not is_promised(made._replace(at=NOON + Ms(1)), "KQXWVD", 1, committed)
    assert not is_promised(made._replace(key=public(OTHER).hex()), "KQXWVD", 1, committed)


def test_a_promise_and_a_record_never_have_the_same_bytes() -> None:
    assert promised_bytes("KQXWVD", 1, "0" * 64, NOON).startswith(b"forty-thieves promise v1\n")
    assert race_record.signed_bytes(SHORT)[:1] == b"\xde"


def test_a_record_of_another_deal_than_the_promised_one_fails() -> None:
    """A new record with another secret, and with the commitment, deck and signature that match it."""
    other = RECORDS["nobody's number"]
    swapped = [(name, other[name]) for name in ("secret", "commitment", "deck")]
    assert "bad-promise" in {check.code for check in failed(changed(SHORT, signed_again(SHORT, swapped)), KEY)}


def test_remarks_warn_of_deals_without_nonces_of_racers() -> None:
    warned = {name for name, one in RECORDS.items() if any(remark.warns for remark in remarks(one))}
    assert warned == {"nobody's number", "stuck", "winnable without numbers"}
    for name in ("solved", "practice"):
        assert remarks(RECORDS[name]) == []


def test_a_remark_names_each_seat_that_withheld_its_nonce() -> None:
    for name, seat in (("nobody's number", 1), ("a number was withheld", 2)):
        sentences = [remark.sentence for remark in remarks(RECORDS[name])]
        assert f"seat {seat} promised a number and did not reveal it in time" in sentences


def test_a_promise_by_a_key_that_was_not_given_says_which_key_is_missing() -> None:
    [wrong] = failed(changed(SHORT, signed_again(SHORT, promised_by_another(SHORT))), KEY)
    assert wrong.sentence.endswith("(an earlier key of the server has to be given, too)")
