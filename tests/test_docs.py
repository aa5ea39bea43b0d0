"""What the documentation and the comments point at is there."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
READ = {".py", ".js", ".jsx", ".md", ".toml", ".yml"}


def project_files() -> list[Path]:
    """The files of the project as git has them; an unpacked sdist has no others."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / name for name in listed.stdout.splitlines() if (ROOT / name).exists()]


FILES = project_files()
NAMES = {path.name for path in FILES}


@pytest.mark.parametrize(
    "path", [path for path in FILES if path.suffix in READ], ids=lambda path: path.relative_to(ROOT).as_posix()
)
def test_every_document_that_is_named_exists(path: Path) -> None:
    named = set(re.findall(r"\b[A-Z][A-Z_]+\.md\b", path.read_text()))
    assert named <= NAMES


@pytest.mark.parametrize("path", [path for path in FILES if path.suffix == ".md"], ids=lambda path: path.name)
def test_every_link_to_a_file_leads_to_one(path: Path) -> None:
    targets = [link.split("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", path.read_text()) if "://" not in link]
    assert [target for target in targets if target and not (path.parent / target).exists()] == []
