"""The load test: thousands of bots on any server. Each keeps a list of its acknowledged moves."""

from fortythieves_client.load.results import Results
from fortythieves_client.load.run import Load, run_load

__all__ = ["Load", "Results", "run_load"]
