"""How much is measured: all of it, or a little, to see that it can be."""

from typing import NamedTuple


class Run(NamedTuple):
    """One run of the suite."""

    #: Of all people, seconds and rounds.
    part: float = 1.0
    profile: bool = False

    def many(self, count: int, step: int = 4) -> int:
        """So many, if all is measured; always a multiple of the step."""
        return max(step, round(count * self.part / step) * step)

    def seconds(self, seconds: float) -> float:
        return max(0.1, seconds * self.part)

    def rounds(self, count: int) -> range:
        return range(max(1, round(count * self.part)))
