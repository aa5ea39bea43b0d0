"""A server that is shared through a real helper process, with TLS, and the limits of others on the machine."""

import asyncio
import contextlib
import os
import re
import signal
import ssl
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, NamedTuple

import psutil
import pytest
from aiohttp import (
    ClientSession,
    ClientWebSocketResponse,
    TCPConnector,
    WSServerHandshakeError,
    encode_basic_auth,
)

from fortythieves.errors import harmless
from fortythieves_client.client import Client
from fortythieves_server.common.errors import StartError
from fortythieves_server.process import tunnel
from fortythieves_server.process.tunnel_helpers import HELPERS, Choice
from tests.integration.raw import guest
from tests.relays import RELAY, environment, port_of, running_relays
from tests.server.redises import free_port
from tests.server.stores import SECONDS, until_it_is
from tests.serving import GENEROUS, serving

OPERATOR = "open-sesame-please"


@pytest.fixture
def _helper(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in environment(tmp_path_factory.mktemp("helper")).items():
        monkeypatch.setenv(name, value)
    for name in ("CHECK_EVERY", "CHECK_FIRST", "CHECK_WITHIN"):
        monkeypatch.setattr(tunnel, name, 0.3)
    monkeypatch.setattr(tunnel, "PAUSES", (0.1,))


class Visitor(NamedTuple):
    """A browser. ``here``: the address from which they connect."""

    session: ClientSession
    tls: ssl.SSLContext | bool
    opened: list[ClientWebSocketResponse]

    async def address(self, site: str) -> dict[str, Any]:
        async with self.session.get(f"{site}/api/address", ssl=self.tls) as answer:
            found: dict[str, Any] = await answer.json()
            return found

    async def switch(self, site: str, to: str, **headers: str) -> int:
        method = {"on": "POST", "off": "DELETE"}[to]
        async with self.session.request(method, f"{site}/api/share", headers=headers, ssl=self.tls) as answer:
            return answer.status

    async def until_shared(self, site: str, other_than: str = "") -> str:
        """The public address, once it has answered."""
        async with asyncio.timeout(SECONDS):
            while True:
                share = (await self.address(site))["share"]
                if share["answers"] and share["url"] != other_than:
                    return str(share["url"])
                await asyncio.sleep(0.05)

    async def sockets(self, site: str, count: int, **headers: str) -> list[int]:
        """Open some WebSockets, and say how each attempt went: the HTTP status of the answer."""
        found = []
        for _ in range(count):
            try:
                self.opened.append(await self.session.ws_connect(f"{site}/ws", headers=headers, ssl=self.tls))
                found.append(101)
            except WSServerHandshakeError as refused:
                found.append(refused.status)
        return found


@contextlib.asynccontextmanager
async def visitor(here: str = "127.0.0.1") -> AsyncIterator[Visitor]:
    tls = ssl.create_default_context(cafile=os.environ.get("RELAY_CERTIFICATE"))
    async with ClientSession(connector=TCPConnector(local_addr=(here, 0))) as session:
        yield Visitor(session, tls, [])


pytestmark = pytest.mark.usefixtures("_helper")


async def test_a_shared_server_answers_at_its_public_address_until_it_stops(tmp_path: Path) -> None:
    async with visitor() as friend:
        async with serving(tmp_path, share=True, share_with=RELAY) as site:
            url = await friend.until_shared(site)
            assert url.startswith("https://127.0.0.1:")
            assert (await friend.address(url))["share"] == {"url": url, "answers": True}
            assert await friend.sockets(url, 1) == [101]
        assert running_relays() == []


async def test_only_a_browser_of_this_machine_or_an_operator_shares_a_server(tmp_path: Path) -> None:
    async with visitor() as host, serving(tmp_path, share_with=RELAY, ops_token=OPERATOR) as site:
        page = {"Origin": site}
        assert (await host.address(site))["share"] == {
            "url": "",
            "answers": False,
            "on": False,
            "helper": "ssh",
            "trouble": "",
        }
        assert await host.switch(site, "on") == 403, "a browser names its page"
        assert await host.switch(site, "on", Origin="http://evil.example") == 403
        assert await host.switch(site, "on", Host="evil.example", Origin="http://evil.example") == 403
        assert await host.switch(site, "on", **page, **{"X-Forwarded-For": "127.0.0.1"}) == 403, "a proxy"
        assert await host.switch(site, "on", Authorization="Basic Ondyb25nLXBhc3N3b3Jk") == 403
        assert running_relays() == []
        assert await host.switch(site, "on", **page) == 200
        url = await host.until_shared(site)
        assert await host.switch(url, "off", Origin=url) == 403, "friends elsewhere cannot"
        assert await host.switch(url, "off", Origin=site, Host=site.removeprefix("http://")) == 403
        password = "Basic OnBvcGVuLXNlc2FtZS1wbGVhc2U="
        assert await host.switch(url, "off", Authorization=password) == 403
        password = "Basic Om9wZW4tc2VzYW1lLXBsZWFzZQ=="
        assert await host.switch(site, "off", Authorization=password) == 200
        assert running_relays() == []


async def test_operators_share_a_server_on_their_page(tmp_path: Path) -> None:
    port, login = free_port(), {"Authorization": encode_basic_auth("", OPERATOR)}
    settings: dict[str, Any] = {"share_with": RELAY, "ops_port": port, "ops_token": OPERATOR}
    async with visitor() as host, serving(tmp_path, **settings) as site:
        page = f"http://127.0.0.1:{port}/ops"

        async def shown() -> str:
            async with host.session.get(page, headers=login) as answer:
                return await answer.text()

        async def press(button: str, **headers: str) -> int:
            found = re.search(r'value="(\w{64})">\n.* name="do" value="(\w+)">\n<button>(.*)</button>', await shown())
            assert found and found[3] == button
            form, sent = {"token": found[1], "do": found[2]}, {**login, **headers}
            async with host.session.post(page, data=form, headers=sent, allow_redirects=False) as answer:
                return answer.status

        assert "Only this network reaches this server." in await shown()
        assert await press("Invite from anywhere", Origin="http://evil.example") == 403
        assert running_relays() == []
        assert await press("Invite from anywhere") == 303
        url = await host.until_shared(site)
        assert f"<p>{url}</p>" in await shown()
        assert await press("Stop sharing") == 303
        assert running_relays() == []


async def test_friends_elsewhere_have_limits_of_their_own_and_nobody_can_forge_an_address(tmp_path: Path) -> None:
    async with contextlib.AsyncExitStack() as stack:
        one, two, three = [await stack.enter_async_context(visitor(f"127.0.0.{n}")) for n in (11, 12, 13)]
        limits = GENEROUS._replace(connections=2)
        site = await stack.enter_async_context(serving(tmp_path, share=True, share_with=RELAY, limits=limits))
        url = await one.until_shared(site)
        assert await one.sockets(url, 3) == [101, 101, 429]
        assert await one.sockets(url, 1, **{"X-Forwarded-For": "203.0.113.1"}) == [429], "the relay names the last one"
        assert await two.sockets(url, 1) == [101]
        [helper] = running_relays()
        behind = f"http://127.0.0.1:{port_of(helper)}"
        forged = [await three.sockets(behind, 1, **{"X-Forwarded-For": f"203.0.113.{n}"}) for n in range(3)]
        assert forged == [[101], [101], [429]], "not from the helper: all share one limit"
        assert await two.sockets(url, 1) == [101]


async def test_a_helper_that_ends_is_started_again_and_the_new_address_is_told(tmp_path: Path) -> None:
    shared = serving(tmp_path, share_with=RELAY)
    async with visitor() as host, shared as site, guest(site) as ann:
        await ann.create()
        await host.switch(site, "on", Origin=site)
        assert (await ann.receive("notice"))[1] == "link-changed"
        url = await host.until_shared(site)
        [helper] = running_relays()
        port = port_of(helper)
        helper.kill()
        again = await host.until_shared(site, other_than=url)
        assert (await ann.receive("notice"))[1] == "link-changed"
        [helper] = running_relays()
        assert port_of(helper) == port
        assert await host.sockets(again, 1) == [101]


async def test_ten_cuts_of_the_tunnel_lose_no_move_and_no_seat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RELAY_PORT", str(free_port()))  # the tunnel keeps its address
    async with visitor() as host, serving(tmp_path, share=True, share_with=RELAY) as site:
        url = await host.until_shared(site)
        async with Client(url) as friend:
            await friend.create("Bob", seats=1, countdown=3, deal="32001")
            await friend.ready("")
            race = await friend.until(lambda: friend.race)
            for cut in range(10):
                await friend.play("draw")
                [helper] = running_relays()
                helper.kill()
                await friend.play("draw")
                assert len(race.log) == 2 * cut + 2
            assert friend.room is not None and len(friend.room.people) == 1


async def test_an_address_that_does_not_answer_any_more_gets_a_new_helper(tmp_path: Path) -> None:
    async with visitor() as host, serving(tmp_path, share=True, share_with=RELAY) as site:
        url = await host.until_shared(site)
        [helper] = running_relays()
        helper.send_signal(signal.SIGSTOP)
        again = await host.until_shared(site, other_than=url)
        assert await host.sockets(again, 1) == [101]
        assert helper not in running_relays()


async def test_the_program_restarts_a_helper_and_leaves_none_behind_when_it_is_killed(tmp_path: Path) -> None:
    """Otherwise the helper would publish a port that another program may open later."""
    command = (sys.executable, "-m", "fortythieves_server", "serve", "--port", "0", "--host", "127.0.0.1")
    share = ("--data", str(tmp_path), "--share", "--share-with", "ssh:test@relay")
    server = await asyncio.create_subprocess_exec(*command, *share, stdout=asyncio.subprocess.PIPE)
    helpers: list[psutil.Process] = []

    async def another_runs() -> bool:
        helpers.extend(helper for helper in running_relays() if helper not in helpers)
        return bool(helpers) and helpers[-1].is_running()

    async def has_ended() -> bool:
        return not helpers[-1].is_running()

    await until_it_is(another_runs)
    helpers[0].kill()
    await until_it_is(has_ended)
    await until_it_is(another_runs)
    server.kill()
    await server.communicate()
    await until_it_is(has_ended)


async def test_a_server_without_a_helper_says_how_to_get_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(StartError, match="Sharing needs cloudflared or tailscale, which is not installed"):
        async with serving(tmp_path, share=True, hurry=False):
            pass


async def test_a_server_for_many_is_not_shared(tmp_path: Path) -> None:
    with pytest.raises(StartError, match="--share is for a server at home"):
        async with serving(tmp_path, share=True, public_url="https://cards.example.org", hurry=False):
            pass


@pytest.mark.parametrize("text", ["ngrok", "ssh", "ssh:", "ssh:-oProxyCommand=x", "ssh:a b", "cloudflared:x"])
def test_only_known_helpers_can_be_chosen(text: str) -> None:
    with pytest.raises(ValueError, match="is not"):
        Choice.parse(text)


@pytest.mark.parametrize(
    ("name", "line", "address"),
    [
        (
            "cloudflared",
            "2026-11-28T12:00:00Z INF |  https://plain-words-win.trycloudflare.com            |",
            "https://plain-words-win.trycloudflare.com",
        ),
        ("cloudflared", "see https://developers.cloudflare.com/cloudflare-one/", None),
        ("cloudflared", "https://plain-words-win.trycloudflare.com.example", None),
        (
            "cloudflared",
            'failed to request quick Tunnel: Post "https://api.trycloudflare.com/tunnel": dial tcp: no such host',
            None,
        ),
        ("tailscale", "https://shelf.tail1234.ts.net/", "https://shelf.tail1234.ts.net"),
        ("tailscale", "To enable, visit: https://login.tailscale.com/f/funnel?node=x", None),
        ("ssh", "ab12.lhr.life tunneled with tls termination, https://ab12.lhr.life", "https://ab12.lhr.life"),
        ("ssh", "To get a stable name, see https://localhost.run/docs/ and https://admin.localhost.run/.", None),
        (
            "ssh",
            "\x1b[32mForwarding HTTP traffic from https://0a1b-203-0-113-9.serveousercontent.com\x1b[0m",
            "https://0a1b-203-0-113-9.serveousercontent.com",
        ),
        ("ssh", "Tip: reserve a name at https://console.serveo.net/settings?n=1", None),
    ],
)
def test_the_public_address_is_found_in_the_output_of_a_helper(name: str, line: str, address: str | None) -> None:
    [helper] = [helper for helper in HELPERS if helper.name == name]
    found = helper.address.search(harmless(line))
    assert (found and found[0]) == address
