"""What the documentation says is so: whatever it points at is there, and its commands work."""

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
from typing import Any

import pytest

from fortythieves.rules.games import GAMES
from fortythieves.solver.effort import MEASURED, Measured
from fortythieves_server.__main__ import command_line
from fortythieves_server.common.limits import Limits
from fortythieves_server.config import OPTIONS, Config, config_of

ROOT = Path(__file__).parents[1]
READ = {".py", ".js", ".jsx", ".md", ".toml", ".yml"}


def project_files() -> list[Path]:
    """The files of the project as git has them; an unpacked sdist has no others."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / name for name in listed.stdout.splitlines() if (ROOT / name).exists()]


FILES = project_files()
NAMES = {path.name for path in FILES}

README = (ROOT / "README.md").read_text()
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text()
SOLVER = (ROOT / "shared" / "SOLVER.md").read_text()
MAKEFILE = (ROOT / "Makefile").read_text()


def is_known(names: Callable[[str], Iterable[str]], files: Iterable[Path], known: Collection[str]) -> None:
    """Each file names only what is known; whatever else it names is said for all files together."""
    unknown = {str(path.relative_to(ROOT)): sorted(set(names(path.read_text())) - set(known)) for path in files}
    assert {path: found for path, found in unknown.items() if found} == {}


def test_every_document_that_is_named_exists() -> None:
    read = [path for path in FILES if path.suffix in READ]
    is_known(lambda text: re.findall(r"\b[A-Z][A-Z_]+\.md\b", text), read, NAMES)


DOCUMENTS = [path for path in FILES if path.suffix == ".md"]


def anchors(path: Path) -> set[str]:
    """What the headings of a document can be linked as."""
    headings = re.findall(r"^#+ (.+)$", path.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def leads_somewhere(path: Path, link: str) -> bool:
    name, _, anchor = link.partition("#")
    target = path.parent / name if name else path
    return target.exists() and (not anchor or anchor in anchors(target))


def test_every_link_leads_somewhere() -> None:
    links = [
        (path, link)
        for path in DOCUMENTS
        for link in re.findall(r"\]\(([^)\s]+)\)", path.read_text())
        if "://" not in link
    ]
    assert links
    assert [f"{path.name}: {link}" for path, link in links if not leads_somewhere(path, link)] == []


def test_the_picture_is_small_enough_to_be_looked_at_on_the_way() -> None:
    assert (ROOT / "docs" / "race.png").stat().st_size <= 250_000


# Commands


def commands_of(document: str) -> list[str]:
    """The lines of the indented blocks, without what is said about them."""
    lines = re.findall(r"^    (\S.*)$", document, re.MULTILINE)
    return [re.split(r"\s{2,}#|\s+# ", line)[0].strip() for line in lines]


COMMANDS = commands_of(README)
OURS = [command for command in COMMANDS if command.startswith("forty-thieves ")]
#: Those that need no server; the rest of them is read as the program reads them.
ALONE = [command for command in COMMANDS if re.search(r"\bforty-thieves (deal|solve|analyse|verify [^:]+$)", command)]


def test_the_readme_shows_every_command_of_the_program() -> None:
    shown = {word for command in COMMANDS for word in re.findall(r"\bforty-thieves (\w+)", command)}
    assert shown == set(subcommands())


def help_of(*command: str) -> str:
    """What the program says to --help."""
    with contextlib.redirect_stdout(io.StringIO()) as said, pytest.raises(SystemExit):
        command_line().parse_args([*command, "--help"])
    return said.getvalue()


def subcommands() -> list[str]:
    return re.findall(r"^    (\w+)", help_of(), re.MULTILINE)


def test_the_program_understands_what_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    misunderstood = {}
    for command in OURS:
        try:
            options = command_line().parse_args(shlex.split(command)[1:])
        except SystemExit:
            misunderstood[command] = capsys.readouterr().err
            continue
        if " serve" in command:
            assert isinstance(config_of(vars(options), {}), Config)
    assert misunderstood == {}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Somewhere with the record that is spoken of."""
    [name] = {name for command in ALONE for name in re.findall(r"\S+\.ftr", command)}
    records = json.loads((ROOT / "shared" / "vectors" / "records-2.json").read_text())["records"]
    file = next(record["file"] for record in records if record["name"] == "short")
    (tmp_path / name).write_bytes(bytes.fromhex(file))
    return tmp_path


def run(command: str, folder: Path) -> str:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize("command", ALONE)
def test_what_is_shown_answers_as_it_should(command: str, folder: Path) -> None:
    answer = run(command, folder)
    if "verify" in command:
        assert {line.split()[0] for line in answer.splitlines()} == {"ok", "note"}
        return
    described: dict[str, Any] = json.loads(answer)
    if "deal" in command:
        assert described["game"] == "lucas" and len(described["deck"]) == 104
    elif "solve" in command:
        assert described["game"] == "lucas" and described["home"] == 104
    elif "--record" in command:
        assert [racer["seat"] for racer in described["racers"]] == [1, 2]
    else:
        assert described["stock"] == GAMES["lucas"].stock - 1 and len(described["waste"]) == 1


