"""What is measured, what it is held against, and how good it has to be: the rows of the table."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any, Literal, NamedTuple

#: What the bar is about: the value itself, how many times the limit it is, or by how much it is more than the limit.
By = Literal["value", "ratio", "excess"]


class Row(NamedTuple):
    """One figure, before it is measured."""

    key: str
    what: str
    unit: str
    #: What it is held against, measured in the same run.
    limit: str = ""
    by: By = "value"
    #: What must be met, and what should be. None: it is only to be known.
    bar: float | None = None
    aim: float | None = None
    #: Whether more is better.
    more: bool = False


@dataclass(frozen=True)
class Found:
    """What came of measuring it, round by round; where there is a limit, it was measured in each round, too."""

    values: Sequence[float]
    limits: Sequence[float] = ()
    #: Under what circumstances.
    note: str = ""
    #: More figures of the same kind, for whoever reads the JSON.
    more: Mapping[str, Any] = field(default_factory=dict)

    @property
    def value(self) -> float:
        return median(self.values)

    @property
    def limit(self) -> float | None:
        return median(self.limits) if self.limits else None

    @property
    def ratio(self) -> float | None:
        """How many times the limit, round by round: what slows a round down does not matter. None: a limit is 0."""
        return median(self._pairs(lambda value, limit: value / limit)) if self.limits and all(self.limits) else None

    def judged(self, by: By) -> float:
        """What the bar is about."""
        if by == "value":
            return self.value
        if by == "excess":
            return median(self._pairs(lambda value, limit: value - limit))
        assert self.ratio is not None
        return self.ratio

    def _pairs(self, join: Any) -> list[float]:
        return [join(value, limit) for value, limit in zip(self.values, self.limits, strict=True)]


class Figure(NamedTuple):
    """A row with what was found."""

    row: Row
    found: Found

    @property
    def met(self) -> str:
        """Whether the bar is met: "aim", "bar", "no"; "" where there is none."""
        if self.row.bar is None:
            return ""
        judged = self.found.judged(self.row.by)
        good = judged.__ge__ if self.row.more else judged.__le__
        if self.row.aim is not None and good(self.row.aim):
            return "aim"
        return "bar" if good(self.row.bar) else "no"

    def as_json(self) -> dict[str, Any]:
        """Everything there is to know about it."""
        row, found = self.row, self.found
        return {
            **row._asdict(),
            "value": found.value,
            "limit_value": found.limit,
            "ratio": found.ratio,
            "judged": found.judged(row.by),
            "met": self.met,
            "values": list(found.values),
            "limits": list(found.limits),
            "note": found.note,
            **found.more,
        }

    def cells(self) -> list[str]:
        """The row of the table."""
        row, found = self.row, self.found
        limit = "" if found.limit is None else f"{short(found.limit)} {row.unit}"
        ratio = "" if found.ratio is None else f"{found.ratio:.2f}"
        met = {"no": "NO", "bar": "yes", "aim": "yes, aim too", "": "-"}[self.met]
        measured = f"{short(found.value)} {row.unit}"
        return [row.what, measured, limit, ratio, self._asked(row.bar), self._asked(row.aim), met]

    def _asked(self, number: float | None) -> str:
        if number is None:
            return ""
        match self.row.by:
            case "ratio":
                return f"{number:g}x"
            case "excess":
                return f"+{number:g} {self.row.unit}"
        return f"{number:g} {self.row.unit}"


HEAD = ["figure", "measured", "limit", "ratio", "bar", "aim", "met"]


def short(number: float) -> str:
    """A number with three digits that count."""
    if abs(number) >= 1000:
        return f"{number:,.0f}"
    return f"{number:.3g}" if abs(number) < 100 else f"{number:.0f}"


def table(figures: Iterable[Figure]) -> str:
    """All of them, with what each limit is and how it was measured below."""
    rows = [HEAD, *(figure.cells() for figure in figures)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEAD))]
    lines = []
    for first, *middle, last in rows:
        cells = [cell.rjust(width) for cell, width in zip(middle, widths[1:], strict=False)]
        lines.append("  ".join([first.ljust(widths[0]), *cells, last]))
    lines.insert(1, "-" * max(map(len, lines)))
    return "\n".join(lines)


def notes(figures: Iterable[Figure]) -> str:
    """What the table has no room for."""
    said = []
    for figure in figures:
        against = f"against {figure.row.limit}" if figure.row.limit else ""
        if text := "; ".join(filter(None, (against, figure.found.note))):
            said.append(f"  {figure.row.what}: {text}")
    return "\n".join(said)
