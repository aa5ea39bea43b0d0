"""The command `standings`, with a file or a server."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from msgspec.structs import replace

from fortythieves.record.race_record import packed, read, sign
from fortythieves.tournament.export import written
from fortythieves_client.standings import PATH, run_standings
from fortythieves_client.verify import CANNOT, FALSE, TRUE, UNKNOWN, Link, parse_link
from tests.shared.make_records import OTHER, SERVER, public
from tests.shared.tournament.bundles import CODE, bundle

KEY = public(SERVER).hex()
BUNDLE = bundle()


def test_true_standings_are_printed_after_a_line_for_each_part(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "bundle.json"
    file.write_bytes(written(BUNDLE))
    assert run_standings(str(file), [KEY]) == TRUE
    out = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in out[:6]] == ["ok"] * 6
    assert len(out[7:]) == 3
    assert out[7].split() == ["1", BUNDLE.entrants[BUNDLE.standings[0].seat].name, f"{BUNDLE.standings[0].score:g}"]


def test_a_mistake_is_reported_with_its_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "bundle.json"
    best, *rest = BUNDLE.standings
    file.write_bytes(written(replace(BUNDLE, standings=(replace(best, place=3), *rest))))
    assert run_standings(str(file), [KEY]) == FALSE
    failed = [line for line in capsys.readouterr().out.splitlines() if not line.startswith("ok")]
    assert len(failed) == 1
    assert failed[0].startswith("FAILED  place 1 ")
    assert failed[0].endswith("is at place 3, and should be 1")


def test_standings_without_a_known_key_are_not_called_true(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An invented tournament, with all its records signed by an unknown key."""
    file = tmp_path / "bundle.json"
    signed = {number: packed(sign(read(data), OTHER)) for number, data in (BUNDLE.records or {}).items()}
    file.write_bytes(written(replace(BUNDLE, records=signed)))
    assert run_standings(str(file)) == UNKNOWN
    assert public(OTHER).hex() in capsys.readouterr().out
    assert run_standings(str(file), [KEY]) == FALSE
    assert run_standings(str(file), [public(OTHER).hex(), KEY]) == TRUE


def test_control_characters_in_names_are_replaced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "bundle.json"
    entrants = {seat: replace(entrant, name="\x1b[2J") for seat, entrant in BUNDLE.entrants.items()}
    for standings in (BUNDLE.standings, BUNDLE.standings[:1]):
        file.write_bytes(written(replace(BUNDLE, entrants=entrants, standings=standings)))
        run_standings(str(file), [KEY])
        assert "\x1b" not in capsys.readouterr().out


def test_a_wrong_bundle_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "bundle.json"
    file.write_bytes(b"GIF89a")
    for source, key, sentence in (
        (str(file), None, "This is not the export of a tournament"),
        (str(tmp_path / "none"), None, "No such file"),
        (str(file), "abc", "64 hexadecimal digits"),
        ("http://localhost/r/KQXW", None, "is not the link of a tournament"),
    ):
        assert run_standings(source, [key] if key else []) == CANNOT
        assert sentence in capsys.readouterr().err


@pytest.mark.parametrize(
    "path",
    [
        "/r/KQXWVD",
        "/r/kqxwvd/",
        "/r/KQXWVD/w",
        "/r/KQXWVD/p",
        "/api/tournaments/KQXWVD",
        "/api/tournaments/KQXWVD.json",
        "/api/tournaments/KQXWVD.bundle.json",
    ],
)
def test_every_form_of_a_tournament_link_is_read(path: str) -> None:
    assert parse_link(f"https://example.org/cards{path}", PATH) == Link("https://example.org/cards", CODE)


@pytest.mark.parametrize("text", ["http://[/r/KQXWVD", "ftp://example.org/r/KQXWVD", "http:///r/KQXWVD"])
def test_other_links_are_not_read(text: str) -> None:
    assert parse_link(text, PATH) is None


@pytest.fixture
async def site() -> AsyncIterator[TestServer]:
    async def tournament(request: web.Request) -> web.Response:
        return web.Response(body=written(BUNDLE), content_type="application/json")

    async def key(request: web.Request) -> web.Response:
        return web.json_response({"key": KEY})

    app = web.Application()
    app.router.add_get("/api/tournaments/{code}.bundle.json", tournament)
    app.router.add_get("/api/key", key)
    server = TestServer(app)
    async with server:
        yield server


async def test_the_bundle_of_a_link_is_checked_with_the_servers_key(
    site: TestServer, capsys: pytest.CaptureFixture[str]
) -> None:
    url = str(site.make_url("/r/KQXWVD"))
    assert await asyncio.to_thread(run_standings, url) == TRUE
    assert await asyncio.to_thread(run_standings, url, [public(OTHER).hex()]) == FALSE
    assert await asyncio.to_thread(run_standings, str(site.make_url("/r/AAAAAA"))) == FALSE
    assert "FAILED  address       this is another tournament" in capsys.readouterr().out
