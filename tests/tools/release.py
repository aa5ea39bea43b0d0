"""Build a release into dist/ and check it, up to the upload: `make release`.

Afterwards there are the sdist and the wheel, the list of all that an installation has (CycloneDX), the licences of it,
and the checksums of these files.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import venv
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

ROOT = Path(__file__).parents[2]
DIST = ROOT / "dist"
PYTHON = sys.executable
LOCK = ROOT / "locks" / "server.txt"


def run(*command: str | Path, **environment: str) -> None:
    print("=>", *command, flush=True)
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, **environment}, check=False)
    if done.returncode:
        raise SystemExit(f"There is no release, because this failed: {' '.join(map(str, command))}")


def installed(wheel: Path) -> dict[str, Any]:
    """What an installation of the wheel has, with the packages of the page."""
    with TemporaryDirectory() as folder:
        venv.create(folder, symlinks=True)
        python = Path(folder, "bin", "python")
        pip = (PYTHON, "-m", "pip", "--python", python, "--quiet", "install")
        run(*pip, "--requirement", LOCK)
        run(*pip, "--no-deps", wheel)
        about = ("--pyproject", ROOT / "pyproject.toml", "--output-reproducible", "--output-file", Path(folder, "sbom"))
        run(PYTHON, "-m", "cyclonedx_py", "environment", python, *about)
        found: dict[str, Any] = json.loads(Path(folder, "sbom").read_text())
    found["components"] += packages_of_the_page(wheel)
    return found


def packages_of_the_page(wheel: Path) -> Iterator[dict[str, Any]]:
    with zipfile.ZipFile(wheel) as archive:
        texts = archive.read("fortythieves_server/client/licences.txt").decode()
    for name, version, licence in re.findall(r"^# (\S+) (\S+) (\S+)$", texts, re.MULTILINE):
        purl = f"pkg:npm/{quote(name)}@{version}"
        about = {"bom-ref": purl, "purl": purl, "name": name, "version": version}
        yield {"type": "library", **about, "licenses": [{"license": {"id": licence}}]}


def licences(component: Mapping[str, Any]) -> str:
    named = [
        one.get("expression") or one["license"].get("id") or one["license"]["name"]
        for one in component.get("licenses", ())
    ]
    return ", ".join(dict.fromkeys(named)) or "a file in the package"


def main(audit: str, key: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    release = f"{project['name'].replace('-', '_')}-{project['version']}"
    if f"\n## {project['version']}\n" not in (ROOT / "CHANGELOG.md").read_text():
        raise SystemExit(f"CHANGELOG.md does not tell what is new in {project['version']}.")
    shutil.rmtree(DIST, ignore_errors=True)
    run(PYTHON, "-m", "hatchling", "build", "--directory", DIST)
    archives = sorted(DIST.iterdir())
    run(PYTHON, "-m", "twine", "check", "--strict", *archives)
    run(PYTHON, "-m", "pytest", "--quiet", "tests/test_packaging.py", RELEASED=str(DIST))
    if audit != "no":
        run(PYTHON, "-m", "pip_audit", "--strict", "--disable-pip", "--require-hashes", "--requirement", LOCK)
        run(PYTHON, "hatch_build.py", "npm", "audit", "--omit", "dev")
    found = installed(DIST / f"{release}-py3-none-any.whl")
    (DIST / f"{release}.cdx.json").write_text(json.dumps(found, indent=1))
    lines = sorted(f"{one['name']} {one['version']}: {licences(one)}\n" for one in found["components"])
    (DIST / f"{release}-licences.txt").write_text("".join(lines))
    sums = DIST / "SHA256SUMS"
    sums.write_text(
        "".join(f"{hashlib.sha256(one.read_bytes()).hexdigest()}  {one.name}\n" for one in sorted(DIST.iterdir()))
    )
    if key:
        run("gpg", "--batch", "--yes", "--local-user", key, "--armor", "--detach-sign", sums)
    print(sums.read_text(), end="")
    if ".example/" in str(project["urls"]):
        print("First put the real addresses into [project.urls] of pyproject.toml.")
    print(
        f"Then: git tag v{project['version']}; twine upload {' '.join(str(one.relative_to(ROOT)) for one in archives)}"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
