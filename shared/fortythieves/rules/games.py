"""The games: one row each in games.json, which the browser reads too."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final

from fortythieves.errors import Refused, shown
from fortythieves.rules.cards import KING, PACKS, Card, is_red, rank, suit

#: A move names a column by its number, and a phone has no room for more.
MOST_COLUMNS = 13

#: The values of "build" in games.json: how the columns of a game are built. Always down by one rank. The games differ
#: in which suits may meet. Foundations are built up, by the first or the last of these rules.
BUILD_RULES: Mapping[str, Callable[[Card, Card], bool]] = MappingProxyType(
    {
        "same-suit": lambda card, onto: suit(card) == suit(onto),
        # "A different suit is any suit but the card's own; it is not a different colour."
        "different-suit": lambda card, onto: suit(card) != suit(onto),
        "any-suit": lambda card, onto: True,
        "alternating-colour": lambda card, onto: is_red(card) != is_red(onto),
    }
)


@cache
def fitting(build: str, wrap: bool = False) -> tuple[tuple[Card, ...], ...]:
    """For every card, the cards that may be placed on it in a column, in ascending order. ``wrap``: kings on aces."""
    meet, on_ace = BUILD_RULES[build], KING if wrap else None
    return tuple(
        tuple(c for c in range(52) if rank(c) == (rank(onto) - 1 or on_ace) and meet(c, onto)) for onto in range(52)
    )


def order(card: Card, base: int) -> int:
    """The height of a foundation with this card on top, if its first card has the rank ``base``: 1 to 13."""
    return (rank(card) - base) % KING + 1


def family(card: Card, build: str, base: int) -> int:
    """The number of the family (`families`) whose foundations take a card."""
    return suit(card) if build == "same-suit" else (order(card, base) + is_red(card)) % 2


@cache
def families(build: str, base: int) -> tuple[tuple[frozenset[Card], ...], ...]:
    """The foundations of a family accept the same cards: for each family and each height, these cards.

    A family is a suit with two foundations, or the four that start with cards of one colour.
    """

    places = [(family(card, build, base), order(card, base)) for card in range(52)]
    return tuple(
        tuple(
            frozenset(card for card, place in enumerate(places) if place == (number, height)) for height in range(1, 14)
        )
        for number in sorted({number for number, _ in places})
    )


@dataclass(frozen=True, slots=True)
class Game:
    """One row of the table in GAMES.md."""

    key: str
    name: str
    #: How many columns there are, and how many cards each starts with: one number for all, or one for each.
    columns: int
    cards: int | tuple[int, ...]
    #: How many of these are face down, counted from the bottom.
    face_down: int | tuple[int, ...]
    #: One of `BUILD_RULES`, and whether a king may lie on an ace.
    build: str
    wrap: bool
    #: The unit of moves between columns: one ``card``; a ``sequence`` (all of it or a part), which obeys the building
    #: rule; or a sequence ``in-suit``.
    unit: str
    #: Which cards an empty column takes: ``any``; the top of the ``waste``; a ``king``; or it is filled (``refill``)
    #: from the waste, or else from the stock, as part of the move that empties it.
    empty: str
    #: How many cards a draw takes from the stock.
    draw: int
    #: How many redeals there are.
    redeals: int
    #: The rank of the first card of each foundation; 0: that of the first card of the stock, which is dealt there.
    base: int
    #: Whether the eight cards of that rank start the foundations.
    bases_out: bool
    #: How foundations are built up: ``same-suit`` or ``alternating-colour``.
    foundations: str

    @property
    def sequence(self) -> str:
        """The building rule of the cards that move together."""
        return "same-suit" if self.unit == "in-suit" else self.build

    def is_dealt_home(self, card: Card) -> bool:
        """Whether a card is lifted out of the deck, because it starts a foundation."""
        return self.bases_out and rank(card) == self.base

    @property
    def heights(self) -> tuple[int, ...]:
        """How many cards each column starts with."""
        return self.cards if isinstance(self.cards, tuple) else (self.cards,) * self.columns

    @property
    def downs(self) -> tuple[int, ...]:
        """How many of them are face down."""
        return self.face_down if isinstance(self.face_down, tuple) else (self.face_down,) * self.columns

    @property
    def home(self) -> int:
        """How many cards start on the foundations."""
        return 8 * self.bases_out + (not self.base)

    @property
    def stock(self) -> int:
        """How many cards the stock starts with."""
        return len(PACKS) - self.home - sum(self.heights)


_FIRST, *_OTHERS = json.loads((files("fortythieves.rules") / "games.json").read_text("utf-8"))
#: All games by key, in display order. The first row is whole, and the others only say what differs from it.
GAMES: Mapping[str, Game] = MappingProxyType({row["key"]: Game(**{**_FIRST, **row}) for row in (_FIRST, *_OTHERS)})

#: The games that are offered first.
FAVOURITES: Final = tuple(GAMES)[:9]


def game(key: str) -> Game:
    """The game with this key. Raises `Refused` if there is none."""
    try:
        return GAMES[key]
    except (KeyError, TypeError):
        raise Refused("unknown-game", game=shown(key)) from None
