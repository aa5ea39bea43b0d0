"""Finds the Chromium that the tests drive, and brings one where there is none: `python tests/e2e/browser.py`."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

#: The names of Chromium in distributions, and of Chrome. The headless shell is first: it has no windows and takes
#: half the CPU time (measured: 0.23 s for the front page instead of 0.42 s).
SHELL = "chromium-headless-shell"
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

#: Without a network, apt-get would try for minutes.
PATIENCE = ("-o", "Acquire::http::Timeout=20", "-o", "Acquire::Retries=0")

MISSING = (
    "The tests drive a real Chromium, and there is none: install `chromium` with the system's package manager"
    " (or Google Chrome), or run `python -m playwright install chromium`."
)


class NoBrowser(Exception):
    """There is no Chromium; str() explains what to do."""


def installed() -> Path | None:
    """The Chromium on PATH that starts: Ubuntu's /usr/bin/chromium-browser only asks to install a snap."""
    for name in NAMES:
        if (path := shutil.which(name)) and succeeds(path, "--version"):
            return Path(path)
    return None


def playwrights_own() -> Path | None:
    from playwright.sync_api import sync_playwright  # this import takes 0.2 s of each process that collects tests

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
    if not succeeds(sys.executable, "-m", "playwright", "install", "chromium"):
        install(SHELL) or install("chromium")


def install(package: str) -> bool:
    """Install a package of Debian without questions. Returns whether it worked."""
    as_root = [] if os.geteuid() == 0 else ["sudo", "-n"]
    if shutil.which("apt-get") is None or (as_root and not (shutil.which("sudo") and succeeds(*as_root, "true"))):
        return False
    apt = (*as_root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "--quiet", "--yes", *PATIENCE)
    succeeds(*apt, "update")
    return succeeds(*apt, "install", package)


def succeeds(*command: str) -> bool:
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        last_words = "".join(done.stdout.splitlines(keepends=True)[-3:])
        print(f"{' '.join(command)} did not work:\n{last_words}", file=sys.stderr)
    return done.returncode == 0


def main() -> None:
    try:
        # Root is the usual user of a container.
        if find().name != SHELL and os.geteuid() == 0:
            print("Installing a Chromium without windows, with which the tests take two thirds of the time", flush=True)
            install(SHELL)
    except NoBrowser:
        print("Fetching a Chromium for the tests", flush=True)
        fetch()
    try:
        print(f"The tests use {find()}")
    except NoBrowser as missing:
        raise SystemExit(str(missing)) from None


if __name__ == "__main__":
    main()
