"""shared/vectors: the bots of the browser are tested with the same files."""

from types import ModuleType

import pytest

from tests.client.bot import make_fairness, make_hints


@pytest.mark.parametrize("maker", [make_fairness, make_hints])
def test_a_file_of_vectors_matches_its_generator(maker: ModuleType) -> None:
    assert maker.FILE.read_text("utf-8") == maker.text(), f"python -m {maker.__name__}"
