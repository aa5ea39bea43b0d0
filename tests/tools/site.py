"""Write the website of the documents to build/site, and check it: `make site`.

The pages are the documents themselves. Every link of a built page leads to a file and a place that exist, and no page
loads anything from another site.
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).parents[2]
PAGES, SITE = ROOT / "build" / "pages", ROOT / "build" / "site"
#: What a browser loads by itself.
LOADED = {"script", "img", "link", "iframe", "source", "audio", "video"}


def documents() -> Iterator[Path]:
    """The documents, and the files to which they link."""
    listed = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    for name in listed.stdout.splitlines():
        if not name.endswith("GLOSSARY.md"):
            yield (page := ROOT / name)
            for link in re.findall(r"\]\((?!\w+:)([^)#\s]+)", page.read_text()):
                yield (page.parent / link).resolve()


class Page(HTMLParser):
    """The links and the places of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[tuple[str, str]] = []
        self.places = {""}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in {"href", "src"}:
                self.links.append((tag, value or ""))
            elif name in {"id", "name"}:
                self.places.add(value or "")


def wrong(pages: dict[Path, Page]) -> Iterator[str]:
    for path, page in pages.items():
        for tag, link in page.links:
            url = urlsplit(link)
            if url.scheme or url.netloc:
                if tag in LOADED and url.scheme != "data":
                    yield f"{path} loads {link}"
                continue
            target = (SITE / url.path[1:] if url.path.startswith("/") else path.parent / unquote(url.path)).resolve()
            target = target / "index.html" if target.is_dir() else target if url.path else path
            has_place = target not in pages or unquote(url.fragment) in pages[target].places
            if not (target.is_file() and target.is_relative_to(SITE) and has_place):
                yield f"{path} links to {link}"


def main() -> None:
    for old in (PAGES, SITE):
        shutil.rmtree(old, ignore_errors=True)
    for path in {*documents(), ROOT / "docs" / "site.css"}:
        copy = PAGES / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    settings = shutil.copy(ROOT / "docs" / "site.yml", PAGES.parent)
    command = [sys.executable, "-m", "zensical", "build", "--clean", "--strict", "--config-file", str(settings)]
    if subprocess.run(command, check=False).returncode:
        raise SystemExit(1)
    pages = {path: Page(path.read_text()) for path in SITE.rglob("*.html")}
    found = sorted(set(wrong(pages)))
    print(
        *found,
        f"{len(pages)} pages, {sum(len(page.links) for page in pages.values())} links, {len(found)} wrong",
        sep="\n",
    )
    raise SystemExit(bool(found))


if __name__ == "__main__":
    main()
