"""The commands, options, links and files in the documents exist, and their generated parts are up to date."""

import contextlib
import io
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from fortythieves.rules.games import GAMES
from fortythieves_server.__main__ import command_line
from fortythieves_server.config import OPTIONS, Config, config_of
from fortythieves_server.core.events import Why
from fortythieves_server.core.tournament import NOT_CHECKED_IN, RELEASED, RULES
from tests.tools import docs

ROOT = docs.ROOT


def project_files() -> list[Path]:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    return [ROOT / name for name in listed.stdout.splitlines() if (ROOT / name).exists()]


FILES = project_files()
DOCUMENTS = [path for path in FILES if path.suffix == ".md"]
README, OPERATING, CONTRIBUTING, MAKEFILE = (
    (ROOT / name).read_text() for name in ("README.md", "docs/OPERATING.md", "CONTRIBUTING.md", "Makefile")
)


@pytest.mark.parametrize("name", docs.PARTS)
def test_the_generated_parts_of_a_document_are_up_to_date(name: str) -> None:
    written = (ROOT / name).read_text("utf-8")
    assert written == docs.text_of(name), "make docs"
    assert set(docs.PARTS[name]) == {part for _, part, *_ in docs.PART.findall(written)}
    assert not re.search(rf"\| {docs.MISSING}$", written, re.MULTILINE), "describe the new row"


def test_the_protocol_names_every_action_of_hosts_and_every_reason_to_be_out() -> None:
    text = (ROOT / "shared" / "PROTOCOL.md").read_text()
    by_hosts = {str(event.__struct_config__.tag) for event in RULES if "by" in event.__struct_fields__}
    desk = set(re.findall(r"`(\w+)`", text.split("### The desk\n")[1].split("\n##")[0]))
    assert by_hosts - {"registration"} <= desk
    entrants = next(line for line in text.splitlines() if line.startswith("`entrants`"))
    assert {*get_args(Why), NOT_CHECKED_IN, RELEASED} <= set(re.findall(r"`(\w+)`", entrants))


def assert_known(names: Callable[[str], Iterable[str]], files: Iterable[Path], known: Collection[str]) -> None:
    unknown = {str(path.relative_to(ROOT)): sorted(set(names(path.read_text())) - set(known)) for path in files}
    assert {path: found for path, found in unknown.items() if found} == {}


def test_every_document_that_a_file_names_exists() -> None:
    sources = [path for path in FILES if path.suffix in {".py", ".js", ".jsx", ".md", ".toml", ".yml"}]
    assert_known(lambda text: re.findall(r"\b[A-Z][A-Z_]+\.md\b", text), sources, {path.name for path in FILES})


def anchors(path: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", path.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def link_target_exists(path: Path, link: str) -> bool:
    name, _, anchor = link.partition("#")
    target = path.parent / name if name else path
    return target.exists() and (not anchor or anchor in anchors(target))


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_has_a_target(path: Path) -> None:
    links = re.findall(r"\]\(([^)\s]+)\)", path.read_text())
    assert [link for link in links if "://" not in link and not link_target_exists(path, link)] == []


def commands_of(document: str) -> list[str]:
    lines = re.findall(r"^    (\S.*)$", document, re.MULTILINE)
    return [re.split(r"\s{2,}#|\s+# ", line)[0].strip() for line in lines]


COMMANDS = commands_of(README) + commands_of(OPERATING)
#: The commands that need no server.
OFFLINE = [command for command in COMMANDS if re.search(r"\bforty-thieves (deal|solve|analyse|verify [^:]+$)", command)]


def help_of(*command: str) -> str:
    with contextlib.redirect_stdout(io.StringIO()) as output, pytest.raises(SystemExit):
        command_line().parse_args([*command, "--help"])
    return output.getvalue()


def subcommands() -> list[str]:
    return re.findall(r"^    (\w+)", help_of(), re.MULTILINE)


def test_the_readme_shows_every_command_of_the_program() -> None:
    shown = {word for command in COMMANDS for word in re.findall(r"\bforty-thieves (\w+)", command)}
    assert shown == set(subcommands())


@pytest.mark.parametrize("command", [one for one in COMMANDS if one.startswith("forty-thieves ")])
def test_the_program_accepts_every_command_line_in_the_documents(command: str) -> None:
    options = command_line().parse_args(shlex.split(command)[1:])
    if " serve" in command:
        assert isinstance(config_of(vars(options), {}), Config)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    [name] = {name for command in OFFLINE for name in re.findall(r"\S+\.ftr", command)}
    records = json.loads((docs.VECTORS / "records.json").read_text())["records"]
    file = next(record["file"] for record in records if record["name"] == "short")
    (tmp_path / name).write_bytes(bytes.fromhex(file))
    return tmp_path


def output_of(command: str, folder: Path) -> str:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path}
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize("command", OFFLINE)
def test_the_commands_of_the_readme_print_a_result(command: str, folder: Path) -> None:
    output = output_of(command, folder)
    if "verify" in command:
        assert {line.split()[0] for line in output.splitlines()} == {"ok", "note"}
        return
    result: dict[str, Any] = json.loads(output)
    if "deal" in command:
        assert result["game"] == "lucas" and len(result["deck"]) == 104
    elif "solve" in command:
        assert result["game"] == "lucas" and result["home"] == 104
    elif "--record" in command:
        assert [racer["seat"] for racer in result["racers"]] == [1, 2]
    else:
        assert result["stock"] == GAMES["lucas"].stock - 1 and len(result["waste"]) == 1


