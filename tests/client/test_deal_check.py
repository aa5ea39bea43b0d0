"""What a client remembers of a deal, and what it says if the deal is another one."""

from typing import Any

from fortythieves.record.promise import promise
from fortythieves.rules.deal import nonce_commitment
from fortythieves.times import Ms
from fortythieves_client.deal_check import (
    KEPT,
    NO_NUMBER,
    NO_PROMISE,
    OTHER_NUMBER,
    OTHER_PROMISE,
    OTHER_SIGNATURE,
    UNSIGNED,
    DealCheck,
)
from tests.shared.make_records import OTHER as OTHER_KEY
from tests.shared.make_records import SERVER

NONCE, OTHER = "ab" * 16, "cd" * 16


def view(number: int = 1, **race: Any) -> dict[str, Any]:
    return {"code": "KQXWVD", "race": {"number": number, "commitment": "aa", **race}}


def counting(committed: str, seat: int = 2) -> dict[str, Any]:
    return view(starts_at=1, commitments={str(seat): committed})


def over(commitment: str = "aa", **nonces: str) -> dict[str, Any]:
    said = {seat.removeprefix("seat"): nonce for seat, nonce in nonces.items()}
    return view(commitment=commitment, starts_at=1, over_at=2, secret="5e", nonces=said)


def test_a_number_is_told_when_the_server_waits_for_it_and_once_it_is_taken_no_more() -> None:
    deal_check = DealCheck()
    committed = deal_check.draw("KQXWVD", 1, NONCE)
    assert committed == nonce_commitment(bytes.fromhex(NONCE))
    assert deal_check.to_reveal(view(), 2) is None
    assert deal_check.to_reveal(counting("00"), 2) is None
    assert deal_check.to_reveal(counting(committed), 1) is None
    assert deal_check.to_reveal(counting(committed), 2) == NONCE
    deal_check.revealed("KQXWVD", 1, NONCE)
    assert deal_check.to_reveal(counting(committed), 2) is None


def test_another_deal_than_was_promised_is_objected_to() -> None:
    deal_check = DealCheck()
    deal_check.observe(view())
    deal_check.observe(view(commitment="bb"))
    assert list(deal_check.against_view(over("aa"), 2)) == []
    assert list(deal_check.against_view(over("bb"), 2)) == [OTHER_PROMISE]
    assert list(deal_check.against_view(view(2, commitment="cc", over_at=2, secret="5e"), 2)) == []


def test_a_deal_without_the_number_that_was_taken_is_objected_to() -> None:
    deal_check = DealCheck()
    deal_check.draw("KQXWVD", 1, NONCE)
    assert list(deal_check.against_view(over(), 2)) == [], "it was never taken"
    deal_check.revealed("KQXWVD", 1, NONCE)
    assert list(deal_check.against_view(over(seat2=NONCE), 2)) == []
    assert list(deal_check.against_view(over(seat2=OTHER), 2)) == [OTHER_NUMBER]
    assert list(deal_check.against_view(over(seat1=NONCE), 2)) == [NO_NUMBER]


def test_a_record_is_held_against_the_memory_as_well() -> None:
    deal_check = DealCheck()
    deal_check.observe(view())
    one = {"code": "KQXWVD", "race": 1, "commitment": "bb", "nonces": [[2, NONCE]], "practice": None, "promise": None}
    assert list(deal_check.against_record(one, 2)) == [OTHER_PROMISE]
    assert list(deal_check.against_record({**one, "practice": "BCDFGH/1"}, 2)) == []


def promised(at: Ms = Ms(1), commitment: str = "aa", number: int = 1) -> dict[str, Any]:
    return promise(SERVER, "KQXWVD", number, commitment, at)._asdict()


def test_a_record_without_the_promise_that_was_shown_is_objected_to() -> None:
    deal_check = DealCheck()
    deal_check.observe(view(promise=promised()))
    one = {"code": "KQXWVD", "race": 1, "commitment": "aa", "nonces": [[2, NONCE]], "practice": None}
    assert list(deal_check.against_record({**one, "promise": promised()}, 2)) == []
    assert list(deal_check.against_record({**one, "promise": None}, 2)) == [NO_PROMISE]
    assert list(deal_check.against_view(over(), 2)) == [NO_PROMISE]
    assert list(DealCheck().against_record({**one, "promise": None}, 2)) == [], "nobody was there"


def test_another_promise_than_was_shown_is_objected_to() -> None:
    deal_check = DealCheck()
    shown = promised()
    deal_check.observe(view(promise=shown))
    deal_check.observe(view(promise=promised(at=Ms(2))))
    shown.update(promised(at=Ms(2)))  # What we were shown is a part of a view, which changes.
    one = {"code": "KQXWVD", "race": 1, "commitment": "aa", "nonces": [[2, NONCE]], "practice": None}
    for other in (promised(at=Ms(2)), promise(OTHER_KEY, "KQXWVD", 1, "aa", Ms(1))._asdict()):
        assert list(deal_check.against_record({**one, "promise": other}, 2)) == [OTHER_SIGNATURE]
        assert list(deal_check.against_view({**over(), "race": {**over()["race"], "promise": other}}, 2)) == [
            OTHER_SIGNATURE
        ]


def test_a_promise_that_the_server_has_not_signed_is_objected_to_at_once() -> None:
    wrong: Any
    for wrong in (
        {**promised(), "signature": "0" * 128},
        {**promised(), "at": 2},
        {**promised(), "key": "no key"},
        promised(commitment="bb"),
        promised(number=2),
        {"key": 1},
        {},
        1,
    ):
        deal_check = DealCheck()
        deal_check.observe(view(promise=wrong))
        assert list(deal_check.against_view(view(promise=wrong), 2)) == [UNSIGNED], wrong
    deal_check = DealCheck()
    deal_check.observe(view(promise=promised()))
    assert list(deal_check.against_view(view(promise=promised()), 2)) == []


def test_only_the_latest_races_are_remembered() -> None:
    deal_check = DealCheck()
    for number in range(1, KEPT + 2):
        deal_check.observe(view(number))
    assert list(deal_check.objections("KQXWVD", 1, "bb", {}, 2)) == []
    assert list(deal_check.objections("KQXWVD", 2, "bb", {}, 2)) == [OTHER_PROMISE]
