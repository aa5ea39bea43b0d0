"""The processes that may be killed."""

import os
from pathlib import Path

from fortythieves_client.load.run import processes


def test_only_processes_in_the_file_are_killed(tmp_path: Path) -> None:
    file = tmp_path / "pids"
    assert processes(file) == []
    file.write_text(f"123\n0\n1\n-5\n45 6\nsome\n{os.getpid()}\n{os.getppid()}\n789\n")
    assert processes(file) == [123, 789]
