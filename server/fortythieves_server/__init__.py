"""The server of Forty Thieves Race."""

from importlib.metadata import version

__version__ = version("forty-thieves-race")
