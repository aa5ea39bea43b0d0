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


def objections(deal_check: DealCheck, commitment: str = "aa", promise: Any = None, **nonces: str) -> list[str]:
    given = {seat.removeprefix("seat"): nonce for seat, nonce in nonces.items()}
    over = view(commitment=commitment, promise=promise, starts_at=1, over_at=2, secret="5e", nonces=given)
    return list(deal_check.objections(over, 2))


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
    assert objections(deal_check, "aa") == []
    assert objections(deal_check, "bb") == [OTHER_PROMISE]
    assert list(deal_check.objections(view(2, commitment="cc", over_at=2, secret="5e"), 2)) == []


def test_a_deal_without_our_nonce_is_an_objection() -> None:
    deal_check = DealCheck()
    deal_check.draw("KQXWVD", 1, NONCE)
    assert objections(deal_check) == [], "it was never taken"
    deal_check.revealed("KQXWVD", 1, NONCE)
    assert objections(deal_check, seat2=NONCE) == []
    assert objections(deal_check, seat2=OTHER) == [OTHER_NUMBER]
    assert objections(deal_check, seat1=NONCE) == [NO_NUMBER]


def promised(at: Ms = Ms(1), commitment: str = "aa", number: int = 1) -> dict[str, Any]:
    return promise(SERVER, "KQXWVD", number, commitment, at)._asdict()


def test_no_promise_or_a_different_one_is_an_objection() -> None:
    deal_check, later = DealCheck(), promised(at=Ms(2))
    shown = promised()
    deal_check.observe(view(promise=shown))
    deal_check.observe(view(promise=later))
    shown.update(later)  # the promise is part of a view, which changes
    assert objections(deal_check, promise=promised()) == []
    assert objections(deal_check) == [NO_PROMISE]
    assert objections(DealCheck()) == [], "nobody was there"
    for other in (later, promise(OTHER_KEY, "KQXWVD", 1, "aa", Ms(1))._asdict()):
        assert objections(deal_check, promise=other) == [OTHER_SIGNATURE]


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
        assert list(deal_check.objections(view(promise=wrong), 2)) == [UNSIGNED], wrong
    deal_check = DealCheck()
    deal_check.observe(view(promise=promised()))
    assert list(deal_check.objections(view(promise=promised()), 2)) == []


def test_only_the_latest_races_are_remembered() -> None:
    deal_check = DealCheck()
    for number in range(1, KEPT + 2):
        deal_check.observe(view(number))
    over = {"commitment": "bb", "over_at": 2, "secret": "5e"}
    assert list(deal_check.objections(view(1, **over), 2)) == []
    assert list(deal_check.objections(view(2, **over), 2)) == [OTHER_PROMISE]
