"""A new release replaces an old one, server by server, behind the load balancer of docker-compose.yml."""

import asyncio
import re
import shutil
from pathlib import Path

import pytest
from aiohttp import ClientSession, TCPConnector

from tests.e2e.server import release_again
from tests.integration.balancer import ROOT, composed
from tests.server.stores import until, until_there

PACKAGE = "fortythieves_server"
FILE = re.compile(r"[\w-]+-[0-9a-f]{8}(?:-again)?\.(?:js|css)")


async def files_of_a_page(address: str) -> set[str]:
    """Load a page with all its files, each over another connection, so from any of the servers."""
    found, waiting = set[str](), ["/"]
    async with ClientSession(address, connector=TCPConnector(force_close=True)) as session:
        while waiting:
            path = waiting.pop()
            await asyncio.sleep(0.005)  # the balancer lets 4,500 connections of an address in, in ten seconds
            async with session.get(path) as answer:
                assert answer.status == 200, path
                text = await answer.text()
            if path == "/" or re.match(r"/assets/index-.*js", path):  # the main script names all others
                named = {f"/assets/{name}" for name in FILE.findall(text)} - found
                waiting += named
                found |= named
    return found


@pytest.mark.long
async def test_no_page_lacks_a_file_while_another_release_replaces_this_one(tmp_path: Path) -> None:
    packages = tmp_path / "packages"
    shutil.copytree(ROOT / "server" / PACKAGE, packages / PACKAGE, ignore=shutil.ignore_patterns("__pycache__"))
    new = release_again(packages / PACKAGE / "client")
    #: For each visit, whether it got the page of the new release.
    seen = list[bool]()
    async with composed(tmp_path / "composed", "times=1000") as world, asyncio.TaskGroup() as group:

        async def visit() -> None:
            while True:
                seen.append(new in await files_of_a_page(world.address))

        visits = group.create_task(visit())
        for server in world.servers:
            await until_there(seen, len(seen) + 3)
            await server.end()
            server.environment["PYTHONPATH"] = str(packages)
            await server.start()
            await server.serves()
        await until(lambda: seen[-9:] == [True] * 9)
        visits.cancel()
    assert not seen[0], "the visits began before the update"
