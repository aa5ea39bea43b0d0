"""The rows of the table: figures, limits and bars."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, Literal, NamedTuple

#: The bar limits the value, its ratio to the limit, or its difference from the limit.
By = Literal["value", "ratio", "excess"]


class Row(NamedTuple):
    """A figure to measure."""

    key: str
    what: str
    unit: str
    #: The limit, which is measured in the same run.
    limit: str = ""
    by: By = "value"
    bar: float = 0
    #: Whether more is better.
    more: bool = False


@dataclass(frozen=True)
class Found:
    """The measured values, and the limits of the same rounds."""

    values: Sequence[float]
    limits: Sequence[float] = ()

    @property
    def value(self) -> float:
        return median(self.values)

    @property
    def limit(self) -> float | None:
        return median(self.limits) if self.limits else None

    @property
    def ratio(self) -> float | None:
        """The median of the ratios of all rounds, because other load slows both in a round. None if a limit is 0."""
        return median(self._pairs(lambda value, limit: value / limit)) if self.limits and all(self.limits) else None

    def judged(self, by: By) -> float:
        if by == "value":
            return self.value
        if by == "excess":
            return median(self._pairs(lambda value, limit: value - limit))
        assert self.ratio is not None
        return self.ratio

    def _pairs(self, join: Any) -> list[float]:
        return [join(value, limit) for value, limit in zip(self.values, self.limits, strict=True)]


class Figure(NamedTuple):
    """A row with its values."""

    row: Row
    found: Found

    @property
    def is_met(self) -> bool:
        judged = self.found.judged(self.row.by)
        return judged >= self.row.bar if self.row.more else judged <= self.row.bar

    def as_json(self) -> dict[str, Any]:
        row, found = self.row, self.found
        return {
            **row._asdict(),
            "value": found.value,
            "limit_value": found.limit,
            "ratio": found.ratio,
            "judged": found.judged(row.by),
            "met": self.is_met,
            "values": list(found.values),
            "limits": list(found.limits),
        }

    def cells(self) -> list[str]:
        row, found = self.row, self.found
        limit = "" if found.limit is None else f"{short(found.limit)} {row.unit}"
        ratio = "" if found.ratio is None else f"{found.ratio:.2f}"
        measured = f"{short(found.value)} {row.unit}"
        return [row.what, measured, limit, ratio, self._bar(), "yes" if self.is_met else "NO"]

    def _bar(self) -> str:
        match self.row.by:
            case "ratio":
                return f"{self.row.bar:g}x"
            case "excess":
                return f"+{self.row.bar:g} {self.row.unit}"
        return f"{self.row.bar:g} {self.row.unit}"


HEAD = ["figure", "measured", "limit", "ratio", "bar", "met"]


def short(number: float) -> str:
    """A number with three significant digits."""
    if abs(number) >= 1000:
        return f"{number:,.0f}"
    return f"{number:.3g}" if abs(number) < 100 else f"{number:.0f}"


def table(figures: Iterable[Figure]) -> str:
    """All figures as a text table."""
    rows = [HEAD, *(figure.cells() for figure in figures)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEAD))]
    lines = []
    for first, *middle, last in rows:
        cells = [cell.rjust(width) for cell, width in zip(middle, widths[1:], strict=False)]
        lines.append("  ".join([first.ljust(widths[0]), *cells, last]))
    lines.insert(1, "-" * max(map(len, lines)))
    return "\n".join(lines)
