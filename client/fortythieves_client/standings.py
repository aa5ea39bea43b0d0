"""The commands ``forty-thieves standings`` and ``series``: compute standings from records, and add tournaments up.

The bundle with the records comes from a file or from the server. A server's records are checked against its keys.
"""

import re
from collections.abc import Iterator, Sequence

from fortythieves.errors import CannotRead, Refused
from fortythieves.record.proof import Keys
from fortythieves.tournament import series
from fortythieves.tournament.audit import Finding, audit
from fortythieves.tournament.export import SIZE_LIMIT, File, read
from fortythieves.tournament.plan import Plan
from fortythieves.tournament.series import MOST_EVENTS, Cell, Row, Series
from fortythieves_client.verify import FALSE, TRUE, UNKNOWN, Kind, exit_code, load, show

BUNDLE = Kind(
    re.compile(r"(?P<base>.*)/(?:[rR]|api/tournaments)/(?P<code>[A-Za-z]{6})(?:/[pwPW])?(?:(?:\.bundle)?\.json)?"),
    "/api/tournaments/{code}.bundle.json",
    "the link of a tournament, like https://cards.example.org/r/KQXWVD",
    SIZE_LIMIT,
)


def run_standings(source: str, keys: Sequence[str] = ()) -> int:
    """Check the standings of a file or link, print them, and return the exit code. Arguments as of `load`."""
    file, findings, expected = findings_of(source, keys)
    is_right = all(finding.ok for finding in findings)
    show([*lines(findings), *(table(file) if is_right else ())])
    return exit_code(is_right, expected)


def lines(findings: Sequence[Finding]) -> Iterator[str]:
    for finding in findings:
        yield f"{'ok    ' if finding.ok else 'FAILED'}  {finding.about:<12}  {finding.reason}"


def table(file: File) -> Iterator[str]:
    """The standings, once they are known to be right."""
    yield ""
    for row in file.standings:
        name = file.entrants[row.seat].name
        yield f"{'-' if row.place is None else row.place:>4}  {name:<24}  {row.score:>8g}"


def findings_of(source: str, keys: Sequence[str]) -> tuple[File, list[Finding], Keys | None]:
    """The bundle of a file or link, the findings, and the possible keys if they are known."""
    data, link, expected = load(source, keys, BUNDLE)
    file = read(data)
    findings = audit(file, expected)
    if link is not None and file.code != link.code:
        findings.append(Finding("address", False, "this is another tournament"))
    return file, findings, expected


# A series of tournaments


def run_series(sources: Sequence[str], rules: Series, keys: Sequence[str] = ()) -> int:
    """Check tournaments, add them up, print the table, and return the exit code. Arguments as of `load`."""
    if len(sources) > MOST_EVENTS:
        raise CannotRead(f"a series has at most {MOST_EVENTS} tournaments.")
    files: dict[str, File] = {}
    all_right = all_known = True
    for source in sources:
        file, findings, expected = findings_of(source, keys)
        if file.code in files:
            raise CannotRead(f"{file.code} is there twice.")
        files[file.code] = file
        wrong = [finding for finding in findings if not finding.ok]
        all_right = all_right and not wrong
        all_known = all_known and expected is not None
        title = f"{file.code}  {file.plan.name}".rstrip()
        show([f"{'FAILED' if wrong else 'ok    '}  {title}", *(f"  {line}" for line in lines(wrong))])
    if not all_right:
        return FALSE
    tournaments = [*files.values()]
    show(_series_lines(tournaments, series.table(rules, tournaments)))
    return TRUE if all_known else UNKNOWN


def series_of(points: str | None, best: int | None, same: Sequence[Sequence[str]]) -> Series:
    """The series of a command line. Raises `Refused` for wrong options."""
    if best is not None and best < 1:
        raise Refused("bad-request", detail="At least one tournament has to count.")
    if points is None:
        return Series(best=best, same=same)
    try:
        table = [float(one) for one in points.split(",")]
    except ValueError:
        raise Refused("bad-request", detail=f"{points!r} are not points like 10,6,4.") from None
    return Series(Plan().changed({"points": table}).points, best, same)


def _series_lines(files: Sequence[File], rows: Sequence[Row]) -> Iterator[str]:
    yield ""
    yield f"{'':>4}  {'':<24}  {'':>8}{''.join(f'  {file.code:>8}' for file in files)}"
    for row in rows:
        cells = "".join(f"  {_cell(cell):>8}" for cell in row.cells)
        yield f"{row.place:>4}  {row.name:<24}  {row.score:>8g}{cells}"
    yield ""
    yield "In brackets: does not count, because others are better."


def _cell(cell: Cell | None) -> str:
    if cell is None:
        return "-"
    return f"{cell.points:g}" if cell.counts else f"({cell.points:g})"
