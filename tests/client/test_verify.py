"""The command `verify`, with a file or a server."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from fortythieves.record import race_record
from fortythieves_client.verify import CANNOT, FALSE, TRUE, UNKNOWN, Link, parse_link, run_verify
from tests.shared.make_records import OTHER, SERVER, by_name, changed, public
from tests.shared.make_signatures import weak

RECORDS = by_name()
SHORT = RECORDS["short"]
KEY = public(SERVER).hex()


@pytest.fixture
def file(tmp_path: Path) -> Callable[[bytes], str]:
    """Write bytes to a file. Returns its name."""

    def write(data: bytes) -> str:
        path = tmp_path / "race.ftr"
        path.write_bytes(data)
        return str(path)

    return write


class Site:
    """A server with records and a key."""

    def __init__(self) -> None:
        self.records: dict[str, bytes] = {"KQXWVD/1": race_record.packed(SHORT)}
        self.key: Any = {"key": KEY, "algorithm": "Ed25519"}
        self.asked: list[str] = []
        app = web.Application()
        app.router.add_get("/api/races/{code}/{race}", self._race)
        app.router.add_get("/api/key", self._key)
        self.server = TestServer(app)

    @property
    def url(self) -> str:
        return str(self.server.make_url("")).rstrip("/")

    async def _race(self, request: web.Request) -> web.Response:
        self.asked.append(request.path)
        name = f"{request.match_info['code']}/{request.match_info['race']}"
        if name not in self.records:
            error = {"error": {"code": "unknown-race", "message": "There is no such race."}}
            return web.json_response(error, status=404)
        return web.Response(body=self.records[name], content_type="application/msgpack")

    async def _key(self, request: web.Request) -> web.Response:
        self.asked.append(request.path)
        return web.json_response(self.key)

    async def verify(self, path: str, key: str | None = None) -> int:
        return await asyncio.to_thread(run_verify, self.url + path, [key] if key else [])


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    one = Site()
    async with one.server:
        yield one


# files


def test_a_true_record_passes_with_a_line_for_each_check(
    file: Callable[[bytes], str], capsys: pytest.CaptureFixture[str]
) -> None:
    for data in (race_record.packed(SHORT), race_record.as_json(SHORT), json.dumps(SHORT, indent=4).encode()):
        assert run_verify(file(data), [public(OTHER).hex(), KEY]) == TRUE
        out = capsys.readouterr().out.splitlines()
        assert len(out) == 9
        assert all(line.startswith("ok      ") for line in out[:8])
        assert out[8] == "note    deal        2 of 2 racers' numbers went into the deal"
        assert out[4] == "ok      moves       all moves are legal, 11 in number"


def test_a_mistake_is_reported_with_its_place(file: Callable[[bytes], str], capsys: pytest.CaptureFixture[str]) -> None:
    wrong = race_record.sign(changed(SHORT, [("logs.1.1.3.1", "redeal")]), SERVER)
    assert run_verify(file(race_record.packed(wrong)), [KEY.upper()]) == FALSE
    failed = [line for line in capsys.readouterr().out.splitlines() if line.startswith("FAILED")]
    assert failed == ["FAILED  moves       seat 2: entry 3: redeal is not allowed there"]


def test_without_a_key_the_key_of_the_record_is_printed(
    file: Callable[[bytes], str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_verify(file(race_record.packed(race_record.sign(SHORT, OTHER)))) == UNKNOWN
    assert public(OTHER).hex() in capsys.readouterr().out
    assert run_verify(file(race_record.packed(race_record.sign(SHORT, OTHER))), [KEY]) == FALSE


def test_a_deal_without_nonces_is_a_warning(file: Callable[[bytes], str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run_verify(file(race_record.packed(RECORDS["nobody's number"])), [KEY]) == TRUE
    assert capsys.readouterr().out.splitlines()[8:] == [
        "WARNING deal        no racer's number went into the deal: the server alone chose the cards",
        "note    deal        seat 1 promised a number and did not reveal it in time",
    ]
    assert run_verify(file(race_record.packed(RECORDS["a number was withheld"])), [KEY]) == TRUE
    notes = [line for line in capsys.readouterr().out.splitlines() if line.startswith("note")]
    assert notes == [
        "note    deal        2 of 5 racers' numbers went into the deal",
        "note    deal        seat 2 promised a number and did not reveal it in time",
    ]


def test_a_winnable_deal_is_reported_with_its_stars(
    file: Callable[[bytes], str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_verify(file(race_record.packed(RECORDS["winnable"])), [KEY]) == TRUE
    assert capsys.readouterr().out.splitlines()[4] == (
        "ok      winnable    the deal is the one of the 16 that the racers' numbers chose, and it can be won:"
        " 2 of 3 stars"
    )


def test_an_unreadable_source_is_an_error(
    file: Callable[[bytes], str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = race_record.packed(SHORT)
    for source, sentence in (
        (file(b"GIF89a"), "This is not the record of a race."),
        (str(tmp_path / "none.ftr"), "No such file or directory"),
        (str(tmp_path), "Is a directory"),
        ("no\0name", "null byte"),
    ):
        assert run_verify(source) == CANNOT
        assert sentence in capsys.readouterr().err
    assert run_verify(file(whole[:-1])) == CANNOT
    assert run_verify(file(race_record.packed({**SHORT, "version": 2}))) == CANNOT
    assert run_verify(file(b" " * (race_record.SIZE_LIMIT + 2))) == CANNOT
    assert "larger than one may be" in capsys.readouterr().err


@pytest.mark.parametrize("key", ["", "abc", "g" * 64, "0" * 65])
def test_a_key_is_64_digits(key: str, file: Callable[[bytes], str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run_verify(file(race_record.packed(SHORT)), [key]) == CANNOT
    assert "64 hexadecimal digits" in capsys.readouterr().err


def test_a_weak_key_is_refused(file: Callable[[bytes], str], capsys: pytest.CaptureFixture[str]) -> None:
    for key in weak():
        assert run_verify(file(race_record.packed(SHORT)), [key]) == CANNOT
        assert "anybody can sign with it" in capsys.readouterr().err


# links


@pytest.mark.parametrize(
    "text",
    [
        "http://cards.example.org:8040/r/KQXWVD/12",
        "http://cards.example.org:8040/r/kqxwvd/12/#t=61000",
        "http://cards.example.org:8040/api/races/KQXWVD/12",
        "http://cards.example.org:8040/api/races/KQXWVD/12.json?x=1",
    ],
)
def test_every_form_of_a_race_link_is_read(text: str) -> None:
    assert parse_link(text) == Link("http://cards.example.org:8040", "KQXWVD", 12)
    assert parse_link(text.replace("8040", "8040/cards")) == Link("http://cards.example.org:8040/cards", "KQXWVD", 12)


@pytest.mark.parametrize(
    "text",
    [
        "http://cards.example.org/r/KQXWVD",
        "http://cards.example.org/r/KQXWVD/0",
        "http://cards.example.org/r/KQXW/1",
        "ftp://cards.example.org/r/KQXWVD/1",
        "http:///r/KQXWVD/1",
        "file:///r/KQXWVD/1",
        "http://[/r/KQXWVD/1",
    ],
)
def test_other_links_are_not_read(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert parse_link(text) is None
    assert run_verify(text) == CANNOT
    assert "is not the link of a race" in capsys.readouterr().err


async def test_the_record_of_a_link_is_checked_with_the_servers_key(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await site.verify("/r/KQXWVD/1#t=5000") == TRUE
    assert f"it is signed with the key {KEY}, as it should be" in capsys.readouterr().out
    assert site.asked == ["/api/races/KQXWVD/1", "/api/key"]
    site.key = {"key": public(OTHER).hex()}
    assert await site.verify("/r/KQXWVD/1") == FALSE


async def test_a_record_with_an_earlier_key_is_true(site: Site) -> None:
    over_at = SHORT["over_at"]
    for until, code in ((over_at + 1, TRUE), (over_at - 3_600_000, FALSE)):
        earlier = [{"key": KEY, "since": 0, "until": until + n} for n in range(-999, 1)]
        site.key = {"key": public(OTHER).hex(), "keys": earlier}
        assert await site.verify("/r/KQXWVD/1") == code
    wrong: Any
    for wrong in ([{"key": KEY}], [{"key": "00", "until": 1}], [{"key": KEY, "until": "now"}], {}, 1):
        site.key = {"key": KEY, "keys": wrong}
        assert await site.verify("/r/KQXWVD/1") == (TRUE if wrong == {} else CANNOT)


async def test_a_given_key_replaces_the_servers_key(site: Site) -> None:
    site.key = {}
    assert await site.verify("/r/KQXWVD/1", KEY) == TRUE
    assert await site.verify("/r/KQXWVD/1", public(OTHER).hex()) == FALSE
    assert "/api/key" not in site.asked


async def test_the_record_of_another_race_fails(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    site.records["KQXWVD/2"] = race_record.packed(SHORT)
    assert await site.verify("/r/KQXWVD/2") == FALSE
    assert "FAILED  address     this is the record of another race" in capsys.readouterr().out.splitlines()


@pytest.mark.parametrize("key", [{}, [], None, {"key": 1}, {"key": "abc"}, "key", *({"key": key} for key in weak())])
async def test_a_server_without_a_sound_key_is_an_error(
    key: Any, site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    site.key = key
    assert await site.verify("/r/KQXWVD/1") == CANNOT
    assert "does not publish its key" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (None, "There is no such race."),
        (b"<!doctype html>", "This is not the record of a race."),
        (b"{" + b" " * (race_record.SIZE_LIMIT + 100_000), "larger than one may be"),
    ],
    ids=["missing", "another page", "endless"],
)
async def test_an_answer_without_a_record_is_an_error(
    data: bytes | None, sentence: str, site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    site.records = {} if data is None else {"KQXWVD/1": data}
    assert await site.verify("/r/KQXWVD/1") == CANNOT
    assert sentence in capsys.readouterr().err


async def test_a_server_without_an_answer_is_an_error(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    url = site.url
    await site.server.close()
    assert await asyncio.to_thread(run_verify, f"{url}/r/KQXWVD/1") == CANNOT
    assert f"No answer from {url}" in capsys.readouterr().err
