"""The command ``forty-thieves series``: the table of several tournaments, each of which is checked first."""

from collections.abc import Iterator, Sequence

from fortythieves.errors import CannotRead, Refused
from fortythieves.tournament.export import File
from fortythieves.tournament.plan import Plan
from fortythieves.tournament.series import MOST_EVENTS, Cell, Row, Series, table
from fortythieves_client.standings import findings_of, harmless, lines
from fortythieves_client.verify import FALSE, TRUE, UNKNOWN


def run_series(sources: Sequence[str], series: Series, keys: Sequence[str] = ()) -> int:
    """Check each tournament (a file or link), add them up, print the table and return the exit code.

    ``keys``: the public keys of the records in hexadecimal, if the servers should not be asked. Raises `CannotRead` and
    `Refused`.
    """
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
        title = f"{file.code}  {harmless(file.plan.name)}".rstrip()
        print("\n  ".join([f"{'FAILED' if wrong else 'ok    '}  {title}", *lines(wrong)]))
    if not all_right:
        return FALSE
    print("\n".join(_lines([*files.values()], table(series, [*files.values()]))), flush=True)
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


def _lines(files: Sequence[File], rows: Sequence[Row]) -> Iterator[str]:
    yield ""
    yield f"{'':>4}  {'':<24}  {'':>8}{''.join(f'  {file.code:>8}' for file in files)}"
    for row in rows:
        cells = "".join(f"  {_cell(cell):>8}" for cell in row.cells)
        yield f"{row.place:>4}  {harmless(row.name):<24}  {row.score:>8g}{cells}"
    yield ""
    yield "In brackets: does not count, because others are better."


def _cell(cell: Cell | None) -> str:
    if cell is None:
        return "-"
    return f"{cell.points:g}" if cell.counts else f"({cell.points:g})"
