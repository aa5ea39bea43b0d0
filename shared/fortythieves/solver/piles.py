"""Piles and foundations as numbers: equal ones have the same number, so the value of each is computed once.

0 is the empty pile. Every other pile is a card on top of a smaller pile.
"""

from collections.abc import Sequence
from typing import Final

from fortythieves.rules.cards import KING, Card
from fortythieves.rules.games import Game, families, family, fitting, order

#: The values of piles, in hundredths of a card that is not home: lower is better. They began as those of the bots
#: (`bot/value.py`). Random changes were kept if they won more of 134 deals of six games: a search that knows which
#: cards come has less to fear from cards in the way.
#:
#: For each card in a column above a lower card of its suit: it must move away before that one can go home.
BLOCKS: Final = 45
#: For each card above a lower card of any suit, per rank of difference, up to `FAR`.
BURIES: Final = 2
BURIES_IN_WASTE: Final = 14
FAR: Final = 6
#: For each card in the waste.
IN_WASTE: Final = 15

#: The lowest height of no cards: higher than every height.
_NO_HEIGHT: Final = KING + 1


class Piles:
    """Piles as they are met. The lists are indexed by the number of a pile, and only this class adds to them."""

    def __init__(self, game: Game, base: int) -> None:
        """``base``: the rank of the first card of each foundation."""
        #: For each card, its family (`games.families`), and the height of a foundation with this card on top.
        self.family = bytes(family(card, game.foundations, base) for card in range(52))
        self.height = bytes(order(card, base) for card in range(52))
        #: The top card. The empty pile has none, and is never asked.
        self.top: list[Card] = [-1]
        #: The pile without its top card.
        self.below = [0]
        #: How much is in the way.
        self.value = [0]
        self._lowest = [_NO_HEIGHT]
        self._with: dict[int, int] = {}

    def put(self, pile: int, card: Card) -> int:
        """The pile with one more card on top."""
        key = pile * 64 + card
        number = self._with.get(key)
        if number is None:
            number = self._with[key] = self._new(pile, card)
        return number

    def of(self, cards: Sequence[Card]) -> int:
        """The pile of these cards, the bottom card first."""
        pile = 0
        for card in cards:
            pile = self.put(pile, card)
        return pile

    def cards(self, pile: int) -> list[Card]:
        """The cards of a pile, the top card first."""
        found = []
        while pile:
            found.append(self.top[pile])
            pile = self.below[pile]
        return found

    def _new(self, pile: int, card: Card) -> int:
        self.top.append(card)
        self.below.append(pile)
        self.value.append(self.value[pile] + self._worth(pile, card))
        self._lowest.append(min(self._lowest[pile], self.height[card]))
        return len(self.top) - 1

    def _worth(self, pile: int, card: Card) -> int:
        raise NotImplementedError

    def _buries(self, pile: int, card: Card) -> int:
        """How many ranks the card is above the lowest one of the pile, up to `FAR`."""
        return min(FAR, max(0, self.height[card] - self._lowest[pile]))


class Wastes(Piles):
    """The piles of waste and stock. The top of a stock is the card that is drawn next."""

    def _worth(self, pile: int, card: Card) -> int:
        return IN_WASTE + BURIES_IN_WASTE * self._buries(pile, card)


class Columns(Piles):
    """Columns. A card that is the last of its column lies face up, whatever it did before."""

    def __init__(self, game: Game, base: int) -> None:
        super().__init__(game, base)
        self._fitting = fitting(game.sequence, game.wrap)
        #: How many cards at the end of the column are one sequence.
        self.run = [0]
        self._lowest_of_family = [[_NO_HEIGHT] * 4]

    def dealt(self, cards: Sequence[Card], face_down: int) -> int:
        """The column of these cards, the bottom card first, with this many face down.

        The card above a face-down one begins a sequence, and it is the same when it lies open on a smaller pile. So a
        column with face-down cards is never equal to one that was built, and nothing else is different.
        """
        pile = 0
        for at, card in enumerate(cards):
            if 0 < at <= face_down:
                pile = self._new(pile, card)
                self.run[pile] = 1
            else:
                pile = self.put(pile, card)
        return pile

    def _new(self, pile: int, card: Card) -> int:
        # Of more cards than there are ranks, which a column can have where kings lie on aces, not all move together.
        run = min(KING, self.run[pile] + 1) if pile and card in self._fitting[self.top[pile]] else 1
        self.run.append(run)
        lowest = self._lowest_of_family[pile][:]
        number = super()._new(pile, card)
        own = self.family[card]
        lowest[own] = min(lowest[own], self.height[card])
        self._lowest_of_family.append(lowest)
        return number

    def _worth(self, pile: int, card: Card) -> int:
        blocks = BLOCKS if self._lowest_of_family[pile][self.family[card]] < self.height[card] else 0
        return blocks + BURIES * self._buries(pile, card)


#: Answers for a card: it has to wait, it may go home, or it may without any possible loss.
WAIT: Final = 0
MAY_GO: Final = 1
SAFE: Final = 2

#: The heights of the foundations of each family, the highest first.
Heights = tuple[tuple[int, ...], ...]


class Foundations:
    """The foundations of a game, as they are met."""

    def __init__(self, game: Game, base: int) -> None:
        self._own_suit_only = game.build == game.foundations == "same-suit"
        self._build, self._base = game.foundations, base
        self._heights: list[Heights] = []
        self._numbers: dict[Heights, int] = {}
        self._after: dict[int, int] = {}
        #: For each number, the answer of these foundations for each of the 52 cards.
        self.says: list[bytes] = []

    def of(self, heights: Sequence[tuple[int, ...]]) -> int:
        """The number of the foundations with these heights."""
        key = tuple(heights)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self._heights)
            self._heights.append(key)
            self.says.append(self._say(key))
        return number

    def after(self, foundations: int, card: Card) -> int:
        """The number of the foundations after a card that they accept."""
        key = foundations * 64 + card
        number = self._after.get(key)
        if number is None:
            heights = list(self._heights[foundations])
            at, height = family(card, self._build, self._base), order(card, self._base)
            raised = heights[at].index(height - 1)
            heights[at] = (*heights[at][:raised], height, *heights[at][raised + 1 :])
            number = self._after[key] = self.of(heights)
        return number

    def _say(self, heights: Heights) -> bytes:
        says = bytearray(52)  # WAIT
        lowest = min(own[-1] for own in heights)
        for own, accepted in zip(heights, families(self._build, self._base), strict=True):
            # A card is only needed in a column for those one rank lower to lie on. If all cards two ranks lower are
            # home, those can go home themselves as soon as they are free. (The search gives up two rare uses: to lay a
            # king on an ace, and to choose when a column is filled again.)
            safe = 2 + (own[-1] if self._own_suit_only else lowest)
            for height in {*own} - {KING}:
                for card in accepted[height]:
                    says[card] = SAFE if height + 1 <= safe else MAY_GO
        return bytes(says)
