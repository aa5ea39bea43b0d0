"""What the client is tried on: a real server."""

from tests.serving import address

__all__ = ["address"]
