"""Python alone builds, installs and serves the package."""

import os
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from hatch_build import NODE_WHEEL, WebClient, node_is_suitable

ROOT = Path(__file__).parents[1]


def build(target: str, root: Path, into: Path, path: str = os.environ["PATH"]) -> Path:
    command = [sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", str(into)]
    # A build may download, and needs the certificates that conftest.py leaves out.
    environment = {name: value for name, value in os.environ.items() if (name, value) != ("SSL_CERT_FILE", os.devnull)}
    subprocess.run(command, cwd=root, env={**environment, "PATH": path}, check=True, capture_output=True)
    [archive] = into.iterdir()
    return archive


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
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
    return build("wheel", unpacked, tmp_path_factory.mktemp("wheel"), path="")


@pytest.fixture(scope="module")
def files(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_the_wheel_is_the_same_for_every_machine(wheel: Path) -> None:
    assert wheel.name.endswith("-py3-none-any.whl")


def test_the_wheel_carries_the_built_web_client(files: set[str]) -> None:
    client = PurePosixPath("fortythieves_server/client")
    assert str(client / "index.en.html") in files
    built = ROOT / "server" / "fortythieves_server" / "client"
    assert {str(client / path.relative_to(built)) for path in built.rglob("*") if path.is_file()} <= files


@pytest.mark.parametrize("package", ["fortythieves", "fortythieves_server", "fortythieves_client"])
def test_the_wheel_says_that_its_packages_are_typed(package: str, files: set[str]) -> None:
    assert f"{package}/py.typed" in files


def test_the_wheel_carries_the_table_of_games(files: set[str]) -> None:
    assert {"fortythieves/rules/games.json", "fortythieves/words/en/front.json"} <= set(files)


def test_the_wheel_carries_the_pages_of_operators(files: set[str]) -> None:
    pages = ROOT / "server" / "fortythieves_server" / "ops" / "pages"
    assert {f"fortythieves_server/ops/pages/{path.name}" for path in pages.iterdir()} <= files


def test_the_wheel_carries_the_scripts_for_redis(files: set[str]) -> None:
    scripts = ROOT / "server" / "fortythieves_server" / "store" / "scripts"
    assert {f"fortythieves_server/store/scripts/{path.name}" for path in scripts.iterdir() if path.is_file()} <= files


def test_the_wheel_holds_the_three_packages_and_nothing_else(files: set[str]) -> None:
    roots = {PurePosixPath(name).parts[0] for name in files}
    assert {root for root in roots if not root.endswith(".dist-info")} == {
        "fortythieves",
        "fortythieves_server",
        "fortythieves_client",
    }
    assert not [name for name in files if "node_modules" in name]


def test_the_sdist_has_the_sources_of_the_web_client(unpacked: Path) -> None:
    assert (unpacked / "client" / "web" / "package-lock.json").exists()
    assert not (unpacked / "client" / "web" / "node_modules").exists()
    assert WebClient(unpacked).is_current


@pytest.fixture
def project(tmp_path: Path) -> WebClient:
    """A project with a current client."""
    client = WebClient(tmp_path)
    for folder in (client.project / "src", client.project / "node_modules", client.built, client.games.parent):
        folder.mkdir(parents=True)
    client.games.write_text("[]")
    (client.project / "src" / "main.js").write_text("race()")
    client.made_from.write_text(client.digest)
    return client


def test_a_client_made_from_these_sources_is_not_built_again(project: WebClient) -> None:
    (project.project / "node_modules" / "tool.js").write_text("")
    assert project.is_current


def test_a_client_is_built_again_when_a_source_changes(project: WebClient) -> None:
    (project.project / "src" / "main.js").write_text("race(2)")
    assert not project.is_current


def test_a_client_is_rebuilt_when_a_source_is_renamed(project: WebClient) -> None:
    (project.project / "src" / "main.js").rename(project.project / "src" / "race.js")
    assert not project.is_current


def test_a_client_is_built_again_when_the_table_of_games_changes(project: WebClient) -> None:
    project.games.write_text('["lucas"]')
    assert not project.is_current


def test_a_client_is_built_again_when_a_text_changes(project: WebClient) -> None:
    (project.words / "en").mkdir(parents=True)
    (project.words / "en" / "front.json").write_text('{"front.help": "Help"}')
    assert not project.is_current


def test_a_build_does_not_make_a_new_build_necessary(project: WebClient) -> None:
    compiled = project.project / "src" / "words" / "compiled"
    compiled.mkdir(parents=True)
    (compiled / "en-front.js").write_text("")
    assert project.is_current


def test_a_client_that_was_built_by_hand_is_built_again(project: WebClient) -> None:
    project.made_from.unlink()
    assert not project.is_current


@pytest.mark.parametrize("version", [(20, 19, 0), (20, 20, 2), (22, 12, 0), (24, 0, 0)])
def test_a_node_that_vite_runs_on_is_used(version: tuple[int, ...]) -> None:
    assert node_is_suitable(version)


@pytest.mark.parametrize("version", [(18, 20, 4), (20, 18, 1), (21, 7, 3), (22, 11, 0), ()])
def test_a_node_that_vite_does_not_run_on_is_passed_over(version: tuple[int, ...]) -> None:
    assert not node_is_suitable(version)


# The lock files


PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
NEEDED: list[str] = PYPROJECT["project"]["dependencies"]
GROUPS: dict[str, list[str]] = PYPROJECT["dependency-groups"]
LOCKS = {"server": NEEDED, "dev": NEEDED + GROUPS["dev"], "build": GROUPS["build"]}

#: The supported machines.
MACHINES = [
    {
        "python_version": python,
        "python_full_version": f"{python}.0",
        "sys_platform": system,
        "platform_machine": machine,
        "implementation_name": "cpython",
    }
    for python in ("3.11", "3.12", "3.13", "3.14")
    for system, machine in (("linux", "x86_64"), ("linux", "aarch64"), ("darwin", "x86_64"), ("darwin", "arm64"))
]


def locked(name: str) -> Iterator[tuple[Requirement, list[str]]]:
    """Each version of a lock file, with its hashes."""
    for line in (ROOT / "locks" / f"{name}.txt").read_text().replace("\\\n", "").splitlines():
        if not line.lstrip().startswith("#"):
            pinned, *hashes = line.split("--hash=")
            yield Requirement(pinned), hashes


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_file_has_one_version_of_all_that_is_needed(name: str) -> None:
    """If this fails: `make lock`."""
    pins = [pin for pin, _ in locked(name)]
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


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_file_has_exact_versions_with_their_hashes_and_no_address(name: str) -> None:
    for pin, hashes in locked(name):
        assert [one.operator for one in pin.specifier] == ["=="]
        assert hashes
        assert all(one.startswith("sha256:") for one in hashes)
        assert pin.url is None


def test_the_node_that_is_locked_is_the_one_that_builds() -> None:
    assert NODE_WHEEL in GROUPS["build"]
