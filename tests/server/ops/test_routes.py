"""Operators see and act on the rooms of all processes, and no other client and no other page does."""

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from aiohttp import ClientSession, encode_basic_auth
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from fortythieves.errors import Refused
from fortythieves.protocol.to_client import Close
from fortythieves.times import Ms
from fortythieves_client.client import Client
from fortythieves_server.common.limits import Limits, Rate
from fortythieves_server.common.texts import text
from fortythieves_server.ops.reports import merged
from fortythieves_server.web.headers import has_token
from tests.integration.raw import guest
from tests.server.ops.test_page import ROOM, WELL, Seen
from tests.server.redises import free_port
from tests.server.stores import SECONDS, until_it_is
from tests.serving import serving

TOKEN = "a-token-that-nobody-guesses"
OTHER = "another-token-of-another-server"


class Answer(NamedTuple):
    status: int
    text: str
    headers: Mapping[str, str]


class Operated(NamedTuple):
    address: str
    ops: str

    async def ask(self, path: str, form: dict[str, str] | None = None, **headers: str) -> Answer:
        """Get a page or send a form, with the token unless a header replaces it."""
        sent = {"Authorization": encode_basic_auth("", TOKEN), **{k.replace("_", "-"): v for k, v in headers.items()}}
        method = "GET" if form is None else "POST"
        async with (
            ClientSession(self.ops, headers=sent) as session,
            session.request(method, path, data=form, allow_redirects=False) as answer,
        ):
            return Answer(answer.status, await answer.text(), answer.headers)

    async def seen(self) -> Seen:
        return Seen((await self.ask("/ops")).text.encode())

    async def has_summary(self, start: str) -> bool:
        return any(line.startswith(start) for line in (await self.seen()).text)

    async def form(self, code: str, do: str, **more: str) -> dict[str, str]:
        async with asyncio.timeout(SECONDS):
            while (page := await self.ask(f"/ops/room?code={code}")).status == HTTPStatus.SERVICE_UNAVAILABLE:
                pass
        found = re.search('name="token" value="([0-9a-f]{64})"', page.text)
        assert page.status == 200 and found
        return {"code": code, "do": do, "token": found[1], "sure": "yes", **more}

    async def listed(self) -> list[str]:
        async with ClientSession(self.address) as session, session.get("/api/rooms") as answer:
            return [room["code"] for room in (await answer.json())["rooms"]]


@contextlib.asynccontextmanager
async def operated(data: Path, **settings: Any) -> AsyncIterator[Operated]:
    port = free_port()
    async with serving(data, ops_port=port, **settings) as address:
        yield Operated(address, f"http://127.0.0.1:{port}")


@pytest.fixture
async def servers(url: str, tmp_path: Path) -> AsyncIterator[list[Operated]]:
    settings = {"redis": url, "ops_token": TOKEN}
    async with operated(tmp_path, **settings) as one, operated(tmp_path, **settings) as two:
        yield [one, two]


#: Headers without the token.
WRONG = [
    *("", "Basic", "Basic ***", "Basic ü", encode_basic_auth("", ""), encode_basic_auth(TOKEN, "")),
    *(encode_basic_auth("", wrong) for wrong in ("x" * 1000, TOKEN[:-1], TOKEN + "x")),
    *(f"Basic {TOKEN}", f"Bearer {TOKEN}", encode_basic_auth("", TOKEN).replace("Basic", "Digest")),
]


async def test_only_a_client_with_the_token_in_its_header_gets_the_page(servers: list[Operated]) -> None:
    for authorization in WRONG:
        answer = await servers[0].ask(f"/ops?token={TOKEN}&password={TOKEN}", Authorization=authorization)
        assert (answer.status, answer.text) == (401, ""), authorization
        assert answer.headers["WWW-Authenticate"].startswith("Basic ")
    answer = await servers[0].ask("/ops", Authorization=encode_basic_auth("anybody", TOKEN))
    assert (answer.status, answer.headers["Cache-Control"]) == (200, "no-store")
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "script-src" not in policy
    assert "Set-Cookie" not in answer.headers
    assert (await servers[0]._replace(ops=servers[0].address).ask("/ops")).status == 404, "at the port of players"


@given(st.text() | st.binary().map(lambda said: f"Basic {said.decode('latin-1')}"))
def test_no_other_header_has_the_token(authorization: str) -> None:
    assert not has_token(authorization, TOKEN)


