"""Bots by the thousand against any server, each with its own list of what it was told is done."""

from fortythieves_client.load.figures import Figures
from fortythieves_client.load.run import Load, run_load

__all__ = ["Figures", "Load", "run_load"]
