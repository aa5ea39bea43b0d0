"""The games: one row each in games.json, which the browser reads too."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from fortythieves.errors import Refused, shown
from fortythieves.rules.cards import PACKS, Card, is_red, rank, suit

#: A move names a column by its number, and a phone has no room for more.
MOST_COLUMNS = 13

#: The values of "build" in games.json: how the columns of a game are built. Always down by one rank; no card goes on an
#: ace, and a king on no card. The games differ in which suits may meet.
BUILD_RULES: Mapping[str, Callable[[Card, Card], bool]] = MappingProxyType(
    {
        "same-suit": lambda card, onto: suit(card) == suit(onto),
        # "A different suit is any suit but the card's own; it is not a different colour."
        "different-suit": lambda card, onto: suit(card) != suit(onto),
        "alternating-colour": lambda card, onto: is_red(card) != is_red(onto),
    }
)


@cache
def fitting(build: str) -> tuple[tuple[Card, ...], ...]:
    """For every card, the cards that may be placed on it in a column, in ascending order."""
    meet = BUILD_RULES[build]
    return tuple(tuple(c for c in range(52) if rank(c) == rank(onto) - 1 and meet(c, onto)) for onto in range(52))


@dataclass(frozen=True, slots=True)
class Game:
    """One row of the table in GAMES.md."""

    key: str
    name: str
    #: How many columns there are, and how many cards each starts with.
    columns: int
    cards: int
    #: How many of these are face down, counted from the bottom.
    face_down: int
    #: One of `BUILD_RULES`.
    build: str
    #: The unit of moves between columns: one ``card``, or a ``sequence`` (all of it or a part).
    unit: str
    #: How many cards a draw takes from the stock.
    draw: int
    #: How many redeals there are.
    redeals: int
    #: Whether the aces start the foundations.
    aces_out: bool

    @property
    def home(self) -> int:
        """How many cards start on the foundations."""
        return 8 * self.aces_out

    @property
    def stock(self) -> int:
        """How many cards the stock starts with."""
        return len(PACKS) - self.home - self.columns * self.cards


#: All games by key, in display order.
GAMES: Mapping[str, Game] = MappingProxyType(
    {row["key"]: Game(**row) for row in json.loads((files("fortythieves.rules") / "games.json").read_text("utf-8"))}
)


def game(key: str) -> Game:
    """The game with this key. Raises `Refused` if there is none."""
    try:
        return GAMES[key]
    except (KeyError, TypeError):
        raise Refused("unknown-game", game=shown(key)) from None