async def test_wrong_passwords_are_limited_and_logged(
    url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    limits = Limits()._replace(guesses=Rate(1, "hour", 3))
    async with operated(tmp_path, redis=url, ops_token=TOKEN, limits=limits) as server:
        for _ in range(5):
            assert (await server.ask("/ops")).status == 200, "right ones do not count"
        wrong = encode_basic_auth("", OTHER)
        assert [(await server.ask("/ops", Authorization=wrong)).status for _ in range(5)] == [401] * 3 + [429] * 2
        answer = await server.ask("/ops")
        assert (answer.status, answer.text) == (429, "Too fast. Wait a moment.\n"), "or it could be guessed"
        assert int(answer.headers["Retry-After"]) > 3000
    logged = [record.getMessage() for record in caplog.records]
    assert logged.count("a wrong password was refused at the operators' port") == 3
    assert OTHER not in caplog.text


async def test_a_page_of_another_site_reads_nothing_by_its_own_name(
    url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """DNS rebinding: the name leads to this machine by now, so the browser sends the request here."""
    async with operated(tmp_path, redis=url, ops_token=TOKEN, ops_names=("ops.example.org",)) as server:
        for path in ("/metrics", "/ops", "/ops/room", "/other"):
            for name in ("evil.example", "127.0.0.1.evil.example:9040", "", "[::1"):
                answer = await server.ask(path, Host=name)
                assert (answer.status, "fortythieves_" in answer.text) == (421, False)
        for name in ("localhost:9040", "one:9040", "[::1]", "ops.example.org", "OPS.example.org.:80"):
            assert (await server.ask("/metrics", Host=name)).status == 200
    [line] = [record.getMessage() for record in caplog.records]
    assert "'evil.example'" in line and "--ops-names" in line


async def test_a_server_with_an_embedded_redis_has_a_secret_token(tmp_path: Path) -> None:
    said = set[str]()
    for _ in range(2):
        async with operated(tmp_path, hurry=False) as server:
            file = tmp_path / "ops-token"
            assert file.stat().st_mode & 0o777 == 0o600
            said.add(token := file.read_text().strip())
            assert len(token) >= 32
            assert (await server.ask("/ops", Authorization=encode_basic_auth("", token))).status == 200
    assert len(said) == 1


async def test_without_a_token_there_is_no_page(url: str, tmp_path: Path) -> None:
    async with operated(tmp_path, redis=url) as server:
        assert (await server.ask("/ops", Authorization=encode_basic_auth("", ""))).status == 404


async def test_each_process_shows_the_rooms_of_all(servers: list[Operated]) -> None:
    one, two = servers
    async with Client(one.address) as ann, Client(two.address) as bob:
        room = await ann.create("<b>Ann</b>", game="lucas")
        await bob.join("Bob", room.code)
        with pytest.raises(Refused):
            await bob.kick(1)

        async def seen_by(server: Operated) -> bool:
            text = {*(await server.seen()).text}
            shown = {room.code, "Lucas", "<b>Ann</b>", "2 of 2", "lobby", "not-host"} <= text
            return shown and await server.has_summary("Processes: 2. Players: 2.")

        for server in servers:
            await until_it_is(lambda server=server: seen_by(server))  # type: ignore[misc]
            assert "b" not in (await server.seen()).tags
            page = (await server.ask("/ops")).text
            assert f'<a href="/ops/room?code={room.code}">' in page and '<a href="/ops/room">' in page
        assert '<input name="code"' in (await two.ask("/ops/room")).text


async def test_a_stopped_process_leaves_the_dashboard(url: str, tmp_path: Path) -> None:
    async with operated(tmp_path, redis=url, ops_token=TOKEN) as here:
        async with operated(tmp_path, redis=url, ops_token=TOKEN):
            await until_it_is(lambda: here.has_summary("Processes: 2."))
        assert await here.has_summary("Processes: 1.")


def test_a_room_on_several_processes_is_merged() -> None:
    later = replace(ROOM, at=ROOM.at + Ms(1), state="over", watchers=5)
    other = replace(ROOM, code="BCDFGH", at=ROOM.at - Ms(1))
    told = merged([replace(WELL, listed=[ROOM, other]), replace(WELL, process="two", listed=[later])])
    assert told == [replace(later, watchers=6), other]


async def test_an_operator_unlists_a_room_and_lists_it(servers: list[Operated]) -> None:
    one, two = servers
    async with Client(one.address) as ann:
        code = (await ann.create("Ann", public=True)).code

        async def until_listed(listed: bool) -> None:
            async def so() -> bool:
                return (code in await one.listed()) == listed

            await until_it_is(so)

        await until_listed(True)
        done = await two.ask("/ops/room", await two.form(code, "unlist"))
        assert (done.status, done.headers["Location"]) == (303, f"/ops/room?code={code}")
        assert "lobby, off the list" in (await two.ask(done.headers["Location"])).text
        await until_listed(False)
        async with Client(one.address) as bob:
            assert (await bob.join("Bob", code)).code == code
        await two.ask("/ops/room", await two.form(code, "list"))
        await until_listed(True)


async def test_an_operator_closes_a_room_and_its_clients_get_the_reason(
    servers: list[Operated], caplog: pytest.LogCaptureFixture
) -> None:
    """tests/server/rooms/test_room_service.py has all that is refused after that."""
    one, two = servers
    async with guest(one.address) as ann:
        code = await ann.create()
        done = await two.ask("/ops/room", await two.form(code, "close", reason="That name."))
        assert done.status == 303
        assert await ann.closed() == Close.ROOM_GONE
        assert ann.socket.close_reason == "An operator has closed this room: That name."
    for server in servers:
        page = (await server.ask(f"/ops/room?code={code}")).text
        assert "closed" in page and "<form" not in page
    logged = [record.getMessage() for record in caplog.records]
    assert f"an operator has closed room {code}" in logged


EVIL: list[dict[str, str]] = [
    *({"Sec_Fetch_Site": site} for site in ("cross-site", "same-site")),
    *({"Origin": origin} for origin in ("https://evil.example", "null", "http://[evil")),
    {"Authorization": encode_basic_auth("", OTHER)},
]
FORGED = ({"token": ""}, {"token": "0" * 64}, {"code": "BCDFGH"}, {"token": "é"})


async def test_no_other_page_and_no_forged_form_can_close_a_room(servers: list[Operated]) -> None:
    one, _ = servers
    async with Client(one.address) as ann:
        code = (await ann.create("Ann")).code
        form = await one.form(code, "close")
        for headers in EVIL:
            assert (await one.ask("/ops/room", form, **headers)).status in {401, 403}, headers
        for change in FORGED:
            assert (await one.ask("/ops/room", {**form, **change})).status == 403, change
        page = (await one.ask(f"/ops/room?code={code}")).text
        assert page.count("<form") == 2 and "lobby" in page


async def test_wrong_forms_get_an_error(servers: list[Operated]) -> None:
    one, _ = servers
    for code in ("BCDFGH", "xyz", "<b>", " "):
        answer = await one.ask(f"/ops/room?code={code}")
        assert answer.status == 404 and "<b>" not in answer.text
    async with Client(one.address) as ann:
        code = (await ann.create("Ann")).code
        assert (await one.ask("/ops/room", await one.form(code, "explode"))).status == 400
        assert (await one.ask("/ops/room", await one.form(code, "close", sure=""))).status == 400
        answer = await one.ask("/ops/room", await one.form(code, "close", reason="x" * 1000))
        assert answer.status == 400 and 'role="alert"' in answer.text
        assert (await one.ask("/ops/room", await one.form(code, "close", reason="x" * 10_000))).status == 413
        other = [f"application/x-www-form-urlencoded; charset={name}" for name in ("none", "utf-7", "unicode_escape")]
        for odd in (*other, "multipart/form-data"):
            assert (await one.ask("/ops/room", await one.form(code, "close"), Content_Type=odd)).status == 400
        with pytest.raises(Refused):
            await ann.kick(1)  # It is still there.


async def test_the_page_has_the_language_of_the_browser(servers: list[Operated]) -> None:
    one, _ = servers
    for path in ("/ops", "/ops/room", "/ops/room?code=BCDFGH"):
        answer = await one.ask(path, Accept_Language="ro")
        assert '<html lang="ro">' in answer.text
    answer = await one.ask("/ops/room?code=BCDFGH", Accept_Language="ro", Cookie="language=hi")
    assert text("hi", "refused.unknown-room", code="BCDFGH") in answer.text
    assert (await one.ask("/ops/room", {}, Accept_Language="ro")).text == text("ro", "server.ops.form.old") + "\n"
