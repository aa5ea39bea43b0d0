"""What several files of integration tests use."""

from tests.serving import address

__all__ = ["address"]
