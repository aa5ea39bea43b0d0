"""A tournament as tables for spreadsheets: comma-separated values with a header row."""

import csv
import io
import re
from collections.abc import Iterable, Sequence

from msgspec.structs import astuple

from fortythieves.tournament.export import Event, Result, file_of
from fortythieves.tournament.roundrobin import group_of
from fortythieves.tournament.standings import Row, standings
from fortythieves.tournament.teams import TIEBREAKS, table

#: The start of a text that a spreadsheet treats as a formula, which could send the other cells elsewhere. In many
#: countries semicolons separate the cells, even between quotation marks.
_FORMULA = re.compile(r"""(^|;[\s"']*)(?=[=+\-@\t\r\n＝＋－＠])""")


def standings_csv(event: Event) -> str:
    """The standings: a row for each entrant, and a column for each round, or in an arena for each own race."""
    rows = standings(event.plan, event.entrants, event.rounds)
    groups = group_of(event.plan, event.rounds) if event.plan.format == "roundrobin" else None
    rounds = [f"round {done.number}" for done in event.rounds]
    if event.plan.format == "arena":
        rounds = [f"race {n}" for n in range(1, max((len(row.rounds) for row in rows), default=0) + 1)]
    extra = [*(["team"] if event.plan.team_size else ()), *(["group"] if groups is not None else ())]

    def cells(row: Row) -> Sequence[object]:
        one = event.entrants[row.seat]
        extras = [one.team if title == "team" else (groups or {}).get(row.seat, "") for title in extra]
        return row.place, row.seat, one.name, one.state, *extras, row.score, *row.tiebreaks, *row.rounds

    titles = ["place", "seat", "name", "state", *extra, "score", *event.plan.tiebreak_order, *rounds]
    return _csv(titles, map(cells, rows))


def teams_csv(event: Event) -> str:
    """The standings of the teams: a row for each, and for each round its points and the names that counted."""
    numbers = [done.number for done in event.rounds]
    titles = ["place", "team", "score", *TIEBREAKS.get(event.plan.format, ())]
    titles += [title for n in numbers for title in (f"round {n}", f"who counted in round {n}")]
    rows: list[list[object]] = []
    for row in table(event.plan, event.entrants, event.rounds):
        rows.append([row.place, row.team, row.score, *row.tiebreaks])
        for given, seats in zip(row.rounds, row.counted, strict=True):
            rows[-1] += [given, ", ".join(event.entrants[seat].name for seat in seats)]
    return _csv(titles, rows)


def results_csv(event: Event) -> str:
    """The results: a row for each, with the address of its record."""
    return _csv(Result.__struct_fields__, (astuple(one) for drawn in file_of(event).rounds for one in drawn.results))


def _csv(titles: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(titles)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return text.getvalue()


def _cell(value: object) -> object:
    """A cell. What looks like a formula gets a prefix; 25.0 becomes 25."""
    if isinstance(value, float):
        return int(value) if value.is_integer() else round(value, 4)
    return _FORMULA.sub(r"\1'", value) if isinstance(value, str) else value
