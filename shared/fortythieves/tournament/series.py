"""A series: several tournaments, in each of which a place gives points. TOURNAMENTS.md has its rules."""

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from fortythieves.rules.ranking import placed
from fortythieves.tournament.export import File
from fortythieves.tournament.plan import Plan
from fortythieves.tournament.points import mean

#: The most tournaments of a series: one a week.
MOST_EVENTS = 52


class Series(NamedTuple):
    """How the tournaments of a series are added up."""

    #: Points by place in a tournament, as in a plan. Lower places get none.
    points: Sequence[float] = Plan().points
    #: How many tournaments count for each person: those with the most points. None: all.
    best: int | None = None
    #: Names under which one person entered. The first one is shown.
    same: Sequence[Sequence[str]] = ()


class Cell(NamedTuple):
    """The points of a person from a tournament."""

    #: None: disqualified.
    place: int | None
    points: float
    #: Whether it is one of the best, which are added up.
    counts: bool


class Row(NamedTuple):
    """The row of a person."""

    #: From 1. Ties share a place, for example 1, 1, 3.
    place: int
    name: str
    score: float
    #: By tournament. None: the person did not enter it.
    cells: tuple[Cell | None, ...]


class _Gain(NamedTuple):
    name: str
    place: int | None
    points: Fraction


def table(series: Series, files: Sequence[File]) -> tuple[Row, ...]:
    """The rows, best first; persons with equal places by name. The standings of the files are taken as they are."""
    first_names = {name_key(name): names[0] for names in series.same for name in names}
    events = [_gains(series, file, first_names) for file in files]
    shown = {key: gain.name for event in events for key, gain in event.items()}
    rows = [_row(series, shown[key], [event.get(key) for event in events]) for key in shown]
    rows.sort(key=lambda row: name_key(row.name))
    rows.sort(key=_order, reverse=True)
    places = placed(dict(enumerate(map(_order, rows))), most=True)
    return tuple(row._replace(place=places[n]) for n, row in enumerate(rows))


def name_key(name: str) -> str:
    """Equal for two names that are the same but for case and spaces around them."""
    return unicodedata.normalize("NFC", name).lower().strip()


def _gains(series: Series, file: File, first_names: Mapping[str, str]) -> dict[str, _Gain]:
    """The points of each person from a tournament. Of two entrants who are the same person, the better one counts."""
    started = _started(file)
    shared = Counter(row.place for row in file.standings)
    gains: dict[str, _Gain] = {}
    for row in file.standings:
        name = file.entrants[row.seat].name
        name = first_names.get(name_key(name), name)
        points = mean(series.points, row.place, shared[row.place]) if row.place and row.seat in started else Fraction(0)
        gains.setdefault(name_key(name), _Gain(name, row.place, points))
    return gains


def _started(file: File) -> set[int]:
    """The seats with a move in a round that counts, or with points from a host."""
    rounds = [drawn for drawn in file.rounds if not drawn.skipped]
    moved = {one.seat for drawn in rounds for one in drawn.results if one.moves > 0}
    return moved | {one.seat for drawn in rounds for one in drawn.corrections if one.value > 0}


def _row(series: Series, name: str, gains: Sequence[_Gain | None]) -> Row:
    """The row of a person, without its place."""
    points = [gain.points if gain else Fraction(0) for gain in gains]
    # Of equal ones, the earlier counts.
    best = sorted((n for n, gain in enumerate(gains) if gain), key=lambda n: -points[n])[: series.best]
    cells = tuple(gain and Cell(gain.place, float(gain.points), n in best) for n, gain in enumerate(gains))
    return Row(0, name, float(sum((points[n] for n in best), Fraction(0))), cells)


def _order(row: Row) -> tuple[float, tuple[float, ...]]:
    """By the score, then by the best tournament that counts, the second best, and so on; more of them are better."""
    return row.score, tuple(sorted((cell.points for cell in row.cells if cell and cell.counts), reverse=True))
