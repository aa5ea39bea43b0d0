"""What an entrant has come to, before anybody is given a place. Exact: equal is equal, whatever was added up."""

from fractions import Fraction
from typing import NamedTuple

#: A fraction where points are shared; elsewhere halves and quarters, of which a float holds every sum exactly.
Number = Fraction | float


class Score(NamedTuple):
    """More is better, in all of it."""

    total: Number
    #: In the order in which they are applied.
    tiebreaks: tuple[float, ...]
    #: What each round gave; None where there was nothing to get.
    rounds: tuple[Number | None, ...]

    @classmethod
    def nothing(cls, tiebreaks: int, rounds: int) -> "Score":
        """Of somebody who has done nothing, or is not to be compared."""
        return cls(0.0, (0.0,) * tiebreaks, (None,) * rounds)
