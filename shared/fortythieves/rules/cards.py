"""Cards: small numbers in memory, two letters in text."""

from collections.abc import Iterable

#: ``suit * 13 + rank - 1``. The two cards of the same rank and suit have the same number, because no rule tells them
#: apart.
Card = int

#: An unknown card: it is face down.
HIDDEN: Card = -1

RANKS = "A23456789TJQK"
SUITS = "CSHD"

#: The two packs in the order in which every shuffle starts: "pack 0 then pack 1, in each the suits clubs, spades,
#: hearts, diamonds, in each A to K".
PACKS: tuple[Card, ...] = (*range(52), *range(52))

ACE, KING = 1, 13

_NAMES = {**{card: RANKS[card % 13] + SUITS[card // 13] for card in range(52)}, HIDDEN: "##"}
_CARDS = {name: card for card, name in _NAMES.items()}


def rank(card: Card) -> int:
    """The rank: 1 for an ace, up to 13 for a king."""
    return card % 13 + 1


def suit(card: Card) -> int:
    """The suit: 0 to 3 for clubs, spades, hearts, diamonds."""
    return card // 13


def is_red(card: Card) -> bool:
    """Whether the card is a heart or a diamond."""
    return card >= 26


def card_name(card: Card) -> str:
    """The name of a card: ``TH`` for the ten of hearts, ``##`` for a face-down card."""
    return _NAMES[card]


def parse_card(text: str) -> Card:
    """The card with this name. Raises `ValueError` if there is none."""
    try:
        return _CARDS[text]
    except (KeyError, TypeError):
        raise ValueError("not the name of a card") from None


def names(cards: Iterable[Card]) -> str:
    """The names of cards, joined to one text: ``TH4C##``."""
    return "".join(map(_NAMES.__getitem__, cards))


def parse_cards(text: str) -> tuple[Card, ...]:
    """The cards of a text that `names` has written. Raises `ValueError` for anything else."""
    return tuple(parse_card(text[at : at + 2]) for at in range(0, len(text), 2))
