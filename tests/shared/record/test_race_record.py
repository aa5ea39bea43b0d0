"""Records: made, signed, written as bytes, and read again."""

import json
from typing import Any

import msgpack
import pytest

from fortythieves.record import race_record
from fortythieves.record.race_record import SIZE_LIMIT, Deal, Plain, Racer
from fortythieves.rules.cards import names
from fortythieves.rules.deal import deck_of_secret
from fortythieves.rules.race_rules import TAKE_BACK_WITHIN, Ending
from fortythieves.rules.tally import Happened
from fortythieves.rules.winnable import leaves_of, root_of
from fortythieves.times import Ms
from tests.refusals import refusal
from tests.shared.make_records import NOON, SERVER, by_name, secret_deal, winnable_draw

RECORDS = by_name()
SHORT = RECORDS["short"]
LIMIT = Ms(60_000)

SETTINGS: dict[str, Any] = {"game": "maria", "time_limit": 60, "undo": "turned", "late": "watch", "deal": "secret"}


def racer(seat: int, state: Ending, when: Ms, place: int | None = None) -> Racer:
    return Racer(seat, "Ann", False, False, state, when, 0, 0, NOON, place)


def made(*racers: Racer, events: tuple[Happened, ...] = (), **changes: Any) -> Plain:
    return race_record.make("KQXWVD", 1, {**SETTINGS, **changes}, secret_deal(1, "KQXWVD", 1), NOON, racers, {}, events)


def test_who_gave_up_and_left_in_the_last_seconds_has_left() -> None:
    at = NOON + LIMIT - TAKE_BACK_WITHIN + Ms(1)
    one = made(racer(1, "gave_up", at), events=(Happened(at, "gave_up", 1),))
    assert one["events"] == [[at, "gave_up", 1], [at, "left", 1]]


def test_an_open_deal_has_a_number_and_no_secret_and_no_nonces() -> None:
    open_deal = Deal(None, {1: "0" * 32}, "32001")
    settings_ = {**SETTINGS, "deal": "32001"}
    one = race_record.make("KQXWVD", 1, settings_, open_deal, NOON, [racer(1, "timed_out", NOON + LIMIT)], {}, [])
    assert (one["number"], one["secret"], one["commitment"], one["nonces"]) == ("32001", None, None, [])


def test_a_winnable_deal_is_committed_to_by_a_root_and_its_deck_has_no_nonces() -> None:
    secrets, dealt, proof = winnable_draw()
    one = RECORDS["winnable"]
    root = root_of(leaves_of(secrets))
    assert (one["commitment"], one["secret"]) == (root.hex(), secrets[proof.leaf].hex())
    assert one["deck"] == names(deck_of_secret(secrets[proof.leaf], [])) == names(race_record.dealt_deck(dealt))
    assert one["nonces"] and one["winnable"] == proof._asdict()


def test_the_signature_is_over_everything_else_in_a_fixed_order() -> None:
    turned_round = dict(reversed(SHORT.items()))
    assert race_record.signed_bytes(turned_round) == race_record.signed_bytes(SHORT)
    assert race_record.sign(turned_round, SERVER)["signature"] == SHORT["signature"]
    SERVER.public_key().verify(bytes.fromhex(SHORT["signature"]), race_record.signed_bytes(SHORT))


def test_what_is_signed_is_messagepack_as_anybody_writes_it_with_sorted_keys() -> None:
    def ordered(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: ordered(value[key]) for key in sorted(value)}
        return [ordered(item) for item in value] if isinstance(value, list) else value

    for one in RECORDS.values():
        rest = {key: value for key, value in one.items() if key != "signature"}
        assert race_record.signed_bytes(one) == msgpack.packb(ordered(rest))


@pytest.mark.parametrize("name", RECORDS)
def test_the_file_and_its_twin_are_read_as_what_was_written(name: str) -> None:
    one = RECORDS[name]
    assert race_record.read(race_record.packed(one)) == one
    assert race_record.read(race_record.as_json(one)) == one
    assert race_record.read(json.dumps(one, indent=2).encode()) == one
    assert race_record.packed(race_record.read(race_record.as_json(one))) == race_record.packed(one)


def test_a_record_may_be_cut_anywhere() -> None:
    for whole in (race_record.packed(SHORT), race_record.as_json(SHORT)):
        assert {refusal(race_record.read, whole[:length]) for length in range(1, len(whole))} == {"cut-record"}


def test_a_file_that_is_too_large_is_not_read() -> None:
    assert refusal(race_record.read, b" " * (SIZE_LIMIT + 1)) == "huge-record"
    assert refusal(race_record.read, b" " * SIZE_LIMIT) == "not-a-record"


def test_a_whole_number_may_be_written_with_a_point() -> None:
    text = race_record.as_json(SHORT).replace(b'"race":1,', b'"race":1.0,')
    assert race_record.read(text) == SHORT
    assert race_record.read(msgpack.packb({**SHORT, "race": 1.0})) == SHORT


def test_json_takes_at_most_twice_as_much() -> None:
    """So the twin of any record that a server makes can be read, too."""
    logs = {1: [(SHORT["starts_at"] + at, "W-F") for at in range(10_000)]}
    long = {**SHORT, "logs": [[1, [[at - SHORT["starts_at"], text] for at, text in logs[1]]]]}
    assert len(race_record.as_json(long)) <= 2 * len(race_record.packed(long))


BLANK = " \t\r\n"


@pytest.mark.parametrize(
    "text", [f"{BLANK}{{}}", f"{{}}{BLANK}", f"{BLANK}{{}}{BLANK}"], ids=["before", "after", "both"]
)
def test_blanks_around_json_are_no_part_of_it(text: str) -> None:
    whole = race_record.as_json(SHORT).decode()
    assert race_record.read(text.replace("{}", whole).encode()) == SHORT
    assert refusal(race_record.read, b" " + race_record.packed(SHORT)) == "not-a-record"


@pytest.mark.parametrize("last", [1, 2])
def test_of_a_key_that_is_there_twice_the_last_one_counts(last: int) -> None:
    twice = race_record.as_json(SHORT).replace(b'"race":1', b'"race":%d,"race":%d' % (3 - last, last), 1)
    assert race_record.read(twice)["race"] == last
    head, rest = race_record.packed(SHORT)[:3], race_record.packed(SHORT)[3:]
    assert head[0] == 0xDE, "a map of more than 15"
    more = b"\xde" + (int.from_bytes(head[1:]) + 1).to_bytes(2)
    again = msgpack.packb("race") + msgpack.packb(last)
    assert race_record.read(more + rest + again)["race"] == last
