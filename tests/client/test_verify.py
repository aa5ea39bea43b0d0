"""The command `verify`, with a file or a server."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from fortythieves.errors import CannotRead, Refused
from fortythieves.record import race_record
from fortythieves.record.race_record import Plain
from fortythieves_client.verify import FALSE, TRUE, UNKNOWN, Link, parse_link, run_verify
from fortythieves_server.__main__ import main
from tests.shared.make_records import OTHER, SERVER, by_name, changed, public
from tests.shared.vectors import read

RECORDS = by_name()
SHORT = RECORDS["short"]
KEY = public(SERVER).hex()
#: With these keys, anybody can sign.
WEAK = read("signatures")["weak"]


Check = Callable[..., tuple[int, list[str]]]


@pytest.fixture
def check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Check:
    def run(data: bytes | Plain, *keys: str) -> tuple[int, list[str]]:
        path = tmp_path / "race.ftr"
        path.write_bytes(data if isinstance(data, bytes) else race_record.packed(data))
        return run_verify(str(path), keys), capsys.readouterr().out.splitlines()

    return run


class Site:
    def __init__(self) -> None:
        self.files = {"/api/races/KQXWVD/1": race_record.packed(SHORT)}
        self.key: Any = {"key": KEY, "algorithm": "Ed25519"}
        self.asked: list[str] = []
        app = web.Application()
        app.router.add_get("/{path:.*}", self._answer)
        self.server = TestServer(app)

    @property
    def url(self) -> str:
        return str(self.server.make_url("")).rstrip("/")

    async def _answer(self, request: web.Request) -> web.Response:
        self.asked.append(request.path)
        if request.path == "/api/key":
            return web.json_response(self.key)
        if request.path in self.files:
            return web.Response(body=self.files[request.path])
        error = {"error": {"code": "unknown-race", "message": "There is no such race."}}
        return web.json_response(error, status=404)

    async def verify(self, path: str, key: str | None = None) -> int:
        return await asyncio.to_thread(run_verify, self.url + path, [key] if key else [])


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    one = Site()
    async with one.server:
        yield one


def test_a_true_record_passes_with_a_line_for_each_check(check: Check) -> None:
    for data in (SHORT, race_record.as_json(SHORT), json.dumps(SHORT, indent=4).encode()):
        code, out = check(data, public(OTHER).hex(), KEY)
        assert (code, len(out)) == (TRUE, 9)
        assert all(line.startswith("ok      ") for line in out[:8])
        assert out[8] == "note    deal        2 of 2 racers gave a number for the deal."
        assert out[4] == "ok      moves       All 11 moves are legal."


def test_a_mistake_is_reported_with_its_place(check: Check) -> None:
    wrong = race_record.sign(changed(SHORT, [("logs.1.1.3.1", "redeal")]), SERVER)
    code, out = check(wrong, KEY.upper())
    assert (code, len(out)) == (FALSE, 9)
    assert "FAILED  moves       seat 2: entry 3: redeal is not legal there." in out


def test_without_a_key_the_key_of_the_record_is_printed(check: Check) -> None:
    code, out = check(race_record.sign(SHORT, OTHER))
    assert code == UNKNOWN and public(OTHER).hex() in "".join(out)
    assert check(race_record.sign(SHORT, OTHER), KEY)[0] == FALSE


def test_remarks_about_the_deal_are_printed(check: Check) -> None:
    code, out = check(RECORDS["nobody's number"], KEY)
    assert (code, [line.split()[0] for line in out[8:]]) == (TRUE, ["WARNING", "note"])


@pytest.mark.parametrize(
    ("source", "key", "sentence"),
    [
        ("/nowhere/none.ftr", KEY, "No such file or directory"),
        ("/", KEY, "Is a directory"),
        ("no\0name", KEY, "null byte"),
        *(("/", key, "64 hexadecimal digits") for key in ("abc", "g" * 64, "0" * 65)),
        *(("/", key, "anybody can sign with it") for key in WEAK),
    ],
)
def test_an_unreadable_source_or_key_is_an_error(source: str, key: str, sentence: str) -> None:
    with pytest.raises(CannotRead, match=sentence):
        run_verify(source, [key])


@pytest.mark.parametrize("server", ["http://cards.example.org:8040", "https://cards.example.org/cards"])
@pytest.mark.parametrize(
    "path",
    [
        "/r/KQXWVD/12",
        "/r/kqxwvd/12/#t=61000",
        "/api/races/KQXWVD/12",
        "/api/races/KQXWVD/12.json?x=1",
        "/R/KQXWVD/12).",
        "/r/KQXWVD/12>",
        "/r/KQXWVD/12%23t=1,",
        "/r/KQXWVD%2F12&utm_source=x",
    ],
)
def test_every_form_of_a_race_link_is_read(server: str, path: str) -> None:
    assert parse_link(server + path) == Link(server, "KQXWVD", 12)


@pytest.mark.parametrize(
    "text",
    [
        *(f"http://cards.example.org/r/{path}" for path in ("KQXWVD", "KQXWVD/0", "KQXW/1")),
        *(f"{server}/r/KQXWVD/1" for server in ("ftp://cards.example.org", "http://", "file://", "http://[")),
    ],
)
def test_other_links_are_not_read(text: str) -> None:
    assert parse_link(text) is None
    with pytest.raises(CannotRead, match="is not the link of a race"):
        run_verify(text)


async def test_a_linked_record_is_checked_with_the_servers_key(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    assert await site.verify("/r/KQXWVD/1#t=5000") == TRUE
    assert f"The record is signed with the server’s key {KEY}." in capsys.readouterr().out
    assert site.asked == ["/api/races/KQXWVD/1", "/api/key"]
    site.key = {"key": public(OTHER).hex()}
    assert await site.verify("/r/KQXWVD/1") == FALSE


async def test_a_record_with_an_earlier_key_is_true(site: Site) -> None:
    for until, code in ((SHORT["over_at"] + 1, TRUE), (SHORT["over_at"] - 3_600_000, FALSE)):
        earlier = [{"key": KEY, "since": 0, "until": until + n} for n in range(-999, 1)]
        site.key = {"key": public(OTHER).hex(), "keys": earlier}
        assert await site.verify("/r/KQXWVD/1") == code


async def test_a_given_key_replaces_the_servers_key(site: Site) -> None:
    site.key = {}
    assert await site.verify("/r/KQXWVD/1", KEY) == TRUE
    assert await site.verify("/r/KQXWVD/1", public(OTHER).hex()) == FALSE
    assert "/api/key" not in site.asked


async def test_the_record_of_another_race_fails(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    site.files["/api/races/KQXWVD/2"] = race_record.packed(SHORT)
    assert await site.verify("/r/KQXWVD/2") == FALSE
    assert "FAILED  address     This is the record of another race." in capsys.readouterr().out.splitlines()


@pytest.mark.parametrize(
    "key",
    [
        *([], None, "key", {}, {"key": 1}, {"key": "abc"}, *({"key": key} for key in WEAK)),
        *({"key": KEY, "keys": keys} for keys in ([{"key": KEY}], [{"key": "00", "until": 1}], 1)),
        {"key": KEY, "keys": [{"key": KEY, "until": "now"}]},
    ],
)
async def test_a_server_without_a_sound_key_is_an_error(key: Any, site: Site) -> None:
    site.key = key
    with pytest.raises(CannotRead, match="does not publish its key"):
        await site.verify("/r/KQXWVD/1")


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (None, "There is no such race."),
        (b"<!doctype html>", "This is not the record of a race."),
        (b"{" + b" " * (race_record.SIZE_LIMIT + 100_000), "The record is too large"),
    ],
    ids=["missing", "another page", "endless"],
)
async def test_an_answer_without_a_record_is_an_error(data: bytes | None, sentence: str, site: Site) -> None:
    site.files = {} if data is None else {"/api/races/KQXWVD/1": data}
    with pytest.raises((CannotRead, Refused), match=sentence):
        await site.verify("/r/KQXWVD/1")


async def test_no_answer_of_a_server_controls_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    evil = b"\x1b]0;pwned\x07\x1b[2J\xc2\x9b\xff"
    body = b'{"error": {"message": "\\u001b[2J!"}}'
    for reply in (
        b"HTTP/1.1 404 %s\r\nContent-Length: 0\r\n\r\n" % evil,
        b"HTTP/1.1 %s\r\n\r\n" % evil,
        b"HTTP/1.1 302 Found\r\nLocation: http://%s/\r\nContent-Length: 0\r\n\r\n" % evil,
        b"HTTP/1.1 404 x\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body),
    ):

        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, reply: bytes = reply) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(reply)
            writer.close()

        async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
            link = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/r/KQXWVD/1"
            assert await asyncio.to_thread(main, ["verify", link]) == 2
        printed = capsys.readouterr().err
        assert printed.startswith("forty-thieves: ") and printed.removesuffix("\n").isprintable()


async def test_a_server_without_an_answer_is_an_error(site: Site) -> None:
    url = site.url
    await site.server.close()
    with pytest.raises(CannotRead, match=f"No answer from {url}"):
        await asyncio.to_thread(run_verify, f"{url}/r/KQXWVD/1")
