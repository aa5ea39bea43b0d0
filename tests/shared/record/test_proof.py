"""Records right and wrong: what is checked, and what is found. The vectors hold the same in JavaScript."""

import json
from collections.abc import Sequence

import pytest

from fortythieves.record import race_record
from fortythieves.record.proof import CHECKS, Check, verify
from fortythieves.record.race_record import Plain
from fortythieves.record.shape import ENDS, EVENTS
from fortythieves.rules.games import GAMES
from tests.shared import make_records, make_records_3
from tests.shared.make_records import (
    FILE,
    SERVER,
    Change,
    by_name,
    changed,
    failed,
    flipped,
    leaves,
    public,
    signed_again,
)

RECORDS = by_name()
WINNABLE = make_records_3.by_name()
SHORT = RECORDS["short"]
KEY = public(SERVER)

#: What nothing but the signature vouches for: nothing else in the record follows from it.
ONLY_SIGNED = (
    "code",
    "race",
    "settings.seats",
    "settings.public",
    "racers.0.name",
    "racers.1.name",
    "racers.0.bot",
    "racers.1.bot",
)


def failing(one: Plain, key: bytes | None = KEY) -> set[str]:
    return {check.check for check in failed(one, key)}


def resigned(one: Plain, *changes: Change) -> Plain:
    """The record with changes that the server itself has signed."""
    return changed(one, signed_again(one, changes))


def wrongs(one: Plain, check: str) -> Sequence[tuple[str, int | None, int | None]]:
    """What a check finds wrong: in words, so that their parameters are seen, with the seat and the entry."""
    return [(found.sentence, found.seat, found.at) for found in failed(one, KEY) if found.check == check]


# what is right


@pytest.mark.parametrize("name", RECORDS)
def test_a_true_record_passes_every_check_once(name: str) -> None:
    for key in (KEY, None):
        checks = verify(RECORDS[name], key)
        assert [check.check for check in checks] == [check for check in CHECKS if check != "winnable"]
        assert all(check.ok and check.sentence for check in checks)


def kind(key: str) -> tuple[object, ...]:
    """What the rules of a game are made of, whatever its columns."""
    row = GAMES[key]
    return row.build, row.unit, row.draw, row.redeals, row.aces_out, row.face_down > 0


def test_the_races_have_every_kind_of_game_and_every_end_and_everything_that_can_happen() -> None:
    assert set(map(kind, GAMES)) == {kind(one["game"]) for one in RECORDS.values()}
    assert {racer["state"] for one in RECORDS.values() for racer in one["racers"]} == set(ENDS)
    assert {name for one in RECORDS.values() for _, name, _ in one["events"]} == set(EVENTS)
    assert {one["settings"]["undo"] for one in RECORDS.values()} == {"none", "turned", "free"}


def test_without_a_key_to_expect_the_key_of_the_record_is_named() -> None:
    signature = verify(SHORT)[1]
    assert (signature.ok, signature.code, signature.params) == (True, "signed", {"key": KEY.hex()})


def test_a_finding_as_a_map_has_no_places_that_it_is_not_about() -> None:
    assert Check("moves", False, "bad-move", {"move": "99-1"}, 1, 0).plain() == {
        "check": "moves",
        "ok": False,
        "code": "bad-move",
        "params": {"move": "99-1"},
        "seat": 1,
        "at": 0,
    }
    assert Check("deal", True, "dealt").plain() == {"check": "deal", "ok": True, "code": "dealt"}


# what is changed by somebody else


def test_nobody_changes_a_field_without_being_found_out() -> None:
    found = {path: failing(changed(SHORT, [(path, flipped(value))])) for path, value in leaves(SHORT)}
    assert [path for path, checks in found.items() if not checks & {"signature", "format"}] == []


# what the server itself would have to have got wrong


def is_free(path: str) -> bool:
    # An entry may have been made a millisecond later, as long as it comes before the next one and changes no result.
    return path in ONLY_SIGNED or (path.startswith("logs.") and path.endswith(".0") and path.count(".") == 4)


def test_what_follows_from_the_rest_is_found_out_under_a_good_signature() -> None:
    found = {
        path: failing(resigned(SHORT, (path, flipped(value))))
        for path, value in leaves(SHORT)
        if path not in ("key", "signature")
    }
    assert [path for path, checks in found.items() if bool(checks) == is_free(path)] == []
    assert [path for path, checks in found.items() if "signature" in checks] == []


