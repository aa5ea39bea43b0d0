"""Fixtures of several files."""

from tests.server.conftest import own_redis
from tests.serving import address

__all__ = ["address", "own_redis"]
