"""Where a browser on the server's own machine is led."""

from pathlib import Path

import pytest
from aiohttp import ClientSession

from fortythieves_server.web.addresses import local_addresses
from tests.serving import serving

PAGE = {"Accept": "text/html,application/xhtml+xml"}


async def test_a_host_who_opens_the_own_invitation_stays_on_localhost(tmp_path: Path) -> None:
    found = [address for address in local_addresses() if ":" not in address]
    if not found:
        pytest.skip("this machine is in no network")
    async with serving(tmp_path, host="0.0.0.0") as site, ClientSession() as browser:
        _, _, port = site.rpartition(":")
        invitation = f"http://{found[0]}:{port}/r/KQXWVD?x=1"
        async with browser.get(invitation, headers=PAGE, allow_redirects=False) as led:
            assert (led.status, led.headers["Location"]) == (302, f"http://localhost:{port}/r/KQXWVD?x=1")
        async with browser.get(invitation, allow_redirects=False) as program:
            assert program.status == 200, "a program gets what it has asked for"
        async with browser.get(f"{site}/r/KQXWVD", headers=PAGE, allow_redirects=False) as home:
            assert home.status == 200
