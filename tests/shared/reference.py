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
    "busy-aces": (12, 1, 0, "same suit", "one card", 1, 0),
    "congress": (8, 1, 0, "any suit", "one card", 1, 0),
    "corona": (12, 3, 0, "same suit", "one card", 1, 0),
    "courtyard": (12, 1, 0, "same suit", "sequences", 1, 0),
    "deuces": (10, 1, 0, "same suit", "one card", 1, 0),
    "diplomat": (8, 4, 0, "any suit", "one card", 1, 0),
    "double-rail": (5, 1, 0, "any suit", "sequences", 1, 0),
    "emperor": (10, 4, 3, "alternating colour", "one card", 1, 0),
    "famous-fifty": (10, 5, 0, "same suit", "one card", 1, 0),
    "final-battle": (6, 1, 0, "any suit", "sequences", 1, 0),
    "forty-and-eight": (8, 4, 0, "same suit", "one card", 1, 1),
    "josephine": (10, 4, 0, "same suit", "sequences", 1, 0),
    "lady-palk": (8, 4, 0, "any suit", "sequences", 1, 0),
    "little-napoleon": (8, 4, 3, "any suit", "sequences in suit", 1, 0),
    "mcclellan": (8, 4, 3, "same suit", "sequences", 1, 0),
    "midshipman": (9, 4, 2, "a different suit", "one card", 1, 0),
    "napoleons-exile": (10, 4, 0, "any suit", "one card", 1, 0),
    "napoleons-folly": (10, 4, 0, "a different suit", "one card", 1, 0),
    "napoleons-shoulder": (12, 4, 0, "any suit", "one card", 1, 0),
    "napoleons-square": (12, 4, 0, "same suit", "sequences", 1, 0),
    "octagon": (4, 5, 0, "same suit", "one card", 1, 3),
    "parliament": (8, 1, 0, "any suit", "one card", 1, 0),
    "pluto": (12, 1, 0, "same suit", "one card", 1, 0),
    "quadrangle": (12, 3, 0, "same suit", "one card", 1, 0),
    "red-and-black": (8, 1, 0, "alternating colour", "sequences", 1, 0),
    "roosevelt": (7, 4, 0, "alternating colour", "one card", 1, 0),
    "rows-of-four": (8, 4, 0, "any suit", "one card", 1, 2),
    "san-juan-hill": (10, 4, 0, "same suit", "one card", 1, 0),
    "thirty-nine-steps": (13, 3, 0, "same suit", "one card", 1, 0),
    "triple-line": (12, 3, 0, "alternating colour", "sequences", 1, 1),
    "waning-moon": (13, 4, 0, "same suit", "one card", 1, 0),
    "waterloo": (6, 1, 0, "any suit", "sequences in suit", 1, 0),
    "zebra": (8, 1, 0, "alternating colour", "one card", 1, 1),
}

#: "The eight aces (in Deuces: the twos) start the eight foundations."
STARTED = dict.fromkeys(("lucas", "octagon", "parliament", "red-and-black", "san-juan-hill", "waterloo", "zebra"), "A")
STARTED["deuces"] = "2"
FROM_TWO = {"deuces", "pluto"}
#: "The first card of the stock starts a foundation, and its rank all others."
FROM_THE_FIRST = {"quadrangle"}
#: "A king may lie on an ace."
AROUND = {"deuces", "pluto", "quadrangle"}
ALTERNATING_FOUNDATIONS = {"red-and-black", "zebra"}
#: "A column that becomes empty is filled from the waste, or else from the stock."
REFILLED = {"congress", "corona", "courtyard", "octagon", "parliament", "quadrangle", "triple-line", "zebra"}
ONLY_FROM_THE_WASTE = {"napoleons-shoulder"}

Pile = tuple[str, ...]


class Position(NamedTuple):
    game: str
    #: For each column, its cards from the bottom, and how many of the first ones lie face down.
    columns: tuple[tuple[Pile, int], ...]
    #: The next card to be drawn is the first.
    stock: Pile
    #: The top is the last.
    waste: Pile
    #: The foundations that have a card, in the order in which they were started.
    piles: tuple[Pile, ...]
    redeals: int
    first_rank: str

    @property
    def home(self) -> Pile:
        """All cards on the foundations, sorted."""
        return tuple(sorted(card for pile in self.piles for card in pile))


