"""A real server for tests of the client."""

from tests.serving import address

__all__ = ["address"]
