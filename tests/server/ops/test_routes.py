"""Operators act on rooms of a real server, and no other page can do it for them."""

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import NamedTuple

import pytest
from aiohttp import ClientSession, encode_basic_auth

from fortythieves.errors import Refused
from fortythieves.protocol.to_client import Close
from fortythieves_client.client import Client
from fortythieves_server.common.texts import text
from tests.integration.raw import guest
from tests.server.ops.test_page import Seen
from tests.server.redises import free_port
from tests.server.stores import until_it_is
from tests.serving import serving

TOKEN = "a-token-that-nobody-guesses"
OTHER = "another-token-of-another-server"


class Answer(NamedTuple):
    status: int
    text: str
    location: str


class Operated(NamedTuple):
    """A server and its operators' address."""

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
            return Answer(answer.status, await answer.text(), answer.headers.get("Location", ""))

    async def form(self, code: str, do: str, **more: str) -> dict[str, str]:
        """The form on the page of a room."""
        page = await self.ask(f"/ops/room?code={code}")
        assert page.status == 200
        return {"code": code, "do": do, "token": token_in(page.text), "sure": "yes", **more}

    async def listed(self) -> list[str]:
        async with ClientSession(self.address) as session, session.get("/api/rooms") as answer:
            return [room["code"] for room in (await answer.json())["rooms"]]


def token_in(page: str) -> str:
    found = re.search('name="token" value="([0-9a-f]{64})"', page)
    assert found
    return found[1]


@pytest.fixture
async def servers(url: str, tmp_path: Path) -> AsyncIterator[list[Operated]]:
    """Two processes on one Redis."""
    ports = [free_port(), free_port()]
    async with (
        serving(tmp_path, redis=url, ops_port=ports[0], ops_token=TOKEN) as one,
        serving(tmp_path, redis=url, ops_port=ports[1], ops_token=TOKEN) as two,
    ):
        yield [Operated(address, f"http://127.0.0.1:{port}") for address, port in zip((one, two), ports, strict=True)]


async def test_an_operator_unlists_a_room_and_lists_it(servers: list[Operated]) -> None:
    one, two = servers
    async with Client(one.address) as ann:
        code = (await ann.create("Ann", public=True)).code

        async def is_listed() -> bool:
            return code in await one.listed()

        async def is_not() -> bool:
            return code not in await one.listed()

        await until_it_is(is_listed)
        done = await two.ask("/ops/room", await two.form(code, "unlist"))
        assert done == Answer(303, "303: See Other", f"/ops/room?code={code}")
        assert "lobby, off the list" in (await two.ask(done.location)).text
        await until_it_is(is_not)
        async with Client(one.address) as bob:
            assert (await bob.join("Bob", code)).code == code
        await two.ask("/ops/room", await two.form(code, "list"))
        await until_it_is(is_listed)


async def test_an_operator_closes_a_room_and_all_its_clients_get_the_reason(
    servers: list[Operated], caplog: pytest.LogCaptureFixture
) -> None:
    one, two = servers
    async with guest(one.address) as ann, guest(one.address) as wanda, guest(two.address) as bob:
        code = await ann.create()
        assert await wanda.ask("watch", code, "Wanda") == "ok"
        assert await bob.ask("join", code, "Bob", None) == "ok"
        done = await two.ask("/ops/room", await two.form(code, "close", reason="That name."))
        assert done.status == 303
        for client in (ann, wanda, bob):
            assert await client.closed() == Close.ROOM_GONE
            assert client.socket.close_reason == "An operator has closed this room: That name."
    for server in servers:
        page = (await server.ask(f"/ops/room?code={code}")).text
        assert "closed" in page and "<form" not in page
        async with guest(server.address, ann.token) as again:
            assert await again.ask("join", code, "Ann", None) == "unknown-room"
            assert await again.ask("watch", code, "Ann") == "unknown-room"
    logged = [record.getMessage() for record in caplog.records]
    assert f"an operator has closed room {code}" in logged


EVIL: dict[str, dict[str, str]] = {
    "of another site": {"Sec_Fetch_Site": "cross-site"},
    "of another port": {"Sec_Fetch_Site": "same-site"},
    "that says where it is from": {"Origin": "https://evil.example"},
    "that does not want to say it": {"Origin": "null"},
    "of an odd origin": {"Origin": "http://[evil"},
    "of somebody who is no operator": {"Authorization": encode_basic_auth("", OTHER)},
}


@pytest.mark.parametrize("headers", EVIL.values(), ids=EVIL)
async def test_no_other_page_can_close_a_room(servers: list[Operated], headers: dict[str, str]) -> None:
    one, _ = servers
    async with Client(one.address) as ann:
        code = (await ann.create("Ann")).code
        form = await one.form(code, "close")
        assert (await one.ask("/ops/room", form, **headers)).status in {401, 403}
        assert (await one.ask(f"/ops/room?code={code}")).text.count("<form") == 2


@pytest.mark.parametrize("change", [{"token": ""}, {"token": "0" * 64}, {"code": "BCDFGH"}, {"token": "é"}], ids=str)
async def test_a_forged_form_does_nothing(servers: list[Operated], change: dict[str, str]) -> None:
    one, _ = servers
    async with Client(one.address) as ann:
        code = (await ann.create("Ann")).code
        assert (await one.ask("/ops/room", {**await one.form(code, "close"), **change})).status == 403
        assert "lobby" in (await one.ask(f"/ops/room?code={code}")).text


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


async def test_names_are_escaped_on_the_page_of_a_room(servers: list[Operated]) -> None:
    one, _ = servers
    async with Client(one.address) as ann:
        code = (await ann.create("<script>")).code
        seen = Seen((await one.ask(f"/ops/room?code={code}")).text.encode())
        assert "script" not in seen.tags and "<script>" in seen.text


async def test_the_page_has_the_language_of_the_browser(servers: list[Operated]) -> None:
    one, _ = servers
    for path in ("/ops", "/ops/room", "/ops/room?code=BCDFGH"):
        answer = await one.ask(path, Accept_Language="ro")
        assert '<html lang="ro">' in answer.text
    assert (
        text("hi", "refused.unknown-room", code="BCDFGH")
        in (await one.ask("/ops/room?code=BCDFGH", Accept_Language="ro", Cookie="language=hi")).text
    )
    assert (await one.ask("/ops/room", {}, Accept_Language="ro")).text == text("ro", "server.ops.form.old") + "\n"


async def test_the_overview_links_to_each_room(servers: list[Operated]) -> None:
    one, two = servers
    async with Client(one.address) as ann:
        code = (await ann.create("Ann")).code

        async def links_to_it() -> bool:
            return f'<a href="/ops/room?code={code}">' in (await two.ask("/ops")).text

        await until_it_is(links_to_it)
        assert '<a href="/ops/room">' in (await two.ask("/ops")).text
        assert '<input name="code"' in (await two.ask("/ops/room")).text