@pytest.mark.parametrize("document", [README, CONTRIBUTING], ids=["README.md", "CONTRIBUTING.md"])
def test_every_make_command_in_the_documents_is_a_target(document: str) -> None:
    targets = re.findall(r"^([a-z]+):.*## ", MAKEFILE, re.MULTILINE)
    assert targets == re.findall(r"^([a-z]+):", MAKEFILE, re.MULTILINE), "explain each target"
    commands = [words.split() for words in re.findall(r"(?:`|^    )make ([^`#\n]+)", document, re.MULTILINE)]
    assert {word for words in commands for word in words if "=" not in word} <= set(targets)
    variables = {word.partition("=")[0] for words in commands for word in words if "=" in word}
    assert all(f"\n{variable} ?=" in MAKEFILE for variable in variables)


def options_named_in(text: str) -> Iterator[str]:
    others = re.compile(
        r"^    (?:uvx|docker|(?!.*forty-thieves )).*$|`(?:docker|redis-server|git|mypy|npm|python)\b[^`]*`",
        re.MULTILINE,
    )
    yield from re.findall(r"(?<![\w-])--[a-z][a-z-]+", re.sub(r"<!--|-->", "", others.sub("", text)))


def test_every_option_in_the_documents_exists() -> None:
    lines = [line.strip() for command in subcommands() for line in help_of(command).splitlines()]
    exist = {option for line in lines if line.startswith("-") for option in re.findall(r"--[a-z][a-z-]+", line)}
    assert_known(options_named_in, DOCUMENTS, exist)


def test_the_program_takes_every_limit_that_a_document_or_its_help_sets() -> None:
    texts = [path.read_text() for path in DOCUMENTS] + [" ".join(help_of(one).split()) for one in subcommands()]
    named = re.findall(r"--limits ('[^']+'|[\w=/+]+=[\w/+]+)", "\n".join(texts))
    assert len(named) > 2
    for limits in named:
        if limits != "NAME=VALUE":
            config_of({"limits": limits.strip("'")}, {})


def test_every_environment_variable_in_the_documents_exists() -> None:
    composed = set(re.findall(r"\$\{(FORTY_THIEVES_[A-Z_]+)", (ROOT / "docker-compose.yml").read_text()))
    known = composed | {option.variable for option in OPTIONS}
    assert_known(lambda text: re.findall(r"FORTY_THIEVES_[A-Z_]+", text), DOCUMENTS, known)


def test_every_file_that_a_recipe_names_exists() -> None:
    named = set(re.findall(r"`([\w./-]+\.(?:py|jsx?|json|md|txt))`", CONTRIBUTING))
    named |= {f"{name.replace('.', '/')}.py" for name in re.findall(r"python -m (tests[\w.]+)", CONTRIBUTING)}
    known = [f"/{path.relative_to(ROOT).as_posix()}" for path in FILES]
    assert [name for name in named if not any(path.endswith(f"/{name}") for path in known)] == []