@pytest.mark.parametrize(
    ("change", "check", "found"),
    [
        (("secret", "f" * 64), "commitment", [("the secret is not the one that was committed to", None, None)]),
        (("nonces.0.1", "f" * 32), "deal", [("the deck is not the one of this deal", None, None)]),
        (("logs.0.1.2.1", "redeal"), "moves", [("redeal is not allowed there", 1, 2)]),
        (("logs.1.1.3.1", "99-1"), "moves", [("99-1 is not a move", 2, 3)]),
        (("logs.0.1.5.0", 60_000), "times", [("it is later than the end of the race", 1, 5)]),
        (("logs.1.1.1.0", 0), "times", [("it is earlier than the entry before it", 2, 1)]),
        (("racers.1.home", 9), "results", [("home is 9, and should be 0", 2, None)]),
        (("racers.1.place", 2), "ranking", [("the place is 2, and should be 1", 2, None)]),
    ],
)
def test_what_is_wrong_is_said_with_its_place_and_of_nothing_else(
    change: Change, check: str, found: Sequence[tuple[str, int | None, int | None]]
) -> None:
    wrong = resigned(SHORT, change)
    assert wrongs(wrong, check) == found
    assert failing(wrong) - {"deal"} <= {check}


def test_every_kind_of_end_is_held_against_the_log() -> None:
    for one in RECORDS.values():
        for n, racer in enumerate(one["racers"]):
            for state in set(ENDS) - {racer["state"]}:
                said = f"state is {state}, and should be {racer['state']}"
                assert (said, racer["seat"], None) in wrongs(resigned(one, (f"racers.{n}.state", state)), "results")


# deals that can be won: version 3


@pytest.mark.parametrize("name", WINNABLE)
def test_a_true_record_of_a_winnable_deal_passes_one_check_more(name: str) -> None:
    for key in (KEY, None):
        checks = verify(race_record.read(race_record.packed(WINNABLE[name])), key)
        assert [(check.check, check.ok) for check in checks] == [(check, True) for check in CHECKS]
        said = {check.check: check.sentence for check in checks}
        assert said["winnable"].endswith(f"it can be won: {WINNABLE[name]['stars']} of 3 stars")


def test_the_deals_have_one_two_and_three_stars() -> None:
    assert {one["stars"] for one in WINNABLE.values()} == {1, 2, 3}


@pytest.mark.parametrize("name", WINNABLE)
def test_nobody_changes_a_field_of_a_winnable_deal_without_being_found_out(name: str) -> None:
    record = WINNABLE[name]
    proof = [(path, value) for path, value in leaves(record) if path.startswith(("stars", "leaf", "path", "line"))]
    found = {path: failing(changed(record, [(path, flipped(value))])) for path, value in proof}
    assert [path for path, checks in found.items() if not checks & {"signature", "format"}] == []


def test_what_the_server_itself_forges_in_a_winnable_deal_is_found_in_one_check() -> None:
    one = WINNABLE["short"]
    for change, sentence in (
        (("path.2", "0" * 64), "the path does not lead from the secret to what was committed to"),
        (("line.-", None), "the line does not win"),
        (("line.+", "draw"), "the line does not win"),
        (("stars", 3), "the stars are 3, and should be 2"),
        (("settings.deal", "winnable-1"), "the stars are 2, and 1 were set"),
    ):
        wrong = resigned(one, change)
        assert wrongs(wrong, "winnable") == [(sentence, None, None)]
        assert failing(wrong) == {"winnable"}


def test_a_server_that_deals_another_of_its_sixteen_deals_is_found_out() -> None:
    """Everything else fits: it has the right path, can be won, and both boards are empty."""
    one = WINNABLE["short"]
    other = [*make_records_3.other_leaf(one), ("logs.0.1", []), ("logs.1.1", [])]
    found = wrongs(resigned(one, *other), "winnable")
    assert [sentence for sentence, _, _ in found] == [
        "the racers' numbers chose deal 15 of the 16, counted from 0, and it is deal 0"
    ]


def test_the_settings_and_the_version_say_the_same_of_a_deal() -> None:
    for deal in ("secret", "32001", "KQXWVD/1"):
        assert "deal" in failing(resigned(WINNABLE["short"], ("settings.deal", deal)))
    for deal in ("winnable", "winnable-1"):
        assert wrongs(resigned(SHORT, ("settings.deal", deal)), "deal") == [
            ("the deal is not of the kind that is set", None, None)
        ]


def test_the_vectors_of_winnable_deals_are_what_their_generator_writes() -> None:
    written = make_records.text(make_records_3.vectors())
    assert make_records_3.FILE.read_text("utf-8") == written, "python -m tests.shared.make_records_3"
    assert make_records_3.FILE.stat().st_size < 90_000


# the vectors


def test_the_vectors_are_what_their_generator_writes() -> None:
    assert FILE.read_text("utf-8") == make_records.text(make_records.vectors()), "python -m tests.shared.make_records"


def test_the_vectors_fail_every_check_and_stay_small_enough_to_be_read_in_a_diff() -> None:
    vectors = json.loads(FILE.read_text("utf-8"))
    assert {check["check"] for one in vectors["broken"] for check in one["fail"]} == set(CHECKS) - {"winnable"}
    assert {one["code"] for one in vectors["unreadable"]} == {"not-a-record", "cut-record", "newer-record"}
    assert FILE.stat().st_size < 250_000
