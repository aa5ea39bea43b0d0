"""Python alone builds, installs and serves the package."""

import asyncio
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import zipfile
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path, PurePosixPath

import pytest
from aiohttp import ClientSession
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from hatch_build import NODE_WHEEL, WebClient, node_is_suitable
from tests.server.programs import started

ROOT = Path(__file__).parents[1]
PACKAGES = {"fortythieves", "fortythieves_server", "fortythieves_client"}


#: A build may download, and needs the certificates that conftest.py leaves out.
ENVIRONMENT = {name: value for name, value in os.environ.items() if (name, value) != ("SSL_CERT_FILE", os.devnull)}


#: `make release` tests the files in this directory instead of building some.
RELEASED = os.environ.get("RELEASED")
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
NAME = f"forty_thieves_race-{PYPROJECT['project']['version']}"


def build(target: str, root: Path, into: Path, path: str = os.environ["PATH"]) -> Path:
    command = [sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", str(into)]
    subprocess.run(command, cwd=root, env={**ENVIRONMENT, "PATH": path}, check=True)
    [archive] = into.iterdir()
    return archive


def test_make_prints_why_no_environment_can_be_created(tmp_path: Path) -> None:
    """On Debian without python3-venv, Python says on standard output what to install."""
    python = tmp_path / "python"
    python.write_text(
        f'#!/bin/sh\ntest "$1" != -m || {{ echo apt install python3-venv; exit 1; }}\n{sys.executable} "$@"\n'
    )
    python.chmod(0o755)
    command = ["make", f"PYTHON={python}", f"VENV={tmp_path / 'new'}", str(tmp_path / "new" / "made")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "apt install python3-venv\n" in done.stderr


def test_make_lists_its_commands_without_other_tools_than_posix_has(tmp_path: Path) -> None:
    """A small Debian has no `column`."""
    for name in ("sed", "expand"):
        (tmp_path / name).symlink_to(str(shutil.which(name)))
    done = subprocess.run(
        [str(shutil.which("make")), "PYTHON=python"],
        cwd=ROOT,
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0 and re.search("^make run +start a server", done.stdout, re.MULTILINE)


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if RELEASED:
        return Path(RELEASED, f"{NAME}.tar.gz")
    return build("sdist", ROOT, tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="module")
def unpacked(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    [root] = folder.iterdir()
    return root


@pytest.fixture(scope="module")
def wheel(unpacked: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from the sdist by a machine that has neither Node nor anything else on PATH."""
    if RELEASED:
        return Path(RELEASED, f"{NAME}-py3-none-any.whl")
    return build("wheel", unpacked, tmp_path_factory.mktemp("wheel"), path="")


@pytest.fixture(scope="module")
def files(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_the_wheel_is_for_every_machine_and_carries_all_that_is_not_a_module(wheel: Path, files: set[str]) -> None:
    assert wheel.name.endswith("-py3-none-any.whl")
    server = ROOT / "server"
    assert "fortythieves_server/client/index.en.html" in files
    for folder in ("client", "ops/pages", "store/scripts"):
        paths = [path for path in (server / "fortythieves_server" / folder).rglob("*.*") if path.suffix != ".pyc"]
        assert paths and {path.relative_to(server).as_posix() for path in paths} <= files
    assert {"fortythieves/rules/games.json", "fortythieves/words/en/front.json"} <= files
    assert {f"{package}/py.typed" for package in PACKAGES} <= files


def test_the_readme_of_the_package_links_to_the_website_of_the_documents(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        about = archive.read(f"{NAME}.dist-info/METADATA").decode()
    site = PYPROJECT["project"]["urls"]["Documentation"]
    assert "\nDescription-Content-Type: text/markdown\n" in about
    assert f"]({site}docs/race.png)" in about and f"]({site}docs/NIGHT/#" in about
    assert f"]({site}client/)" in about and f"]({site}LICENSE)" in about
    assert not re.search(r"\]\((?!https://)", about)


def test_the_wheel_holds_the_three_packages_and_nothing_else(files: set[str]) -> None:
    roots = {PurePosixPath(name).parts[0] for name in files}
    assert {root for root in roots if not root.endswith(".dist-info")} == PACKAGES
    assert not [name for name in files if "node_modules" in name]


def test_the_sdist_has_the_sources_of_the_web_client(unpacked: Path) -> None:
    assert (unpacked / "client" / "web" / "package-lock.json").exists()
    assert not (unpacked / "client" / "web" / "node_modules").exists()
    assert WebClient(unpacked).is_current


def alone(*command: str | Path) -> str:
    """Run a command with neither Node nor make nor a compiler on PATH."""
    environment = {**ENVIRONMENT, "PATH": ""}
    done = subprocess.run(command, cwd="/", env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment of what we need alone, but without us: downloaded for a release, else that of this environment."""
    folder = tmp_path_factory.mktemp("environment")
    alone(sys.executable, "-m", "venv", "--without-pip", folder)
    python = folder / "bin" / "python"
    if RELEASED:
        pip(python, "install", "--only-binary", ":all:", "--requirement", ROOT / "locks" / "server.txt")
        return python
    packages = Path(alone(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    needed = [pin.name for pin in locked("server") if pin.marker is None or pin.marker.evaluate()]
    files = [file for name in needed for file in metadata.distribution(name).files or []]
    for name in {file.parts[0] for file in files} - {"..", "__pycache__"}:
        (packages / name).symlink_to(Path(sysconfig.get_path("purelib"), name))
    return python


def pip(python: Path, *command: str | Path) -> None:
    alone(sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", python, *command)


@pytest.mark.long
async def test_what_is_released_installs_with_python_alone_and_runs_a_race(
    python: Path, sdist: Path, wheel: Path, tmp_path: Path
) -> None:
    for file in (sdist, wheel) if RELEASED else (wheel,):
        pip(python, "install", "--force-reinstall", "--no-deps", file)
        pip(python, "check")
    ours = python.with_name("forty-thieves")
    async with started(tmp_path, "--limits", "times=9", command=[str(ours)]) as server, ClientSession() as browser:
        load = ("load", server.address, "--rooms", "1", "--players", "2", "--seconds", "5")
        assert '"good": true' in await asyncio.to_thread(alone, ours, *load)
        async with browser.get(server.address) as page:
            assert "<script" in await page.text()


@pytest.fixture
def project(tmp_path: Path) -> WebClient:
    client = WebClient(tmp_path)
    for folder in (
        client.project / "src",
        client.project / "node_modules",
        client.built,
        client.shared / "words" / "en",
    ):
        folder.mkdir(parents=True)
    (client.shared / "games.json").write_text("[]")
    (client.project / "src" / "main.js").write_text("race()")
    client.made_from.write_text(client.digest)
    return client


def put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


CHANGES: dict[str, tuple[Callable[[WebClient], object], bool]] = {
    "a tool": (lambda client: put(client.project / "node_modules" / "tool.js", ""), True),
    "a compiled text": (lambda client: put(client.project / "src" / "words" / "compiled" / "en-front.js", ""), True),
    "a source": (lambda client: put(client.project / "src" / "main.js", "race(2)"), False),
    "the name of a source": (
        lambda client: (client.project / "src" / "main.js").rename(client.project / "new.js"),
        False,
    ),
    "the table of games": (lambda client: put(client.shared / "games.json", '["lucas"]'), False),
    "a text": (lambda client: put(client.shared / "words" / "en" / "front.json", "{}"), False),
    "a build by hand": (lambda client: client.made_from.unlink(), False),
}


@pytest.mark.parametrize(("change", "current"), CHANGES.values(), ids=CHANGES)
def test_the_client_is_rebuilt_after_a_change_of_its_sources(
    project: WebClient, change: Callable[[WebClient], object], current: bool
) -> None:
    assert project.is_current
    change(project)
    assert WebClient(project.project.parents[1]).is_current == current


@pytest.mark.parametrize(
    ("version", "suitable"),
    [
        *((version, True) for version in ((20, 19, 0), (20, 20, 2), (22, 12, 0), (24, 0, 0))),
        *((version, False) for version in ((18, 20, 4), (20, 18, 1), (21, 7, 3), (22, 11, 0), ())),
    ],
)
def test_only_a_node_that_runs_vite_is_suitable(version: tuple[int, ...], suitable: bool) -> None:
    assert node_is_suitable(version) == suitable


NEEDED: list[str] = PYPROJECT["project"]["dependencies"]
GROUPS: dict[str, list[str]] = PYPROJECT["dependency-groups"]
LOCKS = {"server": NEEDED, "dev": NEEDED + GROUPS["dev"], "build": GROUPS["build"], "release": GROUPS["release"]}

#: The supported machines.
MACHINES = [
    {"python_version": python, "python_full_version": f"{python}.0", "implementation_name": "cpython"}
    | {"sys_platform": system, "platform_machine": machine}
    for python in ("3.11", "3.12", "3.13", "3.14")
    for system, machine in (("linux", "x86_64"), ("linux", "aarch64"), ("darwin", "x86_64"), ("darwin", "arm64"))
]


def locked(name: str) -> Iterator[Requirement]:
    """Each version of a lock file. pip refuses a file in which one has no hash."""
    for line in (ROOT / "locks" / f"{name}.txt").read_text().replace("\\\n", "").splitlines():
        if not line.lstrip().startswith("#"):
            yield Requirement(line.partition("--hash=")[0])


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_file_has_one_version_of_all_that_is_needed(name: str) -> None:
    """If this fails: `make lock`."""
    assert NODE_WHEEL in GROUPS["build"], "the one that builds"
    pins = [*locked(name)]
    for needed in map(Requirement, LOCKS[name]):
        for machine in MACHINES:
            if needed.marker is None or needed.marker.evaluate(machine):
                [version] = [
                    str(pin.specifier).removeprefix("==")
                    for pin in pins
                    if canonicalize_name(pin.name) == canonicalize_name(needed.name)
                    and (pin.marker is None or pin.marker.evaluate(machine))
                ]
                assert needed.specifier.contains(version), f"{needed}: {version}"
