"""What several files of integration tests use."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.serving import serving


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def address(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    """Where one server answers all tests of a file: each has rooms and guests of its own."""
    async with serving(tmp_path_factory.mktemp("data")) as address:
        yield address
