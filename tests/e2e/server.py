"""The program as an operator starts it, or a fast server, in a new directory."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

#: Far more seconds than it takes to stop as one should.
TIMEOUT = 60.0

#: All clients share one address, open many rooms, and some are as fast as the disk.
LIMITS = "times=1000 messages=1000/s+1000"


class Server:
    """A server that can be killed and restarted with the same address and data."""

    def __init__(self, home: Path, *, hurry: bool = False, packages: Path | None = None) -> None:
        """``packages``: where another build of the program lies than ours."""
        self._hurry = hurry
        self._packages = packages
        self._data = home / "data"
        self._log = home / "log"
        self._port = 0
        self._process: subprocess.Popen[str] | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    @property
    def port(self) -> int:
        return self._port

    @property
    def log(self) -> str:
        return self._log.read_text()

    def start(self) -> None:
        options = ("--host", "127.0.0.1", "--port", str(self._port), "--data", str(self._data), "--limits", LIMITS)
        program = ("tests.e2e.in_a_hurry", str(self._data), *LIMITS.split())
        module, *words = program if self._hurry else ("fortythieves_server", "serve", *options)
        with self._log.open("a") as errors:
            self._process = subprocess.Popen(
                (sys.executable, "-m", module, *words),
                cwd=self._packages or ROOT,
                env=os.environ | ({"PYTHONPATH": str(self._packages)} if self._packages else {}),
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if found := re.search(r"http://127\.0\.0\.1:(\d+)", line):
                self._port = int(found[1])
                return
        raise AssertionError(f"the server did not start:\n{self.log}")

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """As an operator does. It must end as it should, and without having met a bug."""
        assert self._end(signal.SIGTERM) == 0, self.log
        assert "Traceback" not in self.log, self.log

    def _end(self, how: signal.Signals) -> int:
        assert self._process is not None
        process, self._process = self._process, None
        process.send_signal(how)
        process.communicate(timeout=TIMEOUT)
        return process.returncode


def release_again(client: Path) -> str:
    """Make another release of the built client: all scripts have new names, because each names the main script, or one
    that does. Returns the main script.
    """
    names = {path.name: f"{path.stem}-again.js" for path in client.glob("assets/*.js")}
    of_scripts = re.compile("|".join(map(re.escape, names)))
    for path in [*client.glob("*"), *client.glob("assets/*")]:
        if path.suffix in {".br", ".gz"}:
            path.unlink()
        elif path.suffix in {".html", ".js"}:
            text = of_scripts.sub(lambda found: names[found[0]], path.read_text()).replace("shell-", "shell-again-")
            path.with_name(names.get(path.name, path.name)).write_text(text)
    for name in names:
        (client / "assets" / name).unlink()
    (main,) = client.glob("assets/index-*.js")
    return f"/assets/{main.name}"
