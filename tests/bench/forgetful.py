"""The program with a shorter life of empty rooms: ``python -m tests.bench.forgetful SECONDS serve ...``."""

import sys

from fortythieves_server import app
from fortythieves_server.__main__ import main

if __name__ == "__main__":
    app.TIMES = app.Times(linger=float(sys.argv[1]))
    sys.exit(main(sys.argv[2:]))
