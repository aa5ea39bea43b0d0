"""Decks: 104 cards in deal order. A deck comes from a number, a secret, or card names."""

import hashlib
import hmac
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import count

from fortythieves.errors import Refused, refuse_if, shown
from fortythieves.rules.cards import HIDDEN, PACKS, Card, card_name, parse_card

LOWEST_NUMBER, HIGHEST_NUMBER = 32_001, 10**20

SECRET_BYTES, NONCE_BYTES = 32, 16


def deck_of_number(number: int) -> list[Card]:
    """The deck of a numbered deal, in the order of PySolFC. Raises `Refused` if there is no deal with this number.

    Python guarantees that `random.Random(number).random()` never changes. It does not guarantee that for `shuffle`.
    """
    refuse_if(not LOWEST_NUMBER <= number <= HIGHEST_NUMBER, "bad-number")
    next_float = random.Random(number).random
    return _shuffled(lambda n: int(next_float() * n))[::-1]  # "the last card of the list is dealt first"


def parse_number(text: str) -> int:
    """The number of a deal from its text: only digits, and no leading zero. Raises `Refused`."""
    is_written = len(text) <= len(str(HIGHEST_NUMBER)) and text.isascii() and text.isdigit() and text[0] != "0"
    refuse_if(not is_written or not LOWEST_NUMBER <= int(text) <= HIGHEST_NUMBER, "bad-number")
    return int(text)


def deck_of_secret(secret: bytes, nonces: Sequence[bytes]) -> list[Card]:
    """The deck of a secret (32 bytes) and the racers' nonces (16 bytes each), sorted by seat. Raises `Refused`.

    It looks random without the secret. The owner of the secret could not choose it, because the nonces came later.
    """
    refuse_if(len(secret) != SECRET_BYTES or any(len(nonce) != NONCE_BYTES for nonce in nonces), "bad-secret")
    words = _words(hmac.digest(secret, b"".join(nonces), "sha256"))

    def uniform(n: int) -> int:
        # A plain remainder would favour small numbers, so the highest words are skipped.
        limit = 2**32 - 2**32 % n
        return next(word for word in words if word < limit) % n

    return _shuffled(uniform)


def commitment(secret: bytes) -> str:
    """The SHA-256 (in hexadecimal) that commits to a secret without revealing it. Raises `Refused`."""
    refuse_if(len(secret) != SECRET_BYTES, "bad-secret")
    return hashlib.sha256(b"forty-thieves deal v1" + secret).hexdigest()


def nonce_commitment(nonce: bytes) -> str:
    """The SHA-256 (in hexadecimal) that commits a racer to a nonce before any nonce is revealed. Raises `Refused`."""
    refuse_if(len(nonce) != NONCE_BYTES, "bad-secret")
    return hashlib.sha256(b"forty-thieves nonce v1" + nonce).hexdigest()


def parse_deck(names: Sequence[str]) -> list[Card]:
    """The deck of 104 card names. Raises `Refused` with the name that is wrong, missing or too frequent."""
    deck: list[Card] = []
    for name in names:
        try:
            deck.append(parse_card(name))
        except ValueError:
            raise Refused("bad-deck", detail=f"{shown(name)} is not a card") from None
    refuse_if(HIDDEN in deck, "bad-deck", detail="none of them may lie face down")
    counts = Counter(deck)
    for card in PACKS[:52]:
        if counts[card] != 2:
            times = {0: "missing", 1: "there only once"}.get(counts[card], f"there {counts[card]} times")
            raise Refused("bad-deck", detail=f"{card_name(card)} is {times}")
    return deck


def _shuffled(below: Callable[[int], int]) -> list[Card]:
    """The two packs, shuffled. ``below(n)`` gives a number from 0 to n - 1."""
    cards = list(PACKS)
    for i in range(103, 0, -1):
        j = below(i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def _words(key: bytes) -> Iterator[int]:
    """An endless stream of 32-bit numbers from a key."""
    for block in count():
        digest = hmac.digest(key, block.to_bytes(8, "big"), "sha256")
        for at in range(0, len(digest), 4):
            yield int.from_bytes(digest[at : at + 4], "big")
