"""What an entrant has come to, before anybody is given a place. Exact: equal is equal, whatever was added up."""

from fractions import Fraction
from typing import NamedTuple


class Score(NamedTuple):
    """More is better, in all of it."""

    total: Fraction
    #: In the order in which they are applied.
    tiebreaks: tuple[Fraction, ...]
    #: What each round gave; None where there was nothing to get.
    rounds: tuple[Fraction | None, ...]

    @classmethod
    def nothing(cls, tiebreaks: int, rounds: int) -> "Score":
        """Of somebody who has done nothing, or is not to be compared."""
        return cls(Fraction(0), (Fraction(0),) * tiebreaks, (None,) * rounds)
