"""The rows of the table: figures, limits and bars, and the size of a run."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Literal, NamedTuple


class Run(NamedTuple):
    """One run: which part of all players, seconds and rounds it has."""

    part: float = 1.0

    def many(self, count: int, step: int = 4) -> int:
        """This part of a count, as a multiple of the step."""
        return max(step, round(count * self.part / step) * step)

    def seconds(self, seconds: float) -> float:
        return max(0.1, seconds * self.part)

    def rounds(self, count: int) -> range:
        return range(max(1, round(count * self.part)))


class Row(NamedTuple):
    key: str
    what: str
    unit: str
    #: The limit, which is measured in the same run.
    limit: str = ""
    #: The bar limits the value, its ratio to the limit, or its difference from the limit.
    by: Literal["value", "ratio", "excess"] = "value"
    bar: float = 0
    #: Whether more is better.
    more: bool = False


@dataclass(frozen=True)
class Found:
    values: Sequence[float]
    limits: Sequence[float] = ()

    @property
    def ratio(self) -> float | None:
        """The median of the ratios of all rounds, because other load slows both in a round. None if a limit is 0."""
        return self._over(lambda value, limit: value / limit) if self.limits and all(self.limits) else None

    @property
    def excess(self) -> float:
        return self._over(lambda value, limit: value - limit)

    def _over(self, join: Callable[[float, float], float]) -> float:
        return median(map(join, self.values, self.limits))


class Figure(NamedTuple):
    row: Row
    found: Found

    @property
    def is_met(self) -> bool:
        judged = median(self.found.values) if self.row.by == "value" else getattr(self.found, self.row.by)
        return bool(judged >= self.row.bar if self.row.more else judged <= self.row.bar)

    def cells(self) -> list[str]:
        row, (values, limits, ratio) = self.row, (self.found.values, self.found.limits, self.found.ratio)
        bar = {"ratio": f"{row.bar:g}x", "excess": f"+{row.bar:g} {row.unit}"}.get(row.by, f"{row.bar:g} {row.unit}")
        return [
            row.what,
            f"{short(median(values))} {row.unit}",
            f"{short(median(limits))} {row.unit}" if limits else "",
            "" if ratio is None else f"{ratio:.2f}",
            bar,
            "yes" if self.is_met else "NO",
        ]


def short(number: float) -> str:
    if abs(number) >= 1000:
        return f"{number:,.0f}"
    return f"{number:.3g}" if abs(number) < 100 else f"{number:.0f}"


def table(figures: Iterable[Figure]) -> str:
    rows = [["figure", "measured", "limit", "ratio", "bar", "met"], *(figure.cells() for figure in figures)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for first, *middle, last in rows:
        cells = [cell.rjust(width) for cell, width in zip(middle, widths[1:], strict=False)]
        lines.append("  ".join([first.ljust(widths[0]), *cells, last]))
    lines.insert(1, "-" * max(map(len, lines)))
    return "\n".join(lines)