def targets() -> set[str]:
    return set(re.findall(r"^([a-z]+):", MAKEFILE, re.MULTILINE))


@pytest.mark.parametrize("document", [README, CONTRIBUTING], ids=["README.md", "CONTRIBUTING.md"])
def test_make_can_make_what_it_is_told_to(document: str) -> None:
    told = [words.split() for words in re.findall(r"(?:`|^    )make ([^`#\n]+)", document, re.MULTILINE)]
    assert {word for words in told for word in words if "=" not in word} <= targets()
    variables = {word.partition("=")[0] for words in told for word in words if "=" in word}
    assert all(f"\n{variable} ?=" in MAKEFILE for variable in variables)


def test_every_target_is_explained() -> None:
    explained = set(re.findall(r"^([a-z]+):.*## ", MAKEFILE, re.MULTILINE))
    assert explained == targets()


# The solver


def test_the_measured_shares_and_stars_are_those_of_the_program() -> None:
    rows = re.findall(r"^\| `(\S+)` \| (\d+) % \| (\d+) \| (\d+) \|", SOLVER, re.MULTILINE)
    assert {key: Measured(int(won), (int(one), int(two))) for key, won, one, two in rows} == MEASURED
    assert [key for key, *_ in rows] == list(GAMES)


# Options and settings


def options_named_in(text: str) -> Iterator[str]:
    """Those of our own program: other programs have options, too."""
    others = re.compile(
        r"^    (?!.*forty-thieves ).*$|`(?:docker|redis-server|git|mypy|npm|python)\b[^`]*`", re.MULTILINE
    )
    yield from re.findall(r"(?<![\w-])--[a-z][a-z-]+", others.sub("", text))


def test_every_option_that_is_named_exists() -> None:
    lines = [line.strip() for command in subcommands() for line in help_of(command).splitlines()]
    exist = {option for line in lines if line.startswith("-") for option in re.findall(r"--[a-z][a-z-]+", line)}
    is_known(options_named_in, DOCUMENTS, exist)


def table_of(names: str) -> dict[str, str]:
    """From the tables of the README that have such names in their first column: each name with its default."""
    said: dict[str, str] = {}
    for row in re.findall(r"^\| (`.+?) \| (.+?) \| ", README, re.MULTILINE):
        found = re.findall(f"`({names})`", row[0])
        said |= dict(zip(found, row[1].split(", "), strict=False))
    return said


def test_the_readme_names_every_option_of_a_server_with_its_default() -> None:
    said = table_of("--[a-z-]+")
    assert said.keys() == {option.flag for option in OPTIONS}
    for option in OPTIONS:
        if option.name not in {"data", "limits"}:
            default = getattr(Config(), option.name)
            words = {"True": "yes", "None": "none", "()": "none"}
            assert said[option.flag] == words.get(f"{default}", f"{default}"), option.flag


def test_the_readme_names_every_limit_with_its_default() -> None:
    assert table_of("[a-z_]+") == {name: str(value) for name, value in Limits()._asdict().items()}


def test_rooms_are_kept_as_long_as_is_said() -> None:
    assert f"{Config().idle_lobby_hours:g} hours after" in README
    assert f"after {Config().keep_days:g} days" in README


def test_every_variable_of_the_environment_exists() -> None:
    composed = set(re.findall(r"\$\{(FORTY_THIEVES_[A-Z_]+)", (ROOT / "docker-compose.yml").read_text()))
    known = composed | {option.variable for option in OPTIONS}
    is_known(lambda text: re.findall(r"FORTY_THIEVES_[A-Z_]+", text), DOCUMENTS, known)


# The recipes


def test_the_tests_that_recipes_name_are_there() -> None:
    sources = "\n".join(
        path.read_text() for path in FILES if path.suffix in {".py", ".js"} and "test" in path.parts[-2:][0] + path.name
    )
    named = re.findall(r"`(test_\w+)`", CONTRIBUTING)
    assert named
    assert [name for name in named if f"def {name}(" not in sources] == []


def test_the_files_that_recipes_name_are_there() -> None:
    named = set(re.findall(r"`([\w./-]+\.(?:py|jsx?|json|md|txt))`", CONTRIBUTING))
    known = [path.relative_to(ROOT).as_posix() for path in FILES]
    assert [name for name in named if not any(f"/{path}".endswith(f"/{name}") for path in known)] == []


def test_the_programs_that_recipes_name_are_there() -> None:
    named = re.findall(r"python -m (tests[\w.]+)", CONTRIBUTING)
    assert named
    assert [name for name in named if not (ROOT / f"{name.replace('.', '/')}.py").exists()] == []
