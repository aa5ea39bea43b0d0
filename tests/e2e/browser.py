"""Finds the Chromium that the tests drive, and brings one where there is none: `python tests/e2e/browser.py`."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

#: What distributions call it, and Google's own. The headless shell comes first: it is the same browser without windows,
#: and takes half the CPU time of a page (measured: 0.23 s for the front page instead of 0.42 s).
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

MISSING = (
    "The tests drive a real Chromium, and there is none: install `chromium` with the system's package manager"
    " (or Google Chrome), or run `python -m playwright install chromium`."
)


class NoBrowser(Exception):
    """There is no Chromium; str() is what to do about it."""


def installed() -> Path | None:
    """The Chromium on PATH that starts: Ubuntu's /usr/bin/chromium-browser only asks to install a snap."""
    for name in NAMES:
        if (path := shutil.which(name)) and succeeds(path, "--version"):
            return Path(path)
    return None


def playwrights_own() -> Path | None:
    with sync_playwright() as playwright:
        path = Path(playwright.chromium.executable_path)
    return path if path.exists() else None


def find() -> Path:
    path = installed() or playwrights_own()
    if path is None:
        raise NoBrowser(MISSING)
    return path


def fetch() -> None:
    """Playwright's download first, which needs no rights; then Debian's package, where we may install one."""
    if succeeds(sys.executable, "-m", "playwright", "install", "chromium") or shutil.which("apt-get") is None:
        return
    as_root = [] if os.geteuid() == 0 else ["sudo", "-n"]
    if not as_root or (shutil.which("sudo") and succeeds(*as_root, "true")):
        succeeds(*as_root, "apt-get", "update", "--quiet")
        install = (*as_root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "--quiet", "--yes")
        succeeds(*install, "chromium-headless-shell") or succeeds(*install, "chromium")


def succeeds(*command: str) -> bool:
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        last_words = "".join(done.stdout.splitlines(keepends=True)[-3:])
        print(f"{' '.join(command)} did not work:\n{last_words}", file=sys.stderr)
    return done.returncode == 0


def main() -> None:
    try:
        find()
    except NoBrowser:
        print("Fetching a Chromium for the tests", flush=True)
        fetch()
    try:
        print(f"The tests use {find()}")
    except NoBrowser as missing:
        raise SystemExit(str(missing)) from None


if __name__ == "__main__":
    main()
