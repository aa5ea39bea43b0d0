"""The program, but rooms are forgotten sooner: ``python -m tests.bench.forgetful SECONDS serve ...``."""

import sys

from fortythieves_server.__main__ import main
from fortythieves_server.rooms import registry

if __name__ == "__main__":
    registry.LINGER = float(sys.argv[1])
    sys.exit(main(sys.argv[2:]))
