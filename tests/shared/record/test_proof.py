"""The checks of valid and invalid records. JavaScript is tested with the same vectors."""

import pytest

from fortythieves.record import race_record
from fortythieves.record.proof import CHECKS, Check, verify
from fortythieves.record.race_record import Plain
from fortythieves.record.shape import LEAVES
from fortythieves.record.signature import is_promised, promise, promised_bytes
from fortythieves.rules.deal import commitment
from fortythieves.rules.games import GAMES
from fortythieves.times import Ms
from tests.shared.kinds import KINDS
from tests.shared.make_records import (
    NOON,
    OTHER,
    SERVER,
    Change,
    by_name,
    chains,
    changed,
    failed,
    flipped,
    leaves,
    promised_by_another,
    public,
    signed_again,
)
from tests.shared.vectors import file, read

RECORDS = by_name()
SHORT, WINNABLE = RECORDS["short"], RECORDS["winnable"]
KEY = public(SERVER)

ENDS, EVENTS = (set(LEAVES[name]["choices"]) for name in ("end", "event"))

#: Fields that only the signature protects, because nothing else in the record follows from them.
ONLY_SIGNED = ("settings.seats", "settings.public", "racers.0.name", "racers.1.name")


def failing(one: Plain, key: bytes | None = KEY) -> set[str]:
    return {check.check for check in failed(one, key)}


def resigned(one: Plain, *changes: Change) -> Plain:
    return changed(one, signed_again(one, changes))


def wrongs(one: Plain, check: str) -> list[Check]:
    return [found for found in failed(one, KEY) if found.check == check]


@pytest.mark.parametrize("name", RECORDS)
def test_a_true_record_passes_every_check_once(name: str) -> None:
    for key in (KEY, None, {KEY.hex(): None}) if name == "short" else (KEY,):
        checks = verify(race_record.read(race_record.packed(RECORDS[name])), key)
        expected = [check for check in CHECKS if check not in ("winnable", "day") or RECORDS[name][check]]
        assert [(check.check, check.ok) for check in checks] == [(check, True) for check in expected]
        assert all(check.sentence for check in checks)


def kind(key: str) -> tuple[object, ...]:
    row = GAMES[key]
    return (row.build, row.wrap, row.unit, row.empty, row.draw, row.base, row.bases_out, row.foundations)


def test_the_races_have_every_kind_of_game_and_every_end_and_every_event() -> None:
    assert set(map(kind, KINDS)) == {kind(one["game"]) for one in RECORDS.values()}
    assert {racer["state"] for one in RECORDS.values() for racer in one["racers"]} == ENDS
    assert {name for one in RECORDS.values() for _, name, _ in one["events"]} == EVENTS
    assert {one["settings"]["undo"] for one in RECORDS.values()} == {"none", "turned", "free"}


def test_nobody_changes_a_field_without_being_found_out() -> None:
    found = {path: failing(changed(SHORT, [(path, flipped(value))])) for path, value in leaves(SHORT)}
    assert [path for path, checks in found.items() if not checks & {"signature", "format"}] == []


def is_free(path: str) -> bool:
    # The time of an entry may be a millisecond later if the entry stays before the next one and changes no result.
    return path in ONLY_SIGNED or (path.startswith("logs.") and path.endswith(".0") and path.count(".") == 4)


def test_what_follows_from_the_rest_is_found_out_under_a_good_signature() -> None:
    found = {
        path: failing(resigned(SHORT, (path, flipped(value))))
        for path, value in leaves(SHORT)
        if path not in ("key", "signature")
    }
    assert [path for path, checks in found.items() if bool(checks) == is_free(path)] == []
    assert [path for path, checks in found.items() if "signature" in checks] == []


def test_every_kind_of_end_is_held_against_the_log() -> None:
    for one in (one for one in RECORDS.values() if one["winnable"] is None):  # the solver would take most of the time
        for n, racer in enumerate(one["racers"]):
            for state in sorted(ENDS - {racer["state"]})[n::4]:
                params = {"field": "state", "stated": state, "right": racer["state"]}
                wrong = Check("results", False, "wrong-result", params, racer["seat"])
                assert wrong in wrongs(resigned(one, (f"racers.{n}.state", state)), "results")


def test_a_server_that_deals_another_of_its_sixteen_deals_fails() -> None:
    """Everything else is valid: the deal has the right path and can be won."""
    wrong = {"check": "winnable", "ok": False, "code": "wrong-leaf", "params": {"stated": 0, "right": 15}}
    assert wrong in [found for one in read("records")["broken"] for found in one["fail"] if len(one["change"]) > 4]


def test_the_vectors_fail_every_check_and_stay_small_enough_to_be_read_in_a_diff() -> None:
    vectors = read("records")
    assert {check["check"] for one in vectors["broken"] for check in one["fail"]} == set(CHECKS)
    assert {one["code"] for one in vectors["unreadable"]} == {"not-a-record", "cut-record", "newer-record"}
    assert file("records").stat().st_size < 300_000


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


def test_a_promise_by_a_key_that_was_not_given_says_which_key_is_missing() -> None:
    [wrong] = failed(changed(SHORT, signed_again(SHORT, promised_by_another(SHORT))), KEY)
    assert wrong.sentence.endswith("Give the server's earlier keys, too.")


def test_the_deal_of_a_day_is_of_the_chain_that_the_server_has_published() -> None:
    found = [{check.code for check in verify(RECORDS["day"], KEY, links) if not check.ok} for links in chains()]
    assert found == [set(), {"other-chain"}, {"other-chain"}, {"other-chain"}]
