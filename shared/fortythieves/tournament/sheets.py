"""A tournament as tables for spreadsheets: comma-separated values, with a line of titles."""

import csv
import io
from collections.abc import Iterable, Sequence

from msgspec.structs import astuple

from fortythieves.tournament.export import Event, Result, results_of
from fortythieves.tournament.standings import TIEBREAKS, standings

#: With these a spreadsheet takes a text for a formula, which could send off what else is in it.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def standings_csv(event: Event) -> str:
    """A row for each entrant, a column for each round."""
    rows = standings(event.plan, event.entrants, event.rounds)
    titles = ["place", "seat", "name", "state", "score", *TIEBREAKS[event.plan.format]]
    rounds = [f"round {done.number}" for done in event.rounds]
    return _csv(
        [*titles, *rounds],
        (
            [
                *(row.place, row.seat, event.entrants[row.seat].name, event.entrants[row.seat].state),
                *(row.score, *row.tiebreaks, *row.rounds),
            ]
            for row in rows
        ),
    )


def results_csv(event: Event) -> str:
    """A row for each result, with the link of its record."""
    return _csv(Result.__struct_fields__, map(astuple, results_of(event)))


def _csv(titles: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(titles)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return text.getvalue()


def _cell(value: object) -> object:
    """A text that looks like a formula is kept from being one; 25.0 is written 25."""
    if isinstance(value, float):
        return int(value) if value.is_integer() else round(value, 4)
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
