"""Who may be killed."""

import os
from pathlib import Path

from fortythieves_client.load.chaos import processes


def test_only_what_the_file_names_line_by_line_is_killed(tmp_path: Path) -> None:
    file = tmp_path / "pids"
    assert processes(file) == []
    file.write_text(f"123\n0\n1\n-5\n45 6\nsome\n{os.getpid()}\n{os.getppid()}\n789\n")
    assert processes(file) == [123, 789]
