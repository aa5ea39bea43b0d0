"""The score of an entrant, before places are given. Sums are exact, so equal scores are really equal."""

from fractions import Fraction
from typing import NamedTuple

#: A fraction if points are shared. Otherwise halves and quarters, which a float adds exactly.
Number = Fraction | float


class Score(NamedTuple):
    """In every field, more is better."""

    total: Number
    #: In the order in which they decide.
    tiebreaks: tuple[float, ...]
    #: The points of each round. None if there were none to win.
    rounds: tuple[Number | None, ...]
    #: The values that decide the place, if not the total and then the tie-breaks.
    order: tuple[Number, ...] | None = None

    @property
    def in_order(self) -> tuple[Number, ...]:
        """The values that decide the place."""
        return (self.total, *self.tiebreaks) if self.order is None else self.order

    @classmethod
    def nothing(cls, tiebreaks: int, rounds: int) -> "Score":
        """The score of an entrant without a result."""
        return cls(0.0, (0.0,) * tiebreaks, (None,) * rounds)
