"""Records of version 2: the server's promise, and racers' numbers. JavaScript is held to the same vectors."""

import json

import pytest

from fortythieves.record import race_record
from fortythieves.record.promise import is_promised, promise, promised_bytes
from fortythieves.record.proof import CHECKS, remarks, verify
from fortythieves.rules.deal import commitment
from fortythieves.times import Ms
from tests.shared import make_records, make_records_2
from tests.shared.make_records import NOON, OTHER, SERVER, changed, failed, flipped, leaves, public, signed_again
from tests.shared.make_records_2 import FILE, races

RECORDS = dict(races())
SHORT = RECORDS["short"]
KEY = public(SERVER)
SECRET = "5e" * 32


@pytest.mark.parametrize("name", RECORDS)
def test_a_true_record_passes_every_check_once(name: str) -> None:
    for key in (KEY, None, {KEY.hex(): None}):
        checks = verify(race_record.read(race_record.packed(RECORDS[name])), key)
        assert [(check.check, check.ok) for check in checks] == [
            (check, True) for check in CHECKS if check != "winnable"
        ]


def test_a_promise_is_of_one_deal_of_one_race_of_one_room_at_one_time() -> None:
    committed = commitment(bytes.fromhex(SECRET))
    made = promise(SERVER, "KQXWVD", 1, committed, NOON)
    assert is_promised(made, "KQXWVD", 1, committed)
    assert not is_promised(made, "KQXWVB", 1, committed)
    assert not is_promised(made, "KQXWVD", 2, committed)
    assert not is_promised(made, "KQXWVD", 1, "0" * 64)
    assert not is_promised(made._replace(at=NOON + Ms(1)), "KQXWVD", 1, committed)
    assert not is_promised(made._replace(key=public(OTHER).hex()), "KQXWVD", 1, committed)


def test_no_promise_can_be_read_as_a_record_nor_the_other_way_round() -> None:
    content = promised_bytes("KQXWVD", 1, "0" * 64, NOON)
    assert content.startswith(b"forty-thieves promise v1\n")
    assert race_record.signed_bytes(SHORT)[:1] == b"\xde"


def test_nobody_changes_a_field_without_being_found_out() -> None:
    found = {
        path: {check.check for check in failed(changed(SHORT, [(path, flipped(value))]), KEY)}
        for path, value in leaves(SHORT)
    }
    assert [path for path, checks in found.items() if not checks & {"signature", "format"}] == []


def test_a_server_that_says_another_deal_than_it_promised_is_found_out() -> None:
    """It makes a whole new record, with another secret that its commitment, deck and signature fit to."""
    other = dict(make_records_2.races())["nobody's number"]
    swapped = [(name, other[name]) for name in ("secret", "commitment", "deck")]
    forged = changed(SHORT, signed_again(SHORT, swapped))
    wrong = {check.code for check in failed(forged, KEY)}
    assert "bad-promise" in wrong


def test_whose_numbers_went_into_the_deal_is_said_and_warned_of_if_nobody_s_did() -> None:
    assert [remark.warns for remark in remarks(RECORDS["nobody's number"])] == [True, False]
    assert [remark.warns for remark in remarks(RECORDS["a number was withheld"])] == [False, False]
    assert remarks(RECORDS["an open deal"]) == remarks(RECORDS["practice"]) == []


def test_a_number_that_was_withheld_is_named_also_if_none_was_revealed() -> None:
    withheld = "seat 1 promised a number and did not reveal it in time"
    assert withheld in [remark.sentence for remark in remarks(RECORDS["nobody's number"])]


def test_a_record_without_commitments_is_warned_of_where_numbers_went_into_the_deal() -> None:
    """A server that has a seat would say the numbers of its racers last, and write a record of version 1."""
    warnings = {name: [remark.code for remark in remarks(one) if remark.warns] for name, one in make_records.races()}
    assert warnings["short"] == ["not-committed"]
    for name, one in make_records.races():
        assert len(warnings[name]) == (one["secret"] is not None and one["practice"] is None), name


def test_whoever_gives_too_few_keys_by_hand_is_told_what_is_missing() -> None:
    by_another = changed(SHORT, signed_again(SHORT, make_records_2.promised_by_another(SHORT)))
    reasons = [check.sentence for check in failed(by_another, KEY)]
    assert len(reasons) == 1 and reasons[0].endswith("(an earlier key of the server has to be given, too)")


def test_the_vectors_are_what_their_generator_writes() -> None:
    written = make_records.text(make_records_2.vectors())
    assert FILE.read_text("utf-8") == written, "python -m tests.shared.make_records_2"


def test_the_vectors_stay_small_enough_to_be_read_in_a_diff() -> None:
    assert FILE.stat().st_size < 60_000
    assert any(not one["fail"] for one in json.loads(FILE.read_text("utf-8"))["broken"]), "an earlier key is one"
