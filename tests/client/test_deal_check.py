"""The memory of a client about deals, and its objections to other deals."""

from typing import Any

from fortythieves.record.signature import promise
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


def test_a_nonce_is_revealed_once_when_the_server_waits_for_it() -> None:
    deal_check = DealCheck()
    committed = deal_check.draw("KQXWVD", 1, NONCE)
    assert committed == nonce_commitment(bytes.fromhex(NONCE))
    assert deal_check.to_reveal(view(), 2) is None
    assert deal_check.to_reveal(counting("00"), 2) is None
    assert deal_check.to_reveal(counting(committed), 1) is None
    assert deal_check.to_reveal(counting(committed), 2) == NONCE
    deal_check.revealed("KQXWVD", 1, NONCE)
    assert deal_check.to_reveal(counting(committed), 2) is None


def test_a_different_deal_is_an_objection() -> None:
    deal_check = DealCheck()
    deal_check.observe(view())
    deal_check.observe(view(commitment="bb"))
    assert list(deal_check.against_view(over("aa"), 2)) == []
    assert list(deal_check.against_view(over("bb"), 2)) == [OTHER_PROMISE]
    assert list(deal_check.against_view(view(2, commitment="cc", over_at=2, secret="5e"), 2)) == []


def test_a_deal_without_our_nonce_is_an_objection() -> None:
    deal_check = DealCheck()
    deal_check.draw("KQXWVD", 1, NONCE)
    assert list(deal_check.against_view(over(), 2)) == [], "it was never taken"
    deal_check.revealed("KQXWVD", 1, NONCE)
    assert list(deal_check.against_view(over(seat2=NONCE), 2)) == []
    assert list(deal_check.against_view(over(seat2=OTHER), 2)) == [OTHER_NUMBER]
    assert list(deal_check.against_view(over(seat1=NONCE), 2)) == [NO_NUMBER]


def test_a_record_is_compared_with_the_memory() -> None:
    deal_check = DealCheck()
    deal_check.observe(view())
    one = {"code": "KQXWVD", "race": 1, "commitment": "bb", "nonces": [[2, NONCE]], "practice": None, "promise": None}
    assert list(deal_check.against_record(one, 2)) == [OTHER_PROMISE]
    assert list(deal_check.against_record({**one, "practice": "BCDFGH/1"}, 2)) == []


def promised(at: Ms = Ms(1), commitment: str = "aa", number: int = 1) -> dict[str, Any]:
    return promise(SERVER, "KQXWVD", number, commitment, at)._asdict()


def test_a_record_without_the_promise_is_an_objection() -> None:
    deal_check = DealCheck()
    deal_check.observe(view(promise=promised()))
    one = {"code": "KQXWVD", "race": 1, "commitment": "aa", "nonces": [[2, NONCE]], "practice": None}
    assert list(deal_check.against_record({**one, "promise": promised()}, 2)) == []
    assert list(deal_check.against_record({**one, "promise": None}, 2)) == [NO_PROMISE]
    assert list(deal_check.against_view(over(), 2)) == [NO_PROMISE]
    assert list(DealCheck().against_record({**one, "promise": None}, 2)) == [], "nobody was there"


def test_a_different_promise_is_an_objection() -> None:
    deal_check = DealCheck()
    shown = promised()
    deal_check.observe(view(promise=shown))
    deal_check.observe(view(promise=promised(at=Ms(2))))
    shown.update(promised(at=Ms(2)))  # The promise is part of a view, which changes.
    one = {"code": "KQXWVD", "race": 1, "commitment": "aa", "nonces": [[2, NONCE]], "practice": None}
    for other in (promised(at=Ms(2)), promise(OTHER_KEY, "KQXWVD", 1, "aa", Ms(1))._asdict()):
        assert list(deal_check.against_record({**one, "promise": other}, 2)) == [OTHER_SIGNATURE]
        assert list(deal_check.against_view({**over(), "race": {**over()["race"], "promise": other}}, 2)) == [
            OTHER_SIGNATURE
        ]


def test_an_unsigned_promise_is_an_objection() -> None:
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
