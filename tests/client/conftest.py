"""What the client is tried on: a real server."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from tests.serving import serving


@pytest_asyncio.fixture
async def address(tmp_path: Path) -> AsyncIterator[str]:
    """Where a server of the test's own answers."""
    async with serving(tmp_path) as address:
        yield address