def dealt(game: str, deck: list[str]) -> Position:
    columns, cards, face_down, *_, redeals = TABLE[game]
    rank = "2" if game in FROM_TWO else "A"
    started = [name for name in deck if name[0] == STARTED.get(game)]
    deck = [name for name in deck if name[0] != STARTED.get(game)]
    tableau: list[list[str]] = [[] for _ in range(columns)]
    for row in range(cards):
        for column in range(columns):
            tableau[column].append(deck[row * columns + column])
    stock = deck[columns * cards :]
    if game in FROM_THE_FIRST:
        rank = stock[0][0]
        started, stock = stock[:1], stock[1:]
    return Position(
        game,
        tuple((tuple(column), face_down) for column in tableau),
        tuple(stock),
        (),
        tuple((card,) for card in started),
        redeals,
        rank,
    )


def every_text(game: str) -> list[str]:
    """Every text that could be a move of the game, and some for a column that does not exist."""
    columns = range(1, TABLE[game][0] + 2)
    texts = ["draw", "redeal", "W-F", *(f"W-{to}" for to in columns), *(f"{column}-F" for column in columns)]
    texts += [f"{column}-{to}" for column in columns for to in columns if column != to]
    longest = range(2, 4) if TABLE[game][4] == "one card" else range(2, 14)
    texts += [f"{column}-{to}x{n}" for column in columns for to in columns if column != to for n in longest]
    return texts


def is_red(card: str) -> bool:
    return card[1] in "HD"


def next_rank(rank: str) -> str:
    """The rank above, and the ace above the king."""
    return RANKS[(RANKS.index(rank) + 1) % 13]


def goes_on(game: str, card: str, onto: str) -> bool:
    """Whether a column whose last card is ``onto`` takes the card."""
    if next_rank(card[0]) != onto[0] or (card[0] == "K" and game not in AROUND):
        return False
    match TABLE[game][3]:
        case "same suit":
            return card[1] == onto[1]
        case "a different suit":
            return card[1] != onto[1]
        case "any suit":
            return True
        case _:
            return is_red(card) != is_red(onto)


def are_lifted(game: str, cards: Pile) -> bool:
    """Whether these cards are a sequence."""
    in_suit = TABLE[game][4] != "sequences in suit" or len({card[1] for card in cards}) == 1
    return in_suit and all(goes_on(game, card, onto) for onto, card in pairwise(cards))


def placed(position: Position, card: str) -> Position | None:
    """The position with a card on the first foundation that takes it."""
    for number, pile in enumerate(position.piles):
        turns = position.game in ALTERNATING_FOUNDATIONS
        fits = is_red(pile[-1]) != is_red(card) if turns else pile[-1][1] == card[1]
        if len(pile) < 13 and next_rank(pile[-1][0]) == card[0] and fits:
            longer = (*position.piles[:number], (*pile, card), *position.piles[number + 1 :])
            return position._replace(piles=longer)
    if card[0] == position.first_rank:
        return position._replace(piles=(*position.piles, (card,)))
    return None


def refilled(position: Position, column: int) -> Position:
    """The position after an empty column is filled."""
    waste, stock = position.waste, position.stock
    if not waste:
        waste, stock = stock[:1], stock[1:]
    tableau = list(position.columns)
    tableau[column] = (waste[-1:], 0)
    return position._replace(columns=tuple(tableau), waste=waste[:-1], stock=stock)


def after(position: Position, text: str) -> Position | None:
    """The position after a move, or None when it is not legal."""
    game = position.game
    columns, _, _, _, unit, draw, _ = TABLE[game]
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
    if not are_lifted(game, lifted):
        return None

    # Place
    if target == "F":
        moved = placed(position, lifted[0])
        if moved is None:
            return None
        position = moved
    else:
        if int(target) > columns:
            return None
        cards, face_down = tableau[int(target) - 1]
        if cards and not goes_on(game, lifted[0], cards[-1]):
            return None
        if not cards and game in ONLY_FROM_THE_WASTE and source != "W":
            return None
        tableau[int(target) - 1] = (cards + lifted, face_down)
    position = position._replace(columns=tuple(tableau))
    if source != "W" and not tableau[int(source) - 1][0] and game in REFILLED:
        position = refilled(position, int(source) - 1)
    return position


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
