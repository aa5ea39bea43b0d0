"""The architecture: one module that builds all others, and public names.

pyproject.toml has the allowed imports (`tool.importlinter`), also those of pure modules.
"""

import ast
import inspect
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import fortythieves_client

ROOT = Path(__file__).parents[1]
SERVER = ROOT / "server" / "fortythieves_server"

#: The classes that only `app` builds. Other modules do not see the configuration.
BUILT_BY_APP = {
    *("Bots", "Clock", "Gateway", "EmbeddedRedis", "Guests", "RoomService", "Metrics", "Passwords", "FileProcess"),
    *("Reports", "Store", "Supervisor"),
}


def test_only_app_builds_the_objects_of_the_server() -> None:
    called = {
        (path.name, node.func.id)
        for path in SERVER.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert {(file, name) for file, name in called if name in BUILT_BY_APP} == {("app.py", one) for one in BUILT_BY_APP}


#: Public names with an underscore, of named tuples.
OF_NAMED_TUPLES = {"_asdict", "_fields", "_make", "_replace"}
#: A line that may import a private name or use its text.
MAY_USE_PRIVATE = re.compile(r"^\s*(from|import)\b.*\b_[A-Za-z]|^ +_\w+,$|attr\(", re.MULTILINE)


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name not in OF_NAMED_TUPLES


def imported_names_in(tree: ast.Module) -> Iterator[str]:
    """The names that are imported, or used by their text: `setattr("module._X", ...)`."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (part for name in names for part in name.name.split("."))
            case ast.ImportFrom(module=module, names=names):
                yield from (module or "").split(".")
                yield from (name.name for name in names)
            case ast.Call(ast.Name(called) | ast.Attribute(_, called), arguments) if "attr" in called:
                texts = [one.value for one in arguments if isinstance(one, ast.Constant) and isinstance(one.value, str)]
                yield from (text.rpartition(".")[2] for text in texts)


def test_only_public_names_of_packages_and_modules_are_used() -> None:
    """Ruff's SLF001 looks at attributes, but not at imports and texts."""
    paths = [path for folder in ("shared", "server", "client", "tests") for path in (ROOT / folder).rglob("*.py")]
    used = {
        (path.relative_to(ROOT).as_posix(), name)
        for path in paths
        if MAY_USE_PRIVATE.search(text := path.read_text())  # to parse all of them takes seconds
        for name in imported_names_in(ast.parse(text))
        if is_private(name)
    }
    assert used == set()


def test_no_package_is_pinned_to_one_version() -> None:
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    assert [one for one in needed if "==" in one.partition(";")[0]] == []


def test_every_public_name_exists_and_is_documented() -> None:
    undocumented = []
    for name in fortythieves_client.__all__:
        thing = getattr(fortythieves_client, name)
        if callable(thing) and not inspect.getdoc(thing):
            undocumented.append(name)
        for key, member in vars(thing).items() if inspect.isclass(thing) else ():
            is_public = not key.startswith("_") and (inspect.isfunction(member) or isinstance(member, property))
            if is_public and not inspect.getdoc(member):
                undocumented.append(f"{name}.{key}")
    assert undocumented == []


#: A simulation replaces the functions of these modules. So they are looked up when they are used, and not at import.
BOUND_EARLY = re.compile(r"(?:\nfrom (?:time|random|secrets) import (?!Random\b)|= (?:time|random|secrets)\.\w+[,)]).*")
#: An attribute that is a set of anything but numbers. Its order depends on identity, or on PYTHONHASHSEED.
A_SET = re.compile(r"(\w+): (?:frozen)?set\[(?!int)")


def iterated_sets_in(text: str) -> Iterator[str]:
    sets = {found[1] for found in A_SET.finditer(text)}
    for node in ast.walk(ast.parse(text)) if sets else ():
        if isinstance(node, ast.For | ast.comprehension):
            source = node.iter.args[0] if isinstance(node.iter, ast.Call) and node.iter.args else node.iter
            if isinstance(source, ast.Attribute | ast.Name):
                yield from {getattr(source, "attr", ""), getattr(source, "id", "")} & sets


def test_nothing_in_the_server_depends_on_the_order_of_a_set_or_on_a_clock_bound_at_import() -> None:
    found = {
        (path.relative_to(ROOT).as_posix(), one)
        for folder in ("shared", "server", "client/fortythieves_client")
        for path in (ROOT / folder).rglob("*.py")
        for text in [path.read_text()]
        for one in (*BOUND_EARLY.findall(text), *iterated_sets_in(text))
    }
    assert found == set()
