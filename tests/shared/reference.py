"""A second implementation of the rules, from GAMES.md alone: naive, slow, and without code of the package.

A card is its name, a position is a few tuples, and every move makes a new position. It tries every text to find the
legal moves. If this and `Board` disagree, one of them is wrong.
"""

from itertools import pairwise
from typing import NamedTuple

RANKS = "A23456789TJQK"

#: The table of GAMES.md: columns, cards in each, face down in each, build down by, unit of a move, draw, redeals.
TABLE = {
    "forty-thieves": (10, 4, 0, "same suit", "one card", 1, 0),
    "indian": (10, 3, 1, "a different suit", "one card", 1, 0),
    "limited": (12, 3, 0, "same suit", "one card", 1, 0),
    "little-forty": (10, 4, 0, "a different suit", "sequences", 3, 3),
    "lucas": (13, 3, 0, "same suit", "one card", 1, 0),
    "maria": (9, 4, 0, "alternating colour", "one card", 1, 0),
    "number-ten": (10, 4, 2, "alternating colour", "sequences", 1, 0),
    "rank-and-file": (10, 4, 3, "alternating colour", "sequences", 1, 0),
    "streets": (10, 4, 0, "alternating colour", "one card", 1, 0),
}

#: "The eight aces start the eight foundations."
ACES_OUT = {"lucas"}


class Position(NamedTuple):
    game: str
    #: For each column, its cards from the bottom, and how many of the first ones lie face down.
    columns: tuple[tuple[tuple[str, ...], int], ...]
    #: The next card to be drawn is the first.
    stock: tuple[str, ...]
    #: The top is the last.
    waste: tuple[str, ...]
    #: All cards on the foundations, sorted; it makes no difference which pile of a suit has a card.
    home: tuple[str, ...]
    redeals: int


def dealt(game: str, deck: list[str]) -> Position:
    columns, cards, face_down, *_, redeals = TABLE[game]
    home: list[str] = []
    if game in ACES_OUT:
        home = [name for name in deck if name[0] == "A"]
        deck = [name for name in deck if name[0] != "A"]
    tableau: list[list[str]] = [[] for _ in range(columns)]
    for row in range(cards):
        for column in range(columns):
            tableau[column].append(deck[row * columns + column])
    return Position(
        game,
        tuple((tuple(column), face_down) for column in tableau),
        tuple(deck[columns * cards :]),
        (),
        tuple(sorted(home)),
        redeals,
    )


def every_text(game: str) -> list[str]:
    """Every text that could be a move of the game, and some for a column that does not exist."""
    columns = range(1, TABLE[game][0] + 2)
    texts = ["draw", "redeal", "W-F", *(f"W-{to}" for to in columns), *(f"{column}-F" for column in columns)]
    texts += [f"{column}-{to}" for column in columns for to in columns if column != to]
    longest = range(2, 14) if TABLE[game][4] == "sequences" else range(2, 4)
    texts += [f"{column}-{to}x{n}" for column in columns for to in columns if column != to for n in longest]
    return texts


def goes_on(game: str, card: str, onto: str) -> bool:
    """Whether a column whose last card is ``onto`` takes the card."""
    if RANKS.index(card[0]) + 1 != RANKS.index(onto[0]):
        return False
    match TABLE[game][3]:
        case "same suit":
            return card[1] == onto[1]
        case "a different suit":
            return card[1] != onto[1]
        case _:
            return (card[1] in "HD") != (onto[1] in "HD")


def goes_home(position: Position, card: str) -> bool:
    """Whether one of the two piles of the card's suit has a top that is one rank lower."""
    heights = []
    for pile in (0, 1):
        height = 0
        while height < 13 and position.home.count(RANKS[height] + card[1]) > pile:
            height += 1
        heights.append(height)
    return RANKS.index(card[0]) in heights


def after(position: Position, text: str) -> Position | None:
    """The position after a move, or None when it is not legal."""
    columns, _, _, _, unit, draw, _ = TABLE[position.game]
    if text == "draw":
        if not position.stock:
            return None
        return position._replace(stock=position.stock[draw:], waste=position.waste + position.stock[:draw])
    if text == "redeal":
        if position.stock or not position.waste or position.redeals == 0:
            return None
        return position._replace(stock=position.waste, waste=(), redeals=position.redeals - 1)

    source, _, rest = text.partition("-")
    target, _, number = rest.partition("x")
    count = int(number or "1")
    if count > 1 and unit == "one card":
        return None
    tableau = list(position.columns)

    # Lift
    if source == "W":
        if not position.waste:
            return None
        lifted, position = position.waste[-1:], position._replace(waste=position.waste[:-1])
    else:
        if int(source) > columns:
            return None
        cards, face_down = tableau[int(source) - 1]
        if len(cards) - face_down < count:
            return None
        lifted, cards = cards[-count:], cards[:-count]
        if cards and face_down == len(cards):
            face_down -= 1
        tableau[int(source) - 1] = (cards, face_down)
    if not all(goes_on(position.game, card, onto) for onto, card in pairwise(lifted)):
        return None

    # Place
    if target == "F":
        if not goes_home(position, lifted[0]):
            return None
        position = position._replace(home=tuple(sorted(position.home + lifted)))
    else:
        if int(target) > columns:
            return None
        cards, face_down = tableau[int(target) - 1]
        if cards and not goes_on(position.game, lifted[0], cards[-1]):
            return None
        tableau[int(target) - 1] = (cards + lifted, face_down)
    return position._replace(columns=tuple(tableau))


def legal(position: Position) -> list[str]:
    return sorted(text for text in every_text(position.game) if after(position, text) is not None)


def outcome(position: Position) -> str | None:
    """Won, stuck or neither. To find out whether it is stuck, this draws all cards that can still be drawn."""
    if len(position.home) == 104:
        return "won"
    draws_and_redeals_of_this_pass_and_the_next = 2 * 80
    for _ in range(draws_and_redeals_of_this_pass_and_the_next):
        if any(move not in ("draw", "redeal") for move in legal(position)):
            return None
        # One whole pass is enough: the next one would bring up the same cards.
        following = after(position, "draw") or after(position, "redeal")
        if following is None:
            break
        position = following
    return "stuck"
