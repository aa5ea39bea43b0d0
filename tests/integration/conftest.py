"""Fixtures of several files."""

from tests.serving import address

__all__ = ["address"]
