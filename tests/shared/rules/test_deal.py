"""Decks. deals.json has the expected ones, because a published deal must never change."""

import hashlib
import hmac
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pysol_cards.cards import CardRenderer, createCards  # type: ignore[import-untyped]
from pysol_cards.random import shuffle  # type: ignore[import-untyped]
from pysol_cards.random_base import RandomBase  # type: ignore[import-untyped]

from fortythieves.errors import Refused
from fortythieves.rules.cards import PACKS, card_name, names
from fortythieves.rules.deal import commitment, deck_of_number, deck_of_secret, parse_deck, parse_number
from tests.refusals import refusal

GOLDEN: dict[str, list[dict[str, Any]]] = json.loads(Path(__file__).with_name("deals.json").read_text("utf-8"))

NUMBERS = st.integers(32_001, 10**20)
SECRETS = st.binary(min_size=32, max_size=32)
NONCES = st.lists(st.binary(min_size=16, max_size=16), max_size=8)


def deck_of_pysol(number: int) -> list[str]:
    """The deck that PySolFC deals: its cards, its shuffle, and the last card dealt first."""
    cards = shuffle(createCards(2), number, RandomBase.DEALS_PYSOLFC)
    return [CardRenderer(True).to_s(card) for card in reversed(cards)]


def deck_as_written_in_the_rules(secret: bytes, nonces: list[bytes]) -> list[str]:
    """A second implementation of the section "Deals" of GAMES.md."""
    key = hmac.new(secret, b"".join(nonces), hashlib.sha256).hexdigest()
    stream = "".join(hmac.new(bytes.fromhex(key), bytes(7) + bytes([i]), "sha256").hexdigest() for i in range(20))
    deck = [rank + suit for _pack in "01" for suit in "CSHD" for rank in "A23456789TJQK"]
    for i in reversed(range(1, 104)):
        while True:
            x, stream = int(stream[:8], 16), stream[8:]
            if x // (i + 1) < 2**32 // (i + 1):  # x is not in the last range, which is incomplete
                break
        j = x % (i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


@pytest.mark.parametrize("golden", GOLDEN["numbered"], ids=lambda golden: str(golden["number"]))
def test_a_number_deals_the_same_for_ever(golden: dict[str, str]) -> None:
    assert names(deck_of_number(int(golden["number"]))) == golden["deck"]


@given(NUMBERS)
def test_a_number_deals_what_pysolfc_deals(number: int) -> None:
    deck = [card_name(card) for card in deck_of_number(parse_number(str(number)))]
    assert deck == deck_of_pysol(number)
    assert parse_deck(deck) == deck_of_number(number)


@pytest.mark.parametrize("number", [32_000, 1, 0, -32_001, 10**20 + 1, 10**5000], ids=lambda number: hex(number)[:12])
def test_a_number_out_of_range_is_refused(number: int) -> None:
    assert refusal(deck_of_number, number) == "bad-number"


@pytest.mark.parametrize(
    "text", ["", "0", "32000", "032001", "+32001", "32 001", "32_001", "3e5", "32001.0", "٣٢٠٠١", "²²²²²", "9" * 5000]
)
def test_any_other_text_is_no_number(text: str) -> None:
    assert refusal(parse_number, text) == "bad-number"


@pytest.mark.parametrize("golden", GOLDEN["secret"], ids=lambda golden: golden["commitment"][:8])
def test_a_secret_deals_the_same_for_ever(golden: dict[str, Any]) -> None:
    secret, nonces = bytes.fromhex(golden["secret"]), list(map(bytes.fromhex, golden["nonces"]))
    assert commitment(secret) == golden["commitment"]
    assert names(deck_of_secret(secret, nonces)) == golden["deck"]


@given(SECRETS, NONCES)
def test_a_secret_deals_as_the_rules_say(secret: bytes, nonces: list[bytes]) -> None:
    assert [card_name(card) for card in deck_of_secret(secret, nonces)] == deck_as_written_in_the_rules(secret, nonces)


@pytest.mark.parametrize(("secret", "nonces"), [(bytes(31), []), (bytes(33), []), (b"", []), (bytes(32), [bytes(15)])])
def test_a_secret_or_a_nonce_of_another_length_is_refused(secret: bytes, nonces: list[bytes]) -> None:
    assert refusal(deck_of_secret, secret, nonces) == "bad-secret"
    assert refusal(commitment, bytes(31)) == "bad-secret"


DECK = [card_name(card) for card in PACKS]


@pytest.mark.parametrize(
    ("deck", "complaint"),
    [
        *(([], "AC is missing"), (DECK[:-1], "KD is there only once"), ([*DECK, "KD"], "KD is there 3 times")),
        *(([*DECK[:-1], "AC"], "AC is there 3 times"), ([*DECK[:-1], "##"], "face down"), ([*DECK, "##"], "face down")),
        *(([*DECK[:-1], "10D"], "'10D' is not a card"), ([*DECK[:-1], "x" * 10**6], "is not a card")),
        *(([*DECK[:-1], 51], "something of type int is not"), ([*DECK[:-1], ["KD"]], "something of type list is not")),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_what_is_not_two_packs_is_refused_with_the_reason(deck: list[str], complaint: str) -> None:
    with pytest.raises(Refused, match=complaint) as refused:
        parse_deck(deck)
    assert refused.value.code == "bad-deck"
    assert len(str(refused.value)) < 120
