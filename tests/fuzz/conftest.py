"""One server for all tests of a file."""

from collections.abc import Iterator

import pytest

from tests.fuzz.server import Server, serve


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serve(tmp_path_factory.mktemp("data")) as server:
        yield server
