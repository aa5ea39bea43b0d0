"""The size of a benchmark run."""

from typing import NamedTuple


class Run(NamedTuple):
    """One run."""

    #: The part of all players, seconds and rounds.
    part: float = 1.0
    profile: bool = False

    def many(self, count: int, step: int = 4) -> int:
        """This part of a count, as a multiple of the step."""
        return max(step, round(count * self.part / step) * step)

    def seconds(self, seconds: float) -> float:
        return max(0.1, seconds * self.part)

    def rounds(self, count: int) -> range:
        return range(max(1, round(count * self.part)))
