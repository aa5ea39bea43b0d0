"""Adding up the tournaments of a series from the command line."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from fortythieves.errors import CannotRead, Refused
from fortythieves.tournament.export import File, written
from fortythieves.tournament.series import Series
from fortythieves_client.series import run_series, series_of
from fortythieves_client.verify import FALSE, TRUE, UNKNOWN
from tests.shared.make_records import SERVER, public
from tests.shared.tournament.bundles import bundle

KEY = public(SERVER).hex()
BUNDLE = bundle()


def saved(folder: Path, file: File) -> str:
    path = folder / f"{file.code}.json"
    path.write_bytes(written(file))
    return str(path)


def test_each_tournament_is_checked_and_the_table_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = saved(tmp_path, BUNDLE)
    assert run_series([source], Series((10, 6, 3)), [KEY]) == TRUE
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "ok      KQXWVD  Club night"
    names = [BUNDLE.entrants[row.seat].name for row in BUNDLE.standings]
    rows = zip("123", names, ("10", "6", "3"), strict=True)
    assert [line.split() for line in out[3:6]] == [[place, name, points, points] for place, name, points in rows]
    assert run_series([source], Series()) == UNKNOWN


def test_a_wrong_tournament_gives_no_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    best, *others = BUNDLE.standings
    source = saved(tmp_path, replace(BUNDLE, standings=(replace(best, place=3), *others)))
    assert run_series([source], Series(), [KEY]) == FALSE
    out = capsys.readouterr().out.splitlines()
    assert out[0].startswith("FAILED  KQXWVD")
    assert "is at place 3, and should be 1" in out[1]
    assert len(out) == 2


@pytest.mark.parametrize(("count", "sentence"), [(2, "KQXWVD is there twice"), (53, "at most 52 tournaments")])
def test_tournaments_that_do_not_fit_are_an_error(tmp_path: Path, count: int, sentence: str) -> None:
    with pytest.raises(CannotRead, match=sentence):
        run_series([saved(tmp_path, BUNDLE)] * count, Series(), [KEY])


def test_the_rules_of_a_series_are_read_from_the_command_line() -> None:
    assert series_of(None, None, []) == Series(same=[])
    assert series_of("10,6.5,3", 2, [["Ann", "Anna"]]) == Series((10, 6.5, 3), 2, [["Ann", "Anna"]])
    for points, best in (("10,x", None), ("3,10", None), ("0.001", None), (None, 0)):
        with pytest.raises(Refused):
            series_of(points, best, [])
