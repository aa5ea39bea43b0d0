"""What a client remembers of a deal, and what it says if the deal is another one."""

from typing import Any

from fortythieves.deal import nonce_commitment
from fortythieves_client.witness import KEPT, NO_NUMBER, OTHER_NUMBER, OTHER_PROMISE, Witness

NONCE, OTHER = "ab" * 16, "cd" * 16


def view(number: int = 1, **race: Any) -> dict[str, Any]:
    return {"code": "KQXWVD", "race": {"number": number, "commitment": "aa", **race}}


def counting(committed: str, seat: int = 2) -> dict[str, Any]:
    return view(starts_at=1, commitments={str(seat): committed})


def over(commitment: str = "aa", **nonces: str) -> dict[str, Any]:
    said = {seat.removeprefix("seat"): nonce for seat, nonce in nonces.items()}
    return view(commitment=commitment, starts_at=1, over_at=2, secret="5e", nonces=said)


def test_a_number_is_told_when_the_server_waits_for_it_and_once_it_is_taken_no_more() -> None:
    witness = Witness()
    committed = witness.draw("KQXWVD", 1, NONCE)
    assert committed == nonce_commitment(bytes.fromhex(NONCE))
    assert witness.to_reveal(view(), 2) is None
    assert witness.to_reveal(counting("00"), 2) is None
    assert witness.to_reveal(counting(committed), 1) is None
    assert witness.to_reveal(counting(committed), 2) == NONCE
    witness.revealed("KQXWVD", 1, NONCE)
    assert witness.to_reveal(counting(committed), 2) is None


def test_another_deal_than_was_promised_is_objected_to() -> None:
    witness = Witness()
    witness.hear(view())
    witness.hear(view(commitment="bb"))
    assert list(witness.against_view(over("aa"), 2)) == []
    assert list(witness.against_view(over("bb"), 2)) == [OTHER_PROMISE]
    assert list(witness.against_view(view(2, commitment="cc", over_at=2, secret="5e"), 2)) == []


def test_a_deal_without_the_number_that_was_taken_is_objected_to() -> None:
    witness = Witness()
    witness.draw("KQXWVD", 1, NONCE)
    assert list(witness.against_view(over(), 2)) == [], "it was never taken"
    witness.revealed("KQXWVD", 1, NONCE)
    assert list(witness.against_view(over(seat2=NONCE), 2)) == []
    assert list(witness.against_view(over(seat2=OTHER), 2)) == [OTHER_NUMBER]
    assert list(witness.against_view(over(seat1=NONCE), 2)) == [NO_NUMBER]


def test_a_record_is_held_against_the_memory_as_well() -> None:
    witness = Witness()
    witness.hear(view())
    one = {"code": "KQXWVD", "race": 1, "commitment": "bb", "nonces": [[2, NONCE]], "practice": None}
    assert list(witness.against_record(one, 2)) == [OTHER_PROMISE]
    assert list(witness.against_record({**one, "practice": "BCDFGH/1"}, 2)) == []


def test_only_the_latest_races_are_remembered() -> None:
    witness = Witness()
    for number in range(1, KEPT + 2):
        witness.hear(view(number))
    assert list(witness.objections("KQXWVD", 1, "bb", {}, 2)) == []
    assert list(witness.objections("KQXWVD", 2, "bb", {}, 2)) == [OTHER_PROMISE]
