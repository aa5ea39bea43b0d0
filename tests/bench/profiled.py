"""The program with a profile of the CPU of its main thread: ``python -m tests.bench.profiled FILE serve ...``."""

import cProfile
import sys
import time

from fortythieves_server.__main__ import main

if __name__ == "__main__":
    profiler = cProfile.Profile(time.thread_time)  # Waiting is no work.
    file, *arguments = sys.argv[1:]
    try:
        code = profiler.runcall(main, arguments)
    finally:
        profiler.dump_stats(file)
    sys.exit(code)
