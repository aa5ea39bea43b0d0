"""The program with connections that come to any worker: ``python -m tests.faults.scattered serve ...``."""

import random
import sys

from fortythieves_server.__main__ import main
from fortythieves_server.process import dispatcher

COMMAND = (sys.executable, "-m", "tests.faults.scattered")

if __name__ == "__main__":
    setattr(dispatcher, "ranked", lambda code, workers: random.sample(list(workers), len(workers)))  # noqa: B010 - mypy
    sys.exit(main())
