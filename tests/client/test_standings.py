"""The commands `standings` and `series`, with a file or a server."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from fortythieves.errors import CannotRead, Refused
from fortythieves.record.race_record import packed, read, sign
from fortythieves.tournament.export import written
from fortythieves.tournament.series import Series
from fortythieves_client.standings import BUNDLE as LINKS
from fortythieves_client.standings import run_series, run_standings, series_of
from fortythieves_client.verify import FALSE, TRUE, UNKNOWN, Link, parse_link
from tests.client.test_verify import Site
from tests.shared.make_records import OTHER, SERVER, public
from tests.shared.tournament.bundles import CODE, bundle

KEY = public(SERVER).hex()
BUNDLE = bundle()
Check = Callable[..., tuple[int, list[str]]]


def saved(folder: Path, **changes: Any) -> str:
    path = folder / "bundle.json"
    path.write_bytes(written(replace(BUNDLE, **changes)))
    return str(path)


@pytest.fixture
def check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Check:
    def run(*keys: str, **changes: Any) -> tuple[int, list[str]]:
        return run_standings(saved(tmp_path, **changes), keys), capsys.readouterr().out.splitlines()

    return run


def test_true_standings_are_printed_after_a_line_for_each_part(check: Check) -> None:
    code, out = check(KEY)
    assert (code, [line.split()[0] for line in out[:7]], len(out[8:])) == (TRUE, ["ok"] * 7, 3)
    assert out[8].split() == ["1", BUNDLE.entrants[BUNDLE.standings[0].seat].name, f"{BUNDLE.standings[0].score:g}"]


def test_a_mistake_is_reported_with_its_place(check: Check) -> None:
    best, *rest = BUNDLE.standings
    code, out = check(KEY, standings=(replace(best, place=3), *rest))
    [failed] = [line for line in out if not line.startswith("ok")]
    assert code == FALSE and failed.startswith("FAILED  standings ")
    assert failed.endswith(": place 3, not 1")


def test_standings_without_a_known_key_are_not_called_true(check: Check) -> None:
    """An invented tournament, with all its records signed by an unknown key."""
    signed = {number: packed(sign(read(data), OTHER)) for number, data in (BUNDLE.records or {}).items()}
    code, out = check(records=signed)
    assert code == UNKNOWN and public(OTHER).hex() in "".join(out)
    assert check(KEY, records=signed)[0] == FALSE
    assert check(public(OTHER).hex(), KEY, records=signed)[0] == TRUE


def test_control_characters_in_names_are_replaced(check: Check) -> None:
    entrants = {seat: replace(entrant, name="\x1b[2J") for seat, entrant in BUNDLE.entrants.items()}
    for standings in (BUNDLE.standings, BUNDLE.standings[:1]):
        assert "\x1b" not in "".join(check(KEY, entrants=entrants, standings=standings)[1])


def test_control_characters_in_codes_are_replaced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_series([saved(tmp_path, code="\x1b[2J")], Series(), [KEY])
    assert "?[2J" in (out := capsys.readouterr().out) and "\x1b" not in out


@pytest.mark.parametrize("end", ["", "/", "/w", "/p", ".json", ".bundle.json"])
def test_every_form_of_a_tournament_link_is_read(end: str) -> None:
    path = f"/api/tournaments/{CODE}" if "." in end else f"/r/{CODE.lower()}"
    assert parse_link(f"https://example.org/cards{path}{end}", LINKS.path) == Link("https://example.org/cards", CODE)


@pytest.mark.parametrize("server", ["http://[", "ftp://example.org", "http://"])
def test_other_links_are_not_read(server: str) -> None:
    with pytest.raises(CannotRead, match="is not the link of a tournament"):
        run_standings(f"{server}/r/KQXWVD")


async def test_a_linked_bundle_is_checked_with_the_servers_key(capsys: pytest.CaptureFixture[str]) -> None:
    site = Site()
    site.files = {f"/api/tournaments/{code}.bundle.json": written(BUNDLE) for code in (CODE, "AAAAAA")}
    async with site.server:
        assert await asyncio.to_thread(run_standings, f"{site.url}/r/KQXWVD") == TRUE
        assert await asyncio.to_thread(run_standings, f"{site.url}/r/KQXWVD", [public(OTHER).hex()]) == FALSE
        assert await asyncio.to_thread(run_standings, f"{site.url}/r/AAAAAA") == FALSE
    assert "FAILED  address       this is another tournament" in capsys.readouterr().out


def test_each_tournament_is_checked_and_the_table_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = saved(tmp_path)
    assert run_series([source], Series((10, 6, 3)), [KEY]) == TRUE
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "ok      KQXWVD  Club night"
    names = [BUNDLE.entrants[row.seat].name for row in BUNDLE.standings]
    rows = zip("123", names, ("10", "6", "3"), strict=True)
    assert [line.split() for line in out[3:6]] == [[place, name, points, points] for place, name, points in rows]
    assert run_series([source], Series()) == UNKNOWN


def test_a_wrong_tournament_gives_no_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    best, *others = BUNDLE.standings
    source = saved(tmp_path, standings=(replace(best, place=3), *others))
    assert run_series([source], Series(), [KEY]) == FALSE
    out = capsys.readouterr().out.splitlines()
    assert out[0].startswith("FAILED  KQXWVD")
    assert ": place 3, not 1" in out[1]
    assert len(out) == 2


@pytest.mark.parametrize(("count", "sentence"), [(2, "KQXWVD is there twice"), (53, "at most 52 tournaments")])
def test_tournaments_that_do_not_fit_are_an_error(tmp_path: Path, count: int, sentence: str) -> None:
    with pytest.raises(CannotRead, match=sentence):
        run_series([saved(tmp_path)] * count, Series(), [KEY])


def test_the_rules_of_a_series_are_read_from_the_command_line() -> None:
    assert series_of(None, None, []) == Series(same=[])
    assert series_of("10,6.5,3", 2, [["Ann", "Anna"]]) == Series((10, 6.5, 3), 2, [["Ann", "Anna"]])
    for points, best in (("10,x", None), ("3,10", None), ("0.001", None), (None, 0)):
        with pytest.raises(Refused):
            series_of(points, best, [])
