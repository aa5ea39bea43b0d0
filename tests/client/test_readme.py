"""The program in the README of the client works."""

import asyncio
import re
import sys
from pathlib import Path

from fortythieves_client.client import Client
from tests.serving import serving

README = Path(__file__).parents[2] / "client" / "README.md"


async def test_the_program_in_the_readme_joins_a_room_and_plays_ten_moves(tmp_path: Path) -> None:
    [program] = re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)
    async with serving(tmp_path) as address, Client(address) as host:
        room = await host.create("Host", countdown=3)
        [link] = re.findall(r"http://\S+/r/[A-Z]{6}", program)
        command = (sys.executable, "-c", program.replace(link, f"{address}/r/{room.code}"))
        playing = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
        await host.ready()
        printed, _ = await playing.communicate()
        assert playing.returncode == 0
        assert len(printed.splitlines()) == 10
        await host.until(lambda: any(rival.moves == 10 for rival in host.progress.values()))
