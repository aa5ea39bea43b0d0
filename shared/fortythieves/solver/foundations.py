"""The foundations as numbers: equal ones have the same number, so their answers are computed once."""

from collections.abc import Sequence
from typing import Final

from fortythieves.rules.cards import KING, Card, rank, suit

#: Answers for a card: it has to wait, it may go home, or it may without any possible loss.
WAIT: Final = 0
MAY_GO: Final = 1
SAFE: Final = 2

#: The heights of the two foundations of each suit, the higher one first.
Heights = tuple[tuple[int, int], ...]


class Foundations:
    """The foundations of a game, as they are met."""

    def __init__(self, build: str) -> None:
        self._own_suit_only = build == "same-suit"
        self._heights: list[Heights] = []
        self._numbers: dict[Heights, int] = {}
        self._after: dict[int, int] = {}
        #: For each number, the answer of these foundations for each of the 52 cards.
        self.says: list[bytes] = []

    def of(self, heights: Sequence[tuple[int, int]]) -> int:
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
            high, low = heights[suit(card)]
            heights[suit(card)] = (high + 1, low) if high == rank(card) - 1 else (high, low + 1)
            number = self._after[key] = self.of(heights)
        return number

    def _say(self, heights: Heights) -> bytes:
        says = bytearray(52)  # WAIT
        lowest = min(low for _, low in heights)
        for own, (high, low) in enumerate(heights):
            # A card is only needed in a column for those one rank lower to lie on. If all cards two ranks lower are
            # home, those can go home themselves as soon as they are free.
            safe = 2 + (low if self._own_suit_only else lowest)
            for height in {high, low} - {KING}:
                says[own * 13 + height] = SAFE if height + 1 <= safe else MAY_GO
        return bytes(says)
